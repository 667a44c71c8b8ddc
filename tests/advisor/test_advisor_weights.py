import copy
import json
import random
import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from advisor_cases import state_after

import botapp
from botapp.advisor.advisor import create_advisor
from botapp.advisor.calibration import Calibration
from botapp.advisor.deliberating import Thinking
from botapp.advisor.device import place
from botapp.advisor.evidence import Deliberated
from botapp.advisor.own_weights import DEFAULT_WEIGHTS, FULL_WEIGHTS
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinker import fresh, full, lite, load_thinker, save_thinker
from botapp.arena.match import play
from botapp.arena.players.advised import AdvisorPlayer
from botapp.arena.players.simple import RandomPlayer
from botapp.arena.scenarios import duel
from hrm.backends.levels import fits_kernels
from hrm.tensor_file import CheckpointError, read, save

CPU = place("cpu", "cpu", "auto")


@pytest.mark.slow
def test_weights_come_back_as_they_were_saved_with_their_temperatures(tmp_path, small_model):
    path = tmp_path / "w.safetensors"
    calibration = Calibration((1.5, 0.5), ((2.0, 0.1),), 0.3)
    save_thinker(path, small_model, calibration, {"why": "a test"})
    model, found = load_thinker(path)
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


def test_weights_of_something_else_are_refused(tmp_path):
    path = tmp_path / "other.safetensors"
    save(path, {"a": torch.zeros(2)}, {})
    with pytest.raises(CheckpointError, match=r"other\.safetensors holds no advisor's weights"):
        load_thinker(path)


def test_weights_for_other_features_are_refused(tmp_path, small_model):
    path = tmp_path / "old.safetensors"
    save_thinker(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    features = json.loads(metadata["features"])
    features["candidate"][-1] = "unheard_of"
    save(path, tensors, {**metadata, "features": json.dumps(features)})
    with pytest.raises(CheckpointError, match="other candidate features"):
        load_thinker(path)


def test_weights_of_another_shape_are_refused(tmp_path, small_model):
    path = tmp_path / "torn.safetensors"
    save_thinker(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    del tensors["heads.whole.weight"]
    save(path, tensors, metadata)
    with pytest.raises(CheckpointError, match=r"heads\.whole\.weight is missing"):
        load_thinker(path)


@pytest.mark.parametrize("features", ['{"candidate": [null]}', "[]", '{"context": 3}', '{"candidate": [[]]}'])
def test_features_that_are_no_names_are_refused_in_one_line(tmp_path, small_model, features):
    path = tmp_path / "odd.safetensors"
    save_thinker(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    save(path, tensors, {**metadata, "features": features})
    with pytest.raises(CheckpointError, match=r"holds no advisor's weights|was trained on other") as refused:
        load_thinker(path)
    assert "\n" not in str(refused.value)


def test_the_shipped_weights_are_small_and_may_correct_the_search():
    assert DEFAULT_WEIGHTS.stat().st_size < 4_000_000
    model, calibration = load_thinker()
    assert sum(p.numel() for p in model.parameters()) < 1_000_000
    assert len(calibration.policy) == len(calibration.sureness) == model.config.halt_max_steps + 1
    assert calibration.correction == 1.0


@pytest.mark.slow
def test_the_large_model_comes_in_parts_that_a_repository_takes():
    parts = sorted(FULL_WEIGHTS.parent.glob("advisor-full-*"))
    assert len(parts) == 2 and max(part.stat().st_size for part in parts) < 16 << 20
    model, calibration = load_thinker(FULL_WEIGHTS)
    assert 20_000_000 < sum(p.numel() for p in model.parameters()) < 30_000_000
    assert fits_kernels(model.config) and calibration.correction == 1.0


@pytest.mark.slow
def test_the_shipped_weights_beat_random_play():
    advisor = AdvisorPlayer(create_advisor(placement=CPU, budget_ms=0))
    for side in (0, 1):
        result = play(duel(4), {side: advisor, 1 - side: RandomPlayer()}, random.Random(4))
        assert result.winner == side


@pytest.mark.slow
def test_the_package_gives_create_advisor_without_loading_torch():
    code = (
        "import sys, botapp, botapp.advisor.evidence\n"
        "sys.exit('torch' in sys.modules or 'PySide6' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert botapp.create_advisor is create_advisor
    with pytest.raises(AttributeError, match="nonsense"):
        _ = botapp.nonsense


@pytest.mark.long
def test_all_that_a_step_computes_with_goes_to_the_device_with_it(small_model):
    there = copy.deepcopy(small_model.stepper()).to("meta")
    x = torch.zeros(1, 12, small_model.config.hidden_size, device="meta")
    answers = there(*there.core.start(1, 12), x)
    assert {answer.device.type for answer in answers} == {"meta"}


@pytest.mark.long
@pytest.mark.parametrize("config", [lite, full])
def test_fresh_weights_tell_a_states_candidates_apart_however_deep_the_model(config):
    torch.manual_seed(0)
    model = fresh(config(forward_dtype="float32")).eval()
    matter = Deliberated(search_state(duel(seed=1)), 8, 12, 0.05)
    facts, known = matter.facts, matter.read()
    given = (facts.context, facts.candidates, facts.fighters, known.evidence, known.progress)
    context, candidates, fighters, evidence, progress = (torch.from_numpy(part)[None] for part in given)
    with torch.inference_mode():
        x = model.with_evidence(model.tokens(context, candidates, fighters), evidence, progress)
        carry, _ = model.core(model.core.start(1, x.shape[1]), x)
    options = carry.z_H[0, 1 : 1 + len(matter.shown)]
    apart = (options - options.mean(0)).square().mean() / options.square().mean()
    assert apart > 0.01, "bf16 tells numbers apart that differ by a hundredth; see docs/log/learning.md"


def test_weights_that_are_loaded_are_not_drawn_first(monkeypatch):
    from torch import nn

    def drawn(*_, **__):
        raise AssertionError("drawn for nothing")

    before, _ = load_thinker()
    monkeypatch.setattr(nn.init, "trunc_normal_", drawn)
    after, _ = load_thinker()
    pairs = zip(before.state_dict().values(), after.state_dict().values(), strict=True)
    assert all(one.equal(other) for one, other in pairs)


@pytest.mark.long
def test_a_large_model_advises_on_a_cpu_as_well(tmp_path):
    torch.manual_seed(0)
    large = replace(full(), forward_dtype="float32", H_layers=2, L_layers=1)
    files = save_thinker(tmp_path / "full.safetensors", fresh(large), Calibration(), {}, "int8", parts=2)
    decision = create_advisor(files[0], CPU, 0, Thinking(1)).decide(state_after(5, 12))
    assert decision.best.confidence > 0


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda value: torch.full_like(value, float("nan")), "hold NaN or infinity"),
        (lambda value: torch.full_like(value, float("inf")), "hold NaN or infinity"),
        (lambda value: value.to(torch.complex64), "complex64 and not decimals"),
        (lambda value: value.to(torch.int64), "int64 and not decimals"),
        (lambda value: value.to(torch.bool), "bool and not decimals"),
    ],
)
def test_weights_that_are_no_finite_decimals_are_refused(tmp_path, small_model, spoil, words):
    """They had loaded, and what came of it was laid to the precision."""
    path = tmp_path / "w.safetensors"
    save_thinker(path, small_model, Calibration(), {})
    tensors, metadata = read(path)
    name = next(name for name, value in tensors.items() if value.is_floating_point())
    save(path, tensors | {name: spoil(tensors[name])}, metadata)
    with pytest.raises(CheckpointError, match=words):
        create_advisor(path)
