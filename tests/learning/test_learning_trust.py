"""Trust is measured against the teacher: what counts as right, what as calibrated, and which doubt fits."""

import json
from itertools import islice

import numpy as np
import pytest

from botapp.fight.rules import seen_by
from botapp.learning.trust import Judged, figures, fitted, main, report, states


def judged(logits, regrets, unknown=True) -> Judged:
    return Judged(np.array(logits, float), np.array(regrets, float), unknown, (1.0, 2.0, 3.0), False)


def test_equally_good_choices_share_being_right():
    assert judged([3, 0, 0], [0, 0, 5]).taken().tolist() == [0.5, 0.5, 0]
    assert judged([3, 0], [4, 9]).taken().tolist() == [0, 0]


def test_sureness_without_being_right_is_a_calibration_error_that_doubt_lowers():
    wrong = [judged([6, 0, 0], [8, 0, 4])] * 3 + [judged([6, 0, 0], [0, 8, 4])]
    sure, doubting = figures(wrong, 1.0), figures(wrong, 6.0)
    assert (sure["states"], sure["right"], sure["regret"]) == (4, 0.25, 6.0)
    assert sure["ece"] > doubting["ece"]
    assert fitted(wrong) == 6.0
    assert fitted([judged([6, 0, 0], [0, 8, 4])]) == 1.0


def test_the_report_tells_known_fights_from_others():
    told = report([judged([1, 0], [0, 3]), judged([1, 0], [0, 3], unknown=False)])
    assert told["nothing unknown"]["states"] == 1
    assert told["something unknown, undoubted"]["states"] == 1
    assert told["farthest context, fighter, option"] == [1, 2, 3]
    assert report([judged([1, 0], [0, 3], unknown=False)])["doubt that fits best"] is None


def test_states_are_what_a_player_knows_of_them():
    for state in islice(states("seen", 4), 12):
        assert state.actor.summoner is None
        assert seen_by(state, state.actor.team) == state


def test_the_command_prints_figures(capsys: pytest.CaptureFixture[str]):
    assert main(["--states", "3", "--budget", "5"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["withheld"] == 0
    assert sum(told[key]["states"] for key in ("nothing unknown", "something unknown, undoubted")) == 3
