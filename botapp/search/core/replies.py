"""A reply: the turn of one of the others as a small search of it finds best for its own side.

It is what the search of the decider's own turn is before rollouts, in arrays of its own: dice at their means,
the end of turn that the heuristic evaluation likes best. Next hop: `botapp.search.core.rollouts`.
"""

from typing import Any

from botapp.fight.core.actions import end
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import CURRENT, DICE, NOBODY, ORDER, SEED, TEAM
from botapp.fight.core.states import fighter_at, winner
from botapp.search.core.backup import back_up
from botapp.search.core.evaluation_layout import DECIDER, SIDE
from botapp.search.core.tree import grow, load_state, node_at, plant
from botapp.search.core.tree_layout import CHILD, EDGE, EDGES_AT, LOOKS, PV_EDGE, PV_END


@compiled
def reply(s: Any, b: Any, t: Any, e: Any, w: Any, styles: Any, rk: Any, rv: Any, rq: Any, looks: int) -> int:
    """Plays the current actor's turn to its end, as well as a small search can.

    Args:
        s: a state still fought in; it is played on, and keeps the dice that it has.
        b: the book.
        t: room for a second state.
        e: the evaluation, prepared for a state of the same fight; it takes the actor's side meanwhile.
        w: the work array.
        styles: the play styles.
        rk, rv, rq: the arrays of the small search.
        looks: states of the turn that are evaluated, beside those of the first actions.

    Returns:
        How many actions it took, the end of the turn too.
    """
    side, decider = e[SIDE], e[DECIDER]
    dice, seed = s[DICE], s[SEED]
    number = s[ORDER + s[CURRENT]]
    e[SIDE] = s[fighter_at(number) + TEAM]
    e[DECIDER] = number
    plant(rk, rv, rq, s, t, b, e, w, styles)
    grow(rk, rv, rq, s, t, b, e, w, rk[LOOKS] + looks)
    back_up(rk, rv)
    e[SIDE], e[DECIDER] = side, decider
    load_state(rk, rq, s, rk[node_at(rk, 0) + PV_END])
    s[DICE], s[SEED] = dice, seed
    if s[ORDER + s[CURRENT]] == number and winner(s) == NOBODY:
        end(s, b)
    return _length(rk) + 1


@compiled
def _length(rk: Any) -> int:
    """Returns how many actions the principal variation has."""
    count = 0
    edge = rk[node_at(rk, 0) + PV_EDGE]
    while edge >= 0:
        count += 1
        edge = rk[node_at(rk, rk[rk[EDGES_AT] + edge * EDGE + CHILD]) + PV_EDGE]
    return count
