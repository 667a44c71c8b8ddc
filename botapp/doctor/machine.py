"""A computer as the doctor sees it: what its files, devices, commands and packages say, as plain values.

Detectors read a `Machine` and nothing else, so that a test can be any computer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

System = Literal["linux", "wsl", "windows", "other"]


@dataclass(frozen=True, slots=True)
class TorchDevice:
    """A card as torch lists it; its place in the list is its number."""

    title: str
    chip: str
    pci: str | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class InstalledTorch:
    """The installed torch.

    Attributes:
        version: such as 2.13.0+cpu.
        hip, cuda: the ROCm or CUDA it is built for, "" for none.
        chips: what it holds code for; None where it was not asked.
        devices: the cards it reaches; None where it was not asked.
        error: what it said when it was asked, "" for nothing.
    """

    version: str
    hip: str = ""
    cuda: str = ""
    chips: tuple[str, ...] | None = None
    devices: tuple[TorchDevice, ...] | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """How a child ended that tried an operator or a precision on a card.

    Attributes:
        name: matmul, attention, conv2d, or a precision.
        ok: it ended well and was right.
        how: how it ended, in words, such as "SIGSEGV (11)" or "NaN".
        answered: it ended by itself and said what was wrong; False for one that died or hung.
        error: the largest difference from fp32, where that was measured.
    """

    name: str
    device: str
    ok: bool
    how: str = ""
    answered: bool = False
    error: float | None = None


@dataclass(frozen=True, slots=True)
class ProvedPlacement:
    """Where ONNX Runtime put a model: what was asked for, what there is, and nodes by provider."""

    asked: str
    providers: tuple[str, ...]
    nodes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer.

    Attributes:
        system: which kind; WSL is Linux inside Windows.
        release: the kernel's or Windows' own version.
        python: such as 3.12.3.
        files: text by path: sysfs, proc.
        devices: device nodes by path: "" where it could be opened, else why not, such as EACCES.
        outputs: what commands printed, by their first word.
        adapters: Windows' graphics adapters: title, vendor, device, memory, used, shared, may_share.
        torch: the installed torch, None for none.
        placements: where ONNX Runtime put its nodes.
        chosen: the backend asked for, the one got, its device and why; empty where nothing was chosen.
    """

    system: System = "linux"
    release: str = ""
    python: str = "3.12.3"
    files: Mapping[str, str] = field(default_factory=dict)
    devices: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    adapters: tuple[Mapping[str, Any], ...] = ()
    torch: InstalledTorch | None = None
    trials: tuple[Trial, ...] = ()
    placements: tuple[ProvedPlacement, ...] = ()
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
    numbers: list[int] = []
    for part in text.split("."):
        digits = ""
        for letter in part:
            if not letter.isdigit():
                break
            digits += letter
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
