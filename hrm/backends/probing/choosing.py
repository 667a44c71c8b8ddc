"""Asks torch what it can reach, says why it cannot reach the rest, and chooses. Never raises over hardware.

What a probe proved here before (`hrm.backends.probing.probe`) goes into the choice; nothing is tried for it.
Next hop: `hrm.backends.engines.torch_engine` takes the device and the precision chosen.
"""

import importlib.util
import platform
import sys
from typing import cast, get_args

import torch

from hrm.backends.architectures import Precision, half_precision, unproved_precision
from hrm.backends.placement import Backend, BackendInfo, Choice, DeviceInfo, EngineName, Level
from hrm.backends.probing.proof import NOTHING, Proof, working

_GPU_BACKENDS: tuple[Backend, ...] = ("rocm", "cuda")
_CARDS = ("rocm", "cuda", "directml")
_DML_PROVIDER = "DmlExecutionProvider"


def available() -> list[BackendInfo]:
    """Returns every backend there could be, the usable ones with their devices."""
    gpus, problem = _torch_devices()
    built_for = _built_for()
    infos = [_gpu_backend(name, built_for, gpus, problem) for name in _GPU_BACKENDS]
    infos.append(_directml())
    infos.append(BackendInfo("cpu", True, "always works", (_cpu(),)))
    best = next(info for info in infos if info.usable)
    return [BackendInfo("auto", True, f"takes {best.name} here", best.devices), *infos]


def known() -> tuple[list[BackendInfo], Proof]:
    """Returns every backend there could be, and what an earlier probe proved of the cards among them."""
    found = available()
    if not any(info.usable and info.name in _CARDS for info in found):
        return found, NOTHING
    from hrm.backends.probing.probe import remembered  # noqa: PLC0415 (only where there is a card)

    report = remembered()
    return found, NOTHING if report is None else report.proof


def choose(
    backend: str = "auto",
    device: str = "auto",
    precision: str = "auto",
    backends: list[BackendInfo] | None = None,
    proof: Proof | None = None,
    level: Level = "balanced",
) -> Choice:
    """Chooses a device and a precision, falling back to what works when the wish cannot be met.

    Args:
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        device: "auto", or a name such as "cuda:1".
        precision: "auto", "fp32", "bf16", "fp16" or "int8".
        backends: what there is; None asks `known`, which also knows what was proved.
        proof: what a probe proved of them; a device on which nothing works is not chosen, asked for or not.
        level: how much is to be done for speed; see `hrm.backends.levels`.
    """
    asked = " ".join((backend, device, precision))
    there, remembered = known() if backends is None else (backends, NOTHING)
    proof = remembered if proof is None else proof
    found = {info.name: info for info in working(there, proof)}
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
        bad = proof.bad(device)
        lacking = f"a probe found {device} unusable ({bad})" if bad else f"{got.name} has no device {device}"
        reasons.append(f"{lacking}; using {picked.name}")
    number, why = _precision(got.name, picked, precision, proof)
    reasons.append(why)
    engine: EngineName = "onnx" if got.name == "directml" else "torch"
    return Choice(
        asked,
        got.name,
        picked.name,
        number,
        "; ".join(reasons),
        engine=engine,
        level=level,
        architecture=picked.architecture,
        hip_graphs=picked.name in proof.graphs,
        hip_flash=(picked.name, number) in proof.flash,
        probed=picked.name in proof.best,
    )


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
    if sys.platform != "win32":
        return BackendInfo("directml", False, "it exists on Windows only")
    if importlib.util.find_spec("onnxruntime") is None:
        return BackendInfo("directml", False, "onnxruntime is missing: pip install onnxruntime-directml")
    import onnxruntime  # noqa: PLC0415 (slow to load, and needed here alone)

    if _DML_PROVIDER not in onnxruntime.get_available_providers():
        reason = (
            "the installed onnxruntime has no DirectML: pip uninstall onnxruntime, "
            "then pip install onnxruntime-directml"
        )
        return BackendInfo("directml", False, reason)
    devices = (DeviceInfo("dml:0", "the graphics card that Windows prefers"),)
    return BackendInfo("directml", True, f"ONNX Runtime {onnxruntime.__version__} has DirectML", devices)


def _precision(backend: Backend, device: DeviceInfo, asked: str, proof: Proof) -> tuple[Precision, str]:
    """Returns the precision to use on a device, and why."""
    proved = proof.best.get(device.name)
    best, why = _best_precision(backend, device, proved)
    if asked == "auto":
        return best, why
    if asked not in get_args(Precision):
        return best, f"there is no precision {asked}, using {best}; {why}"
    failed = proof.failed.get((device.name, asked), "")
    if failed and asked != best:
        return best, f"a probe found {asked} unusable on {device.name} ({failed}), using {best}"
    refused = _refused(backend, device, asked, best) if asked != proved else ""
    if not refused:
        return cast(Precision, asked), f"{asked} as asked"
    return ("fp32" if backend == "cpu" else best), refused


def _refused(backend: Backend, device: DeviceInfo, asked: str, best: Precision) -> str:
    """Says why a precision that was asked for is not used, "" if it is."""
    if backend == "cpu":
        return f"{asked} is slower than fp32 on a CPU, using fp32" if asked in ("bf16", "fp16") else ""
    if asked == "int8":
        return f"int8 is for CPUs here, using {best}"
    if asked == "bf16" and backend == "directml":
        return f"DirectML has no bf16, using {best}"
    if asked == "bf16" and backend == "cuda" and best == "fp16":
        return f"{device.architecture} has no bf16, using fp16"
    return ""


def _best_precision(backend: Backend, device: DeviceInfo, proved: Precision | None) -> tuple[Precision, str]:
    if proved is not None:
        return proved, f"a probe found {proved} right and the fastest on {device.name}"
    if backend == "cpu":
        return "fp32", "fp32 is right on every CPU; a benchmark here may find int8 faster"
    if backend == "directml":
        return "fp32", "half precision is not proved on this card"
    chip = device.architecture
    best = unproved_precision(chip)
    if best == "bf16":
        return best, f"bf16 is fast on {chip}"
    if backend == "cuda" and best == half_precision(chip):
        return best, f"{chip} has no bf16"
    return best, f"half precision is not proved on {chip}"
