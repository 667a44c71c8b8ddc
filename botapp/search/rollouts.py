"""Rollouts from the end of a turn: the others play by the default policy until the actor's next turn.

Next hop: `botapp.search.tree` compares the ends of turn by them.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter

from botapp.fight.actions import Action, Cast, EndTurn
from botapp.fight.rules import apply, apply_expected, winner
from botapp.fight.state import Fighter, FightState
from botapp.search.expected_casts import Followers
from botapp.search.generation import sides
from botapp.search.greedy import DefaultPolicy
from botapp.search.heuristic import THREAT, HeuristicEvaluation
from botapp.search.identity_cache import IdentityCache
from botapp.search.play_style import PlayStyle, play_style_from_spells

_STEPS_A_TURN = 14
"""Actions after which a turn is ended."""

_PROSPECT = 0.7
"""The weight of the damage that the actor may do when it is its turn again."""


class OutOfTime(Exception):
    """The deadline came within a rollout."""


@dataclass(slots=True)
class _Step:
    """An action chosen in a state; `mean` is what it leads to without dice, once that was asked for."""

    action: Action
    mean: FightState | None


class Rollout:
    """Plays on from the ends of one actor's turn.

    Args:
        state: the fight as it is at the decision.
        heuristic: evaluates the states that rollouts end in.
        play_style: tells how a fighter plays.
        deadline: when a rollout is broken off, in seconds of `time.perf_counter`.

    Attributes:
        steps: actions played so far.
    """

    def __init__(
        self,
        state: FightState,
        heuristic: HeuristicEvaluation,
        play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
        deadline: float = inf,
    ) -> None:
        self._deadline = deadline
        self._actor = state.actor.id
        self._team = state.actor.team
        self._heuristic = heuristic
        self._default_policy = DefaultPolicy(state, play_style)
        self._turn = state.turn
        self._ends: IdentityCache[int, FightState] = IdentityCache()
        self._steps: IdentityCache[int, _Step] = IdentityCache()
        self.steps = 0

    def value(self, state: FightState, turns: int, rng: random.Random | None = None) -> float:
        """Returns the value, in HP, of the state reached when the actor has its next turn, or before it.

        Args:
            state: a state within the actor's turn, which is ended, or after it.
            turns: turns of the others that are played at most; what those may do who come later, and before
                the actor, is estimated.
            rng: dice; without them everything falls on its mean.

        Raises:
            OutOfTime: the deadline came first.
        """
        if state.actor.id == self._actor and winner(state) is None:
            state = self._ended(state)
        until, steps = self._turn + 1, 0
        while turns and winner(state) is None and (state.turn, state.current) < (until, self._place(state)):
            if perf_counter() >= self._deadline:
                raise OutOfTime
            if steps >= _STEPS_A_TURN:
                action: Action = EndTurn()
                state = apply_expected(state, action) if rng is None else apply(state, action, rng)
            else:
                action, state = self._played(state, rng)
            ended = isinstance(action, EndTurn)
            turns, steps = turns - ended, 0 if ended else steps + 1
            self.steps += 1
        total = self._heuristic.static.score(state)
        if winner(state) is None:
            own, foes = sides(state, self._team)
            waiting = self._waiting(state)
            total -= THREAT * self._heuristic.threat(own, [foe for foe in foes if foe.id in waiting])
            actor = next((fighter for fighter in own if fighter.id == self._actor), None)
            if actor is not None:
                total += _PROSPECT * self._heuristic.outlook(actor, foes)
        return total

    def _waiting(self, state: FightState) -> tuple[int, ...]:
        """Returns the ids of those whose turns come before the actor's next one."""
        now, place = state.current, self._place(state)
        return state.order[now:place] if now <= place else state.order[now:] + state.order[:place]

    def _ended(self, state: FightState) -> FightState:
        """Returns the state after the end of the actor's turn, the same object each time."""
        known = self._ends.get(id(state))
        if known is None:
            known = self._ends.keep(id(state), apply_expected(state, EndTurn()), state)
        return known

    def _played(self, state: FightState, rng: random.Random | None) -> tuple[Action, FightState]:
        """Returns the default policy's action in a state and what it leads to.

        Where no dice are needed the same state leads to the same object, so that nothing is chosen twice
        until they are rolled.
        """
        known = self._steps.get(id(state))
        if known is None:
            expected_state: Followers = {}
            action = self._default_policy.action(state, expected_state)
            known = self._steps.keep(id(state), _Step(action, expected_state.get(action)), state)
        certain = not state.marks and not isinstance(known.action, Cast)
        if rng is not None and not certain:
            return known.action, apply(state, known.action, rng)
        if known.mean is None:
            known.mean = apply_expected(state, known.action)
        return known.action, known.mean

    def _place(self, state: FightState) -> int:
        """Returns the actor's place in the order of turns, which summons change."""
        return state.order.index(self._actor)
