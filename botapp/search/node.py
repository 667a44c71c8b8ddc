"""A state within the turn that is searched, as the search has noted it."""

from functools import cached_property
from typing import Protocol

from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.search.core.graph import Node


class Searched(Protocol):
    """The search that a node is one of, see `botapp.search.tree.TurnSearch`."""

    def record(self, index: int) -> Node:
        """Returns what the search has noted of a node."""

    def next_edge(self, edge: int) -> int:
        """Returns the next edge from the same node, -1 for none."""

    def state_of(self, index: int) -> FightState:
        """Returns the state of a node."""

    def node(self, index: int) -> "SearchNode":
        """Returns a node by its number."""

    def step(self, parent: int, edge: int) -> tuple[Action, "SearchNode"]:
        """Returns the action of an edge and the node it leads to."""


class SearchNode:
    """A state within the turn, as the search has noted it."""

    __slots__ = ("__dict__", "__weakref__", "_tree", "index")

    def __init__(self, tree: Searched, index: int) -> None:
        self._tree = tree
        self.index = index

    @cached_property
    def state(self) -> FightState:
        return self._tree.state_of(self.index)

    @property
    def heuristic_value(self) -> float:
        """How good it is to end the turn here by the heuristic evaluation, in HP."""
        return float(self._record.estimate)

    @property
    def terms(self) -> tuple[float, float, float]:
        """What it is made of, in HP: the static evaluation, the enemies' threat, the actor's outlook."""
        return float(self._record.static), float(self._record.danger), float(self._record.hope)

    @property
    def potential(self) -> float:
        """What the AP left may bring on top of it, in HP."""
        return float(self._record.potential)

    @property
    def here(self) -> float:
        """The backed-up value of ending the turn here."""
        return float(self._record.here)

    @property
    def value(self) -> float:
        """The backed-up value of the best end of turn behind it."""
        return float(self._record.value)

    @property
    def rollouts(self) -> tuple[float, int]:
        """The value of ending the turn here by rollouts, in HP, and how many began here."""
        return float(self._record.mean), int(self._record.visits)

    @property
    def ends_turn(self) -> bool:
        return not int(self._record.open)

    @property
    def tried(self) -> int:
        return int(self._record.edge_count)

    @property
    def children(self) -> list[tuple[Action, "SearchNode"]]:
        children = []
        edge = int(self._record.first_edge)
        while edge >= 0:
            children.append(self._tree.step(self.index, edge))
            edge = self._tree.next_edge(edge)
        return children

    @property
    def pv_end(self) -> "SearchNode":
        """The end of turn that the principal variation leads to."""
        return self._tree.node(int(self._record.pv_end))

    @property
    def pv_step(self) -> "tuple[Action, SearchNode] | None":
        """The principal variation's first action, and the node it leads to; None where the turn ends here."""
        edge = int(self._record.pv_edge)
        return None if edge < 0 else self._tree.step(self.index, edge)

    @property
    def _record(self) -> Node:
        return self._tree.record(self.index)
