"""Thinking while searching: each ACT step says what to look at, the next reads what came of it.

The first step, before any rollout, is the reflex; each further one comes after a slice of rollouts behind
the candidate that the step before chose, or by the search's own schedule. Going on has a price, which the
time budget sets. What is answered, `botapp.advisor.course` works out.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Literal

import torch
from torch import Tensor

from botapp.advisor.bare import BareAdvisor, ranked
from botapp.advisor.course import PRICE, Course
from botapp.advisor.decision import Decision, ScoredAction
from botapp.advisor.evidence import Deliberated
from botapp.advisor.expectations import expectations
from botapp.advisor.network import ThinkingNetwork
from botapp.advisor.thinking_on import STEPS_S
from botapp.advisor.thinking_on_model import ByModel, require_finite
from botapp.advisor.turn_advisor import heat, scored_actions, since
from botapp.fight.state import FightState
from botapp.search.learned import LearnedEvaluation
from botapp.search.options import REPLY_LOOKS, SearchOptions
from botapp.search.result import SearchResult
from botapp.search.tree import TurnSearch, turns_within
from hrm.act import DeliberationStep, Halting, Outputs, deliberate
from hrm.backends import DevicePlan
from hrm.model import Carry

Looks = Literal["model", "schedule", "first"]

SLICES = 8
_WHOLE_PRICE = 0.08  # What all slices cost together where a decision has `_USUAL_MS`; see docs/log/advisor.md
_USUAL_MS = 50.0
_CHEAPEST, _DEAREST = 0.01, 0.25
_SLICE_ACTIONS = 12
"""Actions of the others in a slice without a time budget: eight of them are as many as `bare` has."""
_TURNS_UNTIMED = turns_within(SLICES * _SLICE_ACTIONS)
MODEL_SHARE = 0.15  # The share of a decision's time that the model may take
_MOST_OF_REST = 0.4  # The same of what is left once the turn is expanded
_ACTIONS_A_MS = 10.0
"""Actions of the others in a millisecond, about: the network's input before the first slice."""
_FEWEST_STEPS = 2
_FIRST_GUESS_MS = 1.5
_NAP_S = 0.0005
_LATE_S = 0.002  # By how much a step may end after its time beside a search
_STEPS_A_SLICE = 4.0
"""How many times as long as a step a slice beside it is at least: the search waits at its end (docs/log)."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """How the model thinks beside the search.

    Raises:
        ValueError: `max_steps` is below 1.
    """

    max_steps: int = SLICES + 1  # ACT steps at most: the reflex, then one after each slice of search
    # How sure (0..1) the Q-head must be that going on does not pay; it is at 0.5 where both are worth the
    # same. Above 1 every step is taken
    halt_threshold: float = 0.5
    # Who says where a slice goes: the model, or the search's schedule; or "first", where all slices go by the
    # schedule before the only step
    looks: Looks = "model"
    price: float | None = None  # Of a slice, in percent points of winning; None: what the time budget says
    model_share: float = MODEL_SHARE  # The share of a decision's time that the model may take, 0..1
    # Whether the model's step runs while the next slice, which goes by the schedule, is searched in another
    # thread; between steps the model's thread runs rollouts too
    beside: bool = False
    threads: int = 1  # How many of them think and search in all; two at the least where `beside`

    def __post_init__(self) -> None:
        if self.max_steps < 1:
            raise ValueError(f"max_steps is {self.max_steps}; at least one step is needed")

    def halting(self) -> Halting:
        sure = self.halt_threshold
        if not 0 < sure < 1:
            return Halting(early=sure <= 0, margin=-inf, min_steps=_FEWEST_STEPS)
        return Halting(margin=PRICE * math.log(sure / (1 - sure)), min_steps=_FEWEST_STEPS)

    def price_within(self, budget_ms: float, slices: int) -> float:
        """Returns what each of some slices costs in a decision of so many milliseconds, 0 for no limit."""
        if self.price is not None:
            return self.price
        if budget_ms <= 0:
            return PRICE
        return min(_DEAREST, max(_CHEAPEST, _WHOLE_PRICE * _USUAL_MS / budget_ms / max(1, slices)))


class DeliberatingAdvisor(BareAdvisor):
    """The network and the search together, on the settings of the search alone.

    The others search their replies in all its rollouts, as in those that the network has learnt from.

    Attributes:
        thinking: how it thinks; `beside` and `threads` are as they were at first.
        on_reflex: called with the first step's answer at once, where more steps follow; its chance of winning
            is an estimate, as nothing was played on from. None where nothing waits for it.
    """

    def __init__(
        self,
        network: ThinkingNetwork,
        budget_ms: float = 50.0,
        thinking: Thinking | None = None,
        *,
        learned: LearnedEvaluation | None = None,
        simplest: bool = True,
    ) -> None:
        """Takes over the network, and closes it with itself; see `BareAdvisor` for the rest."""
        self.thinking = thinking or Thinking()
        beside, threads = self.thinking.beside, self.thinking.threads
        super().__init__(
            budget_ms,
            learned,
            simplest=simplest,
            replies=REPLY_LOOKS,
            threads=max(1, threads - 1) if beside else threads,
        )
        self._aside = ThreadPoolExecutor(1, "slices") if beside else None
        self.network = network
        self.on_reflex: Callable[[ScoredAction], object] | None = None
        self._step_ms = _FIRST_GUESS_MS
        self._rate = _ACTIONS_A_MS
        network.warm_up()

    plays_on = False

    @property
    def placement(self) -> DevicePlan:
        return self.network.placement

    @property
    def precision(self) -> str:
        return self.network.precision

    @property
    def measures(self) -> tuple[str, ...]:
        """What was done for speed where the model runs, in words."""
        return self.network.measures

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the level was not done, each with the reason."""
        return self.network.left_out

    def close(self) -> None:
        """Gives the device's memory back; the advisor cannot be used any more."""
        if self._aside is not None:
            self._aside.shutdown()
        self.network.close()

    def judge(self, state: FightState, search: SearchResult, options: SearchOptions) -> ByModel:
        """Returns the model's part in a deeper search, see `botapp.advisor.thinking_on`."""
        return ByModel(
            state,
            search,
            options,
            network=self.network,
            slices=max(1, min(SLICES, self.thinking.max_steps - 1)),
            slice_actions=self._rate * 1000 * STEPS_S[0],
        )

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        started = perf_counter()
        if len(search.candidates) == 1:
            self._level(search, lambda: ranked(search), begun, self._turns)
            return _only_choice(state, search), {"level": since(started)}
        left_ms = inf
        deadline = self._searching_until(begun)
        slices = most = self.thinking.max_steps - 1
        search_first = self.thinking.looks == "first"
        if self.budget_ms > 0:
            left_ms = (deadline - started) * 1000
            slices = min(most, self._slices_within(left_ms))
            if slices < 1 <= most:
                slices, search_first = 1, True
        if self._aside is not None and not search_first:
            left_ms -= self._step_ms  # the last step, for which nothing is searched any more
        per_slice = left_ms / max(1, SLICES if slices == most < SLICES else slices)
        actions = _SLICE_ACTIONS if left_ms == inf else per_slice * self._rate
        options = self.timed_options if self.budget_ms > 0 else self.options
        price = self.thinking.price_within(self.budget_ms, slices)
        matter = Deliberated(search, slices, actions, price, options.ends)
        encoded = perf_counter()
        ahead = 0 if search_first else slices
        thought = _Thought(
            self, matter, state, _Slices(self, search.tree, ahead, started, per_slice, deadline)
        )
        trace, stop = thought.run(slices)
        if stop == "step-limit" and slices < most:
            stop = "budget"
        thinking = perf_counter()
        self._step_ms += 0.1 * (thought.step_ms - self._step_ms)
        if thought.slices.took_ms > 1:
            self._rate += 0.1 * (search.tree.played_actions / thought.slices.took_ms - self._rate)
        first = thought.course.first
        self._level(search, thought.course.ranked, begun, self._turns, first.action if first else None)
        levelled = perf_counter()
        decision = thought.course.decision(trace, stop, thought.step_ms, simple=self.simplest)
        return decision, {
            "encode": (encoded - started) * 1000,
            "think": (thinking - encoded) * 1000,
            "level": (levelled - thinking) * 1000,
            "decode": since(levelled),
        }

    def _slices_within(self, left_ms: float) -> int:
        if self._aside is not None:
            return max(0, int(left_ms / (_STEPS_A_SLICE * self._step_ms)) - 1)
        thinking = min(self.thinking.model_share * self.budget_ms, _MOST_OF_REST * left_ms)
        return max(0, int(thinking / self._step_ms) - 1)

    @property
    def _turns(self) -> int:
        return turns_within(inf) if self.budget_ms > 0 else _TURNS_UNTIMED


