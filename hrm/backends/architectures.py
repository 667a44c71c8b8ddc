"""The families of graphics cards as data: names, matrix units, precisions, defaults.

Facts from AMD's and NVIDIA's public documentation, none of them measured here unless it says so.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from hrm.message import say

Precision = Literal["fp32", "bf16", "fp16", "int8"]
Matrix = Literal["MFMA", "WMMA", "tensor cores", "dot products", "none"]


@dataclass(frozen=True, slots=True)
class Architecture:
    """A family of chips."""

    family: str
    vendor: Literal["AMD", "NVIDIA"]  # "AMD" or "NVIDIA"
    chips: tuple[str, ...]  # The names that ROCm (gfx...) or CUDA (sm_..) gives its chips
    cards: str
    matrix: Matrix  # The unit that multiplies matrices
    fast: tuple[Precision, ...]  # Precisions that the unit, or the vector unit, computes faster than fp32
    default: Precision  # The precision to use before anything was probed on the card
    proved: Precision  # The precision to use once a probe found it right and fast there
    wave: int  # Threads that run in step
    wheels: bool  # Torch's or AMD's own wheels hold code for the chips
    flash: bool  # Flash attention can run; on RDNA 3 only behind an experimental switch
    head_dim: int  # The widest head that flash attention takes, 0 where it cannot run
    graphs: bool  # The step may be captured in a graph without a proof on the card
    triton: bool
    level: Literal["conservative", "balanced", "aggressive"]
    why: str  # The reason for precision, level and attention before a probe, as a message for a person
    # Those of the chips that are part of a processor, whose memory is the computer's own
    shared: tuple[str, ...] = ()
    note: str = ""


_ALL: tuple[Precision, ...] = ("bf16", "fp16", "int8")
_CDNA = say(
    "fp32 and plain attention until a probe finds bf16 and the fast attention right on the card; "
    "balanced, since its graph too waits for a proof"
)
_OLD = say("fp32, plain attention and nothing captured: recent builds are not tried on it by AMD")
_RDNA1 = say("fp32, plain attention and nothing captured: convolutions crashed on it in what others built")
_RDNA2 = say("fp32 and plain attention: it has no matrix unit, so half precision gains little")
_RDNA3 = say(
    "bf16, which its matrix unit computes; plain attention, since the fast one had faults of accuracy there; "
    "balanced, since its graph waits for a proof"
)
_RDNA4 = say(
    "fp32 until a probe finds bf16 right: its builds are young; "
    "plain attention and balanced for the same reason"
)
_NO_UNIT = say("fp32: half precision runs at a fraction of its rate; its graphs are those that CUDA proved")
_FP16 = say("fp16, which its matrix unit computes; it has no bf16")
_BF16 = say("bf16, which its matrix unit computes, with torch's fastest attention and the step in a graph")

ARCHITECTURES: tuple[Architecture, ...] = (
    Architecture("Vega 20", "AMD", ("gfx900", "gfx906"), "Radeon VII, Instinct MI50, MI60", "dot products",
                 ("fp16", "int8"), "fp32", "fp16", 64, True, False, 0, False, False, "conservative", _OLD),
    Architecture("CDNA 1", "AMD", ("gfx908",), "Instinct MI100", "MFMA",
                 _ALL, "fp32", "fp16", 64, True, True, 256, False, True, "balanced", _CDNA,
                 note=say("bf16 runs at half the rate of fp16")),
    Architecture("CDNA 2", "AMD", ("gfx90a",), "Instinct MI210, MI250", "MFMA",
                 _ALL, "fp32", "bf16", 64, True, True, 256, False, True, "balanced", _CDNA),
    Architecture("CDNA 3", "AMD", ("gfx940", "gfx941", "gfx942"), "Instinct MI300", "MFMA",
                 _ALL, "fp32", "bf16", 64, True, True, 256, False, True, "balanced", _CDNA),
    Architecture("CDNA 4", "AMD", ("gfx950",), "Instinct MI350", "MFMA",
                 _ALL, "fp32", "bf16", 64, True, True, 256, False, True, "balanced", _CDNA),
    Architecture("RDNA 1", "AMD", ("gfx1010", "gfx1011", "gfx1012", "gfx1013"), "RX 5500 to 5700 XT", "none",
                 ("fp16",), "fp32", "fp32", 32, True, False, 0, False, False, "conservative", _RDNA1,
                 ("gfx1013",),
                 say("AMD's own wheels have code for it since 2026, PyTorch's have not")),
    Architecture("RDNA 2", "AMD",
                 ("gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"),
                 "RX 6400 to 6950 XT, Steam Deck", "dot products",
                 ("fp16", "int8"), "fp32", "fp16", 32, True, False, 0, False, False, "balanced", _RDNA2,
                 ("gfx1033", "gfx1035", "gfx1036"), say("most wheels have code for gfx1030 alone")),
    Architecture("RDNA 3", "AMD", ("gfx1100", "gfx1101", "gfx1102", "gfx1103"), "RX 7600 to 7900 XTX", "WMMA",
                 _ALL, "bf16", "bf16", 32, True, True, 256, False, True, "balanced", _RDNA3, ("gfx1103",)),
    Architecture("RDNA 3.5", "AMD", ("gfx1150", "gfx1151", "gfx1152", "gfx1153"), "Radeon 880M to 8060S",
                 "WMMA", _ALL, "bf16", "bf16", 32, True, True, 256, False, True, "balanced", _RDNA3,
                 ("gfx1150", "gfx1151", "gfx1152", "gfx1153"), say("it shares the computer's memory")),
    Architecture("RDNA 4", "AMD", ("gfx1200", "gfx1201"), "RX 9060 to 9070 XT", "WMMA",
                 _ALL, "fp32", "bf16", 32, True, True, 256, False, True, "balanced", _RDNA4),
    Architecture("Pascal", "NVIDIA", ("sm_60", "sm_61"), "GTX 1050 to 1080 Ti", "none",
                 ("int8",), "fp32", "fp32", 32, False, False, 0, True, False, "balanced", _NO_UNIT,
                 note=say("recent wheels of torch have no code for it")),
    Architecture("Volta", "NVIDIA", ("sm_70", "sm_72"), "V100", "tensor cores",
                 ("fp16",), "fp16", "fp16", 32, False, False, 0, True, True, "balanced", _FP16,
                 note=say("recent wheels of torch have no code for it")),
    Architecture("Turing", "NVIDIA", ("sm_75",), "GTX 1650 to RTX 2080 Ti", "tensor cores",
                 ("fp16", "int8"), "fp16", "fp16", 32, True, False, 0, True, True, "balanced", _FP16),
    Architecture("Ampere", "NVIDIA", ("sm_80", "sm_86", "sm_87"), "RTX 3050 to 3090, A100", "tensor cores",
                 _ALL, "bf16", "bf16", 32, True, True, 256, True, True, "balanced", _BF16),
    Architecture("Ada", "NVIDIA", ("sm_89",), "RTX 4060 to 4090, L4", "tensor cores",
                 _ALL, "bf16", "bf16", 32, True, True, 256, True, True, "balanced", _BF16),
    Architecture("Hopper", "NVIDIA", ("sm_90",), "H100, H200", "tensor cores",
                 _ALL, "bf16", "bf16", 32, True, True, 256, True, True, "balanced", _BF16),
    Architecture("Blackwell", "NVIDIA", ("sm_100", "sm_103", "sm_120", "sm_121"), "RTX 5060 to 5090, B200",
                 "tensor cores", _ALL, "bf16", "bf16", 32, True, True, 256, True, True, "balanced", _BF16),
)  # fmt: skip

_LOCAL_MEMORY = {
    "gfx950": 160,
    "sm_70": 96,
    "sm_72": 96,
    "sm_80": 163,
    "sm_87": 163,
    "sm_90": 227,
    "sm_100": 227,
    "sm_103": 227,
}
"""KiB of local memory of a program, where it is more than the 64 of AMD's chips and the 99 of NVIDIA's."""

_BY_CHIP = {chip: architecture for architecture in ARCHITECTURES for chip in architecture.chips}


def architecture(chip: str) -> Architecture | None:
    """Looks a chip up, such as "gfx1101" (also as "gfx1101:xnack-") or "sm_90"; None for an unknown one."""
    return _BY_CHIP.get(chip.split(":", maxsplit=1)[0])


def local_memory(chip: str) -> int:
    """Returns the bytes of local (shared) memory that one program may have on a chip, at least."""
    name = chip.split(":", maxsplit=1)[0]
    if name in _LOCAL_MEMORY:
        return _LOCAL_MEMORY[name] << 10
    return (99 if _compute_capability(name) > 80 else 64) << 10


@cache
def amd_cards() -> dict[int, dict[str, Any]]:
    """Returns what `resources/rocm/cards.toml` knows of AMD's chips, by PCI device id."""
    text = (files("resources") / "rocm" / "cards.toml").read_text("utf-8")
    return {int(entry["id"]): entry for entry in tomllib.loads(text)["card"]}


def shares_memory(chip: str) -> bool:
    """Whether a chip is part of a processor, so that its memory is the computer's own."""
    name = chip.split(":", maxsplit=1)[0]
    known = architecture(chip)
    if known is not None and name in known.shared:
        return True
    return any(entry["gfx"] == name and entry.get("integrated", False) for entry in amd_cards().values())


def half_precision(chip: str) -> Precision:
    """Returns the half precision that suits a chip: bf16 where its unit has it, else fp16."""
    known = architecture(chip)
    if known is None:
        return "bf16" if _compute_capability(chip) >= 80 else "fp16"
    return "bf16" if "bf16" in known.fast and known.proved != "fp16" else "fp16"


def unproved_precision(chip: str) -> Precision:
    """Returns the precision to start with on a chip that nothing was probed on, known or not."""
    known = architecture(chip)
    if known is not None:
        return known.default
    capability = _compute_capability(chip)
    if capability:
        return "bf16" if capability >= 80 else "fp16"
    return "bf16" if chip.startswith("gfx11") else "fp32"


def _compute_capability(chip: str) -> int:
    number = chip.removeprefix("sm_")
    return int(number) if number.isdigit() else 0
