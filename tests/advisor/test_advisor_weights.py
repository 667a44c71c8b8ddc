import copy
import json
import random
import subprocess
import sys

import pytest
import torch
from advisor_cases import state_after, tokens_of

import botapp
from botapp.advisor import weights_file
from botapp.advisor.advisor import create_advisor
from botapp.advisor.calibration import Calibration
from botapp.advisor.features import CANDIDATE
from botapp.advisor.model import (
    DEFAULT_WEIGHTS,
    GPU_WEIGHTS,
    AdvisorModel,
    full,
    lite,
    load_weights,
    save_weights,
    tensors,
    weights_for,
)
from botapp.advisor.tokens import REGISTERS
from botapp.arena.advisor_player import AdvisorPlayer
from botapp.arena.match import play
from botapp.arena.players import RandomPlayer
from botapp.arena.scenarios import duel
from hrm.checkpoint import CheckpointError, read, save
from hrm.model import count_parameters


def test_weights_come_back_as_they_were_saved_with_their_temperatures(tmp_path, small_model):
    path = tmp_path / "w.safetensors"
    calibration = Calibration((1.5, 0.5), (2.0,), 3.0)
    save_weights(path, small_model, calibration, {"why": "a test"})
    model, found = load_weights(path)
    assert found == calibration
    for name, value in small_model.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], value, atol=2e-3, rtol=1e-3)
    assert json.loads(read(path)[1]["notes"]) == {"why": "a test"}


def test_missing_weights_name_the_file_and_the_remedy(tmp_path):
    with pytest.raises(CheckpointError, match=r"nothing\.safetensors.*install botapp again"):
        create_advisor(tmp_path / "nothing.safetensors")


def test_corrupt_weights_name_the_file_and_the_remedy(tmp_path):
    path = tmp_path / "broken.safetensors"
    path.write_bytes(b"not weights at all")
    with pytest.raises(CheckpointError, match=r"broken\.safetensors.*install botapp again"):
        create_advisor(path)
    path.write_bytes(DEFAULT_WEIGHTS.read_bytes()[:5000])
    with pytest.raises(CheckpointError, match=r"broken\.safetensors.*install botapp again"):
        create_advisor(path)


def test_weights_of_something_else_are_refused(tmp_path, small_model):
    path = tmp_path / "other.safetensors"
    save(path, {"a": torch.zeros(2)}, {})
    with pytest.raises(CheckpointError, match=r"other\.safetensors holds no advisor's weights"):
        load_weights(path)


