"""Chooses a device and a precision for a model, by what is available and what a probe found.

No check is run here: a probe's report is read from the cache.
"""

from typing import cast, get_args

from hrm.backends.architectures import Precision, architecture, half_precision, unproved_precision
from hrm.backends.placement import Backend, BackendInfo, DeviceInfo, DevicePlan, EngineName, Level
from hrm.backends.probing.available import available, computes_bf16
from hrm.backends.probing.cached import cached_report
from hrm.backends.probing.proof import NO_PROOF, Proof, working
from hrm.message import join, say

_CARDS = ("rocm", "cuda", "directml")


def backends_and_proof() -> tuple[list[BackendInfo], Proof]:
    """Returns all backends, usable or not, and what an earlier probe found about their cards."""
    backends = available()
    if not any(info.usable and info.name in _CARDS for info in backends):
        return backends, NO_PROOF
    report = cached_report()
    return backends, NO_PROOF if report is None else report.proof


def choose(
    backend: str = "auto",
    device: str = "auto",
    precision: str = "auto",
    backends: list[BackendInfo] | None = None,
    proof: Proof | None = None,
    level: Level = "balanced",
) -> DevicePlan:
    """Chooses a device and a precision; where the request cannot be met, the best that works.

    Args:
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        device: "auto", or a name such as "cuda:1"; "cuda" is "cuda:0", as in PyTorch.
        precision: "auto", "fp32", "bf16", "fp16" or "int8".
        backends: what there is; None asks `backends_and_proof`.
        proof: what a probe found; a device on which nothing works is not chosen, even if requested.
        level: the optimisation level; see `hrm.backends.levels`.
    """
    asked = " ".join((backend, device, precision))
    there, cached_proof = backends_and_proof() if backends is None else (backends, NO_PROOF)
    proof = cached_proof if proof is None else proof
    found = {info.name: info for info in working(there, proof)}
    reasons: list[str] = []
    usable = [info for info in found.values() if info.usable and info.name != "auto"]
    if _owner_of(f"{device}:0", usable) is not None:
        device = f"{device}:0"
    named = _owner_of(device, usable)
    wanted = next((info for info in found.values() if info.name == backend), None)
    if backend == "auto":
        got = named or usable[0]
        if named is None:
            reasons.append(say("{name} is the fastest that works here", name=got.name))
    elif wanted is not None and wanted.usable:
        got = wanted
    else:
        got = usable[0]
        why = wanted.reason if wanted is not None else say("there is no such backend")
        reasons.append(say("{name} cannot be used: {why}", name=backend, why=why))
        reasons.append(say("using {name}", name=got.name))
    by_name = {info.name: info for info in got.devices}
    picked = by_name.get(device) or max(got.devices, key=lambda info: (not info.shared, info.memory or 0))
    if device not in ("auto", picked.name):
        bad = proof.failure_of(device)
        if bad:
            reasons.append(say("a probe found {name} unusable ({why})", name=device, why=bad))
        else:
            reasons.append(say("{name} has no device {device}", name=got.name, device=device))
        reasons.append(say("using {name}", name=picked.name))
    number, why = _precision(got.name, picked, precision, proof)
    reasons.append(why)
    engine: EngineName = "onnx" if got.name == "directml" else "torch"
    return DevicePlan(
        asked,
        got.name,
        picked.name,
        number,
        join(reasons),
        engine=engine,
        level=level,
        architecture=picked.architecture,
        hip_graphs=picked.name in proof.graphs,
        hip_flash=(picked.name, number) in proof.flash,
        probed=picked.name in proof.best,
    )


def _owner_of(device: str, usable: list[BackendInfo]) -> BackendInfo | None:
    for info in usable:
        if device in {described.name for described in info.devices}:
            return info
    return None


def _precision(backend: Backend, device: DeviceInfo, asked: str, proof: Proof) -> tuple[Precision, str]:
    proved = proof.best.get(device.name)
    best, why = _best_precision(backend, device, proved)
    if asked == "auto":
        return best, why
    if asked not in get_args(Precision):
        unknown = say("there is no precision {precision}, using {other}", precision=asked, other=best)
        return best, join((unknown, why))
    failed = proof.failed.get((device.name, asked), "")
    if failed and asked != best:
        return best, say(
            "a probe found {name} unusable on {device} ({why}), using {other}",
            name=asked,
            device=device.name,
            why=failed,
            other=best,
        )
    refused = _refused(backend, device, asked, best) if asked != proved else ""
    if not refused:
        return cast(Precision, asked), say("{precision} as asked", precision=asked)
    return ("fp32" if backend == "cpu" else best), refused


def _refused(backend: Backend, device: DeviceInfo, asked: str, best: Precision) -> str:
    """Returns why a requested precision is not used, "" if it is."""
    if backend == "cpu":
        slow = say("{precision} is slower than fp32 on this processor, using fp32", precision=asked)
        return slow if asked == "fp16" or (asked == "bf16" and not computes_bf16()) else ""
    if asked == "int8":
        return say("int8 is for CPUs here, using {other}", other=best)
    if asked == "bf16" and backend == "directml":
        return say("DirectML has no bf16, using {other}", other=best)
    if asked == "bf16" and backend == "cuda" and best == "fp16":
        return say("{card} has no bf16, using fp16", card=device.architecture)
    return ""


def _best_precision(backend: Backend, device: DeviceInfo, proved: Precision | None) -> tuple[Precision, str]:
    if proved is not None:
        return proved, say(
            "a probe found {precision} correct and the fastest on {card}", precision=proved, card=device.name
        )
    if backend == "cpu":
        right = say("fp32 is correct on every CPU")
        return "fp32", join((right, say("a benchmark here may find a faster engine")))
    if backend == "directml":
        return "fp32", say("half precision is not proved on {card}", card=say("this card"))
    chip = device.architecture
    best, known = unproved_precision(chip), architecture(chip)
    if known is not None and known.vendor == "AMD":
        why = say("{card}: {why}", card=chip, why=known.why)
    elif best == "bf16":
        why = say("bf16 is fast on {card}", card=chip)
    elif backend == "cuda" and best == half_precision(chip):
        why = say("{card} has no bf16", card=chip)
    else:
        why = say("half precision is not proved on {card}", card=chip)
    return best, why
