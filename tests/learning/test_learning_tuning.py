"""Trying out weights: the changed search is another player, and what is no weight is said."""

import random

import pytest
from arena_fights import JAB, at, fight, fighter

from botapp.arena.search_player import SearchPlayer
from botapp.fight.actions import Cast, EndTurn
from botapp.learning import tuning
from botapp.search.core import heuristic, rollouts


@pytest.fixture
def at_once(monkeypatch):
    """Processes that are started interpret the search: compiling it takes longer than all they do here."""
    monkeypatch.setenv("BOTAPP_INTERPRETED", "1")


def test_a_change_names_a_number_of_a_module():
    assert tuning.parse_change("heuristic.THREAT=0.8") == (heuristic, "THREAT", 0.8)
    module, name, value = tuning.parse_change("rollouts._STEPS_A_TURN=4")
    assert (module, name, value, type(value)) == (rollouts, "_STEPS_A_TURN", 4, int)
    for text in ("THREAT=1", "heuristic.NOTHING=1", "elo._Z=1", "heuristic.terms=1", "heuristic.THREAT=much"):
        with pytest.raises(ValueError, match=r"MODULE\.WEIGHT|could not convert"):
            tuning.parse_change(text)


@pytest.mark.slow
def test_other_weights_hold_in_their_own_process_only(at_once):
    state, dice = fight(fighter(0, 0, at(), JAB), fighter(1, 1, at(1), JAB)), random.Random(1)
    with tuning.ChangedPlayer(["judging._ACTION_COST=1000"], 0) as changed:
        assert changed.choose(state, dice) == EndTurn()
        assert SearchPlayer(0).choose(state, dice) == Cast("jab", at(1))


def test_a_weight_is_changed_wherever_it_counts(monkeypatch):
    for module in (heuristic, rollouts):
        monkeypatch.setattr(module, "THREAT", heuristic.THREAT)
    tuning.put_in_place(heuristic, "THREAT", 0.875)
    assert (heuristic.THREAT, rollouts.THREAT) == (0.875, 0.875)


@pytest.mark.slow
def test_the_command_compares_and_fits(capsys, at_once):
    small = ["--budget", "0", "--fights", "2", "--sizes", "1v1"]
    assert tuning.main(["--change", "heuristic.THREAT=0.8", *small]) == 0
    assert "of the points" in capsys.readouterr().out
    assert tuning.main(["--fit", *small]) == 0
    assert capsys.readouterr().out.startswith("steepness ")
    with pytest.raises(SystemExit):
        tuning.main(["--change", "nonsense"])
    assert "MODULE.WEIGHT=NUMBER" in capsys.readouterr().err
