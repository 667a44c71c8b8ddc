"""Thinking while searching: each ACT step says what to look at, the next reads what came of it.

The first step, before any rollout, is the reflex; each further one comes after a slice of rollouts behind
the candidate that the step before chose, or by the search's own schedule. Going on has a price, which the
time budget sets. What is answered, `botapp.advisor.course` works out.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
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
from botapp.search.tree import turns_within
from hrm.act import DeliberationStep, Halting, Outputs, deliberate
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


class DeliberatingAdvisor(BareAdvisor):
    """The network and the search together, on the settings of the search alone.

    The others search their replies in all its rollouts, as in those that the network has learnt from.

    Attributes:
        max_steps: ACT steps at most: the reflex, then one after each slice of search.
        halt_threshold: how sure (0..1) the Q-head must be that going on does not pay; it is at 0.5 where both
            are worth the same. Above 1 every step is taken.
        looks: who says where a slice goes: the model, or the search's schedule; or "first", where all slices
            go by the schedule before the only step.
        price: what a slice costs in percent points of winning, None for what the time budget says.
        model_share: the share of a decision's time that the model may take, 0..1.
        simplest: see `BareAdvisor`.
        beside: whether the model's step runs while the next slice, which goes by the schedule, is searched
            in another thread; between steps the model's thread runs rollouts too.
        on_reflex: called with the first step's answer at once, where more steps follow; its chance of winning
            is an estimate, as nothing was played on from. None where nothing waits for it.
    """

    def __init__(
        self,
        network: ThinkingNetwork,
        max_steps: int = SLICES + 1,
        budget_ms: float = 50.0,
        halt_threshold: float = 0.5,
        *,
        looks: Looks = "model",
        price: float | None = None,
        learned: LearnedEvaluation | None = None,
        beside: bool = False,
        threads: int = 1,
        model_share: float = MODEL_SHARE,
        simplest: bool = True,
    ) -> None:
        """Takes over the network, and closes it with itself.

        Raises:
            ValueError: `max_steps` is below 1.
        """
        if max_steps < 1:
            raise ValueError(f"max_steps is {max_steps}; at least one step is needed")
        super().__init__(
            budget_ms,
            learned,
            simplest=simplest,
            replies=REPLY_LOOKS,
            threads=max(1, threads - 1) if beside else threads,
        )
        self.beside = beside
        self._aside = ThreadPoolExecutor(1, "slices") if beside else None
        self.network = network
        self.placement = network.placement
        self.max_steps = max_steps
        self.halt_threshold = halt_threshold
        self.looks = looks
        self.price = price
        self.model_share = model_share
        self.on_reflex: Callable[[ScoredAction], object] | None = None
        self._step_ms = _FIRST_GUESS_MS
        self._rate = _ACTIONS_A_MS
        network.warm_up()

    plays_on = False

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
            slices=max(1, min(SLICES, self.max_steps - 1)),
            slice_actions=self._rate * 1000 * STEPS_S[0],
        )

    def halting(self) -> Halting:
        sure = self.halt_threshold
        if not 0 < sure < 1:
            return Halting(early=sure <= 0, margin=-inf, min_steps=_FEWEST_STEPS)
        return Halting(margin=PRICE * math.log(sure / (1 - sure)), min_steps=_FEWEST_STEPS)

    def _price(self, slices: int) -> float:
        if self.price is not None:
            return self.price
        if self.budget_ms <= 0:
            return PRICE
        return min(_DEAREST, max(_CHEAPEST, _WHOLE_PRICE * _USUAL_MS / self.budget_ms / max(1, slices)))

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        started = perf_counter()
        if len(search.candidates) == 1:
            self._level(search, lambda: ranked(search), begun, self._turns)
            return _only_choice(state, search), {"level": since(started)}
        left_ms = inf
        deadline = self._searching_until(begun)
        slices = most = self.max_steps - 1
        search_first = self.looks == "first"
        if self.budget_ms > 0:
            left_ms = (deadline - started) * 1000
            slices = min(most, self._slices_within(left_ms))
            if slices < 1 <= most:
                slices, search_first = 1, True
        if self.beside and not search_first:
            left_ms -= self._step_ms  # the last step, for which nothing is searched any more
        per_slice = left_ms / max(1, SLICES if slices == most < SLICES else slices)
        actions = _SLICE_ACTIONS if left_ms == inf else per_slice * self._rate
        options = self.timed_options if self.budget_ms > 0 else self.options
        matter = Deliberated(search, slices, actions, self._price(slices), options.ends)
        encoded = perf_counter()
        thought = _Thought(self, matter, state, started, per_slice, deadline)
        trace, stop = thought.run(slices, search_first)
        if stop == "step-limit" and slices < most:
            stop = "budget"
        thinking = perf_counter()
        self._learn(thought)
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
        if self.beside:
            return max(0, int(left_ms / (_STEPS_A_SLICE * self._step_ms)) - 1)
        thinking = min(self.model_share * self.budget_ms, _MOST_OF_REST * left_ms)
        return max(0, int(thinking / self._step_ms) - 1)

    @property
    def _turns(self) -> int:
        return turns_within(inf) if self.budget_ms > 0 else _TURNS_UNTIMED

    def _learn(self, thought: "_Thought") -> None:
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
        self.advisor, self.matter = advisor, matter
        self.search, self.tree = matter.search, matter.tree
        self._network = advisor.network
        self._started, self._per_slice, self._deadline = started, per_slice, deadline
        self.course = Course(matter, state, advisor.network)
        self._slice, self._slices = 0, 0
        self._ahead: Future[None] | None = None
        self.tree.assisted = advisor.beside
        self._too_late = False
        self._exhausted = False
        self._goes_on = False
        self.looked_ms = self._stepped_ms = 0.0
        self.step_ms = 0.0

    @torch.inference_mode()
    def run(self, slices: int, search_first: bool) -> tuple[tuple[DeliberationStep, ...], str]:
        """Thinks; returns the trace of the Q-head and why it ended.

        Args:
            search_first: whether all of them come before the only step; so where there is time for one.
        """
        advisor, facts = self.advisor, self.matter.facts
        self._goes_on = slices > 0 and not search_first
        self._slices = 0 if search_first else slices
        if search_first:
            for _ in range(slices):
                self._look(None)
            self.matter.done = slices
        self._tokens, mask = self._network.tokens(facts)
        x = self._input()
        found = deliberate(
            self._step,
            self._network.start(x.shape[1]),
            x,
            mask,
            max_steps=1 if search_first else slices + 1,
            halting=advisor.halting(),
            renew=self._renew,
        )
        self._settle()
        steps = found.steps[0]
        placement = advisor.placement
        logits = (step.q_halt_logit for step in found.trace)
        require_finite(*logits, precision=placement.precision, device=placement.device)
        self.step_ms = self._stepped_ms / steps
        return found.trace, "budget" if self._too_late else found.stop

    def _input(self, looked: int | None = None) -> Tensor:
        begun = perf_counter()
        self.course.note(looked)
        reading = self.matter.read(looked, self._look_ahead)
        x = self._network.with_evidence(self._tokens, reading)
        self._stepped_ms += since(begun)
        return x

    def _step(self, carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        begun = perf_counter()
        carry, q, outputs = self._network.step(carry, x, mask)
        self.course.answer(outputs, float(q[0, 0]))
        self._stepped_ms += since(begun)
        first, tell = self.course.first, self.advisor.on_reflex
        if len(self.course.answers) == 1 and self._goes_on and tell is not None and first is not None:
            tell(first)
        return carry, q, outputs

    def _look_ahead(self) -> None:
        """Begins the next slice in another thread, where the model thinks beside the search."""
        aside = self.advisor._aside
        if aside is not None and self._slice < self._slices and not self._exhausted:
            self._ahead = aside.submit(self._look, None)

    def _settle(self, stop: bool = True) -> None:
        """Waits for the slice under way, which may be cut short; meanwhile this thread runs rollouts of it.

        Until then nothing of the search may be read but what was read before the step.
        """
        if self._ahead is not None:
            self.tree.stopping = stop
            while not self._ahead.done():
                if stop or not self.tree.assist():
                    wait([self._ahead], _NAP_S)
            self._ahead.result()
            self._ahead, self.tree.stopping = None, False

    def _renew(self, outputs: Outputs, live: Sequence[int]) -> Tensor | None:
        """Looks where the step before says and reads what came of it; None where nothing is left."""
        looked_ahead = self._ahead is not None
        self._settle(stop=False)
        if looked_ahead:
            if perf_counter() + self.advisor._step_ms / 1000 > self._deadline + _LATE_S:
                self._too_late = True
                return None
            return self._input()
        if self._exhausted:
            return None
        by_model = self.advisor.looks == "model" and not self.tree.plan_unseen
        look = self._network.answer(outputs, len(self.matter.shown)).best_look() if by_model else None
        self._look(look)
        return self._input(look)

    def _look(self, behind: int | None) -> None:
        begun = perf_counter()
        self._slice += 1
        if self._deadline == inf:
            actions, until, turns = float(_SLICE_ACTIONS * self._slice), inf, _TURNS_UNTIMED
        else:
            until = min(self._deadline, self._started + self._slice * self._per_slice / 1000)
            if self._slice > self._slices or not self.advisor.beside:
                until -= self.advisor._step_ms / 1000
            actions, turns = inf, turns_within(inf)
        options = self.advisor.options if self._deadline == inf else self.advisor.timed_options
        self._exhausted = not self.tree.look(
            behind, actions, until, turns, rounds=options.rounds, ends=options.ends
        )
        self.looked_ms += since(begun)


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
