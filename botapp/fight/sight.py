"""Line of sight: which cells a straight walk between two cell centres tests, and what they hide.

Sets of cells are 560-bit integers here (bit n is cell n), so that a whole board is cut down with a few `&`.
What a cell hides from another depends only on the way between them: it is worked out once for all ways, in
2.5 MB.
Next hop: `botapp.fight.casting` asks `Terrain.visible` for the cells a spell may aim at.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import compress
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from botapp.fight.board import CELLS, XY, neighbours
from botapp.fight.state import CellFlag

BITS = tuple(1 << cell for cell in range(CELLS))
"""The set of each cell alone."""

T = TypeVar("T")
_WALKABLE, _SIGHT = int(CellFlag.WALKABLE), int(CellFlag.SIGHT)


_ONES = bytes(letter == ord("1") for letter in range(256))
"""Turns the letters of a binary number into truth values."""


def chosen(items: Sequence[T], mask: int) -> tuple[T, ...]:
    """Returns those of 560 items, one for each cell, whose cells are in a set, in ascending order."""
    if not mask:
        return ()
    first = (mask & -mask).bit_length() - 1
    bits = bin(mask >> first)[:1:-1].encode().translate(_ONES)
    return tuple(compress(items[first:], bits))


_EVERY_CELL = tuple(range(CELLS))


def cells_of(mask: int) -> tuple[int, ...]:
    """Returns the cell ids whose bits are set, in ascending order."""
    return chosen(_EVERY_CELL, mask)


def mask_of(cells: Iterable[int]) -> int:
    """Returns the set of these cells as bits."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def crossed(right: int, down: int) -> Iterator[tuple[int, int]]:
    """Yields the steps from (0, 0) to (`right`, `down`), both 0 or more, the end among them."""
    x, y = 0, 0
    crossed_x, crossed_y = 1, 1
    while (x, y) != (right, down):
        next_x, next_y = crossed_x * down, crossed_y * right
        if next_x <= next_y:
            x += 1
            crossed_x += 2
        if next_y <= next_x:
            y += 1
            crossed_y += 2
        yield x, y


_FAR = 33
"""The largest difference of x or of y between two cells."""

_APART = 2 * _FAR + 1
_XY = np.array(XY)
_PLACES = _XY[:, 0] * _APART + _XY[:, 1] - _XY[:, 1].min()
"""Where each cell is on a rectangle that has room for every difference of y: the same way is the same number
of places everywhere."""

_AT: tuple[int, ...] = tuple(_PLACES.tolist())
_CELL_AT = np.full((_FAR + 1) * _APART, CELLS)
_CELL_AT[_PLACES] = np.arange(CELLS)
_NO_WAY = _FAR * _APART + _FAR
"""The way from cell a to cell b is row `_AT[b] - _AT[a] + _NO_WAY` of `_ways`."""


