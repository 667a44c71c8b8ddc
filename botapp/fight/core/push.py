"""Moving fighters against their will: which way, how far, and who is hurt when something stands in the way.

Next hop: `botapp.fight.core.effects`.
"""

from typing import Any

from botapp.fight.core.cells import OFF_BOARD, cell_beside, distance, has_cell, sign, x_between, y_between
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import collision
from botapp.fight.core.layout import (
    CELL,
    HITS,
    LEVEL,
    MARK,
    MARK_CELLS,
    MARK_KIND,
    MARK_LIST,
    MARKS,
    NUMBER,
    PUSH_DAMAGE,
    PUSH_RESISTANCE,
    ROOTED,
    STATES,
    TRAP,
    WALKABLE,
    WAY,
)
from botapp.fight.core.states import fighter_at, occupant

_HALF_OCTANT = 2**0.5 - 1
"""Tangent of 22.5 degrees: on which side of it a way counts as one along an axis or along a diagonal."""


@compiled
def way_x(origin: int, cell: int) -> int:
    """Returns the step in x of the one of eight ways that leads most nearly from `origin` to `cell`."""
    dx, dy = x_between(origin, cell), y_between(origin, cell)
    return 0 if abs(dx) < _HALF_OCTANT * abs(dy) else sign(dx)


@compiled
def way_y(origin: int, cell: int) -> int:
    """Returns the step in y of that way."""
    dx, dy = x_between(origin, cell), y_between(origin, cell)
    return 0 if abs(dy) < _HALF_OCTANT * abs(dx) else sign(dy)


@compiled
def mark_on(s: Any, kind: int, cell: int) -> int:
    """Returns the index of the oldest glyph or trap on a cell, -1 for none."""
    for index in range(s[MARKS]):
        mark = MARK_LIST + index * MARK
        if s[mark + MARK_KIND] == kind and has_cell(s, mark + MARK_CELLS, cell):
            return index
    return -1


@compiled
def _slide(s: Any, b: Any, cell: int, step_x: int, step_y: int, steps: int, towards: int) -> bool:
    """Writes the cells that somebody slides over to `WAY`; tells whether a trap ended it.

    It does not go past the cell `towards`, where one is given.
    """
    s[WAY] = 0
    while s[WAY] < steps:
        near = cell_beside(cell, step_x, step_y)
        if near == OFF_BOARD or not has_cell(b, WALKABLE, near) or occupant(s, near) >= 0:
            return False
        if towards >= 0 and distance(near, towards) >= distance(cell, towards):
            return False
        s[WAY] += 1
        s[WAY + s[WAY]] = near
        cell = near
        if mark_on(s, TRAP, cell) >= 0:
            return True
    return False


@compiled
def plan_push(s: Any, b: Any, caster: int, target: int, centre: int, cells: int) -> None:
    """Writes to `WAY` where a push takes the target, and to `HITS` whom the impact hurts.

    Args:
        s: the state.
        b: the book.
        caster: whose level and push damage count; it shows the way where the target stands on the centre.
        target: who is pushed.
        centre: the cell it is pushed away from.
        cells: how far; on a diagonal half of it, rounded up.
    """
    s[WAY] = 0
    s[HITS] = 0
    origin = s[caster + CELL] if centre == s[target + CELL] else centre
    step_x, step_y = way_x(origin, s[target + CELL]), way_y(origin, s[target + CELL])
    if (s[target + STATES] >> ROOTED) & 1 or (step_x == 0 and step_y == 0):
        return
    steps = (cells + 1) // 2 if step_x != 0 and step_y != 0 else cells
    if _slide(s, b, s[target + CELL], step_x, step_y, steps, -1):
        return
    done = s[WAY]
    cell = s[WAY + done] if done else s[target + CELL]
    struck = s[target + NUMBER]
    while struck >= 0 and done < steps:
        hits = s[HITS]
        one = fighter_at(struck)
        dose = collision(
            s[caster + LEVEL], s[caster + PUSH_DAMAGE], s[one + PUSH_RESISTANCE], steps - done, hits
        )
        s[HITS + 1 + 2 * hits] = struck
        s[HITS + 2 + 2 * hits] = dose
        s[HITS] = hits + 1
        cell = cell_beside(cell, step_x, step_y)
        if cell == OFF_BOARD:
            return
        struck = occupant(s, cell)
        if struck == s[target + NUMBER]:
            struck = -1


@compiled
def plan_pull(s: Any, b: Any, caster: int, target: int, centre: int, cells: int) -> None:
    """Writes to `WAY` where a pull takes the target: as a push backwards, not past the centre."""
    s[WAY] = 0
    s[HITS] = 0
    origin = s[caster + CELL] if centre == s[target + CELL] else centre
    step_x, step_y = way_x(s[target + CELL], origin), way_y(s[target + CELL], origin)
    if (s[target + STATES] >> ROOTED) & 1 or (step_x == 0 and step_y == 0):
        return
    steps = (cells + 1) // 2 if step_x != 0 and step_y != 0 else cells
    _slide(s, b, s[target + CELL], step_x, step_y, steps, origin)


@compiled
def plan_step(s: Any, b: Any, mover: int, other: int, cells: int, back: bool) -> None:
    """Writes to `WAY` where somebody steps to, away from somebody else or up to it; nobody is hurt."""
    s[WAY] = 0
    s[HITS] = 0
    start, cell = s[mover + CELL], s[other + CELL]
    step_x = way_x(cell, start) if back else way_x(start, cell)
    step_y = way_y(cell, start) if back else way_y(start, cell)
    if (s[mover + STATES] >> ROOTED) & 1 or (step_x == 0 and step_y == 0):
        return
    steps = (cells + 1) // 2 if step_x != 0 and step_y != 0 else cells
    _slide(s, b, start, step_x, step_y, steps, -1)
