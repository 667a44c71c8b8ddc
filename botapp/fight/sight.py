"""Line of sight: which cells a straight walk between two cell centres tests, and what they hide.

Sets of cells are 560-bit integers here (bit n is cell n), so that a whole board is cut down with a few `&`.
What lies between two cells, and what each cell hides from an origin, never changes: it is worked out once.
Next hop: `botapp.fight.casting` asks `Terrain.visible` for the cells a spell may aim at.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from botapp.fight.board import CELLS, XY, neighbours, to_cell
from botapp.fight.state import CellFlag

ALL_CELLS = (1 << CELLS) - 1
_WALKABLE, _SIGHT = int(CellFlag.WALKABLE), int(CellFlag.SIGHT)


def cells_of(mask: int) -> Iterator[int]:
    """Yields the cell ids whose bits are set, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: Iterable[int]) -> int:
    """Returns the set of these cells as bits."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def _walk(a: int, b: int) -> tuple[int, ...]:
    (x, y), (end_x, end_y) = XY[a], XY[b]
    width, height = abs(end_x - x), abs(end_y - y)
    step_x, step_y = (1 if end_x > x else -1), (1 if end_y > y else -1)
    crossed_x, crossed_y = 1, 1
    tested = []
    while (x, y) != (end_x, end_y):
        next_x, next_y = crossed_x * height, crossed_y * width
        if next_x <= next_y:
            x += step_x
            crossed_x += 2
        if next_y <= next_x:
            y += step_y
            crossed_y += 2
        cell = to_cell(x, y)
        if cell is not None:
            tested.append(cell)
    return tuple(tested[:-1])


@cache
def between(a: int, b: int) -> tuple[int, ...]:
    """Returns the cells tested for sight from `a` to `b`, both ends left out, in the order of the walk.

    Where the line runs exactly through a corner both coordinates advance: cells beside the corner are not
    tested. The comparison is in whole numbers, so the way back tests the same cells.
    """
    return _walk(a, b)


@cache
def shadows(origin: int) -> tuple[int, ...]:
    """Returns, for each cell of the board, the set of cells it hides from `origin` when it blocks sight."""
    hidden = [0] * CELLS
    for target in range(CELLS):
        bit = 1 << target
        for cell in _walk(origin, target):
            hidden[cell] |= bit
    return tuple(hidden)


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
        self._blocking = tuple(cells_of(ALL_CELLS & ~self.sight))
        self._open: dict[int, int] = {}

    def seen_from(self, origin: int) -> int:
        """Returns the set of cells seen from `origin` on the empty board; `origin` is one of them."""
        seen = self._open.get(origin)
        if seen is None:
            hidden = shadows(origin)
            covered = 0
            for cell in self._blocking:
                covered |= hidden[cell]
            seen = self._open[origin] = (self.sight | 1 << origin) & ~covered
        return seen

    def visible(self, origin: int, taken: Iterable[int]) -> int:
        """Returns the set of cells seen from `origin` with fighters standing on the `taken` cells."""
        hidden = shadows(origin)
        covered = 0
        for cell in taken:
            covered |= hidden[cell]
        return self.seen_from(origin) & ~covered


@lru_cache(maxsize=128)
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
