"""Rollouts from the best ends of a turn, from the best of them again and again.

Where the default policy plays for the others: sequential halving (Z. Karnin, T. Koren and O. Somekh, 2013)
in cycles: each pass of a cycle keeps the better half of its ends; the next cycle begins with more of them,
chosen by all that is known by then. The first pass takes dice at their means, the others roll the same dice
for every end. Where the others reply all dice are at their means, and each end is played on from once.
Next hop: `botapp.search.core.backup`.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import DICE, MEANS, ROLLS, SEED, TURN
from botapp.search.core.evaluation_layout import LEARNED
from botapp.search.core.judging import best_unseen, judge_ends, mean_error
from botapp.search.core.rollouts import play_out
from botapp.search.core.tree import load_state, node_at
from botapp.search.core.tree_layout import (
    ANSWERS,
    CYCLE,
    DECIDER,
    DEFAULT_END,
    DICE_SHIFT,
    ENDS,
    ENDS_AT,
    FIRST_ENDS,
    JUDGED,
    MEAN,
    MOST_ENDS,
    MOST_NODES,
    NEXT_END,
    NODE_VALUES,
    NODES,
    PASS,
    PASSES,
    PLANNED_END,
    PLAYED,
    PLAYED_ACTIONS,
    REPLY_LOOKS,
    SEEN,
    SPREAD,
    VISITS,
)

_JUDGED = 4
"""How many ends the learned evaluation judges for each that rollouts begin from."""
_BEFORE_DEFAULT = 3
"""How many ends are chosen before the default policy's where the others reply."""
_ROLLOUT_WEIGHT = 0.7
"""The weight of an end's first rollout against the heuristic evaluation."""


@compiled
def _choose_ends(k: Any, v: Any, count: int) -> None:
    """Begins a cycle with the end planned before, the default policy's and the best of the others.

    Where the others reply, with ends not played on from yet, and the best ones first: if there is time for
    few, the answer is one of those.
    """
    shift = mean_error(k, v)
    for node in range(k[NODES]):
        at = node_at(k, node)
        k[at + SEEN] = 1 if k[REPLY_LOOKS] and k[at + VISITS] else 0
    k[ENDS] = 0
    if k[PLANNED_END]:
        _choose_end(k, k[PLANNED_END])
    before_default = _BEFORE_DEFAULT if k[REPLY_LOOKS] else 0
    while k[ENDS] < count:
        if k[ENDS] >= before_default and k[node_at(k, k[DEFAULT_END]) + SEEN] == 0:
            _choose_end(k, k[DEFAULT_END])
            continue
        best = best_unseen(k, v, shift)
        if best < 0:
            return
        _choose_end(k, best)


@compiled
def _choose_end(k: Any, node: int) -> None:
    """Adds an end, if it is not among those chosen already."""
    if k[node_at(k, node) + SEEN] == 0:
        k[node_at(k, node) + SEEN] = 1
        k[k[ENDS_AT] + k[ENDS]] = node
        k[ENDS] += 1


