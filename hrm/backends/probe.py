"""Asks torch what it can reach, says why it cannot reach the rest, and chooses. Never raises over hardware.

Next hop: `hrm.backends.engines` takes the device and the precision chosen.
"""

import platform
import sys
from dataclasses import dataclass
from typing import Literal, cast, get_args

import torch

Backend = Literal["auto", "rocm", "cuda", "directml", "cpu"]
Precision = Literal["fp32", "bf16", "fp16"]

_GPU_BACKENDS: tuple[Backend, ...] = ("rocm", "cuda")


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device of a backend.

    Attributes:
        name: as torch calls it, such as cuda:0 or cpu.
        title: the card's or the processor's own name.
        architecture: gfx1101 and the like for AMD, sm_90 and the like for NVIDIA, the machine type for a CPU.
        memory: bytes in total, None where unknown.
    """

    name: str
    title: str
    architecture: str = ""
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """A backend, whether it can be used on this computer, and why (not), in words for a person."""

    name: Backend
    usable: bool
    reason: str
    devices: tuple[DeviceInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Where a model runs: what was asked for, what it got, and why."""

    asked: str
    backend: Backend
    device: str
    precision: Precision
    reason: str


def available() -> list[BackendInfo]:
    """Returns every backend there could be, the usable ones with their devices."""
    gpus, problem = _torch_devices()
    built_for = _built_for()
    infos = [_gpu_backend(name, built_for, gpus, problem) for name in _GPU_BACKENDS]
    infos.append(_directml())
    infos.append(BackendInfo("cpu", True, "always works", (_cpu(),)))
    best = next(info for info in infos if info.usable)
    return [BackendInfo("auto", True, f"takes {best.name} here", best.devices), *infos]


def choose(
    backend: str = "auto",
    device: str = "auto",
    precision: str = "auto",
    backends: list[BackendInfo] | None = None,
) -> Choice:
    """Chooses a device and a precision, falling back to what works when the wish cannot be met.

    Args:
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        device: "auto", or a name such as "cuda:1".
        precision: "auto", "fp32", "bf16" or "fp16".
        backends: what there is; None asks `available`.
    """
    asked = " ".join((backend, device, precision))
    found = {info.name: info for info in (available() if backends is None else backends)}
    reasons: list[str] = []
    usable = [info for info in found.values() if info.usable and info.name != "auto"]
    named = _owner_of(device, usable)
    wanted = next((info for info in found.values() if info.name == backend), None)
    if backend == "auto":
        got = named or usable[0]
        if named is None:
            reasons.append(f"{got.name} is the fastest that works here")
    elif wanted is not None and wanted.usable:
        got = wanted
    else:
        got = usable[0]
        why = wanted.reason if wanted is not None else "there is no such backend"
        reasons.append(f"{backend} cannot be used: {why}; using {got.name}")
    by_name = {info.name: info for info in got.devices}
    picked = by_name.get(device) or max(got.devices, key=lambda info: info.memory or 0)
    if device not in ("auto", picked.name):
        reasons.append(f"{got.name} has no device {device}; using {picked.name}")
    number, why = _precision(got.name, picked, precision)
    reasons.append(why)
    return Choice(asked, got.name, picked.name, number, "; ".join(reasons))


def _owner_of(device: str, usable: list[BackendInfo]) -> BackendInfo | None:
    for info in usable:
        if device in {found.name for found in info.devices}:
            return info
    return None


def _built_for() -> Backend:
    """Returns which GPUs this build of torch is for, "cpu" for none."""
    if torch.version.hip:
        return "rocm"
    return "cuda" if torch.version.cuda else "cpu"


def _torch_devices() -> tuple[tuple[DeviceInfo, ...], str]:
    """Returns the GPUs that torch reaches, or in words why it reaches none."""
    try:
        if not torch.cuda.is_available():
            return (), "torch finds no card, or its driver does not answer"
        return tuple(_gpu(index) for index in range(torch.cuda.device_count())), ""
    except (RuntimeError, AssertionError, OSError) as error:
        return (), f"asking the driver failed: {error}"


def _gpu(index: int) -> DeviceInfo:
    found = torch.cuda.get_device_properties(index)
    if torch.version.hip:
        architecture = str(found.gcnArchName).split(":", maxsplit=1)[0]
    else:
        architecture = f"sm_{found.major}{found.minor}"
    return DeviceInfo(f"cuda:{index}", str(found.name), architecture, int(found.total_memory))


def _cpu() -> DeviceInfo:
    return DeviceInfo("cpu", platform.processor() or "CPU", platform.machine())


def _gpu_backend(
    name: Backend, built_for: Backend, gpus: tuple[DeviceInfo, ...], problem: str
) -> BackendInfo:
    title = {"rocm": "ROCm (AMD)", "cuda": "CUDA (NVIDIA)"}[name]
    if built_for != name:
        return BackendInfo(
            name,
            False,
            f"the installed torch {torch.__version__} is not built for {title}; install torch's build for it",
        )
    if not gpus:
        return BackendInfo(name, False, f"torch is built for {title}, but {problem}")
    return BackendInfo(name, True, f"torch {torch.__version__} reaches {len(gpus)} device(s)", gpus)


def _directml() -> BackendInfo:
    reason = "it needs an engine that runs on ONNX Runtime, which is not in this version yet"
    if sys.platform != "win32":
        reason = f"it exists on Windows only, and {reason}"
    return BackendInfo("directml", False, reason)


def _precision(backend: Backend, device: DeviceInfo, asked: str) -> tuple[Precision, str]:
    """Returns the precision to use on a device, and why."""
    best, why = _best_precision(backend, device)
    if asked == "auto":
        return best, why
    if asked not in get_args(Precision):
        return best, f"there is no precision {asked}, using {best}; {why}"
    if backend == "cpu" and asked != "fp32":
        return "fp32", f"{asked} is slower than fp32 on a CPU, using fp32"
    if asked == "bf16" and backend == "cuda" and best == "fp16":
        return "fp16", f"{device.architecture} has no bf16, using fp16"
    return cast(Precision, asked), f"{asked} as asked"


def _best_precision(backend: Backend, device: DeviceInfo) -> tuple[Precision, str]:
    architecture = device.architecture
    if backend == "cuda":
        number = architecture.removeprefix("sm_")
        if number.isdigit() and int(number) >= 80:
            return "bf16", f"bf16 is fast on {architecture}"
        return "fp16", f"{architecture} has no bf16"
    if backend == "rocm":
        if architecture.startswith("gfx11"):
            return "bf16", f"bf16 is fast on {architecture}"
        return "fp32", f"half precision is not proved on {architecture}"
    return "fp32", "fp32 is the fastest on a CPU"
