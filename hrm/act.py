"""One ACT step as a function, and the deliberation that takes steps until it halts.

A step is (carry, x, mask) -> (carry, q, outputs) and holds no state, so an engine may capture, export or
quantise it. Whether to take another step is decided here, in Python.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from hrm.model import Carry, Core

StopReason = Literal["halted", "step-limit", "budget", "exhausted"]
Outputs = tuple[Tensor, ...]
Step = Callable[[Carry, Tensor, Tensor | None], tuple[Carry, Tensor, Outputs]]
Readout = Callable[[Tensor], Tensor | Outputs]
Renew = Callable[[Outputs, Sequence[int]], Tensor | None]
"""Takes the outputs of a step's rows that go on, and which rows these are; returns their next input,
None where nothing new can come any more."""


def step(core: Core, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor]:
    """Takes one ACT step: the new carry, detached, and q (B, 2), the logits of halt and continue in fp32."""
    carry, q = core(carry, x, mask)
    return carry.detach(), q


class Stepper(nn.Module):
    """One whole step as a module: core and readout together, tensors in and tensors out.

    This is what an engine captures in a graph or exports: `forward` takes and returns nothing but tensors.

    Args:
        readout: reads the answer off z_H (B, S, hidden): a tensor or a tuple of them, batch first.
    """

    def __init__(self, core: Core, readout: Readout) -> None:
        super().__init__()
        self.core = core
        self.readout = readout

    def forward(
        self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, *tuple[Tensor, ...]]:
        """Takes a step: (z_H, z_L, q, *outputs)."""
        carry, q = self.core(Carry(z_H, z_L), x, mask)
        outputs = self.readout(carry.z_H)
        return (*carry, q, *((outputs,) if isinstance(outputs, Tensor) else outputs))

    def step(self, carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step in the shape that `deliberate` asks for."""
        z_H, z_L, q, *outputs = self(*carry, x, mask)
        return Carry(z_H, z_L), q, tuple(outputs)


@dataclass(frozen=True, slots=True)
class Halting:
    """When the Q-head ends a deliberation."""

    # Halt once the probability of halt reaches it (0..1); None: once halt outweighs continue
    threshold: float | None = None
    early: bool = True  # False to run every step regardless, as the reference does in evaluation
    min_steps: int = 1  # Steps that are always run, whatever the Q-head says
    # By step, the divisor of the Q logits; the last one applies to all later steps
    temperatures: Sequence[float] = (1.0,)
    margin: float = 0.0  # By how much it has to outweigh it, without a threshold; below 0 it may be less

    def scale(self, index: int) -> float:
        """The temperature of step `index` (from 1)."""
        return self.temperatures[min(index, len(self.temperatures)) - 1]

    def halts(self, index: int, q_halt: float, q_continue: float) -> bool:
        """Returns whether to stop after step `index` (from 1), given its logits (already scaled)."""
        if not self.early or index < self.min_steps:
            return False
        if self.threshold is None:
            return q_halt - q_continue > self.margin
        return sigmoid(q_halt) >= self.threshold


@dataclass(frozen=True, slots=True)
class DeliberationStep:
    """The Q-head's scaled logits after one step; `elapsed_ms` counts from the deliberation's start."""

    index: int
    q_halt_logit: float
    q_continue_logit: float
    elapsed_ms: float

    @property
    def q_halt(self) -> float:
        return sigmoid(self.q_halt_logit)

    @property
    def q_continue(self) -> float:
        return sigmoid(self.q_continue_logit)


@dataclass(frozen=True, slots=True)
class Deliberation:
    """The outcome of deliberating on a batch of inputs."""

    answer: Outputs  # The outputs of each row's last step, batch first
    reflex: Outputs  # The outputs of the first step
    steps: tuple[int, ...]  # By row, the steps taken
    stops: tuple[StopReason, ...]  # By row, why it ended
    traces: tuple[tuple[DeliberationStep, ...], ...]  # By row, one entry for each step
    history: tuple[Outputs, ...] = ()  # The outputs of every step, where asked for (a single row only)

    @property
    def stop(self) -> StopReason:
        """Why the first row (or the only one) ended."""
        return self.stops[0]

    @property
    def trace(self) -> tuple[DeliberationStep, ...]:
        """The first (or only) row's steps."""
        return self.traces[0]


