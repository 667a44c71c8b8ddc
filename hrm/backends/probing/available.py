"""Lists the devices that torch and ONNX Runtime can use, and why not the others. Never raises."""

import importlib.util
import platform
import sys

import torch

from hrm.backends.architectures import shares_memory
from hrm.backends.memory import pdh
from hrm.backends.placement import Backend, BackendInfo, DeviceInfo
from hrm.interpreter import this_python
from hrm.message import counted, join, one_line, say

_GPU_BACKENDS: tuple[Backend, ...] = ("rocm", "cuda")
_DML_PROVIDER = "DmlExecutionProvider"


def available() -> list[BackendInfo]:
    """Returns every backend there could be, the usable ones with their devices."""
    gpus, problem = _torch_devices()
    built_for = _built_for()
    infos = [_gpu_backend(name, built_for, gpus, problem) for name in _GPU_BACKENDS]
    infos.append(_directml())
    cpu = DeviceInfo("cpu", platform.processor() or "CPU", platform.machine())
    infos.append(BackendInfo("cpu", True, say("always works"), (cpu,)))
    best = next(info for info in infos if info.usable)
    return [BackendInfo("auto", True, say("takes {name} here", name=best.name), best.devices), *infos]


def computes_bf16() -> bool:
    """Whether the processor multiplies in bf16 itself; where it does not, bf16 is far slower than fp32.

    Where it does, a model of 27 M parameters takes half of fp32's time and one of 0.7 M a little more.
    """
    asked = (
        getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    )
    return any(ask() for ask in asked if ask is not None)


def _built_for() -> Backend:
    if torch.version.hip:
        return "rocm"
    return "cuda" if torch.version.cuda else "cpu"


def _torch_devices() -> tuple[tuple[DeviceInfo, ...], str]:
    try:
        if not torch.cuda.is_available():
            return (), say("torch finds no card, or its driver does not answer")
        return tuple(_gpu(index) for index in range(torch.cuda.device_count())), ""
    except (RuntimeError, AssertionError, OSError) as error:
        return (), say("asking the driver failed: {problem}", problem=one_line(error))


def _gpu(index: int) -> DeviceInfo:
    properties = torch.cuda.get_device_properties(index)
    if torch.version.hip:
        architecture = str(properties.gcnArchName).split(":", maxsplit=1)[0]
    else:
        architecture = f"sm_{properties.major}{properties.minor}"
    shared = shares_memory(architecture) or bool(getattr(properties, "is_integrated", False))
    return DeviceInfo(
        f"cuda:{index}", str(properties.name), architecture, int(properties.total_memory), shared
    )


def _gpu_backend(
    name: Backend, built_for: Backend, gpus: tuple[DeviceInfo, ...], problem: str
) -> BackendInfo:
    title = {"rocm": "ROCm (AMD)", "cuda": "CUDA (NVIDIA)"}[name]
    if built_for != name:
        wrong = say(
            "the installed torch {version} is not built for {title}", version=torch.__version__, title=title
        )
        return BackendInfo(name, False, join((wrong, say("install torch's build for it"))))
    if not gpus:
        reason = say("torch is built for {title}, but {problem}", title=title, problem=problem)
        return BackendInfo(name, False, reason)
    reason = counted(
        len(gpus),
        "torch {version} reaches {number} card",
        "torch {version} reaches {number} cards",
        version=torch.__version__,
        number=len(gpus),
    )
    return BackendInfo(name, True, reason, gpus)


def _directml() -> BackendInfo:
    if sys.platform != "win32":
        return BackendInfo("directml", False, say("it exists on Windows only"))
    if importlib.util.find_spec("onnxruntime") is None:
        reason = say(
            "onnxruntime is missing: {python} -m pip install onnxruntime-directml", python=this_python()
        )
        return BackendInfo("directml", False, reason)
    import onnxruntime  # noqa: PLC0415 (slow to load, and needed here alone)

    if _DML_PROVIDER not in onnxruntime.get_available_providers():
        reason = say(
            "the installed onnxruntime has no DirectML: {python} -m pip uninstall onnxruntime, "
            "then {python} -m pip install onnxruntime-directml",
            python=this_python(),
        )
        return BackendInfo("directml", False, reason)
    reason = say("ONNX Runtime {version} has DirectML", version=onnxruntime.__version__)
    return BackendInfo("directml", True, reason, _dml_devices())


def _dml_devices() -> tuple[DeviceInfo, ...]:
    """Returns the cards that DXGI lists; their places in its list are their numbers for DirectML too."""
    listed = tuple(
        DeviceInfo(f"dml:{index}", adapter.title, "", adapter.room, adapter.integrated)
        for index, adapter in enumerate(pdh.adapters())
        if not adapter.software
    )
    return listed or (DeviceInfo("dml:0", say("the graphics card that Windows prefers")),)
