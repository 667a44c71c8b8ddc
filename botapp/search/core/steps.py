"""Where a fighter likes to stand when there is nothing better to do than to walk.

Next hop: `botapp.search.core.policy`.
"""

from typing import Any

from botapp.fight.core.casting import max_range
from botapp.fight.core.cells import add_cell, clear_set, distance, lowest_bit, spread_once
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    BASE_MP,
    CELL,
    FIGHTERS,
    HP,
    MP,
    REACH_CELLS,
    REACH_COUNT,
    REACH_MP,
    SET,
    SETS,
    SPELL_USE,
    SPELLS,
    TEAM,
    USE_HURTS,
    WALKABLE,
)
from botapp.fight.core.states import fighter_at
from botapp.search.core.styles import DISTANCE_WANTED, FLEES
from botapp.search.core.work import FOUND, KEYS

UNREACHED = 560
"""A walking distance longer than any way on the board."""

_NO_BLOW = 6
_NEAR = SETS + 22 * SET
_ASKED = SETS + 23 * SET


@compiled
def blow_range(s: Any, b: Any, w: Any, f: int) -> int:
    """Returns how far the middle one of the fighter's blows goes, in cells; 6 where it has none."""
    spells = s[f + SPELLS]
    count = 0
    for slot in range(b[spells]):
        spell = b[spells + 1 + slot]
        if b[spell + SPELL_USE] & USE_HURTS:
            far = max_range(s, b, f, spell)
            place = count
            while place and w[FOUND + place - 1] > far:
                w[FOUND + place] = w[FOUND + place - 1]
                place -= 1
            w[FOUND + place] = far
            count += 1
    return w[FOUND + count // 2] if count else _NO_BLOW


@compiled
def distance_wanted(s: Any, b: Any, w: Any, styles: Any, style: int, f: int) -> int:
    """Returns how far from its enemies a fighter likes to stand, in steps: 1 for close combat."""
    wanted = int(styles[style + DISTANCE_WANTED])
    return blow_range(s, b, w, f) if wanted < 0 else wanted


@compiled
def nearest_foe(s: Any, f: int, cell: int) -> int:
    """Returns how far a fighter's nearest living enemy is from a cell, `UNREACHED` for none."""
    nearest = UNREACHED
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] > 0 and s[g + TEAM] != s[f + TEAM]:
            nearest = min(nearest, distance(cell, s[g + CELL]))
    return nearest


@compiled
def step(s: Any, b: Any, w: Any, styles: Any, style: int, f: int) -> int:
    """Returns the cell in reach where the fighter likes to stand, -1 where it stands no better elsewhere.

    `reach` has been asked for. Sets 22 and 23 are overwritten.
    """
    ways = s[REACH_COUNT]
    if not ways or nearest_foe(s, f, 0) == UNREACHED:
        return -1
    wanted = distance_wanted(s, b, w, styles, style, f)
    flees = styles[style + FLEES] != 0.0
    if flees:
        wanted += s[f + BASE_MP]
    keeps_off = flees or (wanted > 1 and _threatened(s, b, w, f))
    _measure(s, b, w, f)
    here = s[f + CELL]
    best, least, kept = -1, _discomfort(w, here, wanted, keeps_off), 0
    for i in range(ways):
        cell = s[REACH_CELLS + i]
        discomfort, mp = _discomfort(w, cell, wanted, keeps_off), s[REACH_MP + cell]
        if discomfort > least or (discomfort == least and best < 0):
            continue
        if discomfort < least or mp > kept or (mp == kept and cell < best):
            best, least, kept = cell, discomfort, mp
    return best


@compiled
def _discomfort(w: Any, cell: int, wanted: int, keeps_off: bool) -> int:
    """Returns how badly a cell suits somebody, in steps too near or, where it keeps off or not, too far."""
    steps = w[KEYS + cell] - wanted
    if steps < 0:
        return -steps if keeps_off else 0
    return int(steps)


@compiled
def _measure(s: Any, b: Any, w: Any, f: int) -> None:
    """Writes to `KEYS` how many steps the cells in reach, and the fighter's own, are from its enemies."""
    clear_set(s, _NEAR)
    clear_set(s, _ASKED)
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] > 0 and s[g + TEAM] != s[f + TEAM]:
            add_cell(s, _NEAR, s[g + CELL])
    asked = s[REACH_COUNT] + 1
    for i in range(asked):
        cell = s[f + CELL] if i == asked - 1 else s[REACH_CELLS + i]
        add_cell(s, _ASKED, cell)
        w[KEYS + cell] = UNREACHED
    steps = 0
    while asked and spread_once(s, _NEAR, b, WALKABLE):
        steps += 1
        for word in range(SET):
            bits = s[_NEAR + word] & s[_ASKED + word]
            s[_ASKED + word] &= ~bits
            while bits:
                w[KEYS + word * 28 + lowest_bit(bits)] = steps
                bits &= bits - 1
                asked -= 1


@compiled
def _threatened(s: Any, b: Any, w: Any, f: int) -> bool:
    """Tells whether an enemy stands close enough to strike the fighter within a turn."""
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] <= 0 or s[g + TEAM] == s[f + TEAM]:
            continue
        if distance(s[g + CELL], s[f + CELL]) <= s[g + MP] + blow_range(s, b, w, g):
            return True
    return False
