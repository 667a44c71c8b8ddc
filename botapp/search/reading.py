"""What a search has found by now: nodes, their values and rollouts, and the states they stand for.

All of it is read off the records of `botapp.search.core`, and can be read at any time between two slices.
Columns are arrays with an entry for each node asked for.
"""

import math
from dataclasses import dataclass
from weakref import WeakValueDictionary

import numpy as np

from botapp.fight.actions import Action, Cast, Move
from botapp.fight.core.fight import NOBODY
from botapp.fight.core.pack import parts_of
from botapp.fight.core.packed import Packed
from botapp.fight.core.unpack import unpack
from botapp.fight.state import FightState
from botapp.search.core import requests as ask_for
from botapp.search.core.graph import CODE_CELLS, WALK_SLOT, Node
from botapp.search.core.static import STEEPNESS
from botapp.search.desk import SearchDesk
from botapp.search.node import SearchNode
from botapp.search.room import FloatArray, IntArray


def taken_apart(state: FightState) -> Packed:
    """Returns what a state's arrays are made of, worked out once for each state object."""
    return Packed(state.once("parts", parts_of), None)


@dataclass(frozen=True, slots=True)
class Standings:
    """What is known of each of C named candidates.

    Attributes:
        value: its backed-up value, in HP, (C,).
        end: the node in which its principal variation ends the turn, (C,).
        visits, mean, spread: rollouts from there, their mean and standard deviation in HP, (C,).
        behind: `FACTS` of all ends behind it, (C, FACTS).
    """

    value: FloatArray
    end: IntArray
    visits: IntArray
    mean: FloatArray
    spread: FloatArray
    behind: FloatArray


