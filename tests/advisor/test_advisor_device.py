"""Where the app runs its model: a small one keeps its answers on a card, unless asked otherwise."""

from dataclasses import replace

import pytest

from botapp.advisor import device
from botapp.advisor.thinker import full
from hrm.backends import DevicePlan

CARD = DevicePlan("auto auto auto", "rocm", "cuda:0", "bf16", "bf16 is proved here", hip_flash=True)


@pytest.mark.parametrize("half", ["bf16", "fp16"])
def test_a_small_model_runs_in_fp32_on_a_card_and_says_why(half):
    found = device.suited(replace(CARD, precision=half), "auto")
    assert (found.device, found.precision, found.hip_flash) == ("cuda:0", "fp32", False)
    assert "fp32" in str(found.reason)


def test_half_precision_that_was_asked_for_is_kept():
    assert device.suited(CARD, "bf16") == CARD


def test_a_large_model_keeps_half_precision(monkeypatch):
    monkeypatch.setattr(device, "stored_config", lambda _: full())
    assert device.suited(CARD, "auto") == CARD
