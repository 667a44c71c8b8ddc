"""The values of a turn's first actions: each that of the best end of turn behind it.

Next hop: `botapp.search.core.ends` picks the ends to play on from, `botapp.search.result` the best action.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.search.core.tree import node_at
from botapp.search.core.tree_layout import (
    CHILD,
    EDGE,
    EDGES_AT,
    ESTIMATE,
    FIRST_EDGE,
    HERE,
    MEAN,
    NEXT,
    NODE_VALUES,
    NODES,
    PV_EDGE,
    PV_END,
    ROOM_AT,
    SEEN,
    VALUE,
    VISITS,
)

_ACTION_COST = 0.05
"""What an action costs by itself, in HP, so that nothing is done for nothing."""

_UNPLAYED = 1.0
"""How far, in HP, the value of an end without a rollout stays below the best one, at the least."""

_FAR = 1e18


@compiled
def back_up(k: Any, v: Any) -> None:
    """Works out each node's value: that of the best end of turn behind it.

    An end's value is the mean of its rollouts. One without a rollout has its heuristic evaluation, corrected
    by the mean error of that evaluation where there were rollouts, and always less than the best of those.
    """
    shift, most, played = 0.0, -_FAR, 0
    for node in range(k[NODES]):
        k[node_at(k, node) + SEEN] = 0
        if k[node_at(k, node) + VISITS]:
            values = node * NODE_VALUES
            shift += v[values + MEAN] - v[values + ESTIMATE]
            most = max(most, v[values + MEAN])
            played += 1
    if played:
        shift /= played
        most -= _UNPLAYED
    else:
        most = _FAR
    stack = k[ROOM_AT]
    k[stack] = 0
    waiting = 1
    while waiting:
        node = k[stack + waiting - 1]
        at = node_at(k, node)
        if k[at + SEEN] == 0:
            k[at + SEEN] = 1
            edge = k[at + FIRST_EDGE]
            while edge >= 0:
                child = k[k[EDGES_AT] + edge * EDGE + CHILD]
                if k[node_at(k, child) + SEEN] == 0:
                    k[stack + waiting] = child
                    waiting += 1
                edge = k[k[EDGES_AT] + edge * EDGE + NEXT]
        else:
            waiting -= 1
            if k[at + SEEN] == 1:
                k[at + SEEN] = 2
                _value(k, v, node, shift, most)


@compiled
def _value(k: Any, v: Any, node: int, shift: float, most: float) -> None:
    """Works out the value of a node once those behind it have theirs."""
    at, values = node_at(k, node), node * NODE_VALUES
    if k[at + VISITS]:
        v[values + HERE] = v[values + MEAN]
    else:
        v[values + HERE] = min(v[values + ESTIMATE] + shift, most)
    best = v[values + HERE]
    k[at + PV_END] = node
    k[at + PV_EDGE] = -1
    edge = k[at + FIRST_EDGE]
    while edge >= 0:
        child = k[k[EDGES_AT] + edge * EDGE + CHILD]
        value = v[child * NODE_VALUES + VALUE] - _ACTION_COST
        if value > best:
            best = value
            k[at + PV_END] = k[node_at(k, child) + PV_END]
            k[at + PV_EDGE] = edge
        edge = k[k[EDGES_AT] + edge * EDGE + NEXT]
    v[values + VALUE] = best
