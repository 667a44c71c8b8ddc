"""The simplest of the turns that are worth the same.

The search compares ends of a turn by values that are known to a point or so. Left to itself it takes the
highest and adds walks there and back and spells that change nothing. Of the ends that were played on from and
are worth the same, the one with fewest actions is taken.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from botapp.fight.actions import Action, EndTurn
from botapp.search.core.static import STEEPNESS
from botapp.search.result import SearchResult
from botapp.search.room import FloatArray, IntArray

SAME = 0.01 / (0.25 * 1.5 * STEEPNESS)
"""How much less an end may be worth, as a share of all HP of both sides: a point of winning at even odds, by
the slope of `SearchResult.chance_of` there. In HP and not in points: near 0 and 100 % many HP are one point,
and no blow is to be left out."""
_PROMISED = 0.1
"""The share of it by which an end may fall behind the turn planned before: its chance was shown."""
_EDGE = 1e-6  # Keeps a chance off the edge between two whole percents


class Turn(NamedTuple):
    """A candidate's turn."""

    line: tuple[Action, ...]  # Its actions, the end of the turn the last where the actor ends it
    end: int  # The node in which it ends
    value: float  # In HP
    visits: int  # Rollouts from its end

    @property
    def actions(self) -> int:
        """How many actions it has, its end left out."""
        return sum(not isinstance(action, EndTurn) for action in self.line)


def least_worth(search: SearchResult, value: float) -> float:
    """Returns the value in HP that a turn must have to count as worth as much as one of that value.

    Both read the same in whole percent, and it is as good as the turn planned before.
    """
    room, planned = SAME * search.tree.lead_unit, search.tree.planned
    percent = (round(100 * search.chance_of(value)) - 0.5) / 100
    least = max(value - room, search.value_of(percent + _EDGE))
    if planned is not None and planned.rollouts[1]:
        least = max(least, planned.rollouts[0] - _PROMISED * room)
    return min(value, least)


def turns(search: SearchResult, simple: Collection[int] = ()) -> list[Turn]:
    """Returns the turn of each candidate, in their order: its principal variation.

    Args:
        simple: the candidates, by their places, whose turn is the simplest one that is worth the same.
    """
    ends = search.ends()
    turns_found = [
        Turn(search.line(line), end, value, visits)
        for line, end, value, visits in zip(
            search.candidates,
            ends.tolist(),
            search.values().tolist(),
            search.tree.visits(ends).tolist(),
            strict=True,
        )
    ]
    edges = _Edges(search) if simple else None
    for place in simple:
        if edges is not None and turns_found[place].visits and turns_found[place].actions > 1:
            turns_found[place] = edges.simplest(place, turns_found[place])
    return turns_found


class _Edges:
    """The actions between the states of a turn, as arrays."""

    def __init__(self, search: SearchResult) -> None:
        self._search, tree = search, search.tree
        self._parents, self._children = tree.edges()
        nodes = tree.all_nodes
        self._visits: IntArray = tree.visits(nodes)
        self._means: FloatArray = tree.means(nodes)

    def simplest(self, place: int, turn: Turn) -> Turn:
        """Returns the shortest turn that begins with a candidate and is worth as much as the given one."""
        begin = self._search.candidates[place].node.index
        as_good = (self._visits > 0) & (self._means >= least_worth(self._search, turn.value))
        came_by = np.full(len(self._visits), -1)
        reached = np.zeros(len(self._visits), bool)
        reached[begin] = True
        new = np.array([begin])
        for further in range(turn.actions - 1):
            ends = new[as_good[new]]
            if len(ends):
                end = int(ends[self._means[ends].argmax()])
                return self._turn(place, turn, end, came_by, further)
            fresh = np.zeros_like(reached)
            fresh[new] = True
            out = np.flatnonzero(fresh[self._parents] & ~reached[self._children])
            came_by[self._children[out]] = out
            new = np.unique(self._children[out])
            reached[new] = True
        return turn

    def _turn(self, place: int, turn: Turn, end: int, came_by: IntArray, further: int) -> Turn:
        tree, path, at = self._search.tree, list[int](), end
        for _ in range(further):
            path.append(int(came_by[at]))
            at = int(self._parents[path[-1]])
        actions = [tree.step(int(self._parents[edge]), edge)[0] for edge in reversed(path)]
        last = () if tree.ends_turn(end) else (EndTurn(),)
        first = self._search.candidates[place].action
        value = min(float(self._means[end]), turn.value)
        return Turn((first, *actions, *last), end, value, int(self._visits[end]))
