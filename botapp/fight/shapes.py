"""Sets of cells around a cell: the rings that a range allows and the areas that effects cover.

They depend on geometry alone and are worked out once. Next hop: `botapp.fight.casting`.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from botapp.fight.board import XY, in_line, on_diagonal, to_cell
from botapp.fight.sight import mask_of
from botapp.fight.spells import Shape

AXES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def _around(origin: int, radius: int) -> tuple[tuple[int, int], ...]:
    """Returns the cells at most `radius` away with their distance from `origin`, nearest first."""
    x, y = XY[origin]
    found = []
    for dx in range(-radius, radius + 1):
        rest = radius - abs(dx)
        for dy in range(-rest, rest + 1):
            cell = to_cell(x + dx, y + dy)
            if cell is not None:
                found.append((abs(dx) + abs(dy), cell))
    return tuple((cell, steps) for steps, cell in sorted(found))


@lru_cache(maxsize=1 << 15)
def ring(origin: int, low: int, high: int, straight: bool, diagonal: bool) -> int:
    """Returns the set of cells `low`..`high` away, on the axes or diagonals only where one is asked for."""
    return mask_of(
        cell
        for cell, steps in _around(origin, high)
        if steps >= low
        and (
            not (straight or diagonal)
            or (straight and in_line(origin, cell))
            or (diagonal and on_diagonal(origin, cell))
        )
    )


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
    if shape is Shape.CIRCLE:
        return dict(_around(target, radius))
    if shape is Shape.RING:
        return {cell: steps for cell, steps in _around(target, radius) if steps == radius}
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
