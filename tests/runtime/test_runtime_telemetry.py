"""The memory of the process is always known, that of a device where somebody tells."""

import pytest

from botapp.runtime import pipeline
from hrm.backends.memory.reading import Reading


def test_on_a_cpu_only_the_process_is_known() -> None:
    found = pipeline.memory("cpu")
    assert found.process_rss > 1 << 20
    assert (found.device_total, found.device_used, found.device_ours) == (None, None, None)


def test_a_devices_memory_stands_beside_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "read", lambda device: Reading(16, 9, 2) if device == "cuda:1" else None)
    found = pipeline.memory("cuda:1")
    assert found.process_rss > 1 << 20
    assert (found.device_total, found.device_used, found.device_ours) == (16, 9, 2)
