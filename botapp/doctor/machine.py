"""A computer as the doctor sees it: what its files, devices, commands and packages say, as plain values.

Detectors read a `Machine` and nothing else, so that a test can be any computer.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

System = Literal["linux", "wsl", "windows", "other"]  # WSL is Linux inside Windows
OPERATORS = ("matmul", "attention", "conv2d")  # What trials try on a card


@dataclass(frozen=True, slots=True)
class TorchDevice:
    """A card as torch lists it; its place in the list is its number."""

    title: str
    chip: str
    pci: str | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class InstalledTorch:
    """The installed torch."""

    version: str  # Such as 2.13.0+cpu
    hip: str = ""  # The ROCm that it is built for, "" for none
    cuda: str = ""
    chips: tuple[str, ...] | None = None  # What it holds code for; None where it was not asked
    devices: tuple[TorchDevice, ...] | None = None  # The cards it reaches; None where it was not asked
    error: str = ""  # What it printed when it was asked


@dataclass(frozen=True, slots=True)
class Trial:
    """How a child process ended that tried an operator or a precision on a card."""

    name: str  # One of `OPERATORS`, or a precision
    device: str
    ok: bool  # It ended well, with the right numbers
    how: str = ""  # How it ended, in words, such as "SIGSEGV (11)" or "NaN"
    answered: bool = False  # It ended by itself and said what was wrong; False for one that died or hung
    error: float | None = None  # The largest difference from fp32, where that was measured


@dataclass(frozen=True, slots=True)
class ProvedPlacement:
    """Where ONNX Runtime put a model: what was asked for, what there is, and nodes by provider."""

    asked: str
    providers: tuple[str, ...]
    nodes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer."""

    system: System = "linux"
    release: str = ""  # The kernel's or Windows' own version
    python: str = "3.12.3"
    files: Mapping[str, str] = field(default_factory=dict)  # Text by path: sysfs, proc
    # Device nodes by path: "" where it could be opened, else why not, such as EACCES
    devices: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)  # What commands printed, by their first word
    environment: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    # Windows' graphics adapters: title, vendor, device, memory, used, shared, may_share
    adapters: tuple[Mapping[str, Any], ...] = ()
    torch: InstalledTorch | None = None
    trials: tuple[Trial, ...] = ()
    placements: tuple[ProvedPlacement, ...] = ()
    # The backend asked for, the one got, its device and why; empty where nothing was chosen
    chosen: Mapping[str, str] = field(default_factory=dict)

    def file(self, path: str) -> str | None:
        """Returns a file's text without the last line end, None where there is none."""
        text = self.files.get(path)
        return None if text is None else text.strip()

    def unset(self, variable: str) -> str:
        """Returns the command that takes a variable out of the environment."""
        return f"set {variable}=" if self.system == "windows" else f"unset {variable}"


def version(text: str) -> tuple[int, ...]:
    """Reads the leading numbers of a version: 6.16.13-ubuntu is (6, 16, 13)."""
    match = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, match[0].split("."))) if match else ()
