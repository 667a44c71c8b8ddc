"""Deliberations are recorded as the app has them, and a network trained on them is graded against bare."""

import json
import random

import numpy as np
import pytest
import torch
from advisor_cases import state_after

from botapp.advisor.calibration import Calibration
from botapp.advisor.thinker import fresh, load_thinker, save_thinker
from botapp.learning import deliberations, shards
from botapp.learning import think as trainer
from botapp.learning.deliberations import batch_of, load
from botapp.learning.recorded import MODES, READINGS, SLICES, RecordingPlan, record, records, stacked
from botapp.learning.think import ThinkingRecipe, begin_heads, drawn, losses
from botapp.learning.thoughts import Said, think

pytestmark = pytest.mark.slow

PLAN = RecordingPlan(pool="seen", states=3, deep_actions=600, branches=1, replies=0, deep_replies=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("records")
    fight = 0
    for number in range(2):
        parts = []
        while sum(len(part["fight"]) for part in parts) < 4:
            parts += [part for part in [stacked(records(PLAN, fight))] if part]
            fight += 1
        shards.write(found / f"records-0-{number:05d}.npz.xz", parts)
    return found


def test_the_same_fight_has_the_same_records():
    one, other = stacked(records(PLAN, 4)), stacked(records(PLAN, 4))
    assert one.keys() == other.keys()
    for key, array in one.items():
        assert np.array_equal(array, other[key], equal_nan=key == "gains")


@pytest.mark.long
def test_looks_are_recorded_as_they_were(folder):
    shard = shards.read(next(iter(sorted(folder.glob("*.xz")))))
    looked, mode, gains, odds = (shard[key] for key in ("looked", "mode", "gains", "odds"))
    counts = shard["candidate_count"]
    assert (mode == [[0, 1]] * len(mode)).all()
    assert (looked[:, MODES.index("schedule")] == -1).all()
    assert (looked[:, MODES.index("random")] >= 0).any()
    assert np.isfinite(gains).any() and np.isnan(gains).any()
    assert odds.shape[2] == READINGS == SLICES + 1
    for state, count in enumerate(counts):
        assert (odds[state, ..., :count] > -1e8).all() and (odds[state, ..., count:] < -1e8).all()


def test_a_fresh_network_answers_as_bare_in_records(folder):
    found = load([folder], torch.device("cpu"))
    rows = torch.arange(len(found))
    batch = batch_of(found, rows, torch.zeros_like(rows))
    said = think(fresh().eval(), batch, 1.0)
    shown = batch.odds.masked_fill(~batch.real[:, None], -1e9)
    assert torch.equal(said.logits.argmax(-1), shown.argmax(-1))
    assert (batch.regrets.min(-1).values == 0).all()
    price_left, price, ends = drawn(batch)
    parts = losses(price_left, said, ThinkingRecipe(), price, ends, 0)
    assert all(part.isfinite() for part in parts.values())


def test_halting_learns_regret_and_going_on_the_better_of_what_follows(folder):
    found = load([folder], torch.device("cpu"))
    rows = torch.arange(2)
    batch = batch_of(found, rows, torch.zeros_like(rows))
    said = think(fresh().eval(), batch, 1.0)
    given = said.logits.argmax(-1)
    q = torch.zeros_like(said.q)
    q[:, :, 0] = -batch.regrets.gather(1, given)
    price, ends = torch.full((2,), 0.1), torch.full((2,), SLICES)
    best = q[:, -1, 0] - 0.1
    for reading in range(SLICES, -1, -1):
        q[:, reading, 1] = best
        best = torch.maximum(q[:, reading, 0], q[:, reading, 1]) - 0.1
    right = Said(said.logits, said.looks, q)
    parts = losses(batch, right, ThinkingRecipe(), price, ends, 0)
    assert parts["halt"] == 0 and parts["continue"] < 1e-10


@pytest.mark.long
def test_heads_begin_at_the_best_that_is_the_same_for_all_states(folder):
    found = load([folder], torch.device("cpu"))
    rows = torch.arange(len(found))
    batch = batch_of(found, rows, torch.zeros_like(rows))
    model, recipe = fresh().eval(), ThinkingRecipe()
    price, ends = torch.full((len(rows),), 0.1), torch.full((len(rows),), SLICES)
    before = losses(batch, think(model, batch, 0.0), recipe, price, ends, 0)
    begin_heads(model, found, rows, recipe)
    said = think(model, batch, 0.0)
    after = losses(batch, said, recipe, price, ends, 0)
    given = batch.regrets.gather(1, said.logits.argmax(-1)).clamp_max(recipe.largest)
    assert torch.allclose(said.q, -given.mean())
    assert torch.isclose(after["halt"], recipe.halt_weight * given.var(unbiased=False))
    assert after["policy"] <= before["policy"]


@pytest.mark.long
def test_training_writes_weights_and_figures(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(deliberations, "HELD_OUT", 0.5)
    out, metrics = tmp_path / "w.safetensors", tmp_path / "m.json"
    options = ["--data", str(folder), "--out", str(out), "--metrics", str(metrics), "--device", "cpu"]
    training = ["--steps", "2", "--batch", "4", "--check", "1", "--others", str(folder)]
    assert trainer.main([*options, *training]) == 0
    assert load_thinker(out)[1].correction == 1.0
    found = json.loads(metrics.read_text())
    assert [len(point["differences"]) for point in found["course"]] == [READINGS, READINGS]
    assert found["figures"][folder.name]["states"] == len(shards.read_all([folder])) * 6
    figures = found["figures"]["schedule"]["by_reading"]
    assert len(figures) == READINGS and {"regret", "bare_regret", "auroc_halt", "ece"} <= figures[0].keys()
    assert trainer.main([*options, "--measure-only"]) == 0


def test_the_model_looks_in_a_deliberation_of_its_own(folder, tmp_path):
    model = fresh()
    torch.nn.init.constant_(model.heads.token.bias, 1.0)
    save_thinker(tmp_path / "w.safetensors", model, Calibration(), {})
    plan = RecordingPlan(
        deep_actions=300, replies=0, deep_replies=0, weights=(tmp_path / "w.safetensors").read_bytes()
    )
    found = record(plan, state_after(5, 12), random.Random(1))
    assert found["mode"].tolist() == [0, 1, 2] and (found["looked"][2, 1:] >= 0).all()


def test_without_records_there_is_one_clear_line(tmp_path, capsys):
    with pytest.raises(SystemExit):
        trainer.main(["--data", str(tmp_path), "--out", str(tmp_path / "w"), "--device", "cpu"])
    assert "has no records; make some with python -m botapp.learning.record" in capsys.readouterr().err
