"""How much is done for speed: three levels as data, and `prepare` and `optimize` for any module.

`plan` says what a level comes to on a device, and what of it is left out there and why; nothing is promised
that is not done. Next hop: `hrm.backends.engines.torch_engine` and `optimize` do what the plan says.
"""

import copy
from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, get_args

import torch
from torch import Tensor, nn

from hrm.backends.architectures import Precision, architecture
from hrm.backends.errors import ConfigurationError
from hrm.backends.placement import AttentionKind, Backend, Choice, Level

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16, "int8": torch.float32}
"""What activations are held in, by precision; int8 is for weights, and for products on their way."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What a level does.

    Attributes:
        memory_fraction: the share of the device's memory that this process may take.
        graph: capture the step in a CUDA or HIP graph, so that one launch does for all its kernels.
        fused: run the step in kernels of our own (`hrm.backends.kernels.fused`), where Triton is there.
        compiled: fuse kernels with `torch.compile`, where ours do not run.
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
class Plan:
    """What is done on one device, and what is not.

    Attributes:
        level: the level asked for.
        measures: what of it is done there.
        applied: the same in words, one measure each.
        left_out: what is not done, each with the reason.
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
) -> Plan:
    """Says what a level comes to on a device.

    Args:
        level: "conservative", "balanced" or "aggressive".
        backend: "rocm", "cuda", "directml" or "cpu".
        chip: as `DeviceInfo.architecture`.
        attention: "math" to insist on the plain one.
        hip_graphs: a child proved that graphs work on this AMD card.
        hip_flash: a child proved flash attention right on this AMD card.
        without: measures to leave out, by the names of `Measures`' fields.

    Raises:
        ConfigurationError: there is no such level.
    """
    if level not in LEVELS:
        raise ConfigurationError(f"there is no level {level!r}; choose one of {', '.join(LEVELS)}")
    named: Level = next(name for name in LEVELS if name == level)
    wanted = LEVELS[named]
    refused = _refused(wanted, backend, chip, hip_graphs, hip_flash)
    refused |= {name: f"{name}: as asked" for name in without if getattr(wanted, name)}
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
    return Plan(named, done, tuple(_words(done, backend)), tuple(refused.values()))


def plan_of(choice: Choice) -> Plan:
    """Says what is done for speed where a choice runs."""
    if choice.engine == "onnx":
        return plan_onnx(choice.level, choice.precision)
    return plan(
        choice.level,
        choice.backend,
        choice.architecture,
        attention="math" if choice.attention == "math" else None,
        hip_graphs=choice.hip_graphs,
        hip_flash=choice.hip_flash,
    )


def plan_onnx(level: Level, precision: str) -> Plan:
    """Says what ONNX Runtime does: the same at every level, since it fuses by itself."""
    quantise = precision == "int8"
    done = Measures(1.0, graph=False, fused=True, compiled=False, attention="math", quantise=quantise)
    words = ("kernels fused by ONNX Runtime", *(["matrices in int8"] if quantise else []))
    left_out = () if level == "conservative" else (f"{level}: ONNX Runtime knows no levels",)
    return Plan(level, done, words, left_out)


def _refused(
    wanted: Measures, backend: Backend, chip: str, hip_graphs: bool, hip_flash: bool
) -> dict[str, str]:
    """Returns what of a level a device does not get, by the measure's name, with the reason."""
    known = architecture(chip)
    gpu = backend in ("rocm", "cuda")
    refused = {}
    if wanted.graph and not gpu:
        refused["graph"] = f"graph capture: there is none on {backend}"
    elif wanted.graph and backend == "rocm" and not hip_graphs:
        refused["graph"] = "graph capture: on AMD cards only once a child process proved it"
    if wanted.fused and not gpu:
        refused["fused"] = f"kernels of our own: there are none for {backend}"
    elif wanted.fused and ((known is not None and not known.triton) or find_spec("triton") is None):
        refused["fused"] = f"kernels of our own: there is no Triton for {chip or backend} here"
    if wanted.compiled and backend == "directml":
        refused["compiled"] = "torch.compile: ONNX Runtime fuses by itself"
    elif wanted.compiled and gpu and "fused" in refused:
        refused["compiled"] = f"torch.compile: there is no Triton for {chip or backend} here"
    elif wanted.compiled and backend == "cpu":
        refused["compiled"] = "torch.compile: int8 gains more on a CPU, and needs no compiler"
    if wanted.attention == "auto" and backend == "rocm" and not hip_flash:
        refused["attention"] = "flash attention: on AMD cards only after a parity test on the device"
    if wanted.quantise and backend != "cpu":
        refused["quantise"] = "int8: it is for CPUs here"
    return refused


