"""A fighter's actions: it walks, casts a spell, ends its turn. The state is changed in place.

Next hop: `botapp.fight.rules` for whole `FightState`s, `botapp.search.core` for searches.
"""

from typing import Any

from botapp.fight.core.buffs import has_buffs, lose
from botapp.fight.core.casting import spell_at
from botapp.fight.core.cells import distance, has_cell
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import cast_mix, put, toggle
from botapp.fight.core.layout import (
    AP,
    ATTACKS,
    BUFF_STATE,
    BUFFS,
    CAST,
    CAST_AT,
    CAST_BY,
    CAST_LIST,
    CAST_SPELL,
    CASTS,
    CAUSE,
    CAUSE_HP,
    CELL,
    COOLDOWN,
    COOLDOWNS,
    DRAWN,
    FAULT,
    FULL_CASTS,
    INVISIBLE,
    MARKS,
    MOST_CASTS,
    MP,
    NUMBER,
    RUNNING,
    SPELL_AP,
    SPELL_FLAGS,
    STATES,
    TASKS,
    TRAP,
    WALKABLE,
    WAY,
)
from botapp.fight.core.push import mark_on
from botapp.fight.core.resolving import resolve, work_off
from botapp.fight.core.states import actor, occupant
from botapp.fight.core.triggers import spring_under
from botapp.fight.core.turns import end_turn, hand_on
from botapp.fight.core.walking import after_grip, kept_on_leaving, path_to

WALK_CONDITIONS = ("", "path", "walkable", "free-cell", "mp")
"""Names of the conditions that a walk may fail, by number."""
WALKED, NO_PATH, NOT_WALKABLE, NOT_FREE, NO_MP = range(5)


@compiled
def start_action(s: Any) -> None:
    """Makes the state ready for an action: nothing waits, no dice are drawn, nothing has gone wrong."""
    s[TASKS] = 0
    s[DRAWN] = 0
    s[FAULT] = 0
    s[RUNNING] = 0
    s[CAUSE] = -1
    s[CAUSE_HP] = 0


@compiled
def cast(s: Any, b: Any, slot: int, target: int) -> None:
    """Lets the one whose turn it is cast a spell at a cell; the cast is legal."""
    f = actor(s)
    start_action(s)
    spell = spell_at(s, b, f, slot)
    put(s, f + AP, s[f + AP] - b[spell + SPELL_AP])
    if b[spell + COOLDOWN]:
        put(s, f + COOLDOWNS + slot, b[spell + COOLDOWN])
    if s[CASTS] >= MOST_CASTS:
        s[FAULT] = FULL_CASTS
        return
    at = CAST_LIST + s[CASTS] * CAST
    s[at + CAST_BY] = s[f + NUMBER]
    s[at + CAST_SPELL] = slot
    s[at + CAST_AT] = occupant(s, target)
    s[CASTS] += 1
    toggle(s, cast_mix(s, s[CASTS] - 1))
    buffed = s[BUFFS] > 0 and has_buffs(s, f)
    resolve(s, b, f, spell, target)
    if buffed and b[spell + SPELL_FLAGS] & ATTACKS and (s[f + STATES] >> INVISIBLE) & 1:
        lose(s, f, BUFF_STATE, INVISIBLE)
    hand_on(s, b)


@compiled
def walk(s: Any, b: Any) -> int:
    """Lets the one whose turn it is walk along the cells in `WAY`, at the latest to the first trap.

    Returns `WALKED`, or the condition that a step fails, be it behind a trap: then nothing has changed.
    """
    f = actor(s)
    start_action(s)
    count = s[WAY]
    if count == 0:
        return NO_PATH
    cell, mp, ap = s[f + CELL], s[f + MP], s[f + AP]
    ends_at, mp_left, ap_left = -1, 0, 0
    for place in range(1, count + 1):
        step = s[WAY + place]
        if step < 0 or step >= 560 or distance(cell, step) != 1:
            return NO_PATH
        if not has_cell(b, WALKABLE, step):
            return NOT_WALKABLE
        if occupant(s, step) >= 0:
            return NOT_FREE
        kept = kept_on_leaving(s, f, cell)
        if kept < 1.0:
            mp, ap = after_grip(mp, kept), after_grip(ap, kept)
        if mp < 1:
            return NO_MP
        cell, mp = step, mp - 1
        if ends_at < 0 and (place == count or (s[MARKS] and mark_on(s, TRAP, cell) >= 0)):
            ends_at, mp_left, ap_left = cell, mp, ap
    put(s, f + CELL, ends_at)
    put(s, f + MP, mp_left)
    put(s, f + AP, ap_left)
    if s[MARKS] and mark_on(s, TRAP, ends_at) >= 0:
        spring_under(s, f)
        work_off(s, b)
        hand_on(s, b)
    return WALKED


@compiled
def walk_to(s: Any, b: Any, cell: int) -> int:
    """Lets the one whose turn it is walk to a cell that `reach` has just found, as `walk` does."""
    path_to(s, actor(s), cell)
    return walk(s, b)


@compiled
def end(s: Any, b: Any) -> None:
    """Lets the one whose turn it is hand the turn over."""
    start_action(s)
    end_turn(s, b)