class _Slices:
    """The slices of search of one deliberation, in this thread or, beside the model's steps, in another.

    Args:
        ahead: how many of them go with steps; those before the only step leave it the time it takes.
        started: when the first began, in seconds of `time.perf_counter`.
        per_slice: milliseconds of one.
        deadline: when the last ends, infinite for none.

    Attributes:
        exhausted: whether there is no end left to play on from.
        took_ms: what they took by now.
    """

    def __init__(
        self,
        advisor: DeliberatingAdvisor,
        tree: TurnSearch,
        ahead: int,
        started: float,
        per_slice: float,
        deadline: float,
    ) -> None:
        self._advisor, self._tree, self.ahead = advisor, tree, ahead
        self._started, self._per_slice, self._deadline = started, per_slice, deadline
        self._begun = 0
        self._under_way: Future[None] | None = None
        self.exhausted = False
        self.took_ms = 0.0
        tree.assisted = advisor.thinking.beside

    @property
    def late(self) -> bool:
        """Whether a step that begins now would end after the deadline."""
        return perf_counter() + self._advisor._step_ms / 1000 > self._deadline + _LATE_S

    def search(self, behind: int | None) -> None:
        """Searches a slice behind a named candidate, None for where the schedule would."""
        begun = perf_counter()
        self._begun += 1
        if self._deadline == inf:
            options = self._advisor.options
            actions, until, turns = float(_SLICE_ACTIONS * self._begun), inf, _TURNS_UNTIMED
        else:
            options = self._advisor.timed_options
            until = min(self._deadline, self._started + self._begun * self._per_slice / 1000)
            if self._begun > self.ahead or not self._advisor.thinking.beside:
                until -= self._advisor._step_ms / 1000
            actions, turns = inf, turns_within(inf)
        self.exhausted = not self._tree.look(
            behind, actions, until, turns, rounds=options.rounds, ends=options.ends
        )
        self.took_ms += since(begun)

    def begin(self) -> None:
        """Begins the next slice in another thread, where the model thinks beside the search."""
        aside = self._advisor._aside
        if aside is not None and self._begun < self.ahead and not self.exhausted:
            self._under_way = aside.submit(self.search, None)

    def settle(self, *, stop: bool) -> bool:
        """Waits for the slice under way, which may be cut short; meanwhile this thread runs rollouts of it.

        Until then nothing of the search may be read but what was read before the step.

        Returns:
            Whether one was under way.
        """
        if self._under_way is None:
            return False
        self._tree.stopping = stop
        while not self._under_way.done():
            if stop or not self._tree.assist():
                wait([self._under_way], _NAP_S)
        self._under_way.result()
        self._under_way, self._tree.stopping = None, False
        return True