def test_weights_for_other_features_are_refused(tmp_path, small_model):
    path = tmp_path / "old.safetensors"
    save_weights(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    features = json.loads(metadata["features"])
    features["option"] = [*CANDIDATE[:-1], "unheard_of"]
    save(path, tensors, {**metadata, "features": json.dumps(features)})
    with pytest.raises(CheckpointError, match="other option features"):
        load_weights(path)


def test_weights_for_fewer_features_answer_as_they_did_whatever_the_others_say(tmp_path, small_model):
    later = CANDIDATE.index("rollout_gain")
    path = tmp_path / "old.safetensors"
    save_weights(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    features = json.loads(metadata["features"])
    features["option"].remove("rollout_gain")
    for key in ("option.mean", "option.gain", "option.linear.weight", "policy_prior.weight"):
        tensors[key] = torch.cat((tensors[key][..., :later], tensors[key][..., later + 1 :]), -1)
    save(path, tensors, {**metadata, "features": json.dumps(features)})
    model, _ = load_weights(path)
    options = torch.randn(1, 3, len(CANDIDATE))
    other = options.clone()
    other[..., later] = 3.0
    assert torch.equal(model.option(options), model.option(other))
    assert torch.equal(model.policy_prior(options), model.policy_prior(other))
    assert torch.equal(
        model.option.linear.weight[:, :later], tensors["option.linear.weight"][:, :later].float()
    )


def test_weights_of_another_shape_are_refused(tmp_path, small_model):
    path = tmp_path / "torn.safetensors"
    save_weights(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    del tensors["value.weight"]
    save(path, tensors, metadata)
    with pytest.raises(CheckpointError, match=r"value\.weight is missing"):
        load_weights(path)


def test_the_shipped_weights_are_small_and_of_a_model_that_is_quick_on_a_cpu():
    assert DEFAULT_WEIGHTS.stat().st_size < 4_000_000
    model, calibration = load_weights()
    assert isinstance(model, AdvisorModel)
    assert sum(p.numel() for p in model.parameters()) < 800_000
    assert len(calibration.policy) == len(calibration.halt) == model.config.halt_max_steps


@pytest.mark.slow
def test_the_shipped_weights_for_cards_are_large_and_their_files_are_not():
    files = sorted(GPU_WEIGHTS.parent.glob("advisor-full-*.safetensors"))
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) <= 28_000_000
    model, calibration = load_weights(GPU_WEIGHTS)
    assert 26e6 < count_parameters(model) < 28e6
    assert calibration.rollout_actions > load_weights()[1].rollout_actions > 0


def test_a_card_gets_the_large_model_and_a_cpu_the_small_one(monkeypatch, tmp_path):
    assert weights_for("cpu") == DEFAULT_WEIGHTS
    assert {weights_for(backend) for backend in ("rocm", "cuda", "directml")} == {GPU_WEIGHTS}
    assert create_advisor(device="cpu").options.rollout_actions == load_weights()[1].rollout_actions
    monkeypatch.setattr("botapp.advisor.model.GPU_WEIGHTS", tmp_path / "advisor-full-1.safetensors")
    assert weights_for("cuda") == DEFAULT_WEIGHTS


@pytest.mark.slow
def test_the_large_model_advises_on_a_cpu_as_well():
    decision = create_advisor(GPU_WEIGHTS, device="cpu", budget_ms=0, max_steps=1).decide(state_after(5, 12))
    assert decision.best.confidence > 0


@pytest.mark.slow
def test_the_shipped_weights_beat_random_play():
    advisor = AdvisorPlayer(create_advisor(device="cpu", budget_ms=0, max_steps=2))
    for side in (0, 1):
        result = play(duel(4), {side: advisor, 1 - side: RandomPlayer()}, random.Random(4))
        assert result.winner == side


@pytest.mark.slow
def test_the_package_gives_create_advisor_without_loading_torch():
    code = (
        "import sys, botapp, botapp.advisor.tokens\n"
        "sys.exit('torch' in sys.modules or 'PySide6' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert botapp.create_advisor is create_advisor
    with pytest.raises(AttributeError, match="nonsense"):
        _ = botapp.nonsense


@pytest.mark.slow
def test_all_that_a_step_computes_with_goes_to_the_device_with_it(small_model):
    there = copy.deepcopy(small_model.stepper()).to("meta")
    x = torch.zeros(1, 12, small_model.config.hidden_size, device="meta")
    answers = there(*there.core.start(1, 12), x)
    assert {answer.device.type for answer in answers} == {"meta"}


@pytest.mark.slow
@pytest.mark.parametrize("config", [lite, full])
def test_fresh_weights_tell_a_states_options_apart_however_deep_the_model(config):
    torch.manual_seed(0)
    model = AdvisorModel(config()).eval()
    encoded = tokens_of(duel(seed=1))
    with torch.inference_mode():
        x, mask = model.embed(*tensors([encoded]))
        carry, _ = model.core(model.core.start(1, x.shape[1]), x, mask)
    options = carry.z_H[0, REGISTERS : REGISTERS + len(encoded.candidates)]
    apart = (options - options.mean(0)).square().mean() / options.square().mean()
    assert apart > 0.01, "bf16 tells numbers apart that differ by a hundredth; see botapp/learning/LOG.md"


def test_weights_that_are_loaded_are_not_drawn_first(monkeypatch):
    from torch import nn

    def drawn(*_, **__):
        raise AssertionError("drawn for nothing")

    before, _ = load_weights()
    monkeypatch.setattr(nn.init, "trunc_normal_", drawn)
    after, _ = load_weights()
    pairs = zip(before.state_dict().values(), after.state_dict().values(), strict=True)
    assert all(one.equal(other) for one, other in pairs)


@pytest.mark.parametrize("features", ['{"option": [null]}', "[]", '{"context": 3}', '{"option": [[]]}'])
def test_features_that_are_no_names_are_refused_in_one_line(tmp_path, features):
    path = tmp_path / "odd.safetensors"
    path.write_bytes(DEFAULT_WEIGHTS.read_bytes())
    weights_file.rewrite(path, {"features": features}, "")
    with pytest.raises(CheckpointError, match="holds no advisor's weights"):
        load_weights(path)
