"""Whether the model fits is known before its weights are loaded."""

from types import SimpleNamespace

import psutil
import pytest

from botapp.advisor import own_weights
from botapp.runtime import model_host
from botapp.runtime.model_host import fit
from hrm.backends.placement import DevicePlan

CPU = DevicePlan("", "cpu", "cpu", "fp32", "")
CARD = DevicePlan("", "rocm", "cuda:0", "bf16", "")
MB = 1 << 20


@pytest.mark.slow
@pytest.mark.parametrize(("free", "fits"), [(8000 * MB, True), (1 * MB, False), (None, None)])
def test_a_card_s_free_memory_decides(monkeypatch, free, fits):
    monkeypatch.setattr(model_host, "read", lambda device: SimpleNamespace(free=free))
    found = fit(CARD, own_weights.FULL_WEIGHTS)
    assert found.fits is fits
    assert ("Fits" in found.why, "Does not fit" in found.why) == (fits is True, fits is False)


def test_it_takes_what_its_weights_take_at_least(monkeypatch):
    found = fit(CPU, own_weights.FULL_WEIGHTS)
    needed = dict(found.why.values)["needed"]
    assert needed >= 25_000_000 * 4 / MB * 0.9


@pytest.mark.slow
def test_a_cap_below_it_means_that_it_runs_in_parts(monkeypatch):
    monkeypatch.setattr(model_host, "read", lambda device: SimpleNamespace(free=8000 * MB))
    found = fit(CARD, own_weights.FULL_WEIGHTS, cap=16 * MB)
    assert found.fits is False and "may take 16 MB" in found.why


def test_the_processor_s_is_the_computer_s_free_memory(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=MB))
    assert fit(CPU, own_weights.DEFAULT_WEIGHTS).fits is False


def test_a_file_that_tells_nothing_says_nothing(tmp_path):
    assert fit(CPU, tmp_path / "missing.safetensors") == (None, "")
