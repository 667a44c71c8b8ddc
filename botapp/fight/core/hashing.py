"""A number for what may change in a state, kept up to date with every write: equal states have equal numbers.

Each word that counts adds the mix of its place and its value by exclusive or (A. Zobrist, 1970); a word of 0
adds nothing. Casts of a turn add a number each that does not depend on their order.
Next hop: `botapp.search.core.tree` tells by it which turns lead to the same state.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AP,
    BUFF,
    BUFF_LIST,
    BUFFS,
    CAST,
    CAST_AT,
    CAST_BY,
    CAST_LIST,
    CAST_SPELL,
    CASTS,
    CELL,
    COOLDOWNS,
    CURRENT,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HASH_A,
    HASH_B,
    HP,
    MARK,
    MARK_LIST,
    MARKS,
    MAX_HP,
    MOST_SPELLS,
    MP,
    SHIELD,
    TURN,
)

_31_BITS = (1 << 31) - 1
_32_BITS = (1 << 32) - 1
_CASTS_FROM = 1 << 20


@compiled
def mix(place: int, value: int) -> int:
    """Returns 62 bits that a word adds to the hash: multiplied and folded twice, within 64 bits."""
    if value == 0:
        return 0
    mixed = place * 0x7FEB352D + (value & _32_BITS) * 0x2C1B3C6D
    mixed ^= mixed >> 31
    mixed = (mixed & _32_BITS) * 0x297A2D39
    mixed ^= mixed >> 32
    return mixed


@compiled
def toggle(s: Any, mixed: int) -> None:
    """Adds a mixed number to the state's hash, or takes it out again."""
    s[HASH_A] ^= mixed & _31_BITS
    s[HASH_B] ^= (mixed >> 31) & _31_BITS


@compiled
def put(s: Any, place: int, value: int) -> None:
    """Writes a word that counts for the hash."""
    before = s[place]
    if before != value:
        toggle(s, mix(place, before) ^ mix(place, value))
        s[place] = value


@compiled
def cast_mix(s: Any, index: int) -> int:
    """Returns what a cast of this turn adds: the same in whatever order the casts were made."""
    at = CAST_LIST + index * CAST
    nth = 1
    for other in range(CAST_LIST, at, CAST):
        if (
            s[other + CAST_BY] == s[at + CAST_BY]
            and s[other + CAST_SPELL] == s[at + CAST_SPELL]
            and s[other + CAST_AT] == s[at + CAST_AT]
        ):
            nth += 1
    code = (s[at + CAST_BY] * 64 + s[at + CAST_SPELL]) * 128 + s[at + CAST_AT] + 1
    return mix(_CASTS_FROM + code, nth)


@compiled
def rehash(s: Any) -> None:
    """Works the hash out anew."""
    s[HASH_A] = 0
    s[HASH_B] = 0
    toggle(s, mix(TURN, s[TURN]) ^ mix(CURRENT, s[CURRENT]))
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        toggle(s, mix(f + CELL, s[f + CELL]) ^ mix(f + HP, s[f + HP]) ^ mix(f + MAX_HP, s[f + MAX_HP]))
        toggle(s, mix(f + AP, s[f + AP]) ^ mix(f + MP, s[f + MP]) ^ mix(f + SHIELD, s[f + SHIELD]))
        for slot in range(f + COOLDOWNS, f + COOLDOWNS + MOST_SPELLS):
            toggle(s, mix(slot, s[slot]))
    for word in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF):
        toggle(s, mix(word, s[word]))
    for word in range(MARK_LIST, MARK_LIST + s[MARKS] * MARK):
        toggle(s, mix(word, s[word]))
    for index in range(s[CASTS]):
        toggle(s, cast_mix(s, index))
