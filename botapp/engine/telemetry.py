"""How much memory the process and the graphics device use, as far as the system tells.

Next hop: `botapp.engine.loop` puts it on a `Snapshot` about once a second; unknown stays None, never 0.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from botapp.engine.messages import MemoryStatus

_SYSFS_CARDS = Path("/sys/class/drm")
DeviceMemory = tuple[int | None, int | None, int | None]
"""Bytes in total, in use by everyone, and in use by us."""


def memory(device: str) -> MemoryStatus:
    """Returns the memory of this process and, for a device such as "cuda:0", of that device."""
    rss = int(psutil.Process().memory_info().rss)
    if not device.startswith("cuda"):
        return MemoryStatus(rss)
    total, used, ours = device_memory(device)
    return MemoryStatus(rss, total, used, ours)


def device_memory(device: str, cards: Path = _SYSFS_CARDS) -> DeviceMemory:
    """Returns what is known of a torch device, asking the most truthful source first.

    On AMD under Linux the driver's own files count other programs, which HIP does not; on NVIDIA it is
    NVML, where that is installed; else torch itself.
    """
    ours = _torch_reserved(device)
    sources: tuple[Callable[[str], tuple[int, int] | None], ...] = (
        lambda name: _sysfs(name, cards),
        _nvml,
        _torch_total_used,
    )
    for source in sources:
        found = source(device)
        if found is not None:
            return found[0], found[1], ours
    return None, None, ours


def _torch_reserved(device: str) -> int | None:
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        return None
    return int(torch.cuda.memory_reserved(device))


def _torch_total_used(device: str) -> tuple[int, int] | None:
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        return None
    free, total = torch.cuda.mem_get_info(device)
    return int(total), int(total - free)


def _pci_bus(device: str) -> str | None:
    """Returns the device's PCI address as sysfs writes it, such as 0000:03:00.0."""
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        return None
    found: Any = torch.cuda.get_device_properties(device)
    try:
        return f"{found.pci_domain_id:04x}:{found.pci_bus_id:02x}:{found.pci_device_id:02x}.0"
    except AttributeError:
        return None


def _sysfs(device: str, cards: Path) -> tuple[int, int] | None:
    """Reads `mem_info_vram_*`, which only AMD's driver writes, of the card with the device's PCI address."""
    address = _pci_bus(device)
    if address is None or not sys.platform.startswith("linux"):
        return None
    for card in sorted(cards.glob("card[0-9]*")):
        folder = card / "device"
        if folder.resolve().name != address:
            continue
        try:
            total, used = ((folder / f"mem_info_vram_{name}").read_text() for name in ("total", "used"))
        except OSError:
            return None
        return int(total), int(used)
    return None


def _nvml(device: str) -> tuple[int, int] | None:
    address = _pci_bus(device)
    if address is None:
        return None
    try:
        import pynvml  # noqa: PLC0415
    except ImportError:
        return None
    try:
        pynvml.nvmlInit()
        found = pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByPciBusId(address.encode()))
    except pynvml.NVMLError:
        return None
    return int(found.total), int(found.used)
