"""Times every engine and precision that works here on the same model, in interleaved rounds.

The speed of a machine drifts within seconds, so the engines are interleaved: each takes a few steps in
every round, and the result is the ratio to the plain eager step of the same run. The relative error of an
engine's output against that step's is measured too.
"""

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import psutil
import torch
from torch import Tensor

from hrm.backends.bench.candidates import EngineCandidate
from hrm.backends.bench.workloads import Workload
from hrm.backends.engines.base import Engine
from hrm.backends.engines.opening import open_engine
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.errors import InferenceError, sort_error
from hrm.backends.latency import percentile, times_ms
from hrm.backends.levels import NO_INT8
from hrm.backends.placement import DevicePlan
from hrm.model import Carry

BURST = 3
_MEGABYTE = 1 << 20


@dataclass(slots=True)
class Row:
    """The measurements of a candidate."""

    name: str
    device_plan: DevicePlan  # Where and how it ran
    baseline: bool = False  # Whether this is the plain eager step in fp32 that others are compared with
    trouble: str = ""  # Why it could not be measured, "" if it could
    times_ms: list[float] = field(default_factory=list)  # Every step's time
    # Mean over steps of z_H's relative error against the baseline (root mean squares)
    error: float = math.nan
    # The share of answers that are the baseline's, each step from the baseline's own states
    agreement: float = math.nan
    own_agreement: float = math.nan  # The same of the last step where the engine goes on from its own states
    memory_mb: float | None = None  # Peak memory: on a card torch's, on a CPU the growth of the process
    load_s: float = 0.0  # How long loading took, compiling and capturing included
    applied: str = ""

    def share(self, part: float) -> float:
        """Returns a quantile (0..1) of the steps' times, in milliseconds."""
        return percentile(self.times_ms, part)


@dataclass(frozen=True, slots=True)
class Result:
    """The measurements on one workload; `rows` are in the order of the candidates, the baseline first."""

    workload: str
    trained: bool
    rows: tuple[Row, ...]

    @property
    def baseline(self) -> Row:
        return self.rows[0]

    @property
    def plain_ms(self) -> float:
        """The median of a step of plain torch in fp32 on the CPU, with the threads that suit it best."""
        timed = (row for row in self.rows if row.times_ms and row.device_plan.backend == "cpu")
        plain = [r for r in timed if (r.device_plan.engine, r.device_plan.precision) == ("torch", "fp32")]
        return min(row.share(0.5) for row in plain or [self.baseline])

    def faster(self, row: Row) -> float:
        """Returns how many times faster than plain torch a candidate is, by the medians of the same run.

        The baseline, with all threads, is often slower than that: a small model gains nothing by many.
        """
        return self.plain_ms / row.share(0.5) if row.times_ms else math.nan

    def fits(self, row: Row, least_agreement: float = 0.99) -> bool:
        """Whether a candidate was timed, and agrees with the baseline in 99 answers of 100, step by step."""
        alike = row.baseline or not self.trained or row.agreement >= least_agreement
        return bool(row.times_ms) and alike

    def best(self) -> Row:
        return min(filter(self.fits, self.rows), key=lambda row: row.share(0.5))

    def to_json(self) -> dict[str, Any]:
        rows = []
        for row in self.rows:
            values = asdict(row) | {"steps": len(row.times_ms)}
            del values["times_ms"]
            for name, part in (("p50_ms", 0.5), ("p95_ms", 0.95), ("p99_ms", 0.99)):
                values[name] = _plain(row.share(part))
            values |= {name: _plain(values[name]) for name in ("error", "agreement", "own_agreement")}
            rows.append(values | {"faster": _plain(self.faster(row))})
        return {"workload": self.workload, "trained": self.trained, "best": self.best().name, "rows": rows}


