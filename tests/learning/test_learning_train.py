"""Training learns what the search prefers, writes weights the app can load, and goes on from them."""

import json

import numpy as np
import pytest
import torch
from judged_cases import write_judged

from botapp.advisor.model import AdvisorModel, full, lite, load_weights, read_notes
from botapp.learning import train
from botapp.learning.baselines import one_pass, plain
from botapp.learning.imitation import Imitation, Recipe, batch_loss, fit_scales
from botapp.learning.samples import load

torch.set_num_threads(1)
SMALL = ("hidden_size=32", "num_heads=2", "mlp_inner=64", "L_layers=1", "H_layers=1")
CHANGES = {name: int(value) for name, value in (change.split("=") for change in SMALL)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged")
    write_judged(folder, range(100, 160), states=8, options=(2, 20))
    return folder


@pytest.fixture
def task(folder):
    torch.manual_seed(0)
    samples = load([folder])
    model = AdvisorModel(lite(**CHANGES))
    fit_scales(model, samples)
    training, held = samples.split(0.2)
    return Imitation(model, samples, training, held, Recipe(tokens=1024, steps=2, watched=40), seed=1)


def command(folder, out, *more):
    changes = [part for change in SMALL for part in ("--set", change)]
    fixed = ["--tokens", "400", "--held-out", "0.4", "--act-steps", "2", "--device", "cpu", "--threads", "1"]
    return ["--data", str(folder), "--out", str(out), *fixed, *changes, *more]


@pytest.mark.slow
def test_training_learns_what_the_search_prefers(task):
    optimiser = torch.optim.AdamW(task.model.parameters(), 3e-3)
    before = task.evaluate()
    losses = []
    for step in range(80):
        loss, metrics = task.loss(step)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        assert 0 <= float(metrics["good"]) <= 1
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])
    after = task.evaluate()
    assert after["held_out_regret@2"] < 0.5 * before["held_out_regret@2"]


def test_the_batch_of_a_step_depends_on_the_seed_and_the_step_alone(task):
    assert torch.equal(task.loss(5)[0], task.loss(5)[0])
    assert not torch.equal(task.loss(5)[0], task.loss(6)[0])


def test_padding_and_the_other_states_of_a_batch_change_no_loss(task):
    samples, recipe = task.samples, task.recipe
    group = max(samples.groups(torch.arange(len(samples))), key=lambda group: len(group.rows))
    rows = group.rows[:6]
    wide = type(group)(96, 16, rows)
    with torch.no_grad():
        alone = [float(batch_loss(task.model, samples.batch(wide, row[None]), recipe)[0]) for row in rows]
        together = float(batch_loss(task.model, samples.batch(group, rows), recipe)[0])
    assert together == pytest.approx(np.mean(alone), rel=1e-4)


def test_features_are_brought_to_a_common_scale(task):
    scaled = (task.samples.options.float() - task.model.option.mean) * task.model.option.gain
    assert scaled.mean(0).abs().max() < 0.01
    assert (scaled.std(0) - 1).abs().max() < 0.01


@pytest.mark.slow
def test_the_command_makes_weights_goes_on_from_them_and_says_how_good_they_are(folder, tmp_path, capsys):
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    metrics, picture = tmp_path / "deep" / "m.json", tmp_path / "deep" / "m.svg"
    assert train.main(command(folder, first, "--steps", "4")) == 0
    more = ("--steps", "2", "--start", str(first), "--metrics", str(metrics), "--picture", str(picture))
    assert train.main(command(folder, second, *more)) == 0
    by_step = json.loads(capsys.readouterr().out.splitlines()[-1])
    figures = json.loads(metrics.read_text())
    assert figures["held_out"]["by_step"] == by_step
    assert len(by_step) == lite().halt_max_steps
    assert [row["step"] for row in figures["log"] if "loss" in row] == [1, 2]
    assert figures["notes"]["start"] == "first.safetensors"
    assert picture.read_text().startswith("<svg")
    before, after = load_weights(first)[0], load_weights(second)[0]
    assert torch.equal(before.option.mean, after.option.mean)
    assert not torch.equal(before.policy.weight, after.policy.weight)
    assert read_notes(second)["figures"]["by_step"] == by_step
    assert len(load_weights(second)[1].policy) == len(by_step)


@pytest.mark.slow
def test_the_full_model_comes_in_two_files_of_bytes_held_against_bf16(folder, tmp_path, capsys):
    out, metrics = tmp_path / "advisor-full.safetensors", tmp_path / "m.json"
    more = ("--model", "full", "--steps", "2", "--metrics", str(metrics), "--set", "hidden_size=64")
    assert train.main(command(folder, out, *more)) == 0
    names = sorted(path.name for path in tmp_path.glob("*.safetensors"))
    assert names == ["advisor-full-1.safetensors", "advisor-full-2.safetensors"]
    figures = json.loads(metrics.read_text())
    int8, bf16 = (part["by_step"][0]["regret"] for part in (figures["held_out"], figures["bf16"]))
    assert int8 == pytest.approx(bf16, rel=0.1)
    assert load_weights(tmp_path)[0].config.hidden_size == 64
    again = tmp_path / "again.json"
    measure = ("--model", "full", "--measure-only", "--metrics", str(again))
    assert train.main(command(folder, out, *measure)) == 0
    assert json.loads(again.read_text())["held_out"] == figures["held_out"]
    capsys.readouterr()


@pytest.mark.slow
def test_minutes_end_the_training_with_the_rate_run_down(folder, tmp_path, monkeypatch):
    """The clock is the test's own: each look at it costs a second."""
    ticks = iter(range(10**6))
    monkeypatch.setattr("hrm.training.loop.time.monotonic", lambda: float(next(ticks)))
    run = train.Run(
        [folder], tmp_path / "w.safetensors", minutes=1.0, device="cpu", changes=CHANGES,
        recipe=Recipe(tokens=300, steps=1, held_out=0.4, watched=8),
    )  # fmt: skip
    figures = train.train(run)
    rates = [row["lr"] for row in figures["log"] if "lr" in row]
    assert figures["notes"]["optimiser_steps"] > 1
    assert rates[-1] < Recipe().lr


def test_what_cannot_be_trained_ends_the_command_with_words(folder, tmp_path, capsys):
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, words in (
        (command(empty, tmp_path / "w.safetensors"), "has no shards"),
        (command(folder, tmp_path / "w.safetensors", "--start", str(tmp_path / "no.safetensors")), "no file"),
        (command(folder, tmp_path / "w.safetensors", "--set", "colour=3"), "is not FIELD=NUMBER"),
    ):
        with pytest.raises(SystemExit):
            train.main(arguments)
        assert words in capsys.readouterr().err


def test_the_baselines_are_as_large_and_answer_at_once():
    for config in (lite(), full()):
        with torch.device("meta"):
            sizes = {
                sum(p.numel() for p in AdvisorModel(c).parameters())
                for c in (config, one_pass(config), plain(config))
            }
        assert len(sizes) == 1
        assert one_pass(config).halt_max_steps == plain(config).halt_max_steps == 1
        assert plain(config).schedule == "LH"
        assert one_pass(config).schedule == config.schedule != "LH"