@compiled
def _keep_better_half(k: Any, v: Any) -> None:
    """Sorts the ends of a pass by their means and keeps the better half, two at the least."""
    ends, count = k[ENDS_AT], k[ENDS]
    for place in range(1, count):
        node = k[ends + place]
        mean = v[node * NODE_VALUES + MEAN]
        before = place
        while before > 0 and v[k[ends + before - 1] * NODE_VALUES + MEAN] < mean:
            k[ends + before] = k[ends + before - 1]
            before -= 1
        k[ends + before] = node
    k[ENDS] = min(count, max(2, count // 2))


@compiled
def _next_pass(k: Any, v: Any) -> None:
    """Begins the next pass, or the next cycle with twice as many ends every second time."""
    k[PASS] += 1
    if k[CYCLE] < 0 or k[PASS] >= k[PASSES] or k[ENDS] < 2 or k[REPLY_LOOKS]:
        k[CYCLE] += 1
        k[PASS] = 0
        _choose_ends(k, v, min(MOST_ENDS, k[FIRST_ENDS] << (k[CYCLE] // 2)))
    else:
        _keep_better_half(k, v)
    k[NEXT_END] = 0


@compiled
def judge_once(k: Any, v: Any, q: Any, s: Any, b: Any, e: Any) -> None:
    """Has the ends that rollouts may begin from judged by the learned evaluation, where there is one."""
    if k[JUDGED] == 0 and e[LEARNED] > 0.0:
        judge_ends(k, v, q, s, b, e, _JUDGED * k[FIRST_ENDS])
        k[JUDGED] = 1


@compiled
def play_on(
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
    """Runs rollouts until the others have taken so many actions in all; tells whether more can be learned.

    Args:
        k, v, q: the search's arrays.
        s, t: room for states.
        b: the book.
        e: the evaluation.
        w: the work array.
        styles: the play styles.
        rk, rv, rq: the arrays of a reply's search.
        turns: turns of the others that a rollout plays at most.
        rounds: a rollout ends at the latest when the decider has its turn in so many rounds.
        actions: when to stop, `PLAYED_ACTIONS` being counted from the beginning of the search.
    """
    while k[PLAYED_ACTIONS] < actions:
        if ends_left(k, v, q, s, b, e) == 0:
            return False
        node = k[k[ENDS_AT] + k[NEXT_END]]
        k[NEXT_END] += 1
        throw = k[CYCLE] * k[PASSES] + k[PASS]
        play_from(k, v, q, s, t, b, e, w, styles, rk, rv, rq, node, throw, turns, rounds)
    return True


@compiled
def play_from(
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
    node: int,
    throw: int,
    turns: int,
    rounds: int,
) -> None:
    """Runs one rollout from an end of turn; throw 0 and replies take dice at their means, others roll dice.

    For the other arguments see `play_on`.
    """
    value, taken = value_from(k, q, s, t, b, e, w, styles, rk, rv, rq, node, throw, turns, rounds)
    take_note(k, v, node, value, taken)


@compiled
def value_from(
    k: Any,
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
    node: int,
    throw: int,
    turns: int,
    rounds: int,
) -> tuple[float, int]:
    """Plays on from an end of turn and changes nothing of the search; several threads may do so at once.

    Each thread needs its own `s`, `t`, `e`, `w`, `rk`, `rv` and `rq`; see `play_on`.

    Returns:
        The value in HP, and how many actions the others have taken.
    """
    load_state(k, q, s, 0)
    until = s[TURN] + rounds
    load_state(k, q, s, node)
    if throw == 0 or k[REPLY_LOOKS]:
        s[DICE] = MEANS
    else:
        s[DICE] = ROLLS
        s[SEED] = 7919 * (throw + k[DICE_SHIFT]) + 17
    value, taken = play_out(s, b, t, e, w, styles, rk, rv, rq, k[REPLY_LOOKS], k[DECIDER], until, turns)
    return value, taken


@compiled
def take_note(k: Any, v: Any, node: int, value: float, taken: int) -> None:
    """Adds a rollout from an end of turn to what is known of it."""
    k[PLAYED] += 1
    k[PLAYED_ACTIONS] += max(1, taken)
    at, values = node_at(k, node), node * NODE_VALUES
    weight = 1.0 / (k[at + VISITS] + 1) if k[at + VISITS] else _ROLLOUT_WEIGHT
    off = value - v[values + MEAN]
    v[values + MEAN] += weight * off
    if k[at + VISITS]:
        v[values + SPREAD] += off * (value - v[values + MEAN])
    k[at + VISITS] += 1


@compiled
def ends_left(k: Any, v: Any, q: Any, s: Any, b: Any, e: Any) -> int:
    """Begins the next pass where one is over; returns how many of its ends are still to be played."""
    judge_once(k, v, q, s, b, e)
    if k[CYCLE] < 0 or k[NEXT_END] >= k[ENDS]:
        _next_pass(k, v)
    return int(k[ENDS] - k[NEXT_END])


@compiled
def roll_out(
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
    place: int,
    turns: int,
    rounds: int,
) -> int:
    """Plays on from the end at a place of the pass and keeps the value for `record`; see `value_from`.

    Returns:
        How many actions the others have taken.
    """
    node = k[k[ENDS_AT] + place]
    throw = k[CYCLE] * k[PASSES] + k[PASS]
    value, taken = value_from(k, q, s, t, b, e, w, styles, rk, rv, rq, node, throw, turns, rounds)
    v[_rolled_at(k) + place] = value
    return taken


@compiled
def record(k: Any, v: Any, taken: int) -> None:
    """Adds the kept rollout from the next end of the pass, in which the others took `taken` actions."""
    place = k[NEXT_END]
    k[NEXT_END] += 1
    take_note(k, v, k[k[ENDS_AT] + place], v[_rolled_at(k) + place], taken)


@compiled
def _rolled_at(k: Any) -> int:
    """Returns where the values of a pass's rollouts are kept until they are recorded."""
    return int(k[MOST_NODES] * NODE_VALUES + ANSWERS)
