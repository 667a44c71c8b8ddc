"""The teacher: searches through the actor's whole turn and the others' reply to the best ends of it.

Scores are shares of winning. Next hop: training data for the model, and the `search` player.
"""

import random
from collections.abc import Iterator

from botapp.fight.actions import Action, EndTurn, Ready
from botapp.fight.rules import legal_actions, seen_by
from botapp.fight.state import FightState
from botapp.search.budget import Budget, clock
from botapp.search.greedy import Instinct
from botapp.search.tree import TurnSearch

__all__ = ["Budget", "Scored", "SearchPlayer", "evaluate_candidates"]

Scored = list[tuple[Action, float]]


def evaluate_candidates(state: FightState, budget: Budget) -> Scored:
    """Returns every legal action with its score, in the order of `legal_actions`.

    A score is the share of winning, 0..1, of the best turn found that begins with the action, so the
    difference of two scores is what it costs to take the one for the other. The same state and number of
    states give the same scores.
    """
    if state.placing:
        return [(action, 0.5) for action in legal_actions(state)]
    search = TurnSearch(seen_by(state, state.actor.team), budget)
    root = search.root
    first = [(action, search.after(root, action)) for action in legal_actions(root.state)]
    search.run()
    return [(action, search.share(root.here if node is root else node.value)) for action, node in first]


class SearchPlayer:
    """Plays the best whole turn it finds, and finds another one once the dice fall otherwise.

    Args:
        budget: how many states a decision may look at besides those after each first action.
        ms: milliseconds of a core for a whole turn, instead of a number of states.
    """

    def __init__(self, budget: int = 800, ms: float | None = None) -> None:
        if budget < 0:
            raise ValueError(f"the budget is a number of states, 0 or more, got {budget}")
        if ms is not None and ms <= 0:
            raise ValueError(f"the time for a turn is more than 0 ms, got {ms:g}")
        self._budget = budget
        self._seconds = None if ms is None else ms / 1000
        self._turn = (-1, -1)
        self._left = 0.0
        self._plan: list[tuple[FightState, Action]] = []

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the first action of the best turn found; it never needs the dice."""
        if state.placing:
            return Ready()
        begun = clock()
        known = seen_by(state, state.actor.team)
        if (state.turn, state.current) != self._turn:
            self._turn, self._plan = (state.turn, state.current), []
            self._left = self._seconds or 0.0
        if not self._plan or self._plan[0][0] != known:
            self._plan = list(self._search(known))
            self._left = max(0.0, self._left - (clock() - begun))
        return self._plan.pop(0)[1]

    def evaluate_candidates(self, state: FightState) -> Scored:
        """Returns what the function of this name does, within the budget of a decision."""
        return evaluate_candidates(state, self._allowance())

    def _allowance(self) -> Budget:
        """Returns the budget of the next decision: of a turn's time the first one gets the larger part."""
        if self._seconds is None:
            return Budget(states=self._budget)
        return Budget(seconds=0.6 * (self._left or self._seconds))

    def _search(self, state: FightState) -> Iterator[tuple[FightState, Action]]:
        """Yields the best turn found, each action with the state it is taken in."""
        if self._seconds is not None and not self._left:
            yield state, Instinct(state).action(state)
            return
        search = TurnSearch(state, self._allowance())
        search.open(search.root)
        search.run()
        node = search.root
        while node.then is not None:
            action, child = node.then
            yield node.state, action
            node = child
        yield node.state, EndTurn()
