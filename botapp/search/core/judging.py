"""How good the ends of a turn are by what is known, and what the learned evaluation says of them at first.

Next hop: `botapp.search.core.ends` chooses among them.
"""

from typing import Any

from botapp.fight.core.actions import end
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import CURRENT, DICE, MEANS, NOBODY, ORDER, TEAM
from botapp.fight.core.states import fighter_at, winner
from botapp.search.core.evaluation_layout import LEARNED
from botapp.search.core.network import worth
from botapp.search.core.static import score
from botapp.search.core.tree import load_state, node_at
from botapp.search.core.tree_layout import (
    DECIDER,
    DEFAULT_END,
    ESTIMATE,
    MEAN,
    NODE_VALUES,
    NODES,
    PLANNED_END,
    SEEN,
    VISITS,
)

_FAR = 1e18


@compiled
def standing(v: Any, k: Any, node: int, shift: float) -> float:
    """Returns how good an end of turn is by all that is known: its rollouts, or the evaluation put right."""
    values = node * NODE_VALUES
    if k[node_at(k, node) + VISITS]:
        return v[values + MEAN]
    return v[values + ESTIMATE] + shift


@compiled
def mean_error(k: Any, v: Any) -> float:
    """Returns by how much rollouts are better than the heuristic evaluation on average, in HP."""
    total, played = 0.0, 0
    for node in range(k[NODES]):
        if k[node_at(k, node) + VISITS]:
            total += v[node * NODE_VALUES + MEAN] - v[node * NODE_VALUES + ESTIMATE]
            played += 1
    return total / played if played else 0.0


@compiled
def best_unseen(k: Any, v: Any, shift: float) -> int:
    """Returns the node of the highest standing among those not looked at, -1 where there is none."""
    best, value = -1, 0.0
    for node in range(k[NODES]):
        if k[node_at(k, node) + SEEN] == 0:
            found = standing(v, k, node, shift)
            if best < 0 or found > value:
                best, value = node, found
    return best


@compiled
def judge_ends(k: Any, v: Any, q: Any, s: Any, b: Any, e: Any, count: int) -> None:
    """Puts the learned evaluation in the place of the heuristic one, for the ends that this values highest.

    The others keep theirs, put right by the mean error of the heuristic evaluation and below all that were
    judged.

    Args:
        k, v, q: the search's arrays; nothing has been played on from yet.
        s: room for a state.
        b: the book.
        e: the evaluation, with weights.
        count: how many are judged, beside the root, the default policy's end and the one planned
            before.
    """
    for node in range(k[NODES]):
        k[node_at(k, node) + SEEN] = 0
    team = _team(k, q, s)
    shift, lowest = 0.0, _FAR
    judged = 0
    named = 3 if k[PLANNED_END] else 2
    while judged < min(count + named, k[NODES]):
        node = 0 if judged == 0 else k[DEFAULT_END] if judged == 1 else k[PLANNED_END]
        if k[node_at(k, node) + SEEN]:
            node = best_unseen(k, v, 0.0)
        k[node_at(k, node) + SEEN] = 1
        values = node * NODE_VALUES
        learned = _judged(k, v, q, s, b, e, node, team)
        learned = v[values + ESTIMATE] + e[LEARNED] * (learned - v[values + ESTIMATE])
        shift += learned - v[values + ESTIMATE]
        lowest = min(lowest, learned)
        judged += 1
        v[values + ESTIMATE] = learned
        v[values + MEAN] = learned
    shift /= judged
    for node in range(k[NODES]):
        if k[node_at(k, node) + SEEN] == 0:
            values = node * NODE_VALUES
            v[values + ESTIMATE] = min(v[values + ESTIMATE] + shift, lowest)
            v[values + MEAN] = v[values + ESTIMATE]


@compiled
def _team(k: Any, q: Any, s: Any) -> int:
    """Returns the side whose turn is searched."""
    load_state(k, q, s, 0)
    team: int = s[fighter_at(k[DECIDER]) + TEAM]
    return team


@compiled
def _judged(k: Any, v: Any, q: Any, s: Any, b: Any, e: Any, node: int, team: int) -> float:
    """Returns what ending the turn in a node is worth, in HP."""
    if load_end(k, q, s, b, node) != NOBODY:
        return score(s, b, e, True)
    return worth(s, b, e, team)


@compiled
def load_end(k: Any, q: Any, s: Any, b: Any, node: int) -> int:
    """Makes `s` what follows when the turn ends in a node; returns the `winner`, `NOBODY` while it is on."""
    load_state(k, q, s, node)
    s[DICE] = MEANS
    if s[ORDER + s[CURRENT]] == k[DECIDER] and winner(s) == NOBODY:
        end(s, b)
    return int(winner(s))
