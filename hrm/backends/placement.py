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
    """A device of a backend."""

    name: str  # As torch calls it, such as cuda:0 or cpu
    title: str
    # gfx1101 and the like for AMD, sm_90 and the like for NVIDIA, the machine type for a CPU
    architecture: str = ""
    memory: int | None = None  # Bytes in total, None where unknown
    shared: bool = False  # The memory is the computer's own: the chip is part of the processor


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """A backend, whether it can be used on this computer, and why (not)."""

    name: Backend
    usable: bool
    reason: str
    devices: tuple[DeviceInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class DevicePlan:
    """Where a model runs: what was requested, what was chosen, and why."""

    asked: str
    backend: Backend
    device: str
    precision: Precision
    reason: str
    engine: EngineName = "torch"
    batch: int = 1  # Rows in one step at most
    # "math" for the plain one, "auto" for whichever torch finds the fastest
    attention: AttentionKind = "auto"
    level: Level = "conservative"  # The optimisation level; see `hrm.backends.levels`
    architecture: str = ""  # The device's chip, as `DeviceInfo.architecture`
    threads: int = 0  # CPU threads, 0 to leave torch's setting as it is
    hip_graphs: bool = False  # A probe found that graphs work on this AMD card
    hip_flash: bool = False  # A probe found flash attention correct on this AMD card, in this precision
    probed: bool = False  # A probe on this computer has found the device to work