@cache
def _ways() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Returns the steps of the ways between two cells, [way, step], and how many steps each has, [way].

    A step is the difference of its place from the start's; what is left of a row is 0. The end is left out.
    """
    ways = np.zeros((_APART * _APART, 2 * _FAR), np.int16)
    counts = np.zeros(len(ways), np.int16)
    for right in range(_FAR + 1):
        for down in range(_FAR + 1):
            walk = np.array(list(crossed(right, down))[:-1], np.int16).reshape(-1, 2)
            for sign_x, sign_y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                way = _NO_WAY + sign_x * right * _APART + sign_y * down
                ways[way, : len(walk)] = walk @ np.array((sign_x * _APART, sign_y), np.int16)
                counts[way] = len(walk)
    return ways, counts


@lru_cache(maxsize=1 << 12)
def between(a: int, b: int) -> tuple[int, ...]:
    """Returns the cells tested for sight from `a` to `b`, both ends left out, in the order of the walk.

    Where the line runs exactly through a corner both coordinates advance: cells beside the corner are not
    tested. The comparison is in whole numbers, so the way back tests the same cells.
    """
    ways, counts = _ways()
    way = _AT[b] - _AT[a] + _NO_WAY
    cells = _CELL_AT[ways[way, : counts[way]] + _AT[a]]
    return tuple(cells[cells < CELLS].tolist())


@cache
def _shadows() -> npt.NDArray[np.uint8]:
    """Returns which ways lead over the end of each way, as packed bits, [way, eight ways]."""
    ways, counts = _ways()
    hidden = np.zeros((len(ways), len(ways)), bool)
    walked = np.arange(ways.shape[1]) < counts[:, None]
    hidden[ways[walked] + _NO_WAY, np.repeat(np.arange(len(ways)), counts)] = True
    return np.packbits(hidden, axis=1, bitorder="little")


def _around(origin: int, ways: npt.NDArray[np.uint8]) -> int:
    """Returns the set of cells at the ends of packed ways from a cell."""
    ends = np.unpackbits(ways, bitorder="little")[_NO_WAY - _AT[origin] :].take(_PLACES)
    return int.from_bytes(np.packbits(ends, bitorder="little").tobytes(), "little")


@lru_cache(maxsize=1 << 16)
def shadow(origin: int, cell: int) -> int:
    """Returns the set of cells that a cell hides from another one when it blocks sight."""
    return _around(origin, _shadows()[_AT[cell] - _AT[origin] + _NO_WAY])


class Terrain:
    """What a fight's map settles for good: walkable cells, neighbours, sight on the empty board.

    Attributes:
        walkable: set of the cells that can be walked on.
        sight: set of the cells that let sight through.
        steps: for each cell, its walkable neighbours.
    """

    def __init__(self, cells: bytes) -> None:
        self.walkable = mask_of(c for c, flag in enumerate(cells) if flag & _WALKABLE)
        self.sight = mask_of(c for c, flag in enumerate(cells) if flag & _SIGHT)
        self.steps = tuple(
            tuple(n for n in neighbours(cell) if cells[n] & _WALKABLE) for cell in range(CELLS)
        )
        self._walls = _PLACES[np.frombuffer(cells, np.uint8) & _SIGHT == 0]
        self._open: dict[int, int] = {}

    def seen_from(self, origin: int) -> int:
        """Returns the set of cells seen from `origin` on the empty board; `origin` is one of them."""
        seen = self._open.get(origin)
        if seen is None:
            hiding = _shadows().take(self._walls + (_NO_WAY - _AT[origin]), axis=0)
            hidden = _around(origin, np.bitwise_or.reduce(hiding, axis=0))
            seen = self._open[origin] = self.sight & ~hidden | BITS[origin]
        return seen

    def visible(self, origin: int, taken: Iterable[int]) -> int:
        """Returns the set of cells seen from `origin` with fighters standing on the `taken` cells."""
        covered = 0
        for cell in taken:
            covered |= shadow(origin, cell)
        return self.seen_from(origin) & ~covered

    def view(self, origin: int, blocking: int) -> int:
        """Returns the set of cells seen from `origin` with fighters on the set of cells `blocking`."""
        return _view(self, origin, blocking)

    def sees(self, a: int, b: int, blocking: int = 0) -> bool:
        """Tells whether `a` sees `b` with fighters on the set of cells `blocking`; both ends do not matter.

        Asking from the same cell again and again costs little: all that it sees is worked out at once.
        """
        return bool(_view(self, a, blocking) >> b & 1)


@lru_cache(maxsize=1 << 14)
def _view(ground: Terrain, origin: int, blocking: int) -> int:
    taken = []
    while blocking:
        lowest = blocking & -blocking
        taken.append(lowest.bit_length() - 1)
        blocking ^= lowest
    return ground.visible(origin, taken)


@lru_cache(maxsize=64)
def terrain(cells: bytes) -> Terrain:
    """Returns the terrain of a map's 560 cell flags."""
    return Terrain(cells)


def sees(cells: bytes, taken: Iterable[int], a: int, b: int) -> bool:
    """Tells whether `a` sees `b`: the cells between need sight and no fighter, `b` itself only needs sight.

    Args:
        cells: 560 `CellFlag` values.
        taken: cells with a fighter on them; those at either end do not matter.
        a: the cell looked from.
        b: the cell looked at.
    """
    if a == b:
        return True
    occupied = frozenset(taken)
    return bool(cells[b] & _SIGHT) and all(
        cells[cell] & _SIGHT and cell not in occupied for cell in between(a, b)
    )
