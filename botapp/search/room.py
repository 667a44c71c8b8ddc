"""The graph of one search in memory, read by columns: its nodes, its edges, and the states that they have."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.fight.core.compiler import INTERPRETED, long_numbers, whole_numbers
from botapp.fight.core.fight import FIGHTER_WORDS, FIGHTERS_AT, Fight, Fighter
from botapp.fight.core.records import Record
from botapp.host.pages import emptied
from botapp.search.core.graph import EDGE_WORDS, NODE_WORDS, Edge, Graph, Node

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Saved = tuple[tuple[int, Any], ...]  # Parts of a graph's array, each with where it begins

_EDGES_A_NODE = 3
_STATE_WORDS = FIGHTERS_AT + 12 * FIGHTER_WORDS
"""Words that a state uses, about; the pool has room for as many states of this length as there are nodes."""
_BEYOND = 768
"""Nodes beyond those asked for: the first actions and the default policy's turn are always there."""


class Room:
    """The memory of one graph.

    Args:
        nodes: how many states of the turn it can hold, beside the first actions.
    """

    def __init__(self, nodes: int) -> None:
        most = nodes + _BEYOND
        edges = _EDGES_A_NODE * most + 2048
        table = 1 << (2 * most).bit_length()
        place, at = Graph.SIZE, {}
        for name, words in (
            ("nodes_at", most * NODE_WORDS),
            ("edges_at", edges * EDGE_WORDS),
            ("table_at", table),
            ("heap_at", most),
            ("room_at", edges + 2048),
        ):
            at[name] = place
            place += words
        self._words = long_numbers(place)
        graph = self.graph = Graph(self._words)
        graph.most_nodes, graph.most_edges, graph.most_pooled = most, edges, most * _STATE_WORDS
        graph.table_mask = table - 1
        for name, first in at.items():
            setattr(graph, name, first)
        self._pool = whole_numbers(most * _STATE_WORDS)

    @property
    def arrays(self) -> tuple[Any, Any]:
        return self._words, self._pool

    def let_go(self, most_words: int) -> None:
        """Gives the pool's memory back to the system, unless no more than some words of it are in use.

        It is written to as far as its largest search came, and those pages would stay this process's.
        """
        if not INTERPRETED and self.graph.pooled > most_words:
            self._pool = emptied(self._pool)
            self.graph.pooled = 0

    def node(self, number: int) -> Node:
        return Node(self._words, int(self.graph.nodes_at) + number * NODE_WORDS)

    def edge(self, number: int) -> Edge:
        return Edge(self._words, int(self.graph.edges_at) + number * EDGE_WORDS)

    def edges(self) -> tuple[IntArray, IntArray]:
        """Returns the nodes that each edge leads from and to."""
        numbers = np.arange(int(self.graph.edges)) * EDGE_WORDS + int(self.graph.edges_at)
        children, following = (_taken(self._words, numbers + Edge.word(field)) for field in ("child", "next"))
        parents = np.zeros(len(numbers), np.int64)
        nodes = np.arange(int(self.graph.nodes))
        edges = self.column(nodes, "first_edge")
        while len(edges):
            nodes, edges = nodes[edges >= 0], edges[edges >= 0]
            parents[edges] = nodes
            edges = following[edges]
        return parents, children

    def column(self, nodes: IntArray, field: str) -> Any:
        """Returns a field of some nodes, in an array of their shape."""
        return self._fields(nodes * NODE_WORDS + Node.word(field), Node.FIELDS[field].kind)

    def columns(self, nodes: IntArray, fields: tuple[str, ...]) -> FloatArray:
        """Returns fields of some nodes that are decimals: (nodes, fields)."""
        columns: FloatArray = self._fields((nodes * NODE_WORDS)[:, None] + _places(Node, fields), float)
        return columns

    def _fields(self, places: IntArray, kind: type) -> Any:
        words = self._words if INTERPRETED or kind is not float else self._words.view(np.float64)
        return _taken(words, int(self.graph.nodes_at) + places)

    def heads(self, nodes: IntArray, field: str) -> IntArray:
        """Returns a field of the states of some nodes, such as how many fighters there are."""
        heads: IntArray = _taken(self._pool, self.column(nodes, "state_at") + Fight.word(field))
        return heads

    def fighters(self, nodes: IntArray, count: int, fields: tuple[str, ...]) -> IntArray:
        """Returns fields of the first fighters in the states of some nodes: (nodes, fighters, fields)."""
        within = (np.arange(count) * FIGHTER_WORDS)[:, None] + (_places(Fighter, fields) + FIGHTERS_AT)
        words: IntArray = _taken(self._pool, self.column(nodes, "state_at")[:, None, None] + within)
        return words

    def saved(self) -> Saved:
        first = int(self.graph.nodes_at)
        parts = slice(0, Graph.SIZE), slice(first, first + int(self.graph.nodes) * NODE_WORDS)
        return tuple((part.start, self._words[part].copy()) for part in parts)

    def restore(self, saved: Saved) -> None:
        """Forgets the rollouts since `saved`."""
        for begin, part in saved:
            self._words[begin : begin + len(part)] = part


@lru_cache
def _places(record: type[Record], fields: tuple[str, ...]) -> IntArray:
    """Returns the words of fields of a record, counted from its first one."""
    return np.array([record.word(field) for field in fields])


def _taken(array: Any, places: IntArray) -> Any:
    """Returns what stands at some places of an array, which is a list where the rules are interpreted."""
    if isinstance(array, list):
        return np.array([array[place] for place in places.ravel().tolist()]).reshape(places.shape)
    return array[places]
