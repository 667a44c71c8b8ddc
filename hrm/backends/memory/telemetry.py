"""What a card tells of its memory and its power draw, asking the most truthful source first. Never raises.

Beside the way of a frame: the app's telemetry panel, the doctor and the memory cap read it. What no source
tells stays None: unknown is not 0. Windows' counters are in `hrm.backends.memory.pdh`. Next hop:
`botapp.engine.telemetry` puts it on a `Snapshot`; `hrm.backends.memory.estimate` holds an estimate against it.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

SYSFS_CARDS = Path("/sys/class/drm")
_SMI_FIELDS = ("pci.bus_id", "memory.total", "memory.used", "power.draw")
_SMI_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card is: its PCI address as sysfs writes it (0000:03:00.0) and, on Windows, its LUID."""

    pci: str | None = None
    luid: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of a card at this moment; None is unknown.

    Attributes:
        total: bytes of its own memory.
        used: bytes of it in use, by every program.
        ours: bytes that this process holds there.
        spilled: bytes of the computer's RAM that the card uses.
        power_w: watts drawn now.
        source: who said so.
    """

    total: int | None = None
    used: int | None = None
    ours: int | None = None
    spilled: int | None = None
    power_w: float | None = None
    source: str = "unknown"

    @property
    def free(self) -> int | None:
        """Bytes of its own memory nobody uses."""
        return None if self.total is None or self.used is None else max(0, self.total - self.used)

    @property
    def filled(self) -> float | None:
        """How full its own memory is, 0..1."""
        return None if not self.total or self.used is None else self.used / self.total


class Source(Protocol):
    """Something that can be asked about a card."""

    def read(self, place: Place) -> Reading | None:
        """Returns what it knows of the card there; None where it knows nothing."""
        ...


class AmdSysfs:
    """The files of AMD's Linux driver, which count every program (HIP's own figure does not)."""

    def __init__(self, cards: Path = SYSFS_CARDS) -> None:
        self._cards = cards

    def read(self, place: Place) -> Reading | None:
        """Reads `mem_info_*` and the power meter of the card at a PCI address."""
        folder = self._folder(place.pci)
        total, used = (None, None) if folder is None else _vram(folder)
        if folder is None or total is None or used is None:
            return None
        return Reading(
            total,
            used,
            spilled=_number(folder / "mem_info_gtt_used"),
            power_w=_power(folder),
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

    def read(self, place: Place) -> Reading | None:
        """Asks NVML about the card at a PCI address."""
        if place.pci is None:
            return None
        try:
            import pynvml  # noqa: PLC0415 - optional
        except ImportError:
            return None
        try:
            pynvml.nvmlInit()
            handle = pynvml.nvmlDeviceGetHandleByPciBusId(place.pci.encode())
            memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
        except (pynvml.NVMLError, OSError):
            return None
        return Reading(
            int(memory.total), int(memory.used), power_w=_nvml_power(pynvml, handle), source="NVML"
        )


class NvidiaSmi:
    """NVIDIA's command line tool: it comes with every driver, but takes too long to be asked every second."""

    def __init__(self, run: Callable[[Sequence[str]], str] | None = None) -> None:
        """Takes what runs a command and returns its output ("" where that failed)."""
        self._run = run or _output

    def read(self, place: Place) -> Reading | None:
        """Asks `nvidia-smi` about the card at a PCI address."""
        if place.pci is None:
            return None
        query = ["nvidia-smi", f"--query-gpu={','.join(_SMI_FIELDS)}", "--format=csv,noheader,nounits"]
        for line in self._run(query).splitlines():
            fields = [field.strip() for field in line.split(",")]
            if len(fields) != len(_SMI_FIELDS) or not _same_place(fields[0], place.pci):
                continue
            total, used, power = (_float(field) for field in fields[1:])
            if total is None or used is None:
                return None
            return Reading(int(total) << 20, int(used) << 20, power_w=power, source="nvidia-smi")
        return None


class Torch:
    """Torch's own figures: blind to other programs under HIP on Linux, wrong under HIP on Windows."""

    def __init__(self, device: str) -> None:
        self._device = device

    def read(self, place: Place) -> Reading | None:
        """Asks torch about the device it was made for, wherever that is."""
        import torch  # noqa: PLC0415

        if torch.version.hip and sys.platform == "win32":
            return None
        free, total = torch.cuda.mem_get_info(self._device)
        return Reading(int(total), int(total - free), source="torch")


def read(device: str, sources: Sequence[Source] | None = None) -> Reading:
    """Returns what is known of a torch device such as "cuda:0"; of a CPU nothing is.

    Args:
        device: as torch calls it.
        sources: whom to ask, in order; None for all that this system has.
    """
    if not device.startswith("cuda"):
        return Reading()
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        return Reading()
    ours = int(torch.cuda.memory_reserved(device))
    place = place_of(device)
    for source in default_sources(device) if sources is None else sources:
        found = _asked(source, place)
        if found is not None:
            return replace(found, ours=ours)
    return Reading(ours=ours)


def default_sources(device: str) -> tuple[Source, ...]:
    """Returns whom to ask about a device on this system, the most truthful first."""
    if sys.platform == "win32":
        from hrm.backends.memory.pdh import Counters  # noqa: PLC0415 - Windows only

        return (Counters(), Nvml(), Torch(device))
    return (AmdSysfs(), Nvml(), Torch(device))


def place_of(device: str) -> Place:
    """Returns where a torch device is, as far as this torch and this system tell."""
    import torch  # noqa: PLC0415

    index = torch.device(device).index or 0
    found: Any = torch.cuda.get_device_properties(index)
    try:
        pci = f"{found.pci_domain_id:04x}:{found.pci_bus_id:02x}:{found.pci_device_id:02x}.0"
    except AttributeError:
        pci = None
    if sys.platform != "win32":
        return Place(pci)
    from hrm.backends.memory.pdh import luid_of  # noqa: PLC0415 - Windows only

    return Place(pci, luid_of(index, hip=bool(torch.version.hip)))


def _asked(source: Source, place: Place) -> Reading | None:
    try:
        return source.read(place)
    except (RuntimeError, OSError, ValueError):
        return None


def _vram(folder: Path) -> tuple[int | None, int | None]:
    return _number(folder / "mem_info_vram_total"), _number(folder / "mem_info_vram_used")


def _power(folder: Path) -> float | None:
    """Reads watts: the driver writes microwatts, as an average or, on newer cards, as of now."""
    for name in ("power1_average", "power1_input"):
        for meter in sorted(folder.glob(f"hwmon/hwmon*/{name}")):
            value = _number(meter)
            if value is not None:
                return value / 1e6
    return None


def _nvml_power(pynvml: Any, handle: Any) -> float | None:
    try:
        return float(pynvml.nvmlDeviceGetPowerUsage(handle)) / 1000
    except (pynvml.NVMLError, AttributeError):
        return None


def _same_place(theirs: str, ours: str) -> bool:
    """Compares PCI addresses: nvidia-smi writes the domain with eight digits, sysfs with four."""
    return theirs.lower().split(":", 1)[-1] == ours.lower().split(":", 1)[-1]


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _output(command: Sequence[str]) -> str:
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, errors="replace", timeout=_SMI_LIMIT_S
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
