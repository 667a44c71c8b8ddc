import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.advisor.calibration import Calibration

some_logits = st.lists(st.floats(-30, 30), min_size=1, max_size=9).map(np.array)


@pytest.mark.slow
@given(some_logits, st.floats(-30, 3), st.floats(0.1, 4), st.floats(-3, 3))
def test_however_sure_the_best_candidate_stays_the_best_and_all_sum_to_one(logits, q_halt, slope, shift):
    calibration = Calibration(sureness=((slope, shift),))
    shares = calibration.shares(logits, q_halt, 1)
    assert float(shares.sum()) == pytest.approx(1, abs=1e-5)
    assert (shares >= 0).all()
    assert float(shares[logits.argmax()]) >= float(shares.max()) - 1e-6


def test_the_best_candidates_share_is_what_the_q_head_is_sure_of():
    calibration = Calibration(sureness=((2.0, 1.0), (1.0, 0.0)))
    logits = np.array([0.0, 1.0, 0.5, -np.inf])
    doubting, sure = (calibration.shares(logits, q, 1) for q in (-0.2, 0.0))
    assert float(sure[1]) == pytest.approx(1 / (1 + math.exp(-1)))
    assert float(doubting[1]) < float(sure[1])
    assert float(sure[2] / sure[0]) == pytest.approx(math.exp(0.5), rel=1e-5)
    assert sure[3] == 0
    later = calibration.shares(logits, 0.0, 7)
    assert float(later[1]) == pytest.approx(0.5)


def test_one_candidate_alone_has_it_all():
    assert Calibration().shares(np.array([3.0]), -9.0, 1).tolist() == [1.0]


def test_a_calibration_comes_back_as_it_was_written():
    kept = Calibration((1.5, 0.5), ((0.7, -1.0), (1.0, 2.0)), 0.0)
    assert Calibration.from_json(json.loads(json.dumps(dataclasses.asdict(kept)))) == kept


@pytest.mark.parametrize(
    "odd",
    [
        {"policy": []},
        {"policy": [0.0]},
        {"sureness": []},
        {"sureness": [[float("nan"), 0.0]]},
        {"correction": float("inf")},
    ],
)
def test_numbers_that_make_no_sense_are_refused(odd):
    with pytest.raises(ValueError, match="number"):
        Calibration.from_json({"policy": [1.0], "sureness": [[1.0, 0.0]], "correction": 0.0, **odd})
