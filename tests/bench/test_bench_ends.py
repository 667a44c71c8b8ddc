"""What foretells the outcome of fights is measured on ends of turns that were played on from."""

import json
import lzma

import numpy as np
import pytest
import typer

from botapp.arena.scenarios import team
from botapp.bench.ends import compared, made, main, records, said
from botapp.content.state_json import action_to_json, state_to_json
from botapp.fight.actions import Move
from botapp.fight.rules import legal_actions


def test_the_weight_at_which_both_foretell_best_is_found():
    rng = np.random.default_rng(3)
    turns = []
    for _ in range(80):
        evaluation, mean = rng.normal(size=(2, 8))
        won = 0.75 * evaluation + 0.25 * mean + rng.normal(scale=0.3, size=8) + rng.normal()
        turns.append(np.column_stack((evaluation, mean, won)))
    found = compared(turns)
    assert (found.turns, found.ends) == (80, 640)
    assert found.weight == pytest.approx(0.25, abs=0.06)
    assert found.interval[0] <= found.weight <= found.interval[1] < 0.5
    assert found.best > found.evaluation > found.mean


def test_among_the_best_ends_only_the_first_three_of_each_turn_count():
    rng = np.random.default_rng(4)
    turns = []
    for _ in range(60):
        evaluation, mean, won = rng.normal(size=(3, 7))
        won[3:] = 3 * evaluation[3:]
        mean[:3] = won[:3]
        turns.append(np.column_stack((evaluation, mean, won)))
    found = compared(turns)
    assert found.evaluation > 0.6
    assert found.among_best == pytest.approx((0, 1), abs=0.2)


def test_what_is_said_of_an_end_has_a_rollout_in_its_mean():
    state = team(3, 1)
    walk = next(action for action in legal_actions(state) if isinstance(action, Move))
    ends = [{"line": [], "won": 0.5}, {"line": [action_to_json(walk)], "won": 0.25}]
    rows = said({"pool": "seen", "seed": 3, "state": state_to_json(state), "ends": ends})
    assert rows.shape == (2, 3) and rows[:, 2].tolist() == [0.5, 0.25]
    assert np.isfinite(rows).all() and (rows[:, 0] != rows[:, 1]).all()


def test_a_turn_of_another_program_is_refused():
    end = {"line": [{"type": "move", "path": [0]}], "won": 1}
    record = {"pool": "seen", "seed": 3, "state": state_to_json(team(3, 1)), "ends": [end]}
    with pytest.raises(ValueError, match="a turn of seed 3 cannot be played"):
        said(record)


def test_files_are_asked_for_where_there_are_none():
    with pytest.raises(typer.BadParameter, match="give files"):
        main()


@pytest.mark.long
def test_ends_are_played_on_from_and_read_again(tmp_path):
    made_of = next(filter(None, (made("unseen", 1, seed) for seed in range(20))))
    assert len(made_of["ends"]) > 1 and all(end["won"] in (0, 0.5, 1) for end in made_of["ends"])
    with lzma.open(tmp_path / "ends.xz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(made_of) + "\n")
    (read,) = records(tmp_path / "ends.xz")
    assert np.isfinite(said(read)).all() and len(said(read)) == len(made_of["ends"])