def measure(
    workload: Workload,
    engine_candidates: Sequence[EngineCandidate],
    rounds: int = 12,
    seconds: float = 60.0,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Measures candidates on a workload, in interleaved rounds.

    Args:
        engine_candidates: what to measure; the first is the baseline.
        rounds: turns that each candidate gets, of `BURST` steps.
        seconds: no further round is begun after this time.
    """
    report = progress or (lambda words: None)
    expected = _expected_steps(workload)
    rows: list[Row] = []
    engines: list[Engine | None] = []
    for index, candidate in enumerate(engine_candidates):
        report(f"{workload.name}: loading {candidate.name}")
        row = Row(candidate.name, candidate.device_plan, baseline=index == 0)
        rows.append(row)
        engines.append(_load(workload, candidate, row, expected))
    begun = time.monotonic()
    for number in range(rounds):
        report(f"{workload.name}: round {number + 1} of {rounds}")
        for row, engine in zip(rows, engines, strict=True):
            if engine is not None and not row.trouble:
                _turn(workload, row, engine)
        if time.monotonic() - begun > seconds:
            break
    for engine in engines:
        if engine is not None:
            engine.close()
    return Result(workload.name, workload.trained, tuple(rows))


ExpectedSteps = list[list[tuple[Carry, Tensor, Tensor]]]
"""By input and step: the states before it, z_H after it, and the answers."""


@torch.inference_mode()
def _expected_steps(workload: Workload) -> ExpectedSteps:
    """Runs the plain model, in fp32 on the CPU, and records every step."""
    recorded: ExpectedSteps = []
    for index, (x, mask) in enumerate(workload.inputs):
        carry = workload.stepper.core.start(1, x.shape[1])
        steps = []
        for _ in range(workload.steps):
            before = Carry(carry.z_H.clone(), carry.z_L.clone())
            carry, _, outputs = workload.stepper.step(carry, x, mask)
            steps.append((before, carry.z_H.clone(), workload.read(outputs, index)))
        recorded.append(steps)
    return recorded


def _load(workload: Workload, candidate: EngineCandidate, row: Row, expected: ExpectedSteps) -> Engine | None:
    """Loads a candidate's engine and compares its answers; None, the reason noted in the row, if it fails."""
    gc.collect()
    begun, before = time.monotonic(), _memory_of(candidate.device_plan.device, reset=True)
    _threads(candidate.device_plan)
    try:
        engine = _engine(workload, candidate)
        if candidate.device_plan.precision == "int8" and not engine.plan.measures.quantise:
            engine.close()
            row.trouble = NO_INT8
            return None
        _compare(workload, engine, row, expected)
    except (InferenceError, RuntimeError) as error:
        row.trouble = sort_error(error).what
        return None
    except Exception as error:
        row.trouble = f"{type(error).__name__}: {error}".splitlines()[0]
        return None
    row.load_s = round(time.monotonic() - begun, 2)
    row.memory_mb = round((_memory_of(candidate.device_plan.device) - before) / _MEGABYTE, 1)
    row.applied = "; ".join(engine.plan.applied)
    return engine


def _engine(workload: Workload, candidate: EngineCandidate) -> Engine:
    device_plan = candidate.device_plan
    if candidate.without:
        return TorchEngine(
            workload.stepper,
            device_plan.device,
            device_plan.precision,
            level=device_plan.level,
            hip_graphs=device_plan.hip_graphs,
            hip_flash=device_plan.hip_flash,
            without=candidate.without,
        )
    return open_engine(workload.stepper, device_plan)


@torch.inference_mode()
def _compare(workload: Workload, engine: Engine, row: Row, expected: ExpectedSteps) -> None:
    errors, same, total = [], 0, 0
    for index, (x, mask) in enumerate(workload.inputs):
        for before, z_H, answers in expected[index]:
            given = (part.to(engine.state_device, copy=True) for part in (*before, x))
            first, second, embedded = given
            there = None if mask is None else mask.to(engine.state_device)
            carry, _, outputs = engine.step(_as(engine, first, second), embedded, there)
            off = (carry.z_H.float().cpu() - z_H).square().mean() / z_H.square().mean()
            errors.append(float(off.sqrt()))
            ours = workload.read(tuple(output.cpu() for output in outputs), index)
            same += int((ours == answers).sum())
            total += answers.numel()
    row.error, row.agreement = sum(errors) / len(errors), same / total
    row.own_agreement = _on_its_own(workload, engine, expected)


def _on_its_own(workload: Workload, engine: Engine, expected: ExpectedSteps) -> float:
    """Returns the share of the last step's answers that are the baseline's, going on from own states."""
    same, total = 0, 0
    for index, (x, mask) in enumerate(workload.inputs):
        there, hidden = x.to(engine.state_device), None if mask is None else mask.to(engine.state_device)
        carry = engine.start(1, x.shape[1])
        for _ in range(workload.steps):
            carry, _, outputs = engine.step(carry, there, hidden)
        answers = expected[index][-1][2]
        ours = workload.read(tuple(output.cpu() for output in outputs), index)
        same, total = same + int((ours == answers).sum()), total + answers.numel()
    return same / total


def _as(engine: Engine, z_H: Tensor, z_L: Tensor) -> Carry:
    dtype = engine.start(1, 1).z_H.dtype
    return Carry(z_H.to(dtype), z_L.to(dtype))


def _turn(workload: Workload, row: Row, engine: Engine) -> None:
    _threads(row.device_plan)
    x, mask = workload.inputs[0]
    x, mask = x.to(engine.state_device), None if mask is None else mask.to(engine.state_device)
    carry = engine.start(1, x.shape[1])

    def step() -> None:
        nonlocal carry
        carry, _, _ = engine.step(carry, x, mask)

    try:
        row.times_ms += times_ms(step, engine.state_device, BURST, warm_up=1)
    except (InferenceError, RuntimeError) as error:
        row.trouble = sort_error(error).what


def _threads(device_plan: DevicePlan) -> None:
    if device_plan.threads and torch.get_num_threads() != device_plan.threads:
        torch.set_num_threads(device_plan.threads)


def _memory_of(device: str, reset: bool = False) -> int:
    """Returns the most that torch held on a card since the last reset, or the process's memory on a CPU."""
    if not device.startswith("cuda") or not torch.cuda.is_available():
        return int(psutil.Process().memory_info().rss)
    if reset:
        torch.cuda.reset_peak_memory_stats(device)
        return torch.cuda.memory_allocated(device)
    return torch.cuda.max_memory_allocated(device)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 5)


