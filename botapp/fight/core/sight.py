"""Line of sight: what is seen from a cell past the map's walls, and past the fighters in the way.

A walk between two cell centres tests the cells whose inside it crosses; through a corner it tests neither
cell beside it. With (u, r) the way to the target and (v, q) that to a cell within its bounds, the inside is
crossed where |q u - v r| < max(|u|, |r|), all in whole numbers, so that sight is symmetric.
What walls hide is worked out once for each cell of a map and kept in the book.
"""

from botapp.fight.core.cells import (
    cell_at,
    copy_set,
    has_cell,
    keep_common,
    lowest_bit,
    ring_into,
    row_of,
    sign,
    u_of,
    x_between,
    y_between,
)
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import SET, CellSet, Fight, Fighter
from botapp.fight.core.kinds import INVISIBLE
from botapp.fight.core.spellbook import Book


@compiled
def on_the_way(u: int, r: int, v: int, q: int) -> bool:
    """Tells whether the walk to (u, r) tests the cell at (v, q), both from the origin; ends are not."""
    if (v == 0 and q == 0) or (v == u and q == r):
        return False
    crossing = q * u - v * r
    if crossing < 0:
        crossing = -crossing
    if crossing >= max(abs(u), abs(r)):
        return False
    x, y, at_x, at_y = u + r, u - r, v + q, v - q
    return (0 <= at_x <= x or x <= at_x <= 0) and (0 <= at_y <= y or y <= at_y <= 0)


@compiled
def _open_between(book: Book, origin: int, target: int) -> bool:
    """Tells whether all cells tested between two cells let sight through."""
    dx, dy = x_between(origin, target), y_between(origin, target)
    step_x, step_y = sign(dx), sign(dy)
    right, down = abs(dx), abs(dy)
    row, u = row_of(origin), u_of(origin)
    x, y = 0, 0
    crossed_x, crossed_y = 1, 1
    while True:
        next_x, next_y = crossed_x * down, crossed_y * right
        if next_x <= next_y:
            x += 1
            crossed_x += 2
            row += step_x
            u += step_x
        if next_y <= next_x:
            y += 1
            crossed_y += 2
            row -= step_y
            u += step_y
        if x == right and y == down:
            return True
        if not has_cell(book.sight, cell_at(row, u)):
            return False


@compiled
def seen_from(book: Book, origin: int) -> CellSet:
    """Returns the cells that are seen from a cell, itself among them, with no fighter in the way."""
    seen = book.seen[origin]
    if book.seen_known[origin] == 0:
        for word in range(SET):  # each written once: several threads may do so at the same time
            bits = 0
            for place in range(28):
                target = 28 * word + place
                if target == origin or (has_cell(book.sight, target) and _open_between(book, origin, target)):
                    bits |= 1 << place
            seen.bits[word] = bits
        book.seen_known[origin] = 1
    return seen


@compiled
def sees(fight: Fight, book: Book, origin: int, target: int, without: int) -> bool:
    """Tells whether a cell sees another, past visible fighters; number `without` is not in the way."""
    if origin == target:
        return True
    if not has_cell(seen_from(book, origin), target):
        return False
    row, u = row_of(origin), u_of(origin)
    to_row, to_u = row_of(target) - row, u_of(target) - u
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0 and number != without and not (fighter.states >> INVISIBLE) & 1:
            if on_the_way(to_u, to_row, u_of(fighter.cell) - u, row_of(fighter.cell) - row):
                return False
    return True


@compiled
def view_from_into(fight: Fight, book: Book, origin: int, without: int, far: int, cells: CellSet) -> None:
    """Makes a set the cells at most `far` away that are seen from a cell, fighters in the way.

    A fighter that is invisible, stands on the cell itself or has the number `without` hides nothing.
    """
    if far < 40:
        ring_into(cells, origin, 0, far, False, False)
    else:
        copy_set(cells, seen_from(book, origin))
    keep_seen(fight, book, origin, without, far, cells)


@compiled
def keep_seen(fight: Fight, book: Book, origin: int, without: int, far: int, cells: CellSet) -> None:
    """Takes out of a set, of cells at most `far` away, what `view_from_into` does not see."""
    keep_common(cells, seen_from(book, origin))
    row, u = row_of(origin), u_of(origin)
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp <= 0 or number == without or (fighter.states >> INVISIBLE) & 1:
            continue
        down, across = row_of(fighter.cell) - row, u_of(fighter.cell) - u
        if (down == 0 and across == 0) or abs(down) >= far or abs(across) >= far:
            continue
        _hide_behind(cells, row, u, down, across, far)


@compiled
def _hide_behind(cells: CellSet, row: int, u: int, down: int, across: int, far: int) -> None:
    """Takes out of a set what a fighter (across, down) of the looking cell hides from it."""
    first, last = 0, 39
    if down > 0:
        first = row + down
    elif down < 0:
        last = row + down
    first, last = max(first, row - far, 0), min(last, row + far, 39)
    for word in range(first // 2, last // 2 + 1):
        bits = cells.bits[word]
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            odd = 1 if place >= 14 else 0
            to_row = 2 * word + odd - row
            to_u = 2 * (place - 14 * odd) + odd - u
            if on_the_way(to_u, to_row, across, down):
                cells.bits[word] &= ~(1 << place)


@compiled
def view_into(fight: Fight, book: Book, fighter: Fighter, far: int, cells: CellSet) -> None:
    """Makes a set the cells at most `far` away that a fighter sees, others being in the way."""
    view_from_into(fight, book, fighter.cell, fighter.number, far, cells)
