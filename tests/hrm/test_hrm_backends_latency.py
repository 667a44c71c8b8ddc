"""Steps are timed one by one, the device waited for on both sides, those that warm up left out."""

import pytest

from hrm.backends import latency
from hrm.backends.latency import times_ms


def test_each_timed_step_is_waited_for_and_the_warm_up_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, done = [0.0], []

    def step() -> None:
        done.append("step")
        clock[0] += 0.001 * done.count("step")

    monkeypatch.setattr(latency, "synchronize", done.append)
    monkeypatch.setattr(latency.time, "perf_counter", lambda: clock[0])
    assert times_ms(step, "cuda:1", 3, warm_up=2) == pytest.approx([3, 4, 5])
    assert done == ["cuda:1", "step", "cuda:1"] * 5
