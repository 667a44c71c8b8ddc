"""What waits on somebody for something to happen, and is set to strike once it has.

Next hop: `botapp.fight.core.resolving` works it off.
"""

from typing import Any

from botapp.fight.core.buffs import NO_STATE
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    CAUSE,
    CAUSE_HP,
    CELL,
    HP,
    MARKS,
    MORE_STATES,
    NUMBER,
    ON_DEATH,
    ON_KILL,
    ON_STATE_LOST,
    RUNNING,
    STATES,
    WAY,
)
from botapp.fight.core.tasks import SPRING_TRAPS, STRIKE, push_task
from botapp.fight.core.waiting import due, has_waiting


@compiled
def spring_under(s: Any, f: int) -> None:
    """Lets the traps on the cell where a fighter has just come be sprung, the oldest first."""
    if s[MARKS]:
        push_task(s, SPRING_TRAPS, 0, s[f + NUMBER], s[f + CELL], s[f + NUMBER], 0, 1)


@compiled
def let_strike(s: Any, b: Any, f: int, events: int, cause: int, hp: int, state: int) -> None:
    """Lets what waits on a fighter for one of some events strike it, the oldest first.

    Args:
        s: the state.
        b: the book.
        f: on whom it waits.
        events: `ON_*` bits of what has happened.
        cause: number of who did it.
        hp: the HP that it cost.
        state: the state that came or went, or `NO_STATE`.
    """
    set_striking(s, f, due(s, b, f, events, state, WAY), cause, hp)


@compiled
def set_striking(s: Any, f: int, count: int, cause: int, hp: int) -> None:
    """Sets the waiting effects that `WAY` lists, as (effect, giver) pairs, to strike a fighter."""
    running, cause_before, hp_before = s[RUNNING], s[CAUSE], s[CAUSE_HP]
    s[CAUSE] = cause
    s[CAUSE_HP] = hp
    for place in range(count - 1, -1, -1):
        s[RUNNING] = s[WAY + 2 * place]
        push_task(s, STRIKE, s[RUNNING], s[WAY + 2 * place + 1], s[f + CELL], s[f + NUMBER], 0, 1)
    s[RUNNING] = running
    s[CAUSE] = cause_before
    s[CAUSE_HP] = hp_before


@compiled
def wounded(s: Any, b: Any, by: int, target: int, lost: int, events: int) -> None:
    """Lets happen what waits on a fighter for having lost HP, be it all of them, and on who has killed it."""
    dead = s[target + HP] <= 0
    if has_waiting(s, target):
        let_strike(s, b, target, events | (ON_DEATH if dead else 0), s[by + NUMBER], lost, NO_STATE)
    if dead and has_waiting(s, by):
        let_strike(s, b, by, ON_KILL, s[target + NUMBER], lost, NO_STATE)


@compiled
def miss_states(s: Any, b: Any, f: int, states: int, more: int) -> None:
    """Lets happen what waits on a fighter for the loss of a state; it was in `states` and `more` before."""
    gone, more_gone = states & ~s[f + STATES], more & ~s[f + MORE_STATES]
    if (gone or more_gone) and has_waiting(s, f):
        for state in range(62):
            if ((gone >> state) if state < 31 else (more_gone >> (state - 31))) & 1:
                let_strike(s, b, f, ON_STATE_LOST, s[f + NUMBER], 0, state)