class SearchReading:
    """Reads a search of one state at its desk."""

    _total: float

    def __init__(self, state: FightState, desk: SearchDesk) -> None:
        self._state, self.desk = state, desk
        self._packed = taken_apart(state)
        self._named = np.zeros(0, np.int64)
        self._nodes: WeakValueDictionary[int, SearchNode] = WeakValueDictionary()
        self._actions: dict[int, Action] = {}

    @property
    def nodes(self) -> int:
        """States of the turn evaluated so far, cells that a walk could end on included."""
        return int(self.desk.graph.looks)

    @property
    def rollouts(self) -> int:
        return int(self.desk.graph.played)

    @property
    def default_action(self) -> Action | None:
        """The first action of the turn that the default policy would play, None for ending it."""
        code = int(self.desk.graph.default_action)
        return self._action(0, code) if code else None

    @property
    def lead_unit(self) -> float:
        """All that both sides have at full HP, in HP: what `lead` counts in."""
        return self._total

    @property
    def root(self) -> SearchNode:
        """The state itself; its children are the first actions tried."""
        return self.node(0)

    def lead(self, value: float) -> float:
        """Returns a value in HP as a share of all that both sides have at full HP."""
        return value / self._total

    def share(self, value: float) -> float:
        """Returns a value in HP as the share of fights that a side with this evaluation wins, 0..1."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, STEEPNESS * self.lead(value)))))

    def node(self, index: int) -> SearchNode:
        """Returns a node by its number, the same object as long as it is in use.

        A node holds the search. Were it the other way round too, each search would hold its room until
        Python looks for circles, and hundreds of megabytes would wait for that.
        """
        node = self._nodes.get(index)
        if node is None:
            node = self._nodes[index] = SearchNode(self, index)
        return node

    def state_of(self, index: int) -> FightState:
        if index == 0:
            return self._state
        self.desk.load_node(index)
        return unpack(self._packed, self.desk.words)

    def record(self, index: int) -> Node:
        return self.desk.room.node(index)

    def powers(self, node: SearchNode) -> dict[int, float]:
        """Returns the damage of each fighter's best turn on a target without resistances, in HP, by its
        id."""
        return self._about(ask_for.POWERS, node)

    def strikes(self, node: SearchNode, fighter_id: int) -> dict[int, float]:
        """Returns the damage of each enemy's best turn at one fighter, in HP, by the enemy's id."""
        return self._about(ask_for.STRIKES, node, fighter_id)

    def _about(self, what: int, node: SearchNode, fighter_id: int | None = None) -> dict[int, float]:
        fighters = node.state.fighters
        number = next((n for n, fighter in enumerate(fighters) if fighter.id == fighter_id), 0)
        self.desk.load_node(node.index)
        by_fighter = self.desk.answers(what, len(fighters), number)
        return dict(zip((fighter.id for fighter in fighters), by_fighter, strict=True))

    def inputs(self) -> tuple[FloatArray, FloatArray]:
        """Returns what the learned evaluation sees of the root, see `SearchDesk.inputs`."""
        self.desk.load_node(0)
        return self.desk.inputs()

    def inputs_of_end(self, node: int) -> tuple[FloatArray, FloatArray] | None:
        """Returns what the learned evaluation sees if the turn ends in a node, None where the fight does."""
        return None if self.desk.load_end(node) != NOBODY else self.desk.inputs()

    def log_odds(self, team: int) -> float:
        """Returns the logarithm of the odds that a team wins from the root, by the learned evaluation."""
        self.desk.load_node(0)
        return self.desk.log_odds(team)

    def potential(self, node: SearchNode) -> float:
        """Returns what the AP left in a node may still do, in HP."""
        self.desk.load_node(node.index)
        return self.desk.answers(ask_for.POTENTIAL_OF, 1)[0]

    def step(self, parent: int, edge: int) -> tuple[Action, SearchNode]:
        """Returns the action of an edge and the node it leads to."""
        return self._edge_action(parent, edge), self.node(int(self.desk.room.edge(edge).child))

    def line(self, node: int, most: int) -> tuple[list[Action], int]:
        """Returns the principal variation from a node on, so many actions at most, and where it leads to."""
        actions: list[Action] = []
        while len(actions) < most and (edge := int(self.desk.room.node(node).pv_edge)) >= 0:
            actions.append(self._edge_action(node, edge))
            node = int(self.desk.room.edge(edge).child)
        return actions, node

    def ends_turn(self, node: int) -> bool:
        return not int(self.desk.room.node(node).open)

    def _edge_action(self, parent: int, edge: int) -> Action:
        action = self._actions.get(edge)
        if action is None:
            action = self._actions[edge] = self._action(parent, int(self.desk.room.edge(edge).code))
        return action

    def next_edge(self, edge: int) -> int:
        """Returns the next edge from the same node, -1 for none."""
        return int(self.desk.room.edge(edge).next)

    def matters(self, node: SearchNode) -> bool:
        """Tells whether a node differs from the root in more than the AP that its actor has spent."""
        return self.desk.matters(node.index)

    @property
    def played_actions(self) -> int:
        return int(self.desk.graph.played_actions)

    def standings(self) -> "Standings":
        """Returns what is known of each named candidate by now."""
        nodes, column = self._named, self.desk.room.column
        facts = self.desk.sum_up(len(nodes))
        ends = self.ends(nodes)
        visits = column(ends, "visits")
        mean, spread = self.desk.room.columns(ends, ("mean", "spread")).T
        return Standings(
            value=self.values(nodes),
            end=ends,
            visits=visits,
            mean=mean,
            spread=np.sqrt(spread / np.maximum(visits - 1, 1)),
            behind=facts,
        )

    @property
    def all_nodes(self) -> IntArray:
        return np.arange(int(self.desk.graph.nodes))

    def edges(self) -> tuple[IntArray, IntArray]:
        """Returns the nodes that each action tried leads from and to, by the numbers of the edges."""
        return self.desk.room.edges()

    @property
    def planned_end(self) -> int:
        """The node in which the turn planned before ends, 0 for none."""
        return int(self.desk.graph.planned_end)

    def hashes(self, nodes: IntArray) -> IntArray:
        column: IntArray = self.desk.room.column(nodes, "hash")
        return column

    def values(self, nodes: IntArray) -> FloatArray:
        """Returns the value in HP of the best turn through each of some nodes; the root's is its end."""
        here, value = self.desk.room.columns(nodes, ("here", "value")).T
        values: FloatArray = np.where(nodes == 0, here, value)
        return values

    def ends(self, nodes: IntArray) -> IntArray:
        """Returns the node in which the best turn through each of some nodes ends; the root's is itself."""
        ends: IntArray = np.where(nodes == 0, 0, self.desk.room.column(nodes, "pv_end"))
        return ends

    def visits(self, nodes: IntArray) -> IntArray:
        """Returns how many rollouts began at each of some nodes."""
        column: IntArray = self.desk.room.column(nodes, "visits")
        return column

    def means(self, nodes: IntArray) -> FloatArray:
        """Returns the value by rollouts of each of some nodes, in HP."""
        column: FloatArray = self.desk.room.column(nodes, "mean")
        return column

    def potentials(self, nodes: IntArray) -> FloatArray:
        """Returns what the AP left in each of some nodes may bring, in HP."""
        column: FloatArray = self.desk.room.column(nodes, "potential")
        return column

    def terms(self, nodes: IntArray) -> FloatArray:
        """Returns what the evaluations of some nodes are made of, (nodes, 3), see `SearchNode.terms`."""
        return self.desk.room.columns(nodes, ("static", "danger", "hope"))

    def fighters(self, nodes: IntArray, count: int, fields: tuple[str, ...]) -> IntArray:
        """Returns fields of the first fighters in the states of some nodes: (nodes, fighters, fields).

        Args:
            count: how many fighters.
            fields: names of fields of `botapp.fight.core.fight.Fighter`.
        """
        return self.desk.room.fighters(nodes, count, fields)

    def fighter_counts(self, nodes: IntArray) -> IntArray:
        """Returns how many fighters there are in the states of some nodes, the dead among them."""
        return self.desk.room.heads(nodes, "fighter_count")

    def mark_counts(self, nodes: IntArray) -> IntArray:
        """Returns how many glyphs and traps there are in the states of some nodes."""
        return self.desk.room.heads(nodes, "mark_count")

    def _action(self, parent: int, code: int) -> Action:
        slot, cell = code // CODE_CELLS - 1, code % CODE_CELLS
        if slot != WALK_SLOT:
            return Cast(self._state.actor.spells[slot].key, cell)
        self.desk.load_node(parent)
        return Move(self.desk.path(cell))
