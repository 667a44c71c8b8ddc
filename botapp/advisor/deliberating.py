"""Hop 6: thinking while searching: each ACT step says what to look at, the next reads what came of it.

The first step, before any rollout, is the reflex; each further one comes after a slice of rollouts behind the
candidate that the step before chose, or by the search's own schedule. Going on has a price, which the time
budget sets. Next hop: `botapp.runtime`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from botapp.advisor.bare import BareAdvisor
from botapp.advisor.calibration import Calibration
from botapp.advisor.decision import Decision, ScoredAction, TraceStep
from botapp.advisor.evidence import Deliberated, EvidenceReading, Numbers
from botapp.advisor.expectations import alternative, expectations
from botapp.advisor.thinker import LOOK_MARGIN, Thinker, answer_of
from botapp.advisor.turn_advisor import heat, scored_action, since
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.core.static import STEEPNESS
from botapp.search.learned import LearnedEvaluation
from botapp.search.result import SearchResult
from botapp.search.tree import turns_within
from hrm.act import DeliberationStep, Halting, Outputs, deliberate, sigmoid
from hrm.backends import DevicePlan, open_engine
from hrm.backends.errors import PrecisionError
from hrm.model import Carry

Looks = Literal["model", "schedule", "first"]

SLICES = 8
PRICE = 0.05
"""What a slice costs in percent points of winning where a decision has `_USUAL_MS`."""
_USUAL_MS = 50.0
_CHEAPEST, _DEAREST = 0.01, 0.25
_SLICE_ACTIONS = 12
"""Actions of the others in a slice without a time budget: eight of them are as many as `bare` has."""
_TURNS_UNTIMED = turns_within(SLICES * _SLICE_ACTIONS)
_MODEL_SHARE = 0.2
"""The share of a decision's time that the model may take."""
_MOST_OF_REST = 0.4
"""The same of what is left once the turn is expanded."""
_ACTIONS_A_MS = 60.0
"""Actions of the others in a millisecond, about: what a network is told of a slice before the first one."""
_FEWEST_STEPS = 2
_TURNS = 3
_TOP = 5
_FIRST_GUESS_MS = 1.5


@dataclass(slots=True)
class _Course:
    """What happened in a deliberation, by step."""

    looks: list[int | None] = field(default_factory=list)
    answers: list[tuple[Numbers, float]] = field(default_factory=list)
    turns: list[tuple[ScoredAction, ...]] = field(default_factory=list)
    rollouts: list[int] = field(default_factory=list)
    cut: float = 0.0
    """When the last slice ended."""


