"""The benchmark's candidates: every combination of engine, device and precision on this computer."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from hrm.backends.architectures import architecture, half_precision
from hrm.backends.placement import BackendInfo, DeviceInfo, DevicePlan
from hrm.backends.probing.choosing import backends_and_proof
from hrm.backends.probing.proof import NO_PROOF, Proof


@dataclass(frozen=True, slots=True)
class EngineCandidate:
    """A device plan to measure, and the measures of its level to leave out."""

    device_plan: DevicePlan
    without: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Short, such as "torch cuda:0 bf16 aggressive"."""
        device_plan = self.device_plan
        threads = f"{device_plan.threads} threads" if device_plan.threads else ""
        level = device_plan.level if device_plan.backend in ("rocm", "cuda") else ""
        left_out = " ".join(f"no {name}" for name in self.without)
        parts = (device_plan.engine, device_plan.device, device_plan.precision, level, left_out, threads)
        return " ".join(part for part in parts if part)


def candidates(
    backends: Sequence[BackendInfo] | None = None, cores: int | None = None, proof: Proof = NO_PROOF
) -> list[EngineCandidate]:
    """Lists every engine, device and precision of this computer; the baseline comes first.

    Args:
        backends: None for this computer's, with what a probe found about them.
        cores: CPU threads to try besides one; None for as many as the process may use.
        proof: what a probe found; devices that failed are measured nevertheless.
    """
    if backends is None:
        backends, proof = backends_and_proof()
    cores = cores or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    engines = [_on_cpu("torch", "fp32", cores)]
    for threads in sorted({cores, 1}, reverse=True):
        combinations = [("torch", "fp32"), ("torch", "int8"), ("onnx", "fp32"), ("onnx", "int8")]
        if torch.cpu._is_avx512_bf16_supported():
            combinations.insert(1, ("torch", "bf16"))
        engines += [_on_cpu(engine, precision, threads) for engine, precision in combinations]
    for info in backends:
        for device in info.devices if info.usable and info.name != "auto" else ():
            if info.name == "directml":
                engines += [
                    EngineCandidate(
                        DevicePlan("bench", "directml", device.name, precision, "", engine="onnx")
                    )
                    for precision in ("fp32", "fp16")
                ]
            elif info.name != "cpu":
                engines += _on_card(info, device, proof)
    return list(dict.fromkeys(engines))


def _on_cpu(engine: Any, precision: Any, threads: int) -> EngineCandidate:
    return EngineCandidate(DevicePlan("bench", "cpu", "cpu", precision, "", engine=engine, threads=threads))


def _on_card(info: BackendInfo, device: DeviceInfo, proof: Proof) -> list[EngineCandidate]:
    """Lists every precision at the lowest level, and the chip's best precision at every level."""
    chip = device.architecture
    best = half_precision(chip)
    fast = known_chip.fast if (known_chip := architecture(chip)) is not None else (best,)
    others = [name for name in ("bf16", "fp16") if name in fast and name != best]
    combinations: list[tuple[Any, Any, tuple[str, ...]]] = [
        *((precision, "conservative", ()) for precision in ("fp32", *others, best)),
        (best, "balanced", ()),
        (best, "aggressive", ("fused",)),
        (best, "aggressive", ()),
    ]
    engines = []
    for precision, level, without in combinations:
        device_plan = DevicePlan(
            "bench", info.name, device.name, precision, "", level=level, architecture=chip
        )
        graphs, flash = device.name in proof.graphs, (device.name, precision) in proof.flash
        engines.append(EngineCandidate(replace(device_plan, hip_graphs=graphs, hip_flash=flash), without))
    return engines
