"""A card that nothing is known of is tried once, beside the engine, which then starts again."""

import json

import pytest

from botapp.runtime.messages import DeviceStatus
from botapp.ui.preparation import FirstProbe

UNKNOWN = DeviceStatus(
    "auto auto auto", "rocm", "cuda:0", "fp32", "half precision is not proved", probed=False
)
KNOWN = DeviceStatus("auto auto auto", "rocm", "cuda:0", "bf16", "a probe found bf16 right")


@pytest.fixture
def first(qtbot, monkeypatch):
    answer = json.dumps({"checks": [], "proved": {"cpu": "fp32", "cuda:0": "bf16"}})
    monkeypatch.setattr("botapp.ui.preparation.PROBE", ("-c", f"print({answer!r})"))
    made = FirstProbe()
    yield made
    made.close()


def test_an_unknown_card_is_tried_told_and_the_engine_started_again(first, qtbot):
    said = []
    first.reported.connect(said.append)
    with qtbot.waitSignal(first.found, timeout=60_000):
        first.offer(UNKNOWN)
    assert "being tested" in said[0]
    assert "cuda:0: bf16" in said[1] and "cpu" not in said[1]


def test_it_is_tried_no_second_time_though_it_stays_unknown(first, qtbot):
    with qtbot.waitSignal(first.found, timeout=60_000):
        first.offer(UNKNOWN)
    first.offer(UNKNOWN)
    assert not first.child.busy


@pytest.mark.parametrize("device", [None, KNOWN])
def test_nothing_is_tried_where_nothing_need_be(first, device):
    first.offer(device)
    assert not first.child.busy


def test_a_probe_that_dies_leaves_the_engine_as_it_is(first, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.preparation.PROBE", ("-c", "import os; os.abort()"))
    with qtbot.assertNotEmitted(first.found), qtbot.waitSignal(first.child.failed, timeout=60_000):
        first.offer(UNKNOWN)
