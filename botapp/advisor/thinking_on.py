"""Thinks on about a state after the first answer, in slices, as long as there is time: deeper each time.

Each depth is a search of its own that looks more broadly or further than the one before; its answer takes the
place of the one before once it is whole, so that figures shown side by side are of one depth.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Any

from botapp.advisor.bare import by_value, ranked
from botapp.advisor.decision import Decision
from botapp.advisor.levelling import level
from botapp.advisor.search_stage import search_state
from botapp.advisor.wording import assumptions
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult
from botapp.search.tree import Outset, turns_within

DEPTHS: tuple[dict[str, Any], ...] = (
    {"ends": 64, "walks": 8},
    {"ends": 64, "walks": 8, "replies": 45},
    {"ends": 256, "walks": 16, "replies": 135},
    {"ends": 256, "walks": 16, "replies": 405},
)
"""What each depth changes of the first answer's options: more ends of turn and walks to them, then the
opponents' replies searched three times as much each. The chance of winning stays on one scale: over 12 states
it moved by 1 point in the mean. A second round moved it by 8, and longer rollouts lost fights, so none is
played (docs/log/search.md)."""
_DEPTH_S = (0.4, 1.0, 2.5, inf)
"""The most that a depth may take, in seconds, before its answer is taken as it is."""


class ThinkingOn:
    """Thinks on about one state at a time.

    Args:
        options: of the first answer's search.
        outset: tells what the first answer has valued ends of turn by.
    """

    def __init__(
        self, options: SearchOptions, outset: Callable[[FightState], Outset | None] = lambda _: None
    ) -> None:
        self._options = options
        self._outset = outset
        self._state: FightState | None = None
        self._depth = 0
        self._search: SearchResult | None = None
        self._spent_s = 0.0

    def think(self, state: FightState, first: Decision, until: float) -> Decision | None:
        """Thinks until a time; returns an answer where one is whole that is deeper than the last.

        Args:
            state: the fight; another one than the last time begins anew.
            first: the decision that is shown for it; its action stays advised unless another is better.
            until: in seconds of `time.perf_counter`.
        """
        if self._state is None or self._state != state:
            self._state, self._depth, self._search, self._spent_s = state, 0, None, 0.0
        if self._depth >= len(DEPTHS):
            return None
        begun = perf_counter()
        whole = self._slice(state, first, until)
        self._spent_s += perf_counter() - begun
        if not whole and self._spent_s < _DEPTH_S[self._depth]:
            return None
        return self._answer(state, first)

    @property
    def done(self) -> bool:
        """Tells whether every depth has been gone through."""
        return self._depth >= len(DEPTHS)

    def _slice(self, state: FightState, first: Decision, until: float) -> bool:
        """Searches on at the depth under way; returns whether there is nothing left to play on from."""
        options = replace(self._options, **DEPTHS[self._depth])
        if self._search is None:
            known = observation(state, state.actor.team)
            bare = replace(options, rollout_actions=0, growing=1.0)
            self._search = search_state(known, bare, until, first.best.line, self._outset(known))
            self._search.tree.name([one.node for one in self._search.candidates], options.ends)
        if perf_counter() >= until:
            return False
        return not self._search.tree.look(
            None, inf, until, turns_within(inf), rounds=options.rounds, ends=options.ends
        )

    def _answer(self, state: FightState, first: Decision) -> Decision:
        """Returns the answer of the depth that is whole, and goes on to the next."""
        search = self._search
        assert search is not None
        options = replace(self._options, **DEPTHS[self._depth])
        level(search, lambda: ranked(search), options)
        found = replace(
            by_value(observation(state, state.actor.team), search, prefer=first.action),
            timings_ms=first.timings_ms,
            nodes=search.nodes,
            rollouts=search.rollouts,
            assumed=assumptions(state),
            depth=self._depth + 2,
            thought_s=first.thought_s + self._spent_s,
        )
        self._depth, self._search, self._spent_s = self._depth + 1, None, 0.0
        return found
