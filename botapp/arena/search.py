"""The teacher: searches through the actor's whole turn, dice at their means, within a budget of states.

The most promising state is opened first; states reached by different ways are looked at once. The score of a
first action is the best end of turn found behind it. Next hop: training data for the model, and the `search`
player.
"""

import heapq
import random
from dataclasses import dataclass, field
from itertools import count

from botapp.arena.forecast import Forecast
from botapp.arena.worth import telling_casts
from botapp.fight.actions import Action, EndTurn, Move
from botapp.fight.paths import walks
from botapp.fight.rules import foresee, legal_actions
from botapp.fight.state import FightState

_ACTION_COST = 0.02
"""What an action costs by itself, in HP, so that nothing is done for nothing."""


@dataclass(slots=True)
class _Node:
    state: FightState
    leaf: float
    promise: float
    walked: bool
    opened: bool = False
    children: list["_Node"] = field(default_factory=list)
    value: float | None = None

    def best(self) -> float:
        """Returns the best end of turn from here: now, after a child, or as promised where nobody looked."""
        if self.value is None:
            value = self.leaf if self.opened else self.leaf + self.promise
            for child in self.children:
                value = max(value, child.best() - _ACTION_COST)
            self.value = value
        return self.value


class SearchPlayer:
    """Plays the best whole turn it finds, one action at a time.

    Args:
        budget: how many states a decision may look at besides those after each first action.
    """

    def __init__(self, budget: int = 800) -> None:
        if budget < 0:
            raise ValueError(f"the budget is a number of states, 0 or more, got {budget}")
        self._budget = budget

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the first action of the best turn found; it never needs the dice."""
        return max(self.evaluate_candidates(state), key=lambda scored: scored[1])[0]

    def evaluate_candidates(self, state: FightState) -> list[tuple[Action, float]]:
        """Returns every legal action with its score in HP, in the order of `legal_actions`.

        Scores compare only within one state: more is better for the actor's side.
        """
        search = _Search(state)
        first = [(action, search.after(state, action)) for action in legal_actions(state)]
        search.run(self._budget)
        return [(action, node.best() - _ACTION_COST if node else search.root_leaf) for action, node in first]


class _Search:
    """One decision's graph of states."""

    def __init__(self, state: FightState) -> None:
        self._forecast = Forecast(state)
        self.root_leaf = self._forecast.leaf(state)
        self._nodes: dict[tuple[object, ...], _Node] = {}
        self._waiting: list[tuple[float, int, _Node]] = []
        self._ticket = count()

    def after(self, state: FightState, action: Action) -> _Node | None:
        """Returns the node for the state an action leads to, None for the end of the turn."""
        if isinstance(action, EndTurn):
            return None
        follower = foresee(state, action)
        actor = follower.actor
        key = (
            tuple((f.cell, f.hp, f.max_hp, f.shield, f.ap, f.mp) for f in follower.fighters),
            tuple(sorted(actor.casts)),
        )
        node = self._nodes.get(key)
        if node is None:
            leaf, promise = self._forecast.leaf(follower), self._forecast.promise(follower)
            node = self._nodes[key] = _Node(follower, leaf, promise, isinstance(action, Move))
            heapq.heappush(self._waiting, (-(leaf + promise), next(self._ticket), node))
        return node

    def run(self, budget: int) -> None:
        """Opens the most promising nodes until `budget` more states were looked at."""
        limit = len(self._nodes) + budget
        while self._waiting and len(self._nodes) < limit:
            _, _, node = heapq.heappop(self._waiting)
            node.opened = True
            for action in self._followers(node):
                child = self.after(node.state, action)
                if child is not None:
                    node.children.append(child)

    @staticmethod
    def _followers(node: _Node) -> list[Action]:
        """Returns the actions worth trying: casts that reach someone, and one walk between casts."""
        state = node.state
        if len({fighter.team for fighter in state.fighters if fighter.hp > 0}) < 2:
            return []
        actions: list[Action] = [cast for _, cast in telling_casts(state)]
        if not node.walked:
            actions.extend(Move(walk.path) for walk in walks(state, state.actor).values())
        return actions
