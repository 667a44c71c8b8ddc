"""A card's memory, power, temperature, load and clock, from the most reliable source first. Never raises.

The app's telemetry panel, the doctor and the memory cap read it. Values that no source reports are None:
unknown is not 0. Windows' counters are in `hrm.backends.memory.pdh`.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hrm.backends.architectures import shares_memory
from hrm.backends.memory.amd_smi import AmdSmi
from hrm.backends.memory.reading import STATES, CardAddress, Reading, TelemetrySource

_NVML_CHIP, _NVML_PROCESSORS = 0, 1
"""NVML's numbers of the chip's sensor (NVML_TEMPERATURE_GPU) and of the processors' clock (NVML_CLOCK_SM)."""

SYSFS_CARDS = Path("/sys/class/drm")


class AmdSysfs:
    """The files of AMD's Linux driver, which count every program (HIP's own figure does not)."""

    def __init__(self, cards: Path = SYSFS_CARDS) -> None:
        self._cards = cards

    def read(self, address: CardAddress) -> Reading | None:
        """Reads `mem_info_*` and the power meter of the card at a PCI address."""
        folder = self._folder(address.pci)
        total, used = (None, None) if folder is None else _vram(folder)
        if folder is None or total is None or used is None:
            return None
        beyond, spilled = _number(folder / "mem_info_gtt_total"), _number(folder / "mem_info_gtt_used")
        if address.shared and beyond is not None and spilled is not None:
            total, used, spilled = total + beyond, used + spilled, None
        busy = _number(folder / "gpu_busy_percent")
        return Reading(
            total,
            used,
            spilled=spilled,
            power_w=_meter(folder, 1e6, "power1_average", "power1_input"),
            temperature_c=_meter(folder, 1e3, "temp1_input"),
            busy=None if busy is None else busy / 100,
            clock_mhz=_meter(folder, 1e6, "freq1_input"),
            source="sysfs",
        )

    def _folder(self, pci: str | None) -> Path | None:
        if pci is None:
            return None
        for card in sorted(self._cards.glob("card[0-9]*")):
            folder = card / "device"
            if folder.resolve().name == pci:
                return folder
        return None


class Nvml:
    """NVIDIA's management library, through the optional package `nvidia-ml-py`."""

    def read(self, address: CardAddress) -> Reading | None:
        """Reads NVML for the card at a PCI address."""
        if address.pci is None:
            return None
        try:
            import pynvml  # noqa: PLC0415 - optional
        except ImportError:
            return None
        try:
            pynvml.nvmlInit()
            handle = pynvml.nvmlDeviceGetHandleByPciBusId(address.pci.encode())
            memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
        except (pynvml.NVMLError, OSError):
            return None
        return Reading(
            int(memory.total),
            int(memory.used),
            power_w=_asked(pynvml, lambda: pynvml.nvmlDeviceGetPowerUsage(handle) / 1000),
            temperature_c=_asked(pynvml, lambda: pynvml.nvmlDeviceGetTemperature(handle, _NVML_CHIP)),
            busy=_asked(pynvml, lambda: pynvml.nvmlDeviceGetUtilizationRates(handle).gpu / 100),
            clock_mhz=_asked(pynvml, lambda: pynvml.nvmlDeviceGetClockInfo(handle, _NVML_PROCESSORS)),
            source="NVML",
        )


class TorchMemorySource:
    """Torch's own figures: without other programs under HIP on Linux, wrong under HIP on Windows."""

    def __init__(self, device: str) -> None:
        self._device = device

    def read(self, address: CardAddress) -> Reading | None:
        """Reads torch's figures of the device it was made for, whatever the address."""
        import torch  # noqa: PLC0415

        if torch.version.hip and sys.platform == "win32":
            return None
        free, total = torch.cuda.mem_get_info(self._device)
        return Reading(int(total), int(total - free), source="torch")


def read(device: str, sources: Sequence[TelemetrySource] | None = None) -> Reading:
    """Returns the readings of a device such as "cuda:0" or "dml:0"; all unknown for a CPU.

    Args:
        sources: the sources to try, in order; None for all that this system has.
    """
    if device.startswith("dml"):
        return _of_directml(device)
    if not device.startswith("cuda"):
        return Reading()
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        return Reading()
    ours = int(torch.cuda.memory_reserved(device))
    address = address_of(device)
    merged: Reading | None = None
    for source in default_sources(device) if sources is None else sources:
        more = _ask(source, address)
        if more is not None:
            merged = more if merged is None else merged.filled_up(more)
        if merged is not None and None not in (getattr(merged, name) for name in STATES):
            break
    return Reading(ours=ours) if merged is None else replace(merged, ours=ours)


def default_sources(device: str) -> tuple[TelemetrySource, ...]:
    """Returns the sources of this system for a device, the most reliable first."""
    if sys.platform == "win32":
        from hrm.backends.memory.pdh import Counters  # noqa: PLC0415 - Windows only

        return (Counters(), Nvml(), TorchMemorySource(device))
    return (AmdSysfs(), AmdSmi(), Nvml(), TorchMemorySource(device))


def address_of(device: str) -> CardAddress:
    """Returns the address of a torch device, as far as this torch and this system report it."""
    import torch  # noqa: PLC0415

    index = torch.device(device).index or 0
    properties: Any = torch.cuda.get_device_properties(index)
    try:
        pci = f"{properties.pci_domain_id:04x}:{properties.pci_bus_id:02x}:{properties.pci_device_id:02x}.0"
    except AttributeError:
        pci = None
    shared = shares_memory(str(getattr(properties, "gcnArchName", "")))
    if sys.platform != "win32":
        return CardAddress(pci, shared=shared)
    from hrm.backends.memory.pdh import luid_of  # noqa: PLC0415 - Windows only

    return CardAddress(pci, luid_of(index, hip=bool(torch.version.hip)), shared)


def _of_directml(device: str) -> Reading:
    """Reads Windows' counters of the adapter at DirectML's number; ONNX Runtime does not say what is ours."""
    from hrm.backends.memory.pdh import Counters, adapters  # noqa: PLC0415 - Windows only

    listed = dict(enumerate(adapters()))
    adapter = listed.get(int(device.partition(":")[2] or 0))
    if adapter is None:
        return Reading()
    return _ask(Counters(listed=tuple(listed.values())), CardAddress(luid=adapter.luid)) or Reading(
        adapter.room
    )


def _ask(source: TelemetrySource, address: CardAddress) -> Reading | None:
    try:
        return source.read(address)
    except (RuntimeError, OSError, ValueError):
        return None


def _vram(folder: Path) -> tuple[int | None, int | None]:
    return _number(folder / "mem_info_vram_total"), _number(folder / "mem_info_vram_used")


def _meter(folder: Path, unit: float, *names: str) -> float | None:
    """Reads the first of the driver's meters that there is, in parts of the unit."""
    for name in names:
        for meter in sorted(folder.glob(f"hwmon/hwmon*/{name}")):
            value = _number(meter)
            if value is not None:
                return value / unit
    return None


def _asked(pynvml: Any, question: Callable[[], float]) -> float | None:
    try:
        return float(question())
    except (pynvml.NVMLError, AttributeError):
        return None


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
