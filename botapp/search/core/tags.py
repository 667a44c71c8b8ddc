"""Tags: whole numbers of 52 bits by which something worked out before is found again.

Two tags are the same only where what they are made of is the same, as far as 52 bits can tell.
Next hop: the modules beside this one.
"""

from typing import Any

from botapp.fight.core.compiler import compiled, interpreted_as
from botapp.fight.core.layout import (
    AP,
    CELL,
    COOLDOWNS,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HP,
    INVISIBLE,
    INVULNERABLE,
    MP,
    NUMBER,
    PLAYER,
    SPELLS,
    STAT_COUNT,
    STATES,
    STATS,
    TEAM,
)
from botapp.search.core.evaluation_layout import SIDE, STAT_TAGS, STRIKER_TAGS, TARGET_TAGS

_HALF = (1 << 26) - 1
_LANE = (1 << 31) - 1
_TAG = (1 << 52) - 1
_POSITIVE = (1 << 30).__add__
"""Python's hash of -1 is that of -2, so stats are made positive first."""


@interpreted_as(lambda tag, word: hash((tag, word)) & _TAG)
def mixed(tag: int, word: int) -> int:
    """Returns the tag of all that went into a tag and a word more."""
    low = (tag ^ word) & _HALF
    high = ((tag ^ word) >> 26) & _HALF
    high ^= (low * 0x6C8E9CF5 >> 17) & _HALF
    low ^= (high * 0x5851F42D >> 17) & _HALF
    high ^= (low * 0x4C957F2D >> 17) & _HALF
    return high << 26 | low


@interpreted_as(lambda s, f: hash(tuple(map(_POSITIVE, s[f + STATS : f + STATS + STAT_COUNT]))) & _TAG)
def stats_tag(s: Any, f: int) -> int:
    """Returns the tag of a fighter's sheet."""
    w, x, y, z = 1, 2, 3, 4
    for at in range(f + STATS, f + STATS + STAT_COUNT, 4):
        w = (w * 0x2C1B3C6D + s[at]) & _LANE
        x = (x * 0x297A2D39 + s[at + 1]) & _LANE
        y = (y * 0x1B56C4F5 + s[at + 2]) & _LANE
        z = (z * 0x3C6EF35F + s[at + 3]) & _LANE
    return mixed(mixed(w << 21 ^ x, y << 20), z)


@compiled
def resting(s: Any, b: Any, f: int, turns: int) -> int:
    """Returns the slots, as bits, of the fighter's spells that rest for more than so many turns."""
    bits = 0
    for slot in range(b[s[f + SPELLS]]):
        if s[f + COOLDOWNS + slot] > turns:
            bits |= 1 << slot
    return bits


@compiled
def is_in(s: Any, f: int, state: int) -> bool:
    """Tells whether a fighter is in one of the states 0 to 30."""
    return bool((s[f + STATES] >> state) & 1)


@compiled
def target_tag(s: Any, e: Any, f: int) -> int:
    """Returns the tag of what matters to the blows that somebody suffers; its sheet's tag is known."""
    shelters = is_in(s, f, INVULNERABLE) + 2 * is_in(s, f, INVISIBLE)
    who = s[f + CELL] << 3 | shelters << 1 | (s[f + PLAYER] != 0)
    return mixed(int(e[STAT_TAGS + s[f + NUMBER]]), who)


@compiled
def striker_tag(s: Any, b: Any, e: Any, f: int) -> int:
    """Returns the tag of what matters to the blows that somebody may strike; its sheet's tag is known."""
    means = s[f + CELL] << 20 | s[f + AP] << 10 | s[f + MP]
    tag = mixed(int(e[STAT_TAGS + s[f + NUMBER]]), s[f + SPELLS])
    return mixed(mixed(tag, means), resting(s, b, f, 0))


@compiled
def tag_fighters(s: Any, b: Any, e: Any) -> None:
    """Writes down the tags of the living: of sheets and targets, and of the enemies as strikers."""
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if s[f + HP] > 0:
            e[STAT_TAGS + number] = stats_tag(s, f)
            e[TARGET_TAGS + number] = target_tag(s, e, f)
            if s[f + TEAM] != e[SIDE]:
                e[STRIKER_TAGS + number] = striker_tag(s, b, e, f)