class _Thought:
    """One deliberation of an advisor."""

    def __init__(
        self, advisor: DeliberatingAdvisor, matter: Deliberated, state: FightState, slices: _Slices
    ) -> None:
        self._advisor, self._matter, self._network = advisor, matter, advisor.network
        self.slices = slices
        self.course = Course(matter, state, advisor.network)
        self._too_late = False
        self._stepped_ms = 0.0
        self.step_ms = 0.0

    @torch.inference_mode()
    def run(self, slices: int) -> tuple[tuple[DeliberationStep, ...], str]:
        """Thinks for so many slices; returns the trace of the Q-head and why it ended.

        Where none of them goes with a step, all come before the only one.
        """
        if not self.slices.ahead:
            for _ in range(slices):
                self.slices.search(None)
            self._matter.done = slices
        self._tokens, mask = self._network.tokens(self._matter.facts)
        x = self._input()
        deliberated = deliberate(
            self._step,
            self._network.start(x.shape[1]),
            x,
            mask,
            max_steps=self.slices.ahead + 1,
            halting=self._advisor.thinking.halting(),
            renew=self._renew,
        )
        self.slices.settle(stop=True)
        placement = self._network.placement
        logits = (step.q_halt_logit for step in deliberated.trace)
        require_finite(*logits, precision=placement.precision, device=placement.device)
        self.step_ms = self._stepped_ms / deliberated.steps[0]
        return deliberated.trace, "budget" if self._too_late else deliberated.stop

    def _input(self, looked: int | None = None) -> Tensor:
        begun = perf_counter()
        self.course.note(looked)
        reading = self._matter.read(looked, self.slices.begin)
        x = self._network.with_evidence(self._tokens, reading)
        self._stepped_ms += since(begun)
        return x

    def _step(self, carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        begun = perf_counter()
        carry, q, outputs = self._network.step(carry, x, mask)
        self.course.answer(outputs, float(q[0, 0]))
        self._stepped_ms += since(begun)
        first, tell = self.course.first, self._advisor.on_reflex
        if len(self.course.answers) == 1 and self.slices.ahead and tell is not None and first is not None:
            tell(first)
        return carry, q, outputs

    def _renew(self, outputs: Outputs, live: Sequence[int]) -> Tensor | None:
        """Looks where the step before says and reads what came of it; None where nothing is left."""
        if self.slices.settle(stop=False):
            self._too_late = self.slices.late
            return None if self._too_late else self._input()
        if self.slices.exhausted:
            return None
        by_model = self._advisor.thinking.looks == "model" and not self._matter.tree.plan_unseen
        look = self._network.answer(outputs, len(self._matter.shown)).best_look() if by_model else None
        self.slices.search(look)
        return self._input(look)


def _only_choice(state: FightState, search: SearchResult) -> Decision:
    """Returns the decision where there is one thing to do; the search says the chance of winning."""
    only = search.candidates[0]
    (choice,) = scored_actions(state, search, [1.0])
    return Decision(
        choices=(choice,),
        reflex=choice,
        value=2 * choice.chance - 1,
        trace=(),
        stop="only-choice",
        heat=heat((choice,)),
        expected=expectations(state, only.action),
        candidates=(choice,),
    )
