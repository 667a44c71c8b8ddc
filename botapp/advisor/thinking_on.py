"""Thinks on about a state after the first answer, in slices, as long as there is time and anything is left.

One broad search of the turn plays on from end after end, the most promising ones first, and is answered from
again and again, at longer and longer intervals; each answer is one deeper. Who answers, the search alone or
the model beside it, is a `Judge`. Ends of turn are valued as in the first answer, so the chance of winning
changes by better turns that are found and by nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Protocol

from botapp.advisor.bare import by_value, ranked
from botapp.advisor.decision import Decision, Effort, TraceStep
from botapp.advisor.expectations import compared
from botapp.advisor.levelling import level
from botapp.advisor.search_stage import search_state
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.search.desk import Baseline
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult
from botapp.search.tree import turns_within

_ENDS, _WALKS = 256, 16
"""Ends of turn that are judged and played on from first, and walks to them. Replies are searched as in the
first answer: searched more they find no better turns, and the chance would move (docs/log/advisor.md)."""
_GROWING_S = 0.12
"""How long expanding the turn may take in any case, in seconds: 7 % of turns need more than 60 ms."""
STEPS_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""After how many seconds of search it is looked at what was found; then every second. From the second time on
an answer is given, at the end in any case."""
EVERY_S = 1.0


class Judge(Protocol):
    """Who answers, and says where the search looks."""

    # The place of the named candidate that the next slice is spent behind; None for the schedule
    behind: int | None

    def step(self) -> None:
        """Reads what a slice has found."""
        ...

    def decision(self, first: Decision, *, over: bool) -> Decision:
        """Returns the answer.

        Args:
            first: what is shown by now: its action stays advised unless another is better by the figure
                shown, and the first answer is looked at as closely as the best ones.
            over: whether there is nothing left to play on from.
        """
        ...


class BySearch:
    """The search's own answer.

    Args:
        state: the fight as the actor's side sees it.
        search: its turn expanded, without rollouts yet.
        options: how broadly it is searched.
    """

    behind: int | None = None

    def __init__(self, state: FightState, search: SearchResult, options: SearchOptions) -> None:
        self._state, self._search, self._options = state, search, options

    def step(self) -> None:
        """Needs to read nothing."""

    def decision(self, first: Decision, *, over: bool) -> Decision:
        level(self._search, lambda: ranked(self._search), self._options, also=first.reflex.action)
        decision = by_value(self._state, self._search, prefer=first.action)
        return replace(decision, stop="exhausted") if over else decision


@dataclass(slots=True)
class _UnderWay:
    """The search under way."""

    search: SearchResult
    judge: Judge
    before: Decision
    answers: int = 0
    looks: int = 0  # How often it was looked at what was found
    spent_s: float = 0.0  # Seconds that it has taken; `answered_s` of these before the last answer
    answered_s: float = 0.0
    over: bool = False  # Whether nothing is left to play on from

    @property
    def due_s(self) -> float:
        """After how many seconds of search it is looked at what was found."""
        late = max(0, self.looks - len(STEPS_S) + 1)
        return STEPS_S[min(self.looks, len(STEPS_S) - 1)] + late * EVERY_S


class ThinkingOn:
    """Thinks on about one state at a time.

    Args:
        options: of the first answer's search.
        baseline: tells what the first answer has valued ends of turn by.
    """

    def __init__(
        self,
        options: SearchOptions,
        baseline: Callable[[FightState], Baseline | None] = lambda _: None,
        judge: Callable[[FightState, SearchResult, SearchOptions], Judge] = BySearch,
    ) -> None:
        self._options = replace(options, ends=_ENDS, walks=_WALKS)
        self._baseline = baseline
        self._judge = judge
        self._state: FightState | None = None
        self._begun: _UnderWay | None = None

    def think(self, state: FightState, first: Decision, until: float) -> Decision | None:
        """Thinks until a time; returns an answer where there is one that is deeper than the last.

        Args:
            state: the fight; another one than the last time, or a first answer anew, begins anew.
            first: the decision that is shown for it; its action stays advised unless another is better.
            until: in seconds of `time.perf_counter`.
        """
        if first.stop == "only-choice":
            return None
        begun = perf_counter()
        search = self._begun
        if search is None or self._state != state or first.effort.depth != search.answers + 1:
            search = self._begun = self._set_up(state, first, until)
            self._state = state
        if search.over:
            return None
        if perf_counter() < until:
            search.over = not search.search.tree.look(
                search.judge.behind,
                inf,
                until,
                turns_within(inf),
                rounds=self._options.rounds,
                ends=self._options.ends,
            )
        search.spent_s += perf_counter() - begun
        if not search.over and search.spent_s < search.due_s:
            return None
        search.judge.step()
        search.looks += 1
        if search.looks < 2 and not search.over:
            return None
        return self._answer(search, first)

    @property
    def done(self) -> bool:
        return self._begun is not None and self._begun.over

    def _set_up(self, state: FightState, first: Decision, until: float) -> _UnderWay:
        known = observation(state, state.actor.team)
        bare = replace(self._options, rollout_actions=0, growing=1.0)
        until = max(until, perf_counter() + _GROWING_S)
        shown = (first.reflex.action,)
        search = search_state(known, bare, until, first.best.line, self._baseline(known), shown)
        return _UnderWay(search, self._judge(known, search, self._options), first)

    def _answer(self, search: _UnderWay, first: Decision) -> Decision:
        """Returns the next deeper answer; the first one stays as it was given, and so do the steps to it."""
        answer, before = search.judge.decision(first, over=search.over), search.before
        search.answers += 1
        further_s, search.answered_s = search.spent_s - search.answered_s, search.spent_s
        deeper = replace(
            answer,
            reflex=first.reflex,
            trace=_joined(before, answer),
            effort=Effort(
                first.effort.timings_ms,
                search.search.nodes,
                before.effort.rollouts + search.search.rollouts,
                depth=search.answers + 1,
                thought_s=first.effort.thought_s + further_s,
                step_ms=answer.effort.step_ms,
                first_steps=before.effort.first_steps,
            ),
            planned_chance=search.search.planned_chance,
            assumed=first.assumed,
        )
        return compared(deeper, self._state)


def _joined(before: Decision, after: Decision) -> tuple[TraceStep, ...]:
    """Returns the steps to the first advice with the figures of now, then those since, counted on.

    The first step on the new search is left out: it looks at what was looked at already.
    """
    earlier = [
        replace(
            step,
            best=after.known(step.best),
            turns=tuple(map(after.known, step.turns)),
            looked=None if step.looked is None else after.known(step.looked),
        )
        for step in before.trace
    ]
    number, elapsed_ms = len(earlier), earlier[-1].elapsed_ms if earlier else 0.0
    since = [
        replace(
            step,
            index=number + place,
            elapsed_ms=elapsed_ms + step.elapsed_ms,
            rollouts=before.effort.rollouts + step.rollouts,
        )
        for place, step in enumerate(after.trace[1:], 1)
    ]
    return (*earlier, *since)