def text(results: Sequence[Result]) -> str:
    lines = []
    for result in results:
        head = f" {'':<38} {'p50':>8} {'p95':>8} {'p99':>8}   faster    error     same      own   memory"
        lines += ["", result.workload, head]
        best = result.best()
        for row in result.rows:
            mark = "*" if row is best else " "
            lines.append(mark + _line(result, row))
        if not result.trained:
            lines.append("  (fresh weights, whose answers mean nothing: read agreement off a shipped model)")
    lines.append("faster: than plain torch in fp32 with the threads that suit it best")
    lines.append(
        "same: answers as the baseline's, each step from its states; own: after all steps, from own states"
    )
    return "\n".join(lines[1:])


def _line(result: Result, row: Row) -> str:
    name = f"{row.name:<38}"
    if not row.times_ms:
        return f"{name} {row.trouble}"
    memory = "?" if row.memory_mb is None else f"{row.memory_mb:.0f} MB"
    times = " ".join(f"{row.share(part):8.2f}" for part in (0.5, 0.95, 0.99))
    faster = "baseline" if row.baseline else f"{result.faster(row):6.2f} x "
    same = f"{row.agreement:8.2%} {row.own_agreement:8.2%}"
    return f"{name} {times} {faster:>9} {row.error:8.1e} {same} {memory:>8}"
