"""Trust is measured against the search: what counts as right, what as calibrated, what as far."""

import json
from itertools import islice

import numpy as np
import pytest

from botapp.fight.rules import observation
from botapp.learning.trust import Judged, main, report, states


def judged(logits, regrets, deviations=(1.0, 2.0, 3.0), *, withheld=False) -> Judged:
    return Judged(np.exp(logits) / np.exp(logits).sum(), np.array(regrets, float), deviations, withheld)


def test_equally_good_choices_share_being_right():
    assert judged([3, 0, 0], [0, 0, 5]).taken().tolist() == [0.5, 0.5, 0]
    assert judged([3, 0], [4, 9]).taken().tolist() == [0, 0]


def test_sureness_without_being_right_is_a_calibration_error():
    wrong, right = judged([6, 0, 0], [8, 0, 4]), judged([6, 0, 0], [0, 8, 4])
    mostly_wrong, hesitant = report([wrong] * 3 + [right]), report([judged([0, 0], [0, 5])] * 2)
    assert (mostly_wrong["states"], mostly_wrong["right"], mostly_wrong["regret"]) == (4, 0.25, 6.0)
    assert mostly_wrong["ece"] == pytest.approx(mostly_wrong["confidence"] - 0.25, abs=0.002)
    assert (hesitant["confidence"], hesitant["ece"]) == (0.5, 0.5)


def test_the_report_tells_how_far_states_went_and_how_many_were_withheld():
    told = report([judged([1, 0], [0, 3]), judged([1, 0], [0, 3], (9.0, 1.0, 1.0), withheld=True)])
    assert told["farthest context, fighter, option"] == [9, 2, 3]
    assert told["withheld"] == 1


def test_states_are_what_a_player_knows_of_them():
    for state in islice(states("seen", 4), 12):
        assert state.actor.summoner is None
        assert observation(state, state.actor.team) == state


def test_the_command_prints_figures(capsys: pytest.CaptureFixture[str]):
    assert main(["--states", "3", "--budget", "5"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["states"], told["withheld"]) == (3, 0)


def test_no_states_is_refused_by_name(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["--states", "0"])
    assert "--states must be at least 1" in capsys.readouterr().err
