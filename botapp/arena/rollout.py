"""Playing on from the end of a turn: the others reply greedily, and the actor goes on like that itself.

Next hop: `botapp.arena.search` settles by it which end of turn is the best.
"""

import random
from collections.abc import Callable

from botapp.arena.forecast import Forecast
from botapp.arena.foresight import Followers
from botapp.arena.greedy import Instinct
from botapp.arena.manners import Manner, manner_of
from botapp.arena.tactics import sides
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply, foresee, winner
from botapp.fight.state import Fighter, FightState

_STEPS_A_TURN = 14
"""Actions in a turn, after which it is ended."""

_PROSPECT = 0.7
"""Which share of the damage is counted that the actor may hope for when it is its turn again."""


class Rollout:
    """Plays fights on from the ends of one actor's turn.

    Args:
        state: the fight as it is at the decision.
        forecast: what values the states played on to.
        manner: tells how a fighter likes to fight.

    Attributes:
        steps: actions played so far.
    """

    def __init__(
        self, state: FightState, forecast: Forecast, manner: Callable[[Fighter], Manner] = manner_of
    ) -> None:
        self._actor = state.actor.id
        self._team = state.actor.team
        self._forecast = forecast
        self._instinct = Instinct(state, manner)
        self._turn = state.turn
        self.steps = 0

    def value(self, state: FightState, rounds: int, rng: random.Random | None = None) -> float:
        """Returns the value, in HP, of the state reached when the actor has its next turn.

        Args:
            state: a state within the actor's turn, which is ended, or after it.
            rounds: turns that each of the others has; the actor has its own between them.
            rng: dice; without them everything falls on its mean.
        """
        if state.actor.id == self._actor and winner(state) is None:
            state = foresee(state, EndTurn())
        until, steps = self._turn + rounds, 0
        while winner(state) is None and (state.turn, state.current) < (until, self._place(state)):
            foreseen: Followers = {}
            action = EndTurn() if steps >= _STEPS_A_TURN else self._instinct.action(state, foreseen)
            if rng is None:
                state = foreseen.get(action) or foresee(state, action)
            else:
                state = apply(state, action, rng)
            steps = 0 if isinstance(action, EndTurn) else steps + 1
            self.steps += 1
        total = self._forecast.worth.balance(state)
        if winner(state) is None:
            own, foes = sides(state, self._team)
            actor = next((fighter for fighter in own if fighter.id == self._actor), None)
            if actor is not None:
                total += _PROSPECT * self._forecast.hope(actor, foes)
        return total

    def _place(self, state: FightState) -> int:
        """Returns the actor's place in the order of turns, which summons change."""
        return state.order.index(self._actor)
