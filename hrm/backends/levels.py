"""Three optimisation levels as data, and the measures of a level that apply on a device.

A `SpeedPlan` lists what is applied there, and what of the level is left out with the reason. Next hop:
`hrm.backends.engines.torch_engine` applies the plan.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib.util import find_spec

from hrm.backends.architectures import architecture
from hrm.backends.errors import ConfigurationError
from hrm.backends.placement import AttentionKind, Backend, DevicePlan, Level
from hrm.message import say


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a level.

    Attributes:
        memory_fraction: the share of the device's memory that this process may take.
        graph: capture the step in a CUDA or HIP graph, so that one launch runs all its kernels.
        fused: run the step in kernels of our own (`hrm.backends.kernels.fused`), where Triton is there.
        compiled: fuse kernels with `torch.compile`, where ours cannot run.
        attention: "math" for the plain one, "auto" for the fastest that torch has.
        quantise: matrices in int8, on CPUs.
    """

    memory_fraction: float
    graph: bool
    fused: bool
    compiled: bool
    attention: AttentionKind
    quantise: bool


LEVELS: dict[Level, Measures] = {
    "conservative": Measures(0.7, graph=False, fused=False, compiled=False, attention="math", quantise=False),
    "balanced": Measures(0.8, graph=True, fused=False, compiled=False, attention="auto", quantise=False),
    "aggressive": Measures(0.9, graph=True, fused=True, compiled=True, attention="auto", quantise=True),
}


@dataclass(frozen=True, slots=True)
class SpeedPlan:
    """The measures for one device, and those left out.

    Attributes:
        level: the level asked for.
        measures: those of the level that apply there.
        applied: the same as messages, one measure each.
        left_out: measures of the level that are not applied, each with the reason.
    """

    level: Level
    measures: Measures
    applied: tuple[str, ...]
    left_out: tuple[str, ...]

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
    return SpeedPlan(named, done, tuple(_applied(done, backend)), tuple(refused.values()))


def plan_of(device_plan: DevicePlan) -> SpeedPlan:
    """Returns the speed plan of a device plan."""
    if device_plan.engine == "onnx":
        return plan_onnx(device_plan.level, device_plan.precision)
    return plan(
        device_plan.level,
        device_plan.backend,
        device_plan.architecture,
        attention="math" if device_plan.attention == "math" else None,
        hip_graphs=device_plan.hip_graphs,
        hip_flash=device_plan.hip_flash,
    )


def plan_onnx(level: Level, precision: str) -> SpeedPlan:
    """Returns the measures of ONNX Runtime: the same at every level, since it fuses by itself."""
    quantise = precision == "int8"
    done = Measures(1.0, graph=False, fused=True, compiled=False, attention="math", quantise=quantise)
    words = (say("kernels fused by ONNX Runtime"), *([say("matrices in int8")] if quantise else []))
    left_out = () if level == "conservative" else (say("{level}: ONNX Runtime knows no levels", level=level),)
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
    if done.quantise:
        words.append(say("matrices in int8"))
    return words
