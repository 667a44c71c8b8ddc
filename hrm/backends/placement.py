"""Values: which backends and devices there are, and the device plan of a model. They do not import torch.

`hrm.backends.probing.choosing` makes a plan, `hrm.backends.fallback` another one after a fault, and
`hrm.backends.engines.opening.open_engine` builds the engine that it names.
"""

from dataclasses import dataclass
from typing import Literal

from hrm.backends.architectures import Precision

Backend = Literal["auto", "rocm", "cuda", "directml", "cpu"]
EngineName = Literal["torch", "onnx"]
AttentionKind = Literal["auto", "math"]
Level = Literal["conservative", "balanced", "aggressive"]


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device of a backend.

    Attributes:
        name: as torch calls it, such as cuda:0 or cpu.
        architecture: gfx1101 and the like for AMD, sm_90 and the like for NVIDIA, the machine type for a CPU.
        memory: bytes in total, None where unknown.
        shared: the memory is the computer's own: the chip is part of the processor.
    """

    name: str
    title: str
    architecture: str = ""
    memory: int | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """A backend, whether it can be used on this computer, and why (not)."""

    name: Backend
    usable: bool
    reason: str
    devices: tuple[DeviceInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class DevicePlan:
    """Where a model runs: what was requested, what was chosen, and why.

    Attributes:
        batch: rows in one step at most.
        attention: "math" for the plain one, "auto" for whichever torch finds the fastest.
        level: the optimisation level; see `hrm.backends.levels`.
        architecture: the device's chip, as `DeviceInfo.architecture`.
        threads: CPU threads, 0 to leave torch's setting as it is.
        hip_graphs: a probe found that graphs work on this AMD card.
        hip_flash: a probe found flash attention correct on this AMD card, in this precision.
        probed: a probe on this computer has found the device to work.
    """

    asked: str
    backend: Backend
    device: str
    precision: Precision
    reason: str
    engine: EngineName = "torch"
    batch: int = 1
    attention: AttentionKind = "auto"
    level: Level = "conservative"
    architecture: str = ""
    threads: int = 0
    hip_graphs: bool = False
    hip_flash: bool = False
    probed: bool = False