def _words(done: Measures, backend: Backend) -> list[str]:
    words = []
    if backend in ("rocm", "cuda"):
        words.append(f"at most {done.memory_fraction:.0%} of the card's memory")
    if done.graph:
        words.append("the step captured in a graph")
    if done.fused:
        words.append("kernels of our own")
    elif done.compiled:
        words.append("kernels fused by torch.compile")
    words.append("plain attention" if done.attention == "math" else "torch's fastest attention")
    if done.quantise:
        words.append("matrices in int8")
    return words


def prepare(module: nn.Module, device: str = "cpu", precision: Precision = "fp32") -> nn.Module:
    """Returns a copy of any module that is ready to run on a device: weights there, in the precision, frozen.

    Args:
        module: anything of torch; it is left as it is.
        device: as torch calls it.
        precision: what its floating-point weights are held in; int8 leaves them in fp32 (see `optimize`).

    Raises:
        ConfigurationError: there is no such precision.
    """
    if precision not in get_args(Precision):
        names = ", ".join(get_args(Precision))
        raise ConfigurationError(f"there is no precision {precision!r}; choose one of {names}")
    own = copy.deepcopy(module).eval().requires_grad_(False)
    return own.to(device=torch.device(device), dtype=DTYPES[precision])


@dataclass(frozen=True, slots=True)
class Optimized:
    """A module made faster: `run` takes its inputs as the module did; `plan` says what was done."""

    run: Callable[..., Any]
    plan: Plan


def optimize(module: nn.Module, level: str = "balanced", *, hip_graphs: bool = False) -> Optimized:
    """Makes any module that was prepared run faster where its weights are.

    Args:
        module: as `prepare` returned it; on a CPU at the level aggressive its matrices become int8 in place.
        level: see `LEVELS`.
        hip_graphs: a child proved that graphs work on this AMD card.

    Raises:
        ConfigurationError: there is no such level.
    """
    from hrm.backends.engines.graphs import Captured  # noqa: PLC0415 (it needs this module's values)
    from hrm.backends.kernels.int8 import quantise  # noqa: PLC0415

    where = next((p.device for p in module.parameters()), torch.device("cpu"))
    backend, chip = describe_device(where)
    todo = plan(level, backend, chip, hip_graphs=hip_graphs)
    if todo.measures.quantise:
        quantise(module)
    run: Callable[..., Any] = module
    if todo.measures.compiled:
        run = torch.compile(module, dynamic=False)
    if todo.measures.graph:
        run = Captured(run)

    def call(*inputs: Tensor) -> Any:
        with torch.inference_mode(), attention_kind(todo.measures.attention):
            return run(*inputs)

    return Optimized(call, todo)


def describe_device(device: torch.device) -> tuple[Backend, str]:
    """Returns the backend that a torch device belongs to, and its chip."""
    if device.type != "cuda":
        return "cpu", ""
    found = torch.cuda.get_device_properties(device)
    if torch.version.hip:
        return "rocm", str(found.gcnArchName).split(":", maxsplit=1)[0]
    return "cuda", f"sm_{found.major}{found.minor}"


def attention_kind(kind: AttentionKind) -> Any:
    """Returns a context in which torch computes attention in this way."""
    from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: PLC0415 (slow to import)

    every = [
        SDPBackend.FLASH_ATTENTION,
        SDPBackend.EFFICIENT_ATTENTION,
        SDPBackend.CUDNN_ATTENTION,
        SDPBackend.MATH,
    ]
    return sdpa_kernel([SDPBackend.MATH] if kind == "math" else every)