@torch.inference_mode()
def deliberate(  # noqa: PLR0912
    take_step: Step,
    carry: Carry,
    x: Tensor,
    mask: Tensor | None = None,
    *,
    max_steps: int = 8,
    halting: Halting | None = None,
    budget_ms: float = math.inf,
    clock: Callable[[], float] = time.perf_counter,
    keep_history: bool = False,
    renew: Renew | None = None,
) -> Deliberation:
    """Takes steps until the Q-head says halt, or the steps or the time are used up.

    Rows that halt leave the batch, which does not change the results of the others. Each further step is
    expected to take as long as the last one, and is not begun if it would end past the budget. The first
    step is always taken.

    Args:
        take_step: one step of the model, on whichever engine; `Stepper.step` is one.
        carry: the states to start from: `Core.start`, or those of an earlier deliberation.
        x: embedded input (B, S, hidden).
        mask: (B, S) bool, True for real positions.
        max_steps: steps at most, at least 1.
        halting: when the Q-head may end it; None for the rule of the reference (halt outweighs continue).
        clock: gives seconds; for tests.
        keep_history: keep every step's outputs (for a batch of one).
        renew: gives the input of each further step, of the same shape, or None to end it; None where it
            stays what it is.

    Raises:
        ValueError: `max_steps` is below 1, or history is requested for several rows.
    """
    if max_steps < 1:
        raise ValueError(f"max_steps is {max_steps}; a deliberation takes at least 1")
    if keep_history and len(x) != 1:
        raise ValueError(f"history is kept for one row at a time, not {len(x)}")
    halting = halting or Halting()
    begun = clock()
    live = list(range(len(x)))
    steps = [0] * len(x)
    stops: list[StopReason] = ["step-limit"] * len(x)
    traces: list[list[DeliberationStep]] = [[] for _ in live]
    history: list[Outputs] = []
    answer: Outputs = ()
    reflex: Outputs = ()
    elapsed_ms = 0.0
    for index in range(1, max_steps + 1):
        carry, q, outputs = take_step(carry, x, mask)
        q_logits = (q / halting.scale(index)).tolist()
        before_ms, elapsed_ms = elapsed_ms, (clock() - begun) * 1000
        if index == 1:
            reflex, answer = outputs, tuple(output.clone() for output in outputs)
        else:
            _write(answer, outputs, live)
        if keep_history:
            history.append(tuple(output.clone() for output in outputs))
        for row, (q_halt, q_continue) in zip(live, q_logits, strict=True):
            steps[row] = index
            traces[row].append(DeliberationStep(index, q_halt, q_continue, elapsed_ms))
        running = [
            i for i, (q_halt, q_cont) in enumerate(q_logits) if not halting.halts(index, q_halt, q_cont)
        ]
        for i in set(range(len(live))) - set(running):
            stops[live[i]] = "halted"
        if not running or index == max_steps:
            break
        if elapsed_ms + (elapsed_ms - before_ms) > budget_ms:
            for i in running:
                stops[live[i]] = "budget"
            break
        if len(running) < len(live):
            live = [live[i] for i in running]
            index_left = torch.tensor(running, device=x.device)
            carry, x = carry.rows(index_left), x[index_left]
            mask = None if mask is None else mask[index_left]
            outputs = tuple(output[index_left] for output in outputs)
        if renew is not None:
            renewed = renew(outputs, live)
            if renewed is None:
                for row in live:
                    stops[row] = "exhausted"
                break
            x = renewed
    return Deliberation(
        answer, reflex, tuple(steps), tuple(stops), tuple(map(tuple, traces)), history=tuple(history)
    )


def _write(answer: Outputs, outputs: Outputs, live: list[int]) -> None:
    for answers, new in zip(answer, outputs, strict=True):
        if len(new) == len(answers):
            answers.copy_(new)
        else:
            answers[torch.tensor(live, device=answers.device)] = new


def sigmoid(logit: float) -> float:
    """The logistic function of one number, without overflow."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    return math.exp(logit) / (1 + math.exp(logit))
