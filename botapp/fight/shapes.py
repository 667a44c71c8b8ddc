"""Sets of cells around a cell: the rings that a range allows and the areas that effects cover.

They depend on geometry alone and are worked out once. Next hop: `botapp.fight.casting`.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from botapp.fight.board import XY, distance, to_cell
from botapp.fight.sight import cells_of, mask_of
from botapp.fight.spells import Shape

AXES = ((1, 0), (-1, 0), (0, 1), (0, -1))


_X, _Y = np.array(XY).T
_LONGEST = 63


@cache
def _discs(origin: int) -> tuple[int, ...]:
    """Returns the set of cells at most 0, 1, 2 ... cells away."""
    apart = abs(_X - _X[origin]) + abs(_Y - _Y[origin])
    return tuple(_packed(apart <= reach) for reach in range(_LONGEST + 1))


@cache
def _ways(origin: int) -> tuple[int, int]:
    """Returns the set of cells on the axes through a cell, and that of those on its diagonals."""
    dx, dy = abs(_X - _X[origin]), abs(_Y - _Y[origin])
    return _packed((dx == 0) | (dy == 0)), _packed(dx == dy)


def _packed(chosen: npt.NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")


def disc(origin: int, radius: int) -> int:
    """Returns the set of cells at most `radius` cells away, 63 at most."""
    return _discs(origin)[radius if radius < _LONGEST else _LONGEST]


@lru_cache(maxsize=1 << 15)
def ring(origin: int, low: int, high: int, straight: bool, diagonal: bool) -> int:
    """Returns the set of cells `low`..`high` away, on the axes or diagonals only where one is asked for."""
    cells = disc(origin, high)
    if low > 0:
        cells &= ~disc(origin, low - 1)
    if straight or diagonal:
        axes, diagonals = _ways(origin)
        cells &= (axes if straight else 0) | (diagonals if diagonal else 0)
    return cells


def area(shape: Shape, radius: int, caster: int, target: int) -> dict[int, int]:
    """Returns the cells an effect covers, with the steps from the target cell that its fall-off counts.

    The result is shared: it must not be changed. A line, a T and a cone look away from the caster, along the
    axis on which target and caster are further apart. Steps are the distance in cells; in a square and in a
    cone they are the larger of both differences.
    """
    if shape not in _DIRECTED:
        return _covered(shape, radius, target, 0, 0)
    (x, y), (from_x, from_y) = XY[target], XY[caster]
    dx, dy = x - from_x, y - from_y
    if abs(dx) >= abs(dy):
        return _covered(shape, radius, target, (dx > 0) - (dx < 0), 0)
    return _covered(shape, radius, target, 0, (dy > 0) - (dy < 0))


@lru_cache(maxsize=1 << 14)
def area_mask(shape: Shape, radius: int, target: int) -> int:
    """Returns the set of cells that the shape may cover around a target, whatever way it looks."""
    if shape not in _DIRECTED:
        return mask_of(_covered(shape, radius, target, 0, 0))
    covered = 0
    for way_x, way_y in AXES:
        covered |= mask_of(_covered(shape, radius, target, way_x, way_y))
    return covered


@lru_cache(maxsize=1 << 14)
def _covered(shape: Shape, radius: int, target: int, way_x: int, way_y: int) -> dict[int, int]:
    if shape is Shape.CIRCLE or shape is Shape.RING:
        cells = ring(target, radius if shape is Shape.RING else 0, radius, False, False)
        return {cell: distance(target, cell) for cell in cells_of(cells)}
    covered = {target: 0}
    x, y = XY[target]
    for dx, dy, steps in _OFFSETS[shape](radius, way_x, way_y):
        cell = to_cell(x + dx, y + dy)
        if cell is not None:
            covered.setdefault(cell, steps)
    return covered


Offsets = Iterator[tuple[int, int, int]]


def _nothing(radius: int, way_x: int, way_y: int) -> Offsets:
    return iter(())


def _cross(radius: int, way_x: int, way_y: int) -> Offsets:
    return ((dx * n, dy * n, n) for dx, dy in AXES for n in range(1, radius + 1))


def _line(radius: int, way_x: int, way_y: int) -> Offsets:
    return ((way_x * n, way_y * n, n) for n in range(1, radius + 1))


def _bar(radius: int, way_x: int, way_y: int) -> Offsets:
    """Yields the cells across the way of the cast."""
    return ((way_y * n, way_x * n, abs(n)) for n in range(-radius, radius + 1))


def _square(radius: int, way_x: int, way_y: int) -> Offsets:
    span = range(-radius, radius + 1)
    return ((dx, dy, max(abs(dx), abs(dy))) for dx in span for dy in span)


def _cone(radius: int, way_x: int, way_y: int) -> Offsets:
    """Yields cells that are `n` deep and at most `n` to the side."""
    if not (way_x or way_y):
        return iter(())
    return (
        (way_x * n + way_y * side, way_y * n + way_x * side, n)
        for n in range(1, radius + 1)
        for side in range(-n, n + 1)
    )


_DIRECTED = frozenset({Shape.LINE, Shape.T, Shape.CONE})
_OFFSETS: dict[Shape, Callable[[int, int, int], Offsets]] = {
    Shape.POINT: _nothing,
    Shape.CROSS: _cross,
    Shape.LINE: _line,
    Shape.T: _bar,
    Shape.SQUARE: _square,
    Shape.CONE: _cone,
}
