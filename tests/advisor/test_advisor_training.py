import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from botapp.advisor import dataset, evaluate, train
from botapp.advisor.dataset import Plan, generate, write_shard
from botapp.advisor.features import CANDIDATE
from botapp.advisor.grading import auroc, calibration_error
from botapp.advisor.model import lite, load_weights
from botapp.advisor.samples import NEVER, DataError, load
from botapp.advisor.train import Imitation, Recipe


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """A few fights with a hasty teacher."""
    folder = tmp_path_factory.mktemp("shards")
    plan = Plan(fights=8, per_shard=2, seed=40, budget=0, out=folder)
    for shard in plan.shards():
        write_shard((plan, shard))
    return folder


def test_a_shard_holds_states_with_a_regret_for_each_candidate(shards):
    arrays = load_file(shards / "shard-00000.safetensors")
    states = len(arrays["context"])
    assert states == len(arrays["option_counts"]) == len(arrays["outcomes"]) == len(arrays["fights"])
    assert arrays["option_counts"].sum() == len(arrays["options"]) == len(arrays["regrets"])
    assert arrays["fighter_counts"].sum() == len(arrays["fighters"])
    assert arrays["options"].shape[1] == len(CANDIDATE)
    assert (arrays["regrets"] >= 0).all()
    assert set(np.unique(arrays["outcomes"])) <= {-1.0, 0.0, 1.0}
    starts = np.concatenate(([0], np.cumsum(arrays["option_counts"])[:-1]))
    best = np.minimum.reduceat(arrays["regrets"], starts)
    assert np.median(best) == 0


def test_the_same_seed_makes_the_same_shard(shards, tmp_path):
    plan = Plan(fights=8, per_shard=2, seed=40, budget=0, out=tmp_path)
    write_shard((plan, 1))
    first, second = load_file(shards / "shard-00001.safetensors"), load_file(plan.path(1))
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name])


def test_generation_goes_on_where_it_was_stopped(shards, tmp_path, capsys):
    for name in ("shard-00000.safetensors", "shard-00002.safetensors"):
        (tmp_path / name).write_bytes((shards / name).read_bytes())
    (tmp_path / "shard-00001.77.part").write_bytes(b"half")
    plan = Plan(fights=6, per_shard=2, seed=40, budget=0, out=tmp_path)
    assert plan.shards() == [1]
    assert generate(plan, workers=1)["shards"] == 1
    assert not list(tmp_path.glob("*.part"))
    assert generate(plan, workers=1, quiet=True)["states"] == 0
    assert dataset.main(["--fights", "6", "--per-shard", "2", "--workers", "1", "--out", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["shards_left"] == 0


def test_held_out_states_come_from_other_fights_than_the_trained_ones(shards):
    training, held_out = load(shards, 0.4)
    everything = sum(len(load_file(p)["context"]) for p in shards.glob("*.safetensors"))
    assert sum(map(len, training)) + sum(map(len, held_out)) == everything
    for batch in (*training, *held_out):
        assert (batch.regrets[~batch.option_mask] == NEVER).all()
        assert (batch.regrets[batch.option_mask] < NEVER).all()
        assert batch.option_mask.sum(1).min() >= 2


def test_folders_that_cannot_be_trained_on_are_refused_in_words(shards, tmp_path):
    with pytest.raises(DataError, match="has no shards"):
        load(tmp_path, 0.1)
    with pytest.raises(DataError, match="too few fights"):
        load(shards, 0.0)
    (tmp_path / "shard-00000.safetensors").write_bytes(b"junk")
    with pytest.raises(DataError, match="is damaged"):
        load(tmp_path, 0.1)


def test_training_lowers_the_loss_and_improves_on_the_untrained_model(shards, small_model):
    training, _ = load(shards, 0.3)
    recipe = Recipe(batch=32, steps=2)
    torch.manual_seed(0)
    model = type(small_model)(small_model.config)
    train.fit_scales(model, training)
    task = Imitation(model, training, recipe, seed=1)
    optimiser = torch.optim.AdamW(model.parameters(), 2e-3)
    losses = []
    for step in range(60):
        loss, metrics = task.loss(step)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        assert 0 <= float(metrics["good"]) <= 1
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])


@pytest.mark.slow
def test_the_command_line_makes_weights_that_can_be_used_and_tells_how_good_they_are(
    shards, tmp_path, capsys, monkeypatch
):
    small = lite(hidden_size=32, num_heads=2, mlp_inner=32, L_layers=1, H_layers=1)
    monkeypatch.setattr(train, "lite", lambda: small)
    out, metrics = tmp_path / "w.safetensors", tmp_path / "deep" / "m.json"
    arguments = [
        "--data",
        str(shards),
        "--out",
        str(out),
        "--metrics",
        str(metrics),
        "--batch",
        "16",
        "--held-out",
        "0.3",
    ]
    assert (
        train.main([*arguments, "--steps", "6", "--act-steps", "2", "--device", "cpu", "--threads", "1"]) == 0
    )
    figures = json.loads(capsys.readouterr().out)
    assert figures["held_out"]["states"] > 0
    assert figures["notes"]["optimiser_steps"] == 6
    model, calibration = load_weights(out)
    assert len(calibration.policy) == model.config.halt_max_steps
    assert json.loads(metrics.read_text())["log"]


def test_a_folder_without_data_ends_the_command_with_words(tmp_path, capsys):
    with pytest.raises(SystemExit):
        train.main(["--data", str(tmp_path), "--out", str(tmp_path / "w.safetensors"), "--device", "cpu"])
    assert "has no shards" in capsys.readouterr().err


def test_minutes_become_a_number_of_steps(shards, small_model):
    training, _ = load(shards, 0.3)
    task = Imitation(small_model, training, Recipe(batch=4, steps=1), seed=0)
    assert train._affordable(small_model, task, 0.0, "float32") == 20
    assert train._affordable(small_model, task, 5.0, "float32") > 20


def test_the_area_under_the_curve_counts_ties_half():
    scores = torch.tensor([0.1, 0.4, 0.4, 0.9])
    assert auroc(scores, torch.tensor([False, False, True, True])) == pytest.approx(0.875)
    assert auroc(scores, torch.tensor([True, True, True, True])) == 0.5
    assert auroc(scores, torch.tensor([True, True, False, False])) == pytest.approx(0.125)


def test_calibration_error_is_nought_for_honest_shares():
    shares = torch.tensor([0.75] * 4)
    assert calibration_error(shares, torch.tensor([1.0, 1.0, 1.0, 0.0])) == pytest.approx(0.0)
    assert calibration_error(shares, torch.zeros(4)) == pytest.approx(0.75)


@pytest.mark.slow
def test_weights_are_let_fight_from_the_command_line(tmp_path, capsys):
    out = tmp_path / "fights.json"
    arguments = [
        "--fights",
        "2",
        "--workers",
        "1",
        "--opponents",
        "random",
        "--max-steps",
        "1",
        "--seed",
        "4",
    ]
    assert evaluate.main([*arguments, "--out", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert figures == json.loads(capsys.readouterr().out)
    assert figures["random"]["fights"] == 2
