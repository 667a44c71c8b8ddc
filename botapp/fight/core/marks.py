"""Glyphs and traps on the ground: how they are laid, grow older, go, and who sees them.

Next hop: `botapp.fight.core.effects` lets them act.
"""

from typing import Any

from botapp.fight.core.cells import has_cell, keep_common
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import mix, put, toggle
from botapp.fight.core.layout import (
    EFFECT_KIND,
    EFFECT_NAME,
    EFFECT_TURNS,
    FAULT,
    FULL_MARKS,
    GLYPH,
    LAY_GLYPH,
    MARK,
    MARK_BY,
    MARK_CELL,
    MARK_CELLS,
    MARK_KIND,
    MARK_LIST,
    MARK_NAME,
    MARK_PAYLOAD,
    MARK_TURNS,
    MARKS,
    MOST_MARKS,
    NUMBER,
    PAYLOAD,
    TEAM,
    TRAP,
    WALKABLE,
)
from botapp.fight.core.states import fighter_at
from botapp.fight.core.zones import zone_into


@compiled
def lay(s: Any, b: Any, effect: int, owner: int, origin: int, centre: int) -> None:
    """Lays a glyph or a trap around a cell, as far as the map can be walked on."""
    if s[MARKS] >= MOST_MARKS:
        s[FAULT] = FULL_MARKS
        return
    mark = MARK_LIST + s[MARKS] * MARK
    s[MARKS] += 1
    for word in range(mark, mark + MARK):
        s[word] = 0
    s[mark + MARK_KIND] = GLYPH if b[effect + EFFECT_KIND] == LAY_GLYPH else TRAP
    s[mark + MARK_BY] = s[owner + NUMBER]
    s[mark + MARK_CELL] = centre
    s[mark + MARK_TURNS] = b[effect + EFFECT_TURNS]
    s[mark + MARK_PAYLOAD] = b[effect + PAYLOAD]
    s[mark + MARK_NAME] = b[effect + EFFECT_NAME]
    zone_into(s, b, effect, origin, centre, mark + MARK_CELLS)
    keep_common(s, mark + MARK_CELLS, b, WALKABLE)
    for word in range(mark, mark + MARK):
        toggle(s, mix(word, s[word]))


@compiled
def remove_mark(s: Any, index: int) -> None:
    """Takes a mark off the ground."""
    last = s[MARKS] - 1
    for later in range(index, last):
        at = MARK_LIST + later * MARK
        for word in range(at, at + MARK):
            put(s, word, s[word + MARK])
    for word in range(MARK_LIST + last * MARK, MARK_LIST + (last + 1) * MARK):
        put(s, word, 0)
    s[MARKS] = last


@compiled
def remove_marks_of(s: Any, owner: int) -> None:
    """Takes all marks of fighter number `owner` off the ground."""
    index = 0
    while index < s[MARKS]:
        if s[MARK_LIST + index * MARK + MARK_BY] == owner:
            remove_mark(s, index)
        else:
            index += 1


@compiled
def age_marks(s: Any, owner: int) -> None:
    """Makes the marks of fighter number `owner` a turn older as its turn begins; the oldest end."""
    index = 0
    while index < s[MARKS]:
        mark = MARK_LIST + index * MARK
        if s[mark + MARK_BY] == owner and s[mark + MARK_TURNS] == 1:
            remove_mark(s, index)
        else:
            if s[mark + MARK_BY] == owner and s[mark + MARK_TURNS] > 1:
                put(s, mark + MARK_TURNS, s[mark + MARK_TURNS] - 1)
            index += 1


@compiled
def knows_trap(s: Any, team: int, cell: int) -> bool:
    """Tells whether one of a team's own traps covers a cell."""
    for mark in range(MARK_LIST, MARK_LIST + s[MARKS] * MARK, MARK):
        if (
            s[mark + MARK_KIND] == TRAP
            and s[fighter_at(s[mark + MARK_BY]) + TEAM] == team
            and has_cell(s, mark + MARK_CELLS, cell)
        ):
            return True
    return False
