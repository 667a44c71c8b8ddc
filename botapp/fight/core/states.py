"""The state as an array: finding fighters in it, copying it, dice, and who has won.

Next hop: every rule of this package.
"""

from typing import Any

from botapp.fight.core.compiler import compiled, copy_words
from botapp.fight.core.layout import (
    BUFF,
    BUFF_LIST,
    BUFFS,
    CELL,
    CURRENT,
    DICE,
    DRAWN,
    DRAWN_FIGHT,
    FAULT,
    FIGHTER,
    FIGHTERS,
    FIRST,
    FULL_TAPE,
    HP,
    MARK,
    MARK_LIST,
    MARKS,
    MOST_TAPE,
    NOBODY,
    ORDER,
    SEED,
    SUMMONER,
    TAPE,
    TAPE_AT,
    TEAM,
)

_TAPE_UNIT = 2.0**-31
_MODULUS = 2147483647


@compiled
def fighter_at(number: int) -> int:
    """Returns where the fields of a fighter begin."""
    return FIRST + number * FIGHTER


@compiled
def actor(s: Any) -> int:
    """Returns the fighter whose turn it is."""
    return FIRST + s[ORDER + s[CURRENT]] * FIGHTER


@compiled
def occupant(s: Any, cell: int) -> int:
    """Returns the number of the living fighter on a cell, -1 for none."""
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if s[f + CELL] == cell and s[f + HP] > 0:
            return number
    return -1


@compiled
def copy_state(t: Any, s: Any) -> None:
    """Makes `t` the state `s`, the scratch part left out."""
    copy_words(t, s, 0, FIRST + s[FIGHTERS] * FIGHTER)
    copy_words(t, s, BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF)
    copy_words(t, s, MARK_LIST, MARK_LIST + s[MARKS] * MARK)


@compiled
def winner(s: Any) -> int:
    """Returns the only team with someone alive, summons left out; `NOBODY` while both fight on."""
    standing = DRAWN_FIGHT
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if s[f + HP] > 0 and s[f + SUMMONER] < 0:
            if standing == DRAWN_FIGHT:
                standing = s[f + TEAM]
            elif standing != s[f + TEAM]:
                return NOBODY
    return standing


@compiled
def draw(s: Any) -> float:
    """Returns what the dice say next, 0..1.

    Rolled ones come from the minimal standard generator (S. Park and K. Miller, 1988).
    """
    drawn = s[DRAWN]
    s[DRAWN] = drawn + 1
    if s[DICE] == TAPE:
        if drawn >= MOST_TAPE:
            s[FAULT] = FULL_TAPE
            return 0.5
        return s[TAPE_AT + drawn] * _TAPE_UNIT
    seed = s[SEED] * 48271 % _MODULUS
    s[SEED] = seed
    return seed / _MODULUS


@compiled
def rolled(s: Any, low: int, high: int) -> int:
    """Returns what dice from `low` to `high` show."""
    return low if low == high else low + int(draw(s) * (high - low + 1))
