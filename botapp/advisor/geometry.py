"""The board as numpy tables: distances, directions and lines of sight of many pairs of cells at once.

Whether one cell sees another depends on the walk between them, and the walk only on (dx, dy): one table of
offsets serves the whole board. The results equal `botapp.fight.sight`. Next hop: `botapp.advisor.threat`.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from botapp.fight.board import CELLS, XY, neighbours
from botapp.fight.sight import crossed
from botapp.fight.state import CellFlag

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_X: Ints = np.array([x for x, _ in XY])
_Y: Ints = np.array([y for _, y in XY])
_DX = _X[None, :] - _X[:, None]
_DY = _Y[None, :] - _Y[:, None]

DISTANCE: npt.NDArray[np.int16] = (np.abs(_DX) + np.abs(_DY)).astype(np.int16)
"""Cells between two ids, (560, 560)."""

IN_LINE: Bools = (_DX == 0) | (_DY == 0)
"""Whether two ids share an axis, (560, 560)."""

ON_DIAGONAL: Bools = np.abs(_DX) == np.abs(_DY)
"""Whether two ids lie on a diagonal, (560, 560)."""

NEIGHBOURS: Ints = np.array([(*neighbours(c), *[CELLS] * 4)[:4] for c in range(CELLS)])
"""The cells next to each, filled up with 560, (560, 4)."""

_LOW_Y = int(_Y.min())
_HEIGHT = int(_Y.max()) - _LOW_Y + 1
_WIDTH = int(_X.max()) + 1
_PLACE: Ints = _X * _HEIGHT + (_Y - _LOW_Y)


@cache
def _walks() -> tuple[Ints, Ints]:
    """Returns the grid offsets of every walk, by |dx|, |dy| and sign, and how many of them count."""
    longest = max(_WIDTH, _HEIGHT) * 2
    offsets = np.zeros((4, _WIDTH, _HEIGHT, longest), np.int64)
    counts = np.zeros((_WIDTH, _HEIGHT), np.int64)
    for width in range(_WIDTH):
        for height in range(_HEIGHT):
            tested = tuple(crossed(width, height))[:-1]
            counts[width, height] = len(tested)
            if tested:
                steps = np.array(tested)
                for sign in range(4):
                    ways = (-1 if sign & 1 else 1, -1 if sign & 2 else 1)
                    offsets[sign, width, height, : len(tested)] = (
                        ways[0] * steps[:, 0] * _HEIGHT + ways[1] * steps[:, 1]
                    )
    return offsets, counts


def prepare() -> None:
    """Builds the table of walks now, so that the first state is read as fast as the others."""
    _walks()


class Screen:
    """What stands in the way of sight: the map's blocks and the fighters' cells."""

    def __init__(self, cells: bytes, taken: list[int]) -> None:
        self._lets = (np.frombuffer(cells, np.uint8) & CellFlag.SIGHT) > 0
        blocks = ~self._lets
        blocks[taken] = True
        self._blocks = np.zeros(_WIDTH * _HEIGHT, bool)
        self._blocks[_PLACE] = blocks

    def sees(self, origins: Ints, targets: Ints) -> Bools:
        """Tells for each pair whether the target is seen from the origin.

        Args:
            origins: cell ids, (N,).
            targets: cell ids, (N,).
        """
        if not len(origins):
            return np.zeros(0, bool)
        dx, dy = _DX[origins, targets], _DY[origins, targets]
        width, height = np.abs(dx), np.abs(dy)
        offsets, counts = _walks()
        steps = counts[width, height]
        longest = max(1, int(steps.max()))
        sign = (dx < 0) + 2 * (dy < 0)
        places = _PLACE[origins][:, None] + offsets[sign, width, height, :longest]
        hidden = self._blocks[places] & (np.arange(longest) < steps[:, None])
        seen: Bools = (~hidden.any(axis=1) & self._lets[targets]) | (origins == targets)
        return seen


def matrix_sight(screen: Screen, origins: Ints, targets: Ints, within: int) -> Bools:
    """Returns who sees whom, (origins, targets); pairs further apart than `within` cells count as unseen."""
    near = DISTANCE[origins[:, None], targets[None, :]] <= within
    first, second = np.nonzero(near)
    seen = np.zeros(near.shape, bool)
    seen[first, second] = screen.sees(origins[first], targets[second])
    return seen
