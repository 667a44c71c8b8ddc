"""The cells' pixels, neighbours and connected regions; indices are computed once per lattice and frame size.

Used by the arena's reader and the real clients' reader.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.view import CELLS, ROW_LENGTH, Lattice

Points = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


ROWS, COLUMNS = np.arange(CELLS) // ROW_LENGTH, np.arange(CELLS) % ROW_LENGTH
"""Each cell's row, 0 to 39, and its place in that, 0 to 13."""


def marked(cells: Iterable[int]) -> Flags:
    """Returns which cells are among some, shape (560,)."""
    flags = np.zeros(CELLS, bool)
    flags[list(cells)] = True
    return flags


def centres(lattice: Lattice) -> Points:
    """Returns the centres of all cells in pixels, shape (560, 2)."""
    x = lattice.origin_px[0] + (COLUMNS + (ROWS % 2) * 0.5) * lattice.cell_w
    y = lattice.origin_px[1] + ROWS * 0.5 * lattice.cell_h
    return np.stack([x, y], axis=1)


def diamond(steps: int, reach: float) -> Points:
    """Returns a grid of points inside a cell, (across, down) in cell widths and heights, shape (steps**2, 2).

    Args:
        reach: the extent of the grid, 1 for the whole cell.
    """
    along = (np.arange(steps) - (steps - 1) / 2) / max(1, steps - 1) * reach
    u, v = (axis.ravel() for axis in np.meshgrid(along, along, indexing="ij"))
    return np.stack([(u - v) / 2, (u + v) / 2], axis=1)


@dataclass(frozen=True, slots=True)
class CellSamples:
    """Pixels to read for each cell."""

    # Into the frame's pixels laid out in one row, int64, shape (560, points); 0 outside the frame
    index: npt.NDArray[np.int64]
    inside: npt.NDArray[np.bool_]  # Whether the point lies in the frame, bool, same shape


def sample(lattice: Lattice, points: Points, width: int, height: int) -> CellSamples:
    """Returns the pixels at `points` (in cell widths and heights from a cell's centre) of every cell."""
    scaled = points * (lattice.cell_w, lattice.cell_h)
    at = np.floor(centres(lattice)[:, None, :] + scaled[None]).astype(np.int64)
    x, y = at[..., 0], at[..., 1]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return CellSamples(np.where(inside, y * width + x, 0), inside)


def _neighbours() -> npt.NDArray[np.int64]:
    """Returns the ids of each cell's four neighbours, -1 where there is none, shape (560, 4)."""
    rows = []
    for down in (-1, 1):
        for right in (0, 1):
            other_row, other_col = ROWS + down, COLUMNS - 1 + right + ROWS % 2
            exists = (other_row >= 0) & (other_row < CELLS // ROW_LENGTH)
            exists &= (other_col >= 0) & (other_col < ROW_LENGTH)
            rows.append(np.where(exists, other_row * ROW_LENGTH + other_col, -1))
    return np.stack(rows, axis=1)


NEIGHBOURS = _neighbours()


DIAGONALS = np.stack([COLUMNS + (ROWS + 1) // 2, COLUMNS - ROWS // 2], axis=1)
"""Each cell's place along the board's two diagonals, shape (560, 2); a step changes one of them by 1."""


_BY_SIDE = np.ascontiguousarray(NEIGHBOURS.T)  # so that `beside` joins whole rows: a third less time


def at_neighbours(cells: Flags) -> Flags:
    """Returns the flags of each cell's four neighbours, False where there is none, shape (560, 4)."""
    return np.asarray(np.append(cells, False)[NEIGHBOURS])


def beside(cells: Flags) -> Flags:
    """Returns which cells have a neighbour among some cells, shape (560,)."""
    first, second, third, last = np.append(cells, False)[_BY_SIDE]
    return np.asarray(first | second | third | last)


def connected(start: Flags, over: Flags) -> Flags:
    """Returns the start cells and those of `over` connected to them over cells of `over`, shape (560,)."""
    reached = start
    while True:
        grown = reached | (over & beside(reached))
        if (grown == reached).all():
            return reached
        reached = grown


def flooded(open_cells: Flags) -> Flags:
    """Returns the open cells connected to the lattice's border over open cells, shape (560,)."""
    return connected(np.asarray(open_cells & (NEIGHBOURS < 0).any(axis=1)), open_cells)
