"""What the training of the evaluation promises: fights give states, and more of them a better judgement."""

import json

import numpy as np
import pytest
import torch

from botapp.arena.drawn_fighters import with_drawn_fighters
from botapp.arena.scenarios import team
from botapp.arena.workers import spread
from botapp.learning import evaluation
from botapp.learning.evaluation import TurnStates, figures, main, train
from botapp.learning.evaluation_network import EvaluationNetwork
from botapp.learning.outcomes import Played, PlaySettings, play
from botapp.learning.quick_fights import play_quickly
from botapp.learning.rows import MOST_ROWS
from botapp.search.core.evaluation import INPUT, INPUT_NAMES, PAIR
from botapp.search.learned import load


@pytest.mark.slow
def test_a_fight_gives_its_states_and_its_end_the_same_each_time():
    settings = PlaySettings(rollout_actions=0, nodes=30)
    first, second = play(settings, 11), play(settings, 11)
    assert len(first.rows) > 5 and first.won in (0, 0.5, 1)
    assert first.rows.shape[1:] == (MOST_ROWS, INPUT)
    assert first.pairs.shape[1:] == (MOST_ROWS, MOST_ROWS, PAIR)
    assert np.array_equal(first.rows, second.rows) and first.won == second.won
    assert ((first.chances > 0) & (first.chances < 1)).all()
    assert np.isfinite(first.rows).all() and np.isfinite(first.pairs).all()


@pytest.mark.slow
def test_quick_fights_give_states_the_same_each_time():
    fights = [fight for number in range(40, 46) for fight in play_quickly(number)]
    again = [fight for number in range(40, 46) for fight in play_quickly(number)]
    assert {fight.won for fight in fights} >= {0, 1} and all(len(fight.rows) for fight in fights)
    for fight, other in zip(fights, again, strict=True):
        assert fight.won == other.won and np.array_equal(fight.rows, other.rows)
        assert np.isfinite(fight.rows).all() and np.isfinite(fight.pairs).all()


def test_drawn_fighters_can_strike_and_differ():
    import random

    begun = team(5, 3)
    drawn = with_drawn_fighters(begun, random.Random(1))
    assert drawn.fighters != begun.fighters and drawn == with_drawn_fighters(begun, random.Random(1))
    for was, now in zip(begun.fighters, drawn.fighters, strict=True):
        assert (was.id, was.team, was.cell) == (now.id, now.team, now.cell)
        assert now.hp == now.max_hp > 0 and now.ap == now.base_ap and now.spells


def made_up(fights, seed):
    """Returns fights of one against one that the one with more HP wins."""
    rng = np.random.default_rng(seed)
    found = []
    hp = 1 + INPUT_NAMES.index("hp")
    for number in range(fights):
        rows = np.full((4, MOST_ROWS, INPUT), -1, np.float16)
        rows[:, :2] = 0
        rows[:, 1, 0] = 1
        rows[:, :2, hp] = rng.random(2)
        pairs = np.zeros((4, MOST_ROWS, MOST_ROWS, PAIR), np.float16)
        chances = np.full(4, np.nan, np.float32)
        found.append(Played(number, rows, pairs, chances, float(rows[0, 0, hp] > rows[0, 1, hp])))
    return found


@pytest.mark.long
def test_training_learns_who_wins(monkeypatch):
    monkeypatch.setattr(evaluation, "BATCH", 64)
    cpu = torch.device("cpu")
    unseen = TurnStates.of(made_up(100, 2), cpu)
    torch.manual_seed(0)
    net = EvaluationNetwork()
    train(net, TurnStates.of(made_up(300, 1), cpu), seconds=3600, epochs=6)
    found = figures(net, unseen)
    assert found["auc"] > 0.97 and found["log_loss"] < 0.55


def test_states_beside_others_have_their_share_of_the_weight():
    cpu = torch.device("cpu")
    few, many = TurnStates.of(made_up(10, 1), cpu), TurnStates.of(made_up(90, 2), cpu)
    both = few.beside(many, 0.25)
    assert both.weight[: len(few.won)].sum().item() == pytest.approx(0.75 * both.weight.sum().item())
    assert both.weight.mean().item() == pytest.approx(1)


@pytest.mark.long
def test_the_command_plays_trains_and_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation, "spread", lambda work, numbers, *_: spread(work, numbers[:4], 1))
    options = ["--seed", "40", "--workers", "1"]
    options += ["--train-seconds", "0.3", "--rollout-actions", "0", "--contrasted", "0.1"]
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    assert main(["--out", str(first), *options]) == 0
    after = json.loads(first.with_suffix(".json").read_text())
    assert [one["after"] for one in after] == ["quick", "round-1"] and after[1]["states"] > after[0]["states"]
    assert main(["--out", str(second), "--start", str(first), *options]) == 0
    (on,) = json.loads(second.with_suffix(".json").read_text())  # what it begins with is not learned anew
    assert on["after"] == "round-1"
    assert not np.array_equal(load(first).weights, load(second).weights)
