import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from botapp.advisor.calibration import Calibration, sharpen, tempered

shares_of_some = st.lists(st.floats(-30, 30), min_size=1, max_size=9).map(
    lambda logits: torch.tensor(logits, dtype=torch.float64).softmax(-1)
)


@given(shares_of_some, st.floats(0.1, 4), st.floats(-3, 3))
@example(torch.tensor([0.0, 14.0], dtype=torch.float64).softmax(-1), 0.5, 0.0)
def test_however_sure_the_best_option_is_made_it_stays_the_best_and_all_sum_to_one(shares, slope, shift):
    moved = sharpen(shares, slope, shift)
    assert float(moved.sum()) == pytest.approx(1, abs=1e-5)
    assert (moved >= 0).all()
    assert float(moved[shares.argmax()]) >= float(moved.max()) - 1e-6


@given(shares_of_some)
def test_a_slope_of_one_and_no_shift_leave_the_shares_alone(shares):
    torch.testing.assert_close(sharpen(shares, 1.0, 0.0), shares, atol=1e-5, rtol=0)


def test_padding_gets_no_share_and_later_steps_take_the_last_scale():
    calibration = Calibration(policy=(1.0, 2.0), sureness=((1.0, 0.0), (1.0, 1.0)))
    logits = torch.tensor([[1.0, 0.0, -torch.inf]])
    assert calibration.shares(logits, 1)[0, 2] == 0
    assert torch.equal(calibration.shares(logits, 2), calibration.shares(logits, 7))
    assert calibration.shares(logits, 2)[0, 0] > (logits / 2).softmax(-1)[0, 0]


def test_older_weights_are_read_as_they_were():
    old = {"policy": [2.0], "halt": [3.0], "epsilon": 1.0}
    assert Calibration.from_json(old) == Calibration((2.0,), (3.0,), 1.0)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9), st.floats(0.1, 3))
def test_tempered_values_keep_their_order_and_their_sign(values, slope):
    before = torch.tensor(sorted(values), dtype=torch.float64)
    after = tempered(before, slope)
    assert (after.diff() >= 0).all()
    assert (after.abs() <= 1).all()
    assert torch.equal(after.sign(), before.sign())


def test_a_value_that_is_too_sure_is_brought_nearer_to_nothing():
    calibration = Calibration(outcome=(1.0, 0.5))
    assert calibration.expected(torch.tensor(0.9), 1) == torch.tensor(0.9)
    assert 0 < calibration.expected(torch.tensor(0.9), 2) < 0.9
    assert calibration.expected(torch.tensor(0.9), 5) == calibration.expected(torch.tensor(0.9), 2)
