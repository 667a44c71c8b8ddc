"""HP lost, and what dies with somebody: its summons, its marks and the buffs it gave to others.

Next hop: `botapp.fight.core.effects`.
"""

from typing import Any

from botapp.fight.core.buffs import has_buffs, lose
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import eroded_by
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    BUFF_BY,
    BUFFS,
    ERODED,
    EROSION,
    FIGHTERS,
    HP,
    INVULNERABLE,
    MARKS,
    MAX_HP,
    NUMBER,
    QUEUE,
    SHIELD,
    STATES,
    SUMMONER,
)
from botapp.fight.core.marks import remove_marks_of
from botapp.fight.core.states import fighter_at


@compiled
def hurt(s: Any, f: int, dose: int) -> int:
    """Takes HP off a fighter, its shield first, and erodes its maximum; returns the HP lost."""
    hp = s[f + HP]
    if hp <= 0 or dose <= 0 or (s[f + STATES] >> INVULNERABLE) & 1:
        return 0
    absorbed = min(s[f + SHIELD], dose)
    lost = min(dose - absorbed, hp)
    eroded = eroded_by(lost, s[f + EROSION])
    put(s, f + HP, hp - lost)
    put(s, f + SHIELD, s[f + SHIELD] - absorbed)
    put(s, f + MAX_HP, s[f + MAX_HP] - eroded)
    s[f + ERODED] += eroded
    if lost == hp:
        bury(s, f)
    return lost


@compiled
def kill(s: Any, f: int) -> None:
    """Lets a living fighter die."""
    put(s, f + HP, 0)
    put(s, f + SHIELD, 0)
    bury(s, f)


@compiled
def bury(s: Any, f: int) -> None:
    """Takes away what dies with a fighter, with its summons what dies with them, the eldest first."""
    waiting = 1
    s[QUEUE] = s[f + NUMBER]
    first = True
    while waiting > 0:
        waiting -= 1
        dead = s[QUEUE + waiting]
        at = fighter_at(dead)
        if not first:
            if s[at + HP] <= 0:
                continue
            put(s, at + HP, 0)
            put(s, at + SHIELD, 0)
        first = False
        if s[MARKS]:
            remove_marks_of(s, dead)
        for number in range(s[FIGHTERS] - 1, -1, -1):
            other = fighter_at(number)
            if s[other + SUMMONER] == dead and s[other + HP] > 0:
                s[QUEUE + waiting] = number
                waiting += 1
        if s[BUFFS]:
            for number in range(s[FIGHTERS]):
                other = fighter_at(number)
                if s[other + HP] > 0 and has_buffs(s, other):
                    lose(s, other, BUFF_BY, dead)
