"""Whether what is said comes true is counted by tenths."""

import numpy as np
import pytest

from botapp.learning.reliability import calibration_error, reliability


def test_honest_confidences_are_off_by_nothing_and_boasts_by_what_they_boast():
    told = np.full(4, 0.75)
    assert calibration_error(told, np.array([1.0, 1.0, 1.0, 0.0])) == pytest.approx(0.0)
    assert calibration_error(told, np.zeros(4)) == pytest.approx(0.75)


def test_cases_go_to_their_tenth_and_empty_ones_are_left_out():
    low, high = reliability(np.array([0.05, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    assert (low.share, low.confidence, low.right) == pytest.approx((2 / 3, 0.025, 0.5))
    assert (high.share, high.confidence, high.right) == pytest.approx((1 / 3, 1.0, 1.0))
