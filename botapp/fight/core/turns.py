"""The turns of a fight: how one ends and how the next one begins.

A turn ends with what waits for that, then with AP and MP filled up and casts forgotten. The next one begins
with the end of its fighter's shield; then what it has given to others and laid on the ground gets a turn
older; then the glyphs act in which it stands. Next hop: `botapp.fight.core.actions`.
"""

from typing import Any

from botapp.fight.core.buffs import full_ap, full_mp, grow_older
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import cast_mix, put, toggle
from botapp.fight.core.layout import (
    AP,
    BUFFS,
    CAST,
    CAST_BY,
    CAST_LIST,
    CASTS,
    COOLDOWNS,
    CURRENT,
    FIGHTERS,
    HP,
    MARKS,
    MORE_STATES,
    MP,
    NOBODY,
    NUMBER,
    ON_TURN_BEGIN,
    ON_TURN_END,
    ORDERED,
    SHIELD,
    SPELLS,
    STATES,
    TURN,
)
from botapp.fight.core.marks import age_marks
from botapp.fight.core.resolving import begin_in_glyphs, ripen, trigger, work_off
from botapp.fight.core.states import actor, fighter_at, winner
from botapp.fight.core.triggers import miss_states


@compiled
def forget_casts(s: Any, f: int) -> None:
    """Takes a fighter's casts of this turn off the list."""
    kept = 0
    for index in range(s[CASTS]):
        toggle(s, cast_mix(s, index))
    for index in range(s[CASTS]):
        cast = CAST_LIST + index * CAST
        if s[cast + CAST_BY] != s[f + NUMBER]:
            for word in range(CAST):
                s[CAST_LIST + kept * CAST + word] = s[cast + word]
            kept += 1
    s[CASTS] = kept
    for index in range(kept):
        toggle(s, cast_mix(s, index))


@compiled
def end_turn(s: Any, b: Any) -> None:
    """Ends the current turn and begins the next one."""
    f = actor(s)
    if s[BUFFS]:
        trigger(s, b, f, ON_TURN_END)
    for slot in range(f + COOLDOWNS, f + COOLDOWNS + b[s[f + SPELLS]]):
        if s[slot] > 0:
            put(s, slot, s[slot] - 1)
    put(s, f + AP, full_ap(s, f))
    put(s, f + MP, full_mp(s, f))
    if s[CASTS]:
        forget_casts(s, f)
    pass_on(s, b)


@compiled
def pass_on(s: Any, b: Any) -> None:
    """Begins the turn of the next fighter alive, until one survives its beginning or the fight is over."""
    while True:
        if s[CURRENT] + 1 == s[ORDERED]:
            put(s, CURRENT, 0)
            put(s, TURN, s[TURN] + 1)
        else:
            put(s, CURRENT, s[CURRENT] + 1)
        f = actor(s)
        if s[f + HP] > 0:
            begin(s, b, f)
            if s[f + HP] > 0 or winner(s) != NOBODY:
                return


@compiled
def begin(s: Any, b: Any, f: int) -> None:
    """Begins a fighter's turn."""
    if s[f + SHIELD]:
        put(s, f + SHIELD, 0)
    if s[BUFFS]:
        for number in range(s[FIGHTERS]):
            other = fighter_at(number)
            if s[other + HP] > 0:
                states, more = s[other + STATES], s[other + MORE_STATES]
                grow_older(s, other, s[f + NUMBER])
                miss_states(s, b, other, states, more)
                work_off(s, b)
                ripen(s, b, other)
        trigger(s, b, f, ON_TURN_BEGIN)
    if s[MARKS]:
        age_marks(s, s[f + NUMBER])
        begin_in_glyphs(s, b, f)


@compiled
def hand_on(s: Any, b: Any) -> None:
    """Begins the next turn where the one whose turn it is has died."""
    if s[actor(s) + HP] <= 0 and winner(s) == NOBODY:
        pass_on(s, b)
