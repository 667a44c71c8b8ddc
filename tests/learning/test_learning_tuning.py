"""Trying out weights leaves the weights as they were, and says what is no weight."""

import random

import pytest

from botapp.arena.fixtures import begin
from botapp.learning import tuning
from botapp.search import heuristic, static_evaluation


def test_a_change_names_a_number_of_a_module():
    assert tuning.parse_change("heuristic.THREAT=0.8") == ((heuristic, "THREAT"), 0.8)
    (_, name), value = tuning.parse_change("tree._ENDS=4")
    assert (name, value, type(value)) == ("_ENDS", 4, int)
    for text in (
        "THREAT=1",
        "heuristic.NOTHING=1",
        "elo._Z=1",
        "heuristic.spread=1",
        "heuristic.THREAT=much",
    ):
        with pytest.raises(ValueError, match=r"MODULE\.WEIGHT|could not convert"):
            tuning.parse_change(text)


def test_weights_are_changed_for_one_decision_only():
    seen = []

    class Spy:
        def choose(self, state, rng):
            seen.append(static_evaluation.LIFE)
            raise RuntimeError

    before = static_evaluation.LIFE
    player = tuning.ChangedPlayer(Spy(), {(static_evaluation, "LIFE"): 9.0})
    with pytest.raises(RuntimeError):
        player.choose(begin("duel", 1), random.Random(1))
    assert seen == [9.0]
    assert before == static_evaluation.LIFE


def test_the_command_compares_and_fits(capsys):
    small = ["--budget", "0", "--fights", "2", "--sizes", "1v1"]
    assert tuning.main(["--change", "heuristic.THREAT=0.8", *small]) == 0
    assert "of the points" in capsys.readouterr().out
    assert tuning.main(["--fit", *small]) == 0
    assert capsys.readouterr().out.startswith("steepness ")
    with pytest.raises(SystemExit):
        tuning.main(["--change", "nonsense"])
    assert "MODULE.WEIGHT=NUMBER" in capsys.readouterr().err
