"""A state within the turn that is searched, read out of the search's arrays.

Next hop: `botapp.search.tree` makes them, `botapp.search.candidates` and `botapp.search.result` read them.
"""

from functools import cached_property
from typing import Any, Protocol

from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.search.core import tree_layout as at


class Searched(Protocol):
    """The search that a node is one of, see `botapp.search.tree.TurnSearch`."""

    k: Any
    v: Any

    def state_of(self, index: int) -> FightState:
        """Returns the state of a node."""

    def node(self, index: int) -> "SearchNode":
        """Returns a node by its number."""

    def step(self, parent: int, edge: int) -> tuple[Action, "SearchNode"]:
        """Returns the action of an edge and the node it leads to."""


class SearchNode:
    """A state within the turn, read out of the search's arrays.

    Attributes:
        index: its number in the search.
    """

    __slots__ = ("__dict__", "__weakref__", "_tree", "index")

    def __init__(self, tree: Searched, index: int) -> None:
        self._tree = tree
        self.index = index

    @cached_property
    def state(self) -> FightState:
        """The state."""
        return self._tree.state_of(self.index)

    @property
    def heuristic_value(self) -> float:
        """How good it is to end the turn here by the heuristic evaluation, in HP."""
        return self._value(at.ESTIMATE)

    @property
    def terms(self) -> tuple[float, float, float]:
        """What it is made of, in HP: the static evaluation, the enemies' threat, the actor's outlook."""
        return self._value(at.STATIC), self._value(at.DANGER), self._value(at.HOPE)

    @property
    def potential(self) -> float:
        """What the AP left may bring on top of it, in HP."""
        return self._value(at.POTENTIAL)

    @property
    def here(self) -> float:
        """The backed-up value of ending the turn here."""
        return self._value(at.HERE)

    @property
    def value(self) -> float:
        """The backed-up value of the best end of turn behind it."""
        return self._value(at.VALUE)

    @property
    def rollouts(self) -> tuple[float, int]:
        """The value of ending the turn here by rollouts, in HP, and how many began here."""
        return self._value(at.MEAN), self._word(at.VISITS)

    @property
    def ends_turn(self) -> bool:
        """Tells whether the turn is over here."""
        return not self._word(at.OPEN)

    @property
    def tried(self) -> int:
        """How many actions were tried here."""
        return self._word(at.EDGE_COUNT)

    @property
    def children(self) -> list[tuple[Action, "SearchNode"]]:
        """The actions tried here, with the nodes they lead to."""
        found = []
        edge = self._word(at.FIRST_EDGE)
        k = self._tree.k
        while edge >= 0:
            found.append(self._tree.step(self.index, edge))
            edge = int(k[k[at.EDGES_AT] + edge * at.EDGE + at.NEXT])
        return found

    @property
    def pv_end(self) -> "SearchNode":
        """The end of turn that the principal variation leads to."""
        return self._tree.node(self._word(at.PV_END))

    @property
    def pv_step(self) -> "tuple[Action, SearchNode] | None":
        """The principal variation's first action, and the node it leads to; None where the turn ends here."""
        edge = self._word(at.PV_EDGE)
        return None if edge < 0 else self._tree.step(self.index, edge)

    def _value(self, field: int) -> float:
        return float(self._tree.v[self.index * at.NODE_VALUES + field])

    def _word(self, field: int) -> int:
        k = self._tree.k
        return int(k[k[at.NODES_AT] + self.index * at.NODE + field])
