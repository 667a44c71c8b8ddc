"""The areas in which a spell's enemies or friends are to stand, and the cells around which they reach them.

Next hop: `botapp.search.core.generation`.
"""

from typing import Any

from botapp.fight.core.cells import add_cell, cell_beside, clear_set, join, ring_into, row_of, span, u_of
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    ACROSS,
    ACROSS_DIAGONAL,
    ACT,
    CELL,
    CIRCLE,
    CONE,
    CROSS,
    DIAGONAL,
    FIGHTERS,
    HALF_CIRCLE,
    HP,
    INNER,
    LINE,
    LINE_FROM_CASTER,
    LISTED,
    POINT,
    RING,
    SHAPE,
    SIZE,
    SPELL_ACTS,
    SQUARE,
    STAR,
    TEAM,
    ZONE_CELLS,
)
from botapp.fight.core.states import fighter_at
from botapp.search.core.work import AREA, AREAS, MOST_AREAS


@compiled
def areas_into(b: Any, spell: int, w: Any) -> int:
    """Writes a spell's distinct areas to `AREAS`, each as an effect and whether it helps; how many.

    What a glyph's payload does is done in the glyph's own area. Traps, jumps and summons have none.
    """
    acts = b[spell + SPELL_ACTS]
    at = acts + 1 + b[acts] * ACT
    count: int = min(b[at], MOST_AREAS)
    for word in range(count * AREA):
        w[AREAS + word] = b[at + 1 + word]
    return count


@compiled
def all_round(b: Any, w: Any, areas: int) -> bool:
    """Tells whether the areas are the same whichever way the caster looks."""
    for i in range(areas):
        shape = b[w[AREAS + i * AREA] + SHAPE]
        if shape in (LINE, ACROSS, CONE, HALF_CIRCLE):
            return False
        if shape in (LINE_FROM_CASTER, ACROSS_DIAGONAL):
            return False
    return True


@compiled
def around_into(s: Any, b: Any, m: int, effect: int, cell: int) -> None:
    """Makes the set at `m` cells around which an effect may cover a cell, whatever way it looks.

    Those that it covers for no way at all may be among them.
    """
    shape, size, inner = b[effect + SHAPE], b[effect + SIZE], b[effect + INNER]
    if shape == POINT:
        clear_set(s, m)
        add_cell(s, m, cell)
    elif shape in (CIRCLE, HALF_CIRCLE):
        ring_into(s, m, cell, inner, size, False, False)
    elif shape == RING:
        ring_into(s, m, cell, size, size, False, False)
    elif shape in (CROSS, LINE, ACROSS):
        ring_into(s, m, cell, inner, size, True, False)
    elif shape in (DIAGONAL, ACROSS_DIAGONAL):
        ring_into(s, m, cell, 2 * inner, 2 * size, False, True)
    elif shape in (SQUARE, CONE, STAR):
        _square_into(s, m, cell, size)
    elif shape == LISTED:
        clear_set(s, m)
        listed = b[effect + ZONE_CELLS]
        for entry in range(b[listed]):
            centre = cell_beside(cell, -b[listed + 1 + 2 * entry], -b[listed + 2 + 2 * entry])
            if centre >= 0:
                add_cell(s, m, centre)
    else:
        ring_into(s, m, cell, 0, 63, False, False)


@compiled
def _square_into(s: Any, m: int, cell: int, size: int) -> None:
    """Makes the set at `m` the cells at most `size` away both along x and along y."""
    clear_set(s, m)
    r, u = row_of(cell), u_of(cell)
    for row in range(max(0, r - 2 * size), min(39, r + 2 * size) + 1):
        wide = 2 * size - abs(row - r)
        s[m + row // 2] |= span(u - wide, u + wide, row % 2) << 14 * (row % 2)


@compiled
def covering_into(s: Any, b: Any, w: Any, areas: int, f: int, itself: bool, m: int, room: int) -> None:
    """Makes the set at `m` the cells around which an area reaches somebody it is meant for.

    Args:
        s: the state.
        b: the book.
        w: the work array with the spell's areas.
        areas: how many those are.
        f: the caster.
        itself: whether the caster counts among its side.
        m: the set to make.
        room: another set to work with.
    """
    clear_set(s, m)
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] <= 0 or (g == f and not itself):
            continue
        friend = s[g + TEAM] == s[f + TEAM]
        for i in range(areas):
            effect = w[AREAS + i * AREA]
            if (w[AREAS + i * AREA + 1] != 0) != friend:
                continue
            if b[effect + SHAPE] == POINT:
                add_cell(s, m, s[g + CELL])
            else:
                around_into(s, b, room, effect, s[g + CELL])
                join(s, m, s, room)
