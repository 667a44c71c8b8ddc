"""The cells that an effect covers around the cell it is aimed at, with the steps that its fall-off counts.

A line, a T, a cone, a half circle and a line from the caster look away from the caster, along the axis on
which target and caster are further apart. Steps count along the grid; in a square along its longer side, on
diagonals from cell to cell, in a cone ahead.
"""

from botapp.fight.core.cells import add_cell, clear_set, distance, ring_into, sign, x_between, y_between
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import CellSet
from botapp.fight.core.kinds import (
    ACROSS,
    ACROSS_DIAGONAL,
    CIRCLE,
    CONE,
    CROSS,
    DIAGONAL,
    EVERYWHERE,
    HALF_CIRCLE,
    LINE,
    LINE_FROM_CASTER,
    LINE_TO_TARGET,
    LISTED,
    POINT,
    RING,
    SQUARE,
    STAR,
)
from botapp.fight.core.spellbook import Book, Effect

OUTSIDE = -1


@compiled
def in_shape(shape: int, size: int, inner: int, origin: int, centre: int, cell: int) -> int:
    """Returns the steps that a cell's fall-off counts, `OUTSIDE` where the shape does not cover the cell.

    They count from the shape's innermost cells: a ring does not fall off. Source: `GetAoeMalus` of the
    client's own calculator, as in design/RULES.md, "Areas".

    Args:
        shape: one of the shapes, listed cells left out.
        size: how far it goes, in cells.
        inner: cells nearer to the centre than that are left out.
        origin: where the caster stands.
        centre: the cell aimed at.
        cell: the cell asked for.
    """
    steps = _from_centre(shape, size, inner, origin, centre, cell)
    return steps if steps < 0 else max(0, steps - (size if shape == RING else inner))


@compiled
def _from_centre(shape: int, size: int, inner: int, origin: int, centre: int, cell: int) -> int:
    """Returns the steps of a cell from the centre of a shape, `OUTSIDE` where the shape does not cover it."""
    if shape == POINT:
        return 0 if cell == centre else OUTSIDE
    if shape == EVERYWHERE:
        return 0
    far = distance(centre, cell)
    if shape == CIRCLE:
        return far if inner <= far <= size else OUTSIDE
    if shape == RING:
        return far if far == size else OUTSIDE
    dx, dy = x_between(centre, cell), y_between(centre, cell)
    along_x, along_y = abs(dx), abs(dy)
    larger = max(along_x, along_y)
    if shape == CROSS:
        return far if (dx == 0 or dy == 0) and inner <= far <= size else OUTSIDE
    if shape == SQUARE:
        return larger if inner <= larger <= size else OUTSIDE
    if shape == DIAGONAL:
        return larger if along_x == along_y and inner <= larger <= size else OUTSIDE
    if shape == STAR:
        straight = dx == 0 or dy == 0 or along_x == along_y
        return far if straight and inner <= larger <= size else OUTSIDE
    way_x, way_y = x_between(origin, centre), y_between(origin, centre)
    if shape == ACROSS_DIAGONAL:
        if abs(way_x) == abs(way_y) and dx * way_x + dy * way_y != 0:
            return OUTSIDE
        return larger if along_x == along_y and inner <= larger <= size else OUTSIDE
    if abs(way_x) >= abs(way_y):
        way_x, way_y = sign(way_x), 0
    else:
        way_x, way_y = 0, sign(way_y)
    if shape == LINE_FROM_CASTER or shape == LINE_TO_TARGET:
        ahead, aside = _turned(way_x, way_y, x_between(origin, cell), y_between(origin, cell))
        last = min(size, distance(origin, centre)) if shape == LINE_TO_TARGET else size
        return far if aside == 0 and max(1, inner) <= ahead <= last else OUTSIDE
    if cell == centre:
        return 0 if inner == 0 else OUTSIDE
    if way_x == 0 and way_y == 0:
        return OUTSIDE
    ahead, aside = _turned(way_x, way_y, dx, dy)
    beside = abs(aside)
    if shape == LINE:
        return ahead if aside == 0 and max(1, inner) <= ahead <= size else OUTSIDE
    if shape == ACROSS:
        return beside if ahead == 0 and inner <= beside <= size else OUTSIDE
    if shape == CONE:
        return ahead if max(1, inner) <= ahead <= size and beside <= ahead else OUTSIDE
    if shape == HALF_CIRCLE:
        return beside if -ahead == beside and inner <= beside <= size else OUTSIDE
    return OUTSIDE


@compiled
def _turned(way_x: int, way_y: int, dx: int, dy: int) -> tuple[int, int]:
    """Returns how far (dx, dy) lies ahead along a way, and how far to its side."""
    return dx * way_x + dy * way_y, dx * way_y + dy * way_x


@compiled
def steps_in(book: Book, effect: Effect, origin: int, centre: int, cell: int) -> int:
    """Returns the steps of a cell in an effect's area, `OUTSIDE` where it is not in it; see `in_shape`."""
    if effect.shape == LISTED:
        listed = effect.cells
        dx, dy = x_between(centre, cell), y_between(centre, cell)
        for entry in range(book.all[listed]):
            if book.all[listed + 1 + 2 * entry] == dx and book.all[listed + 2 + 2 * entry] == dy:
                return 0
        return OUTSIDE
    return in_shape(effect.shape, effect.radius, effect.inner, origin, centre, cell)


@compiled
def zone_into(book: Book, effect: Effect, origin: int, centre: int, cells: CellSet) -> None:
    """Makes a set the cells of an effect's area."""
    shape, radius, inner = effect.shape, effect.radius, effect.inner
    if shape == CIRCLE or shape == CROSS or shape == RING:
        ring_into(cells, centre, radius if shape == RING else inner, radius, shape == CROSS, False)
        return
    clear_set(cells)
    if shape == POINT:
        add_cell(cells, centre)
        return
    for cell in range(560):
        if steps_in(book, effect, origin, centre, cell) >= 0:
            add_cell(cells, cell)
