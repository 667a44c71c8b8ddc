"""The arrays of one search at a time, made once and used again: making them anew costs more than a search.

Next hop: `botapp.search.tree`.
"""

from typing import Any

import numpy as np

from botapp.fight.core.compiler import INTERPRETED, decimals, whole_numbers
from botapp.fight.core.layout import FIRST, STATE
from botapp.fight.core.layout import FIGHTER as FIGHTER_WORDS
from botapp.search.core import tree_layout as at
from botapp.search.core.evaluation_layout import EVALUATION
from botapp.search.core.work import work_array

_EDGES_A_NODE = 3
_STATE_WORDS = FIRST + 12 * FIGHTER_WORDS
"""Words that a state uses, about; the pool has room for as many states of this length as there are nodes."""
_BEYOND = 768
"""Nodes beyond those asked for: the first actions and the default policy's turn are always there."""


class SearchArrays:
    """Room for one search.

    Args:
        nodes: how many states of the turn it can hold, beside the first actions.

    Attributes:
        k, v, q: the tree, see `botapp.search.core.tree_layout`.
        s, t: two states.
        e: an evaluation; it belongs to one book.
        w: the work array.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        most = nodes + _BEYOND
        edges = _EDGES_A_NODE * most + 2048
        table = 1 << (2 * most).bit_length()
        heads = {
            at.MOST_NODES: most,
            at.MOST_EDGES: edges,
            at.TABLE_MASK: table - 1,
            at.MOST_POOLED: most * _STATE_WORDS,
        }
        place = at.HEAD
        for head, words in (
            (at.NODES_AT, most * at.NODE),
            (at.EDGES_AT, edges * at.EDGE),
            (at.TABLE_AT, table),
            (at.HEAP_AT, most),
            (at.ENDS_AT, 2 * at.MOST_ENDS),
            (at.ROOM_AT, edges + 2048),
        ):
            heads[head] = place
            place += words
        self.k = _long_numbers(place)
        for head, value in heads.items():
            self.k[head] = value
        self.v = decimals(most * at.NODE_VALUES)
        self.q = whole_numbers(most * _STATE_WORDS)
        self.s = whole_numbers(STATE)
        self.t = whole_numbers(STATE)
        self.e = decimals(EVALUATION)
        self.w = work_array()


def _long_numbers(count: int) -> Any:
    """Returns an array of `count` zeros of 64 bits, a list where the rules are interpreted."""
    return [0] * count if INTERPRETED else np.zeros(count, np.int64)
