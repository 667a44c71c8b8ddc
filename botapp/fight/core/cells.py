"""Cells by row and place, the ways between them, and sets of cells.

`u` counts half cells along a row, so that with the row r the fight's own coordinates are x = (u + r) / 2 and
y = (u - r) / 2, and the distance |dx| + |dy| of two cells is the larger of |du| and |dr|. Halves are taken by
shifts: the compiler makes one instruction of those, and several of `//`.
"""

from botapp.fight.core.compiler import compiled, interpreted_as
from botapp.fight.core.fight import SET, CellSet
from botapp.fight.core.records import Words

OFF_BOARD = -1
_EVEN_ROW = (1 << 14) - 1


@compiled
def row_of(cell: int) -> int:
    """Returns the row of a cell, 0..39."""
    return cell // 14


@compiled
def u_of(cell: int) -> int:
    """Returns how many half cells a cell's centre lies right of the first one's, 0..27."""
    return 2 * (cell % 14) + (cell // 14 & 1)


@compiled
def cell_at(row: int, u: int) -> int:
    """Returns the cell of a row at `u`, `OFF_BOARD` where there is none; `u` and row are both odd or even."""
    if row < 0 or row > 39 or u < 0 or u > 27:
        return OFF_BOARD
    return row * 14 + (u >> 1)


@compiled
def cell_beside(cell: int, dx: int, dy: int) -> int:
    """Returns the cell (dx, dy) away in the fight's coordinates, `OFF_BOARD` where there is none."""
    return cell_at(row_of(cell) + dx - dy, u_of(cell) + dx + dy)


@compiled
def distance(a: int, b: int) -> int:
    """Returns |dx| + |dy| between two cells."""
    row, other = a // 14, b // 14
    across = abs(2 * (a % 14 - b % 14) + (row & 1) - (other & 1))
    down = abs(row - other)
    return across if across > down else down


@compiled
def x_between(a: int, b: int) -> int:
    """Returns dx from cell a to cell b."""
    return (u_of(b) - u_of(a) + row_of(b) - row_of(a)) >> 1


@compiled
def y_between(a: int, b: int) -> int:
    """Returns dy from cell a to cell b."""
    return (u_of(b) - u_of(a) - row_of(b) + row_of(a)) >> 1


@compiled
def sign(number: int) -> int:
    """Returns -1, 0 or 1."""
    return (number > 0) - (number < 0)


@compiled
def clear_set(cells: CellSet) -> None:
    """Empties a set of cells."""
    for word in range(SET):
        cells.bits[word] = 0


@compiled
def copy_set(cells: CellSet, others: CellSet) -> None:
    """Makes a set of cells another one."""
    for word in range(SET):
        cells.bits[word] = others.bits[word]


@compiled
def keep_common(cells: CellSet, others: CellSet) -> None:
    """Takes out of a set of cells what is not in another one."""
    for word in range(SET):
        cells.bits[word] &= others.bits[word]


@compiled
def take_out(cells: CellSet, others: CellSet) -> None:
    """Takes out of a set of cells what is in another one."""
    for word in range(SET):
        cells.bits[word] &= ~others.bits[word]


@compiled
def join(cells: CellSet, others: CellSet) -> None:
    """Adds to a set of cells what is in another one."""
    for word in range(SET):
        cells.bits[word] |= others.bits[word]


@compiled
def add_cell(cells: CellSet, cell: int) -> None:
    """Adds a cell to a set."""
    cells.bits[cell // 28] |= 1 << cell % 28


@compiled
def drop_cell(cells: CellSet, cell: int) -> None:
    """Takes a cell out of a set."""
    cells.bits[cell // 28] &= ~(1 << cell % 28)


@compiled
def has_cell(cells: CellSet, cell: int) -> bool:
    """Tells whether a cell is in a set."""
    return (cells.bits[cell // 28] >> cell % 28) & 1 != 0


@interpreted_as(int.bit_count)
def bits_in(word: int) -> int:
    """Returns how many of a word's 28 bits are set."""
    word = word - ((word >> 1) & 0x5555555)
    word = (word & 0x3333333) + ((word >> 2) & 0x3333333)
    word = (word + (word >> 4)) & 0xF0F0F0F
    return (word + (word >> 8) + (word >> 16) + (word >> 24)) & 0xFF


@interpreted_as(lambda word: (word & -word).bit_length() - 1)
def lowest_bit(word: int) -> int:
    """Returns the place of the lowest bit set in a word that is not 0."""
    return bits_in((word & -word) - 1)


@compiled
def count_cells(cells: CellSet) -> int:
    """Returns how many cells are in a set."""
    count = 0
    for word in range(SET):
        count += bits_in(cells.bits[word])
    return count


@compiled
def cells_into(cells: CellSet, to: Words, at: int) -> int:
    """Writes the cells of a set into `to` from `at` on, in ascending order; returns how many."""
    count = 0
    for word in range(SET):
        bits = cells.bits[word]
        while bits:
            to[at + count] = word * 28 + lowest_bit(bits)
            count += 1
            bits &= bits - 1
    return count


@compiled
def span(low: int, high: int, odd: int) -> int:
    """Returns the 14 bits of a row's cells whose `u` is `low`..`high`; `odd` is 1 for odd rows."""
    first = (low - odd + 1) >> 1 if low > odd else 0
    last = (high - odd) >> 1 if high < 28 else 13
    if last < first:
        return 0
    return (1 << (last + 1)) - (1 << first)


@compiled
def ring_row(row: int, r: int, u: int, low: int, high: int, straight: bool, diagonal: bool) -> int:
    """Returns the 14 bits of a row's cells in the ring of `ring_into` around the cell at row `r` and `u`."""
    down = row - r if row > r else r - row
    odd = row & 1
    bits = 0
    if straight or diagonal:
        if straight and down >= low:
            bits |= span(u - down, u - down, odd) | span(u + down, u + down, odd)
        if diagonal:
            if down == 0:
                bits |= span(u - high, u + high, odd)
                if low > 0:
                    bits &= ~span(u - low + 1, u + low - 1, odd)
            elif down >= low:
                bits |= span(u, u, odd)
    else:
        bits = span(u - high, u + high, odd)
        if down < low:
            bits &= ~span(u - low + 1, u + low - 1, odd)
    return bits


@compiled
def ring_into(cells: CellSet, origin: int, low: int, high: int, straight: bool, diagonal: bool) -> None:
    """Makes a set the cells `low`..`high` from `origin`, on axes or diagonals where asked for."""
    clear_set(cells)
    r, u = row_of(origin), u_of(origin)
    first = r - high if r > high else 0
    last = r + high if r + high < 39 else 39
    for row in range(first, last + 1):
        cells.bits[row >> 1] |= ring_row(row, r, u, low, high, straight, diagonal) << (14 * (row & 1))


@compiled
def spread_once(cells: CellSet, allowed: CellSet) -> bool:
    """Grows a set by the neighbours that are in the set `allowed`; tells whether it grew."""
    grew = False
    above = 0
    here = cells.bits[0]
    for word in range(SET):
        below = cells.bits[word + 1] if word < SET - 1 else 0
        even, odd = here & _EVEN_ROW, here >> 14
        near_even = odd | odd << 1 | above >> 14 | (above >> 14) << 1
        below_even = below & _EVEN_ROW
        near_odd = even | even >> 1 | below_even | below_even >> 1
        near = ((near_even & _EVEN_ROW) | near_odd << 14) & allowed.bits[word] & ~here
        if near:
            grew = True
            cells.bits[word] = here | near
        above = here
        here = below
    return grew