class DeliberatingAdvisor(BareAdvisor):
    """The network and the search together, on the settings of the search alone.

    Attributes:
        max_steps: slices of search at most, each with a step of the model after it.
        halt_threshold: infinite to take every step regardless of the Q-head.
        looks: who says where a slice goes: the model, or the search's schedule; or "first", where all slices
            go by the schedule before the only step.
        price: what a slice costs in percent points of winning, None for what the time budget says.
    """

    def __init__(
        self,
        model: Thinker,
        calibration: Calibration,
        placement: DevicePlan,
        max_steps: int = SLICES,
        budget_ms: float = 50.0,
        halt_threshold: float = 0.5,
        memory_cap: int = 0,
        *,
        looks: Looks = "model",
        price: float | None = None,
        learned: LearnedEvaluation | None = None,
    ) -> None:
        """Loads the model where `placement` says.

        Raises:
            ValueError: `max_steps` is below 1.
            hrm.backends.errors.InferenceError: the model cannot run there; which kind says why.
        """
        if max_steps < 1:
            raise ValueError(f"max_steps is {max_steps}; at least one step is needed")
        super().__init__(budget_ms, learned)
        self.placement = placement
        self.max_steps = max_steps
        self.halt_threshold = halt_threshold
        self.looks = looks
        self.price = price
        self._calibration = calibration
        self._engine = open_engine(model.stepper(), placement, memory_cap)
        self._model = model.to(self._engine.state_device).eval()
        self._step_ms = _FIRST_GUESS_MS
        self._rate = _ACTIONS_A_MS

    plays_on = False

    @property
    def precision(self) -> str:
        """The precision that the model runs in."""
        return self._engine.precision

    @property
    def measures(self) -> tuple[str, ...]:
        """What was done for speed where the model runs, in words."""
        return self._engine.plan.applied

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the level was not done, each with the reason."""
        return self._engine.plan.left_out

    def close(self) -> None:
        """Gives the device's memory back; the advisor cannot be used any more."""
        self._engine.close()

    def _price(self) -> float:
        if self.price is not None:
            return self.price
        if self.budget_ms <= 0:
            return PRICE
        return min(_DEAREST, max(_CHEAPEST, PRICE * _USUAL_MS / self.budget_ms))

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        if len(search.candidates) == 1:
            return super()._choose(state, search, begun)
        started = perf_counter()
        left_ms, deadline = inf, inf
        slices = self.max_steps
        if self.budget_ms > 0:
            deadline = begun + (self.budget_ms - self._reserve.of(self.budget_ms)) / 1000
            left_ms = (deadline - started) * 1000
            room = min(_MODEL_SHARE * self.budget_ms, _MOST_OF_REST * left_ms) / self._step_ms
            slices = max(1, min(self.max_steps, int(room) - 1))
        per_slice = left_ms / (SLICES if slices == self.max_steps else slices)
        actions = _SLICE_ACTIONS if left_ms == inf else per_slice * self._rate
        options = self.timed_options if self.budget_ms > 0 else self.options
        matter = Deliberated(search, slices, actions, self._price(), options.ends)
        encoded = perf_counter()
        thought = _Thought(self, matter, state, started, per_slice, deadline)
        trace, stop = thought.run(slices)
        thinking = perf_counter()
        self._learn(thought, slices)
        decision = thought.decision(trace, stop)
        return decision, {
            "encode": (encoded - started) * 1000,
            "think": (thinking - encoded) * 1000,
            "decode": since(thinking),
        }

    def _learn(self, thought: "_Thought", slices: int) -> None:
        """Takes note of what a step and an action took."""
        self._step_ms += 0.1 * (thought.step_ms - self._step_ms)
        if thought.looked_ms > 1:
            self._rate += 0.1 * (thought.tree.played_actions / thought.looked_ms - self._rate)


