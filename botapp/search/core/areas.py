"""The areas in which a spell's enemies or friends are to stand, and the cells around which they reach
them."""

from botapp.fight.core import kinds
from botapp.fight.core.cells import add_cell, cell_beside, clear_set, join, ring_into, row_of, span, u_of
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import CellSet, Fight, Fighter
from botapp.fight.core.spellbook import Book, Effect, Spell, area_count, effect_at, nth_area
from botapp.search.core.work import MOST_AREAS, Work


@compiled
def areas_into(book: Book, spell: Spell, work: Work) -> int:
    """Writes a spell's distinct areas to `work.areas`; returns how many.

    What a glyph's payload does is done in the glyph's own area. Traps, jumps and summons have none.
    """
    count = min(area_count(book, spell.acts), MOST_AREAS)
    for index in range(count):
        area = nth_area(book, spell.acts, index)
        work.areas[index].effect, work.areas[index].helps = area.effect, area.helps
    return count


@compiled
def all_round(book: Book, work: Work, areas: int) -> bool:
    """Tells whether the areas are the same whichever way the caster looks."""
    for i in range(areas):
        shape = effect_at(book, work.areas[i].effect).shape
        if shape in (kinds.LINE, kinds.T, kinds.CONE, kinds.HALF_CIRCLE):
            return False
        if shape in (kinds.LINE_FROM_CASTER, kinds.ACROSS_DIAGONAL):
            return False
    return True


@compiled
def around_into(book: Book, cells: CellSet, effect: Effect, cell: int) -> None:
    """Makes a set cells around which an effect may cover a cell, in whichever direction it points.

    Those that it covers for no way at all may be among them.
    """
    shape, size, inner = effect.shape, effect.radius, effect.inner
    if shape == kinds.POINT:
        clear_set(cells)
        add_cell(cells, cell)
    elif shape == kinds.CIRCLE:
        ring_into(cells, cell, inner, size, False, False)
    elif shape == kinds.RING:
        ring_into(cells, cell, size, size, False, False)
    elif shape in (kinds.CROSS, kinds.LINE, kinds.T):
        ring_into(cells, cell, inner, size, True, False)
    elif shape in (kinds.DIAGONAL, kinds.ACROSS_DIAGONAL, kinds.HALF_CIRCLE):
        ring_into(cells, cell, 2 * inner, 2 * size, False, True)
    elif shape in (kinds.SQUARE, kinds.CONE, kinds.STAR):
        _square_into(cells, cell, size)
    elif shape == kinds.LISTED:
        clear_set(cells)
        listed = effect.cells
        for entry in range(book.all[listed]):
            centre = cell_beside(cell, -book.all[listed + 1 + 2 * entry], -book.all[listed + 2 + 2 * entry])
            if centre >= 0:
                add_cell(cells, centre)
    else:
        ring_into(cells, cell, 0, 63, False, False)


@compiled
def _square_into(cells: CellSet, cell: int, size: int) -> None:
    """Makes a set the cells at most `size` away both along x and along y."""
    clear_set(cells)
    r, u = row_of(cell), u_of(cell)
    for row in range(max(0, r - 2 * size), min(39, r + 2 * size) + 1):
        wide = 2 * size - abs(row - r)
        cells.bits[row // 2] |= span(u - wide, u + wide, row % 2) << (14 * (row % 2))


@compiled
def covering_into(
    fight: Fight,
    book: Book,
    work: Work,
    areas: int,
    fighter: Fighter,
    itself: bool,
    cells: CellSet,
    room: CellSet,
) -> None:
    """Makes a set the cells around which an area reaches a fighter it is meant for.

    Args:
        fight: the state.
        book: the book.
        work: room with the spell's areas.
        areas: how many those are.
        fighter: the caster.
        itself: whether the caster counts among its side.
        cells: the set to make.
        room: another set to work with.
    """
    clear_set(cells)
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp <= 0 or (other.number == fighter.number and not itself):
            continue
        friend = other.team == fighter.team
        for i in range(areas):
            area = work.areas[i]
            if (area.helps != 0) != friend:
                continue
            effect = effect_at(book, area.effect)
            if effect.shape == kinds.POINT:
                add_cell(cells, other.cell)
            else:
                around_into(book, room, effect, other.cell)
                join(cells, room)
