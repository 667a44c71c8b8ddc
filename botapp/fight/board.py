"""The board's geometry: 560 cells, 14 a row, 40 rows of diamonds, odd rows shifted by half a cell.

A cell id (0..559) is the only thing that `vision` and this package share. In the fight's own coordinates
(x, y) the four neighbours of a cell are one step along one axis, so distances are plain Manhattan.
"""

from functools import cache

ROW_LENGTH = 14
ROWS = 40
CELLS = ROW_LENGTH * ROWS

_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def to_xy(cell: int) -> tuple[int, int]:
    """Returns the (x, y) of a cell id.

    Raises:
        ValueError: the id is not in 0..559.
    """
    if not 0 <= cell < CELLS:
        raise ValueError(f"cell {cell} is off the board: ids go from 0 to {CELLS - 1}")
    row, col = divmod(cell, ROW_LENGTH)
    return col + (row + 1) // 2, col - row // 2


def to_cell(x: int, y: int) -> int | None:
    """Returns the cell id at (x, y), or None where the board has no cell."""
    if 0 <= x + y <= 2 * ROW_LENGTH - 1 and 0 <= x - y <= ROWS - 1:
        return (x - y) * ROW_LENGTH + (x + y) // 2
    return None


XY: tuple[tuple[int, int], ...] = tuple(to_xy(cell) for cell in range(CELLS))


def distance(a: int, b: int) -> int:
    """Returns |dx| + |dy| between two cells, in cells."""
    (ax, ay), (bx, by) = XY[a], XY[b]
    return abs(ax - bx) + abs(ay - by)


def in_line(a: int, b: int) -> bool:
    """Tells whether two cells share an axis (dx = 0 or dy = 0)."""
    (ax, ay), (bx, by) = XY[a], XY[b]
    return ax == bx or ay == by


def on_diagonal(a: int, b: int) -> bool:
    """Tells whether |dx| = |dy| between two cells."""
    (ax, ay), (bx, by) = XY[a], XY[b]
    return abs(ax - bx) == abs(ay - by)


@cache
def neighbours(cell: int) -> tuple[int, ...]:
    """Returns the up to four cells one step away."""
    x, y = XY[cell]
    cells = (to_cell(x + dx, y + dy) for dx, dy in _STEPS)
    return tuple(c for c in cells if c is not None)


def centre_in_cells(cell: int) -> tuple[float, float]:
    """Returns a cell's centre on screen, from the centre of cell 0: (in cell widths, in cell heights)."""
    row, col = divmod(cell, ROW_LENGTH)
    return col + (row % 2) * 0.5, row * 0.5