class _Thought:
    """One deliberation of an advisor."""

    def __init__(
        self,
        advisor: DeliberatingAdvisor,
        matter: Deliberated,
        state: FightState,
        started: float,
        per_slice: float,
        deadline: float,
    ) -> None:
        self.advisor, self.matter, self.state = advisor, matter, state
        self.search, self.tree = matter.found, matter.tree
        self._model, self._engine = advisor._model, advisor._engine
        self._device = self._engine.state_device
        self._started, self._per_slice, self._deadline = started, per_slice, deadline
        self._course = _Course()
        self._odds: Numbers = np.zeros(0)
        self._slice = 0
        self.looked_ms = 0.0
        self.step_ms = 0.0

    @torch.inference_mode()
    def run(self, slices: int) -> tuple[tuple[DeliberationStep, ...], str]:
        """Thinks; returns the trace of the Q-head and why it ended."""
        advisor, facts = self.advisor, self.matter.facts
        begun = perf_counter()
        if advisor.looks == "first":
            for _ in range(slices):
                self._look(None)
            self.matter.done = slices
        parts = (facts.context, facts.candidates, facts.fighters)
        self._tokens = self._model.tokens(*(self._tensor(part) for part in parts))
        x = self._input(self.matter.read())
        self._course.looks.append(None)
        found = deliberate(
            self._step,
            self._engine.start(1, x.shape[1]),
            x,
            max_steps=1 if advisor.looks == "first" else slices + 1,
            halting=Halting(None, early=advisor.halt_threshold < inf, min_steps=_FEWEST_STEPS),
            renew=self._renew,
        )
        steps = found.steps[0]
        if not all(math.isfinite(step.q_halt_logit) for step in found.trace):
            raise PrecisionError(
                say(
                    "{precision} gives no numbers on {device}",
                    precision=advisor.placement.precision,
                    device=advisor.placement.device,
                )
            )
        self.step_ms = ((perf_counter() - begun) * 1000 - self.looked_ms) / steps
        return found.trace, found.stop

    def _tensor(self, array: object) -> Tensor:
        return torch.as_tensor(array)[None].to(self._device)

    def _input(self, reading: EvidenceReading) -> Tensor:
        self._odds = reading.odds
        return self._model.with_evidence(
            self._tokens, self._tensor(reading.evidence), self._tensor(reading.progress)
        )

    def _step(self, carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        carry, q, outputs = self._engine.step(carry, x, mask)
        self._note(outputs)
        return carry, q, outputs

    def _note(self, outputs: Outputs) -> None:
        """Takes note of the answer after a step: the best turns, and the chance of winning."""
        shown = self.matter.shown
        told = answer_of(outputs, len(shown))
        odds = torch.from_numpy(self._odds)[None].to(self._device)
        search = self.search
        values = np.array([search.value(one) for one in search.candidates])
        every = STEEPNESS * values / self.tree.lead_unit
        logits = (every - every.max()) * float(told.trust[0])
        correction = told.correction[0].double().cpu().numpy()
        logits[shown] += self.advisor._calibration.correction * correction
        step = len(self._course.answers) + 1
        shares = self.advisor._calibration.shares(torch.from_numpy(logits), step).numpy()
        outcome = float(odds.max()) + float(told.outcome[0])
        value = self.advisor._calibration.expected(torch.tensor(math.tanh(outcome / 2)), step)
        self._course.answers.append((logits, float(value)))
        order = np.argsort(-logits, kind="stable")[:_TURNS]
        self._course.turns.append(
            tuple(scored_action(self.state, search, search.candidates[i], shares[i]) for i in order)
        )
        self._course.rollouts.append(search.rollouts)

    def _renew(self, outputs: Outputs, live: Sequence[int]) -> Tensor:
        """Looks where the step before says, and reads what came of it."""
        gains = answer_of(outputs, len(self.matter.shown)).looks[0]
        best = int(gains.argmax())
        look = best if self.advisor.looks == "model" and float(gains[best]) > LOOK_MARGIN else None
        self._look(look)
        self._course.looks.append(look)
        return self._input(self.matter.read(look))

    def _look(self, behind: int | None) -> None:
        begun = perf_counter()
        self._slice += 1
        if self._deadline == inf:
            actions, until, turns = float(_SLICE_ACTIONS * self._slice), inf, _TURNS_UNTIMED
        else:
            until = min(self._deadline, self._started + self._slice * self._per_slice / 1000)
            until -= self.advisor._step_ms / 1000
            actions, turns = inf, turns_within(inf)
        options = self.advisor.options if self._deadline == inf else self.advisor.timed_options
        self.tree.look(behind, actions, until, turns, rounds=options.rounds, ends=options.ends)
        self.looked_ms += since(begun)

    def decision(self, trace: Sequence[DeliberationStep], stop: str) -> Decision:
        """Returns the decision, with all that a person can be shown of how it came about."""
        course, search = self._course, self.search
        logits, value = course.answers[-1]
        shares = self.advisor._calibration.shares(torch.from_numpy(logits), len(trace)).numpy()
        order = np.argsort(-logits, kind="stable")
        found = tuple(scored_action(self.state, search, search.candidates[i], shares[i]) for i in order)
        steps = []
        for index, step in enumerate(trace):
            look = course.looks[index]
            going_on = step.q_continue_logit - step.q_halt_logit
            steps.append(
                TraceStep(
                    index=step.index,
                    q_halt=sigmoid(-going_on / PRICE),
                    q_continue=sigmoid(going_on / PRICE),
                    best=course.turns[index][0],
                    value=course.answers[index][1],
                    elapsed_ms=step.elapsed_ms,
                    turns=course.turns[index],
                    looked=None if look is None else search.candidates[self.matter.shown[look]].action,
                    rollouts=course.rollouts[index],
                    regret=max(0.0, -step.q_halt_logit),
                    gain=going_on,
                )
            )
        return Decision(
            choices=found[:_TOP],
            reflex=steps[0].best,
            value=value,
            trace=tuple(steps),
            stop=stop,  # type: ignore[arg-type]
            heat=heat(found),
            expected=expectations(self.state, found[0].action),
            alternative=alternative(self.state, *found[:2]) if len(found) > 1 else None,
            candidates=found,
        )
