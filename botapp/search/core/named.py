"""Slices of rollouts on candidates that somebody names, and what is known of the ends of turn behind each.

A slice plays on from the best ends behind its candidate, again and again from the better half of them; dice
are the same for ends that were played as often. Where the others reply it plays on from each end once.
Next hop: `botapp.search.tree` names the candidates and asks.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.search.core.ends import play_from
from botapp.search.core.judging import mean_error, standing
from botapp.search.core.tree import node_at
from botapp.search.core.tree_layout import (
    BEHIND,
    CHILD,
    EDGE,
    EDGES_AT,
    ENDS_AT,
    FIRST_EDGE,
    MEAN,
    MOST_ENDS,
    NAMED,
    NAMED_AT,
    NEXT,
    NODE_VALUES,
    NODES,
    PLAYED_ACTIONS,
    REPLY_LOOKS,
    ROOM_AT,
    VISITS,
)

FACTS = 4
"""What `sum_up` says of each candidate: rollouts behind it, ends they began at, the best mean of those and
the second best; where fewer ends have rollouts, the means are `NOTHING`."""
NOTHING = -1e18

_ENDS = 4
"""Ends that a slice begins with."""
_PASSES = 3
_FIRST_THROW = 1000
"""Dice of named slices begin here, so that none is thrown that the schedule throws."""


@compiled
def name(k: Any, count: int) -> None:
    """Finds out which ends of turn lie behind each candidate at `NAMED_AT`; behind the root only it."""
    for node in range(k[NODES]):
        k[node_at(k, node) + NAMED] = 0
    stack = k[ROOM_AT]
    for candidate in range(count):
        bit = 1 << candidate
        first = k[k[NAMED_AT] + candidate]
        k[node_at(k, first) + NAMED] |= bit
        k[stack] = first
        waiting = 1 if first != 0 else 0
        while waiting:
            waiting -= 1
            edge = k[node_at(k, k[stack + waiting]) + FIRST_EDGE]
            while edge >= 0:
                child = k[k[EDGES_AT] + edge * EDGE + CHILD]
                if k[node_at(k, child) + NAMED] & bit == 0:
                    k[node_at(k, child) + NAMED] |= bit
                    k[stack + waiting] = child
                    waiting += 1
                edge = k[k[EDGES_AT] + edge * EDGE + NEXT]


@compiled
def _choose(k: Any, v: Any, bit: int) -> int:
    """Chooses the best ends behind a candidate, best first, none twice for replies; returns how many."""
    shift = mean_error(k, v)
    ends = k[ENDS_AT] + MOST_ENDS
    count = 0
    while count < _ENDS:
        best, value = -1, 0.0
        for node in range(k[NODES]):
            at = node_at(k, node)
            if k[at + NAMED] & bit and not (k[REPLY_LOOKS] and k[at + VISITS]):
                found = standing(v, k, node, shift)
                if best < 0 or found > value:
                    taken = False
                    for place in range(count):
                        taken = taken or k[ends + place] == node
                    if not taken:
                        best, value = node, found
        if best < 0:
            break
        k[ends + count] = best
        count += 1
    return count


@compiled
def play_behind(
    k: Any,
    v: Any,
    q: Any,
    s: Any,
    t: Any,
    b: Any,
    e: Any,
    w: Any,
    styles: Any,
    rk: Any,
    rv: Any,
    rq: Any,
    turns: int,
    rounds: int,
    actions: int,
) -> bool:
    """Runs rollouts from the best ends behind the candidate `BEHIND`; see `ends.play_on`."""
    ends = k[ENDS_AT] + MOST_ENDS
    count, left = 0, 0
    while k[PLAYED_ACTIONS] < actions:
        if left == 0:
            count = _choose(k, v, 1 << k[BEHIND])
            left = 1 if k[REPLY_LOOKS] else _PASSES
            if count == 0:
                return False
        for place in range(count):
            if k[PLAYED_ACTIONS] < actions:
                node = k[ends + place]
                visits = k[node_at(k, node) + VISITS]
                throw = _FIRST_THROW + visits if visits else 0
                play_from(k, v, q, s, t, b, e, w, styles, rk, rv, rq, node, throw, turns, rounds)
        left -= 1
        for place in range(1, count):
            node = k[ends + place]
            before = place
            while before > 0 and v[k[ends + before - 1] * NODE_VALUES + MEAN] < v[node * NODE_VALUES + MEAN]:
                k[ends + before] = k[ends + before - 1]
                before -= 1
            k[ends + before] = node
        count = max(min(count, 2), count // 2)
    return True


@compiled
def sum_up(k: Any, v: Any, count: int, at: int) -> None:
    """Writes the `FACTS` of each named candidate to `v` from `at` on."""
    for place in range(count):
        v[at + FACTS * place] = 0.0
        v[at + FACTS * place + 1] = 0.0
        v[at + FACTS * place + 2] = NOTHING
        v[at + FACTS * place + 3] = NOTHING
    for node in range(k[NODES]):
        visits = k[node_at(k, node) + VISITS]
        if visits:
            bits = k[node_at(k, node) + NAMED]
            mean = v[node * NODE_VALUES + MEAN]
            for place in range(count):
                if bits >> place & 1:
                    fact = at + FACTS * place
                    v[fact] += visits
                    v[fact + 1] += 1.0
                    if mean > v[fact + 2]:
                        v[fact + 3] = v[fact + 2]
                        v[fact + 2] = mean
                    elif mean > v[fact + 3]:
                        v[fact + 3] = mean
