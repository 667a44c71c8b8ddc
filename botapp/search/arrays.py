"""The arrays of one search at a time, made once and used again: making them anew costs more than a search.

Next hop: `botapp.search.tree`.
"""

import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.fight.core.compiler import INTERPRETED, decimals, whole_numbers
from botapp.fight.core.layout import FIGHTER as FIGHTER_WORDS
from botapp.fight.core.layout import FIRST, MOST_FIGHTERS, STATE
from botapp.search.core import tree_layout as at
from botapp.search.core.evaluation_layout import (
    EVALUATION,
    INPUT,
    INPUT_ROWS,
    LEARNED,
    PAIR,
    PAIRS,
    WEIGHT_COUNT,
    WEIGHTS,
)
from botapp.search.core.requests import INPUTS_OF, request
from botapp.search.core.work import work_array
from botapp.search.learned import LearnedEvaluation

FloatArray = npt.NDArray[np.float64]

_EDGES_A_NODE = 3
_STATE_WORDS = FIRST + 12 * FIGHTER_WORDS
"""Words that a state uses, about; the pool has room for as many states of this length as there are nodes."""
_REPLY_NODES, _REPLY_WALKS = 512, 2
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
        answers: where in `v` the search writes what it is asked.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.k, self.v, self.q, self.answers = _tree(nodes)
        self._tree = self.k, self.v, self.q
        self._reply = _tree(_REPLY_NODES)[:3]
        self._reply[0][at.WALKS] = _REPLY_WALKS
        self.s = whole_numbers(STATE)
        self.t = whole_numbers(STATE)
        self.e = decimals(EVALUATION)
        self.w = work_array()
        self._book: Any = None
        self._learned: LearnedEvaluation | None = None
        self._beside: list[SearchArrays] = []

    def judge_by(self, learned: LearnedEvaluation | None) -> None:
        """Has states judged by a learned evaluation, by the hand-made one where there is none."""
        if self._learned is not learned:
            self._learned = learned
            self._write_weights()

    def _write_weights(self) -> None:
        learned = self._learned
        self.e[LEARNED] = 0.0 if learned is None else learned.share
        if learned is not None:
            self.e[WEIGHTS : WEIGHTS + WEIGHT_COUNT] = learned.weights

    def ask(self, what: int, book: Any, styles: Any, x: int = 0, y: int = 0, z: int = 0) -> int:
        """Asks the compiled search for something, see `botapp.search.core.requests.request`."""
        if self._book is not book:
            self.e, self._book = decimals(EVALUATION), book
            self._write_weights()
        return int(
            request(what, *self._tree, self.s, self.t, book.b, self.e, self.w, styles, *self._reply, x, y, z)
        )

    def beside(self, book: Any) -> "SearchArrays":
        """Returns room for rollouts of this search in another thread, which shares the tree and nothing else.

        It is made once and brought up to date at each call.
        """
        other = self._beside.pop() if self._beside else SearchArrays(0)
        other._tree = self._tree
        other.e, other._book = self.e.copy(), book
        other.s[:], other.t[:] = self.s, self.t
        return other

    def take_back(self, others: list["SearchArrays"]) -> None:
        """Keeps what `beside` gave for the next rollouts."""
        self._beside += others

    def inputs(self, book: Any, styles: Any) -> tuple[FloatArray, FloatArray]:
        """Returns what the learned evaluation sees of the state `s`, which the evaluation is prepared for.

        Returns:
            The rows, [fighters alive, `INPUT`]; what each says of the others, [alive, alive, `PAIR`].
        """
        count = self.ask(INPUTS_OF, book, styles)
        rows = np.array(self.e[INPUT_ROWS : INPUT_ROWS + count * INPUT], np.float64).reshape(count, INPUT)
        pairs = np.array(self.e[PAIRS : PAIRS + count * MOST_FIGHTERS * PAIR], np.float64)
        return rows, pairs.reshape(count, MOST_FIGHTERS, PAIR)[:, :count]


def _tree(nodes: int) -> tuple[Any, Any, Any, int]:
    """Returns `k`, `v` and `q` of a search of so many nodes, and where in `v` answers are written."""
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
        (at.NAMED_AT, at.MOST_NAMED),
        (at.ROOM_AT, edges + 2048),
    ):
        heads[head] = place
        place += words
    k = _long_numbers(place)
    for head, value in heads.items():
        k[head] = value
    v = decimals(most * at.NODE_VALUES + at.ANSWERS + at.MOST_ENDS)
    answers = most * at.NODE_VALUES
    q = whole_numbers(most * _STATE_WORDS)
    return k, v, q, answers


def _long_numbers(count: int) -> Any:
    """Returns an array of `count` zeros of 64 bits, a list where the rules are interpreted."""
    return [0] * count if INTERPRETED else np.zeros(count, np.int64)


_SIZES = (512, 4096, 16384, 65536)
_free: dict[int, list[SearchArrays]] = {size: [] for size in _SIZES}


def borrow(nodes: int, borrower: object) -> SearchArrays:
    """Returns room for a search of so many nodes, as long as the borrower lives.

    Raises:
        ValueError: no search is that large.
    """
    size = next((size for size in _SIZES if size >= nodes), None)
    if size is None:
        raise ValueError(f"a search has at most {_SIZES[-1]} nodes, {nodes} were asked for")
    waiting = _free[size]
    try:
        arrays = waiting.pop()
    except IndexError:
        arrays = SearchArrays(size)
    weakref.finalize(borrower, _give_back, arrays)
    return arrays


def _give_back(arrays: SearchArrays) -> None:
    """Keeps the arrays of a search that nobody looks at any more for the next ones, a few of each size."""
    waiting = _free[arrays.nodes]
    if len(waiting) < _MOST_FREE:
        waiting.append(arrays)


_MOST_FREE = 4
