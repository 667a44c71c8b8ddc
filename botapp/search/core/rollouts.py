"""Rollouts from the end of a turn: the others play until the actor's next one, by default policy or replies.

Next hop: `botapp.search.core.tree` compares the ends of turn by them.
"""

from typing import Any

from botapp.fight.core.actions import cast, end, walk_to
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    CURRENT,
    DICE,
    HP,
    MEANS,
    NOBODY,
    ORDER,
    ORDERED,
    TEAM,
    TURN,
)
from botapp.fight.core.states import fighter_at, winner
from botapp.search.core.evaluation_layout import LEARNED
from botapp.search.core.heuristic import THREAT, outlook, threat
from botapp.search.core.network import worth
from botapp.search.core.policy import CAST_SPELL, WALK, choose
from botapp.search.core.replies import reply
from botapp.search.core.static import score

_STEPS_A_TURN = 14
"""Actions after which a turn is ended."""

_PROSPECT = 0.7
"""The weight of the damage that the actor may do when it is its turn again."""


@compiled
def play_out(
    s: Any,
    b: Any,
    t: Any,
    e: Any,
    w: Any,
    styles: Any,
    rk: Any,
    rv: Any,
    rq: Any,
    looks: int,
    number: int,
    until: int,
    turns: int,
) -> tuple[float, int]:
    """Plays on until a fighter has its next turn, or before it; returns the value of that, and the actions.

    Args:
        s: a state within that fighter's turn, which is ended with dice at their means, or after it; it is
            played on with the dice that it has and left as it is then.
        b: the book.
        t: room for a second state.
        e: the evaluation, prepared for the decision's first state and that fighter's side.
        w: the work array.
        styles: the play styles.
        rk, rv, rq: the arrays of a reply's search.
        looks: states that it evaluates for each turn, 0 where the default policy plays.
        number: the fighter's number.
        until: the round of its next turn.
        turns: turns of the others that are played at most; what those may do who come later, and before
            the fighter, is estimated.

    Returns:
        The value for the fighter's side, in HP; how many actions the others have taken, ends of turn too.
    """
    if s[ORDER + s[CURRENT]] == number and winner(s) == NOBODY:
        dice = s[DICE]
        s[DICE] = MEANS
        end(s, b)
        s[DICE] = dice
    actions = steps = 0
    while turns and winner(s) == NOBODY and _comes_before(s, number, until):
        if looks:
            actions += reply(s, b, t, e, w, styles, rk, rv, rq, looks)
            turns -= 1
            continue
        ended = _act(s, b, t, e, w, styles, steps)
        if ended:
            turns -= 1
        steps = 0 if ended else steps + 1
        actions += 1
    return _value(s, b, e, number), actions


@compiled
def play_turn(s: Any, b: Any, t: Any, e: Any, w: Any, styles: Any) -> int:
    """Plays the current actor's turn to its end; returns the `winner`, `NOBODY` while the fight is on.

    Args:
        s: a state still fought in; it is played on with the dice that it has.
        b: the book.
        t: room for a second state.
        e: the evaluation, prepared for a state of the same fight.
        w: the work array.
        styles: the play styles.
    """
    steps = 0
    while winner(s) == NOBODY and not _act(s, b, t, e, w, styles, steps):
        steps += 1
    return int(winner(s))


@compiled
def _act(s: Any, b: Any, t: Any, e: Any, w: Any, styles: Any, steps: int) -> bool:
    """Does what the default policy chooses after so many steps of a turn; returns whether that ends it."""
    if steps < _STEPS_A_TURN:
        kind, slot, cell = choose(s, b, t, e, w, styles)
        if kind == CAST_SPELL:
            cast(s, b, slot, cell)
            return False
        if kind == WALK:
            walk_to(s, b, cell)
            return False
    end(s, b)
    return True


@compiled
def _place(s: Any, number: int) -> int:
    """Returns a fighter's place in the order of turns, which summons change."""
    place = 0
    while s[ORDER + place] != number:
        place += 1
    return place


@compiled
def _comes_before(s: Any, number: int, until: int) -> bool:
    """Tells whether it is not a fighter's turn in the round `until` yet."""
    return s[TURN] < until or (s[TURN] == until and s[CURRENT] < _place(s, number))


@compiled
def _value(s: Any, b: Any, e: Any, number: int) -> float:
    """Returns what a state is worth to a fighter's side, those who come before it being still to act."""
    f = fighter_at(number)
    team = s[f + TEAM]
    learned = 0.0
    if e[LEARNED] > 0.0 and winner(s) == NOBODY:
        learned = worth(s, b, e, team)
        if e[LEARNED] == 1.0:
            return learned
    total: float = score(s, b, e, True)
    if winner(s) == NOBODY:
        waiting = 0
        place, last = s[CURRENT], _place(s, number)
        while place != last:
            other = s[ORDER + place]
            g = fighter_at(other)
            if s[g + HP] > 0 and s[g + TEAM] != team:
                waiting |= 1 << other
            place = (place + 1) % s[ORDERED]
        total -= THREAT * threat(s, b, e, waiting)
        if s[f + HP] > 0:
            total += _PROSPECT * outlook(s, b, e, f)
        if e[LEARNED] > 0.0:
            total += e[LEARNED] * (learned - total)
    return total
