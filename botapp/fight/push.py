"""Moving fighters against their will: which way, how far, and who is hurt when something stands in the way.

Next hop: `botapp.fight.effects` moves them in a draft, `botapp.fight.outcome` only asks what would happen.
"""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from botapp.fight.board import XY, distance, to_cell
from botapp.fight.damage import collision
from botapp.fight.state import Fighter, State

_HALF_OCTANT = 2**0.5 - 1
"""Tangent of 22.5 degrees: on which side of it a way counts as one along an axis or along a diagonal."""


@dataclass(frozen=True, slots=True)
class Course:
    """What a push or a pull does to one fighter.

    Attributes:
        path: the cells it is moved over, the last one being where it ends.
        hits: who is hurt by the impact, as (fighter id, HP before shields); nobody where it ran free.
    """

    path: tuple[int, ...]
    hits: tuple[tuple[int, int], ...] = ()


_STAYS = Course(())


def way(origin: int, cell: int) -> tuple[int, int]:
    """Returns the one of eight ways, as a step in (x, y), that leads most nearly from `origin` to `cell`."""
    (from_x, from_y), (x, y) = XY[origin], XY[cell]
    dx, dy = x - from_x, y - from_y
    step_x, step_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    if abs(dy) < _HALF_OCTANT * abs(dx):
        return step_x, 0
    if abs(dx) < _HALF_OCTANT * abs(dy):
        return 0, step_y
    return step_x, step_y


def step_from(cell: int, step_x: int, step_y: int) -> int | None:
    """Returns the cell one step away, None where the board ends."""
    x, y = XY[cell]
    return to_cell(x + step_x, y + step_y)


def pushed(
    caster: Fighter,
    target: Fighter,
    centre: int,
    cells: int,
    everyone: Iterable[Fighter],
    walkable: int,
    halts: Callable[[int], bool],
) -> Course:
    """Returns where a push takes the target, and whom the impact hurts.

    Args:
        caster: whose level and push damage count; it also shows the way where the target stands on the
            centre.
        target: who is pushed.
        centre: the cell it is pushed away from.
        cells: how far; on a diagonal half of it, rounded up.
        everyone: all fighters.
        walkable: set of the map's walkable cells.
        halts: tells whether movement ends on a cell, for its trap.
    """
    origin = caster.cell if centre == target.cell else centre
    step_x, step_y = way(origin, target.cell)
    if target.has(State.ROOTED) or not (step_x or step_y):
        return _STAYS
    steps = (cells + 1) // 2 if step_x and step_y else cells
    standing = {f.cell: f for f in everyone if f.hp > 0 and f.id != target.id}
    path, halted = _slid(target.cell, (step_x, step_y), steps, standing, walkable, halts)
    if halted:
        return Course(path)
    cell = path[-1] if path else target.cell
    hits: list[tuple[int, int]] = []
    struck: Fighter | None = target
    while struck is not None and len(path) < steps:
        dose = collision(
            caster.level,
            caster.stats.push_damage,
            struck.stats.push_resistance,
            steps - len(path),
            len(hits),
        )
        hits.append((struck.id, dose))
        near = step_from(cell, step_x, step_y)
        if near is None:
            break
        cell, struck = near, standing.get(near)
    return Course(path, tuple(hits))


def pulled(
    caster: Fighter,
    target: Fighter,
    centre: int,
    cells: int,
    everyone: Iterable[Fighter],
    walkable: int,
    halts: Callable[[int], bool],
) -> Course:
    """Returns where a pull takes the target: as `pushed` backwards, not past the centre, hurting nobody."""
    origin = caster.cell if centre == target.cell else centre
    step_x, step_y = way(target.cell, origin)
    if target.has(State.ROOTED) or not (step_x or step_y):
        return _STAYS
    steps = (cells + 1) // 2 if step_x and step_y else cells
    taken = {f.cell for f in everyone if f.hp > 0}
    path, _ = _slid(target.cell, (step_x, step_y), steps, taken, walkable, halts, towards=origin)
    return Course(path)


def _slid(
    cell: int,
    step: tuple[int, int],
    steps: int,
    taken: Container[int],
    walkable: int,
    halts: Callable[[int], bool],
    towards: int | None = None,
) -> tuple[tuple[int, ...], bool]:
    """Returns the cells that somebody slides over, and whether a trap ended it; not past `towards`."""
    path: list[int] = []
    while len(path) < steps:
        near = step_from(cell, *step)
        if near is None or near in taken or not walkable >> near & 1:
            break
        if towards is not None and distance(near, towards) >= distance(cell, towards):
            break
        path.append(near)
        cell = near
        if halts(cell):
            return tuple(path), True
    return tuple(path), False
