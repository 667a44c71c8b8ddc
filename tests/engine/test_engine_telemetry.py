"""Memory figures come from the most truthful source there is, and what nobody tells stays unknown."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import torch

from botapp.engine.telemetry import device_memory, memory


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card at 0000:03:00.0 of which torch says 16 units in all, 6 free, 2 ours."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (6, 16))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 2)
    place = SimpleNamespace(pci_domain_id=0, pci_bus_id=3, pci_device_id=0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: place)
    monkeypatch.setitem(sys.modules, "pynvml", None)


def _sysfs(tmp_path: Path, address: str, **values: str) -> Path:
    device = tmp_path / "pci" / address
    device.mkdir(parents=True)
    for name, value in values.items():
        (device / f"mem_info_vram_{name}").write_text(value)
    (tmp_path / "card0").mkdir()
    (tmp_path / "card0" / "device").symlink_to(device)
    return tmp_path


def test_on_a_cpu_only_the_process_is_known() -> None:
    found = memory("cpu")
    assert found.process_rss > 1 << 20
    assert (found.device_total, found.device_used, found.device_ours) == (None, None, None)


def test_a_device_torch_cannot_reach_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    found = memory("cuda:0")
    assert (found.device_total, found.device_used, found.device_ours) == (None, None, None)


def test_torch_is_asked_when_nothing_better_is_there(card: None, tmp_path: Path) -> None:
    assert device_memory("cuda:0", tmp_path) == (16, 10, 2)
    assert memory("cuda:0").device_ours == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sysfs is Linux's")
def test_amds_driver_is_believed_before_torch(card: None, tmp_path: Path) -> None:
    cards = _sysfs(tmp_path, "0000:03:00.0", total="16000\n", used="9000\n")
    assert device_memory("cuda:0", cards) == (16000, 9000, 2)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sysfs is Linux's")
@pytest.mark.parametrize("address", ["0000:04:00.0", "0000:03:00.0"])
def test_another_card_or_another_driver_is_not_mistaken_for_ours(
    card: None, tmp_path: Path, address: str
) -> None:
    assert device_memory("cuda:0", _sysfs(tmp_path, address)) == (16, 10, 2)


def test_nvml_is_believed_before_torch(card: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = ModuleType("pynvml")
    nvml.NVMLError = RuntimeError  # type: ignore[attr-defined]
    nvml.nvmlInit = lambda: None  # type: ignore[attr-defined]
    nvml.nvmlDeviceGetHandleByPciBusId = lambda address: address  # type: ignore[attr-defined]
    nvml.nvmlDeviceGetMemoryInfo = lambda _: SimpleNamespace(total=100, used=60)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    assert device_memory("cuda:0", tmp_path) == (100, 60, 2)

    def broken() -> None:
        raise RuntimeError("no driver")

    nvml.nvmlInit = broken  # type: ignore[attr-defined]
    assert device_memory("cuda:0", tmp_path) == (16, 10, 2)


def test_an_old_torch_without_pci_addresses_still_answers(
    card: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace())
    assert device_memory("cuda:0", tmp_path) == (16, 10, 2)
