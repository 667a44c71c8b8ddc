"""Three optimisation levels as data, and the measures of a level that apply on a device.

A `SpeedPlan` lists what is applied there, and what of the level is left out with the reason.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from hrm.backends.architectures import architecture
from hrm.backends.errors import ConfigurationError
from hrm.backends.placement import AttentionKind, Backend, DevicePlan, Level
from hrm.config import Config
from hrm.message import mark, say

SMALLEST_INT8 = 1 << 17
"""Matrices with fewer elements stay in fp32: they cost little time, and quantising them changes answers of
small models (the advisor's in one case of forty; see docs/log/hrm.md)."""

KERNEL_WIDTHS = 64
KERNEL_HEADS = (32, 64, 128)
"""What the kernels of our own can run: widths that are multiples of the first, heads of the second."""

STREAMED = mark("graph and kernels: they need all layers in the card's memory, which has no room for them")
NO_KERNELS = mark("kernels of our own: there are none for this model's widths")
KERNELS_FAILED = mark("kernels of our own: {problem}")
NO_INT8 = mark("int8: no matrix of this model is large enough to gain")


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a level."""

    memory_fraction: float  # The share of the device's memory that this process may take
    graph: bool  # Capture the step in a CUDA or HIP graph, so that one launch runs all its kernels
    fused: bool  # Run the step in kernels of our own (`hrm.backends.kernels.fused`), where Triton is there
    compiled: bool  # Fuse kernels with `torch.compile`, where ours cannot run
    attention: AttentionKind  # "math" for the plain one, "auto" for the fastest that torch has
    quantise: bool  # Matrices in int8, on CPUs
    # Layers that are copied to the card as they are needed, as it has no room for all of them
    streamed: int = 0


LEVELS: dict[Level, Measures] = {
    "conservative": Measures(0.7, graph=False, fused=False, compiled=False, attention="math", quantise=False),
    "balanced": Measures(0.8, graph=True, fused=False, compiled=False, attention="auto", quantise=False),
    "aggressive": Measures(0.9, graph=True, fused=True, compiled=True, attention="auto", quantise=True),
}


@dataclass(frozen=True, slots=True)
class SpeedPlan:
    """The measures for one device, and those left out."""

    level: Level
    measures: Measures
    applied: tuple[str, ...]  # The same as messages, one measure each
    left_out: tuple[str, ...]  # Measures of the level that are not applied, each with the reason
    backend: Backend = "cpu"

    def revised(self, reason: str = "", **changes: Any) -> "SpeedPlan":
        """Returns the plan as it turned out when the model was loaded or run.

        Args:
            reason: why a measure is left out after all, "" if none is.
            changes: the measures that changed, by the names of `Measures`' fields.
        """
        measures = replace(self.measures, **changes)
        left_out = (*self.left_out, reason) if reason else self.left_out
        applied = tuple(_applied(measures, self.backend))
        return replace(self, measures=measures, applied=applied, left_out=left_out)

    def __str__(self) -> str:
        lines = [f"{self.level}: " + "; ".join(self.applied)]
        return "\n".join([*lines, *(f"left out: {reason}" for reason in self.left_out)])


def plan(
    level: str,
    backend: Backend = "cpu",
    chip: str = "",
    *,
    attention: AttentionKind | None = None,
    hip_graphs: bool = False,
    hip_flash: bool = False,
    without: Collection[str] = (),
) -> SpeedPlan:
    """Returns the measures of a level that apply on a device.

    Args:
        level: "conservative", "balanced" or "aggressive".
        backend: "rocm", "cuda", "directml" or "cpu".
        chip: as `DeviceInfo.architecture`.
        attention: "math" to require plain attention.
        hip_graphs: a probe found that graphs work on this AMD card.
        hip_flash: a probe found flash attention correct on this AMD card.
        without: measures to leave out, by the names of `Measures`' fields.

    Raises:
        ConfigurationError: there is no such level.
    """
    if level not in LEVELS:
        raise ConfigurationError(
            say("there is no level {name}", name=repr(level)),
            say("choose one of {names}", names=", ".join(LEVELS)),
        )
    named: Level = next(name for name in LEVELS if name == level)
    wanted = LEVELS[named]
    refused = _refused(wanted, backend, chip, hip_graphs, hip_flash)
    refused |= {name: say("{name}: as asked", name=name) for name in without if getattr(wanted, name)}
    kind: AttentionKind = "auto" if backend == "cpu" else wanted.attention
    if "attention" in refused or attention == "math":
        kind = "math"
    done = Measures(
        memory_fraction=wanted.memory_fraction,
        graph=wanted.graph and "graph" not in refused,
        fused=wanted.fused and "fused" not in refused,
        compiled=wanted.compiled and "compiled" not in refused,
        attention=kind,
        quantise=wanted.quantise and "quantise" not in refused,
    )
    return SpeedPlan(named, done, tuple(_applied(done, backend)), tuple(refused.values()), backend)


def plan_of(device_plan: DevicePlan, config: Config | None = None) -> SpeedPlan:
    """Returns the speed plan of a device plan.

    Args:
        device_plan: where and how the model runs.
        config: the model's configuration, which may rule measures out; None where there is no model yet.
    """
    gains = config is None or gains_from_int8(config)
    if device_plan.engine == "onnx":
        return plan_onnx(device_plan.level, device_plan.precision, gains)
    speed_plan = plan(
        device_plan.level,
        device_plan.backend,
        device_plan.architecture,
        attention="math" if device_plan.attention == "math" else None,
        hip_graphs=device_plan.hip_graphs,
        hip_flash=device_plan.hip_flash,
    )
    if speed_plan.measures.fused and config is not None and not fits_kernels(config):
        speed_plan = speed_plan.revised(say(NO_KERNELS), fused=False)
    wanted = speed_plan.measures.quantise or device_plan.precision == "int8"
    if wanted and not gains:
        return speed_plan.revised(say(NO_INT8), quantise=False)
    return speed_plan.revised(quantise=True) if wanted and not speed_plan.measures.quantise else speed_plan


def fits_kernels(config: Config) -> bool:
    """Whether our own kernels can run a model in half precision: attention, states that are carried on,
    and widths they divide."""
    return (
        config.mixer == "attention"
        and config.carried
        and config.hidden_size % KERNEL_WIDTHS == 0
        and config.mlp_width % KERNEL_WIDTHS == 0
        and config.head_dim in KERNEL_HEADS
    )


def gains_from_int8(config: Config) -> bool:
    """Whether a model has matrices that are large enough for int8."""
    widest = max(2 * config.mlp_width, 3 * config.hidden_size if config.mixer == "attention" else 0)
    return widest * config.hidden_size >= SMALLEST_INT8


def plan_onnx(level: Level, precision: str, gains: bool = True) -> SpeedPlan:
    """Returns the measures of ONNX Runtime: the same at every level, since it fuses by itself.

    Args:
        precision: fp32, fp16 or int8.
        gains: whether the model has matrices that are large enough for int8.
    """
    quantise = precision == "int8" and gains
    done = Measures(1.0, graph=False, fused=True, compiled=False, attention="math", quantise=quantise)
    words = (say("kernels fused by ONNX Runtime"), *([say("matrices in int8")] if quantise else []))
    left_out = () if level == "conservative" else (say("ONNX Runtime has no levels of optimisation"),)
    if precision == "int8" and not gains:
        left_out = (*left_out, say(NO_INT8))
    return SpeedPlan(level, done, words, left_out)


def _refused(
    wanted: Measures, backend: Backend, chip: str, hip_graphs: bool, hip_flash: bool
) -> dict[str, str]:
    """Returns the measures of a level that a device does not support, by name, with the reason."""
    known = architecture(chip)
    gpu = backend in ("rocm", "cuda")
    refused: dict[str, str] = {}
    if wanted.graph and not gpu:
        refused["graph"] = say("graph capture: there is none on {backend}", backend=backend)
    elif wanted.graph and backend == "rocm" and not hip_graphs:
        refused["graph"] = say("graph capture: on AMD cards only once a child process proved it")
    if wanted.fused and not gpu:
        refused["fused"] = say("kernels of our own: there are none for {backend}", backend=backend)
    elif wanted.fused and ((known is not None and not known.triton) or find_spec("triton") is None):
        refused["fused"] = say("kernels of our own: there is no Triton for {chip} here", chip=chip or backend)
    if wanted.compiled and backend == "directml":
        refused["compiled"] = say("torch.compile: ONNX Runtime fuses by itself")
    elif wanted.compiled and gpu and "fused" in refused:
        refused["compiled"] = say("torch.compile: there is no Triton for {chip} here", chip=chip or backend)
    elif wanted.compiled and backend == "cpu":
        refused["compiled"] = say("torch.compile: int8 gains more on a CPU, and needs no compiler")
    if wanted.attention == "auto" and backend == "rocm" and not hip_flash:
        refused["attention"] = say("flash attention: on AMD cards only after a parity test on the device")
    if wanted.quantise and backend != "cpu":
        refused["quantise"] = say("int8: it is for CPUs here")
    return refused


def _applied(done: Measures, backend: Backend) -> list[str]:
    words: list[str] = []
    if backend in ("rocm", "cuda"):
        words.append(say("at most {share} of the card's memory", share=f"{done.memory_fraction:.0%}"))
    if done.graph:
        words.append(say("the step captured in a graph"))
    if done.fused:
        words.append(say("kernels of our own"))
    elif done.compiled:
        words.append(say("kernels fused by torch.compile"))
    plain = done.attention == "math"
    words.append(say("plain attention") if plain else say("torch's fastest attention"))
    if done.streamed:
        words.append(say("{count} layers copied to the card as they are needed", count=done.streamed))
    if done.quantise:
        words.append(say("matrices in int8"))
    return words
