"""Where effects take somebody: pushed, pulled, stepping, changing places, to the other side of a cell.

Next hop: `botapp.fight.core.effects`.
"""

from typing import Any

from botapp.fight.core.buffs import NO_STATE
from botapp.fight.core.cells import OFF_BOARD, cell_beside, has_cell, x_between, y_between
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    BUFFS,
    CELL,
    GRAVITY,
    HITS,
    NUMBER,
    ON_MOVED,
    ON_PULLED,
    ON_PUSH,
    ON_PUSHED,
    ON_SWAPPED,
    ON_TELEPORTED,
    PULL,
    PUSH,
    RETREAT,
    ROOTED,
    SHOVE,
    STATES,
    WALKABLE,
    WAY,
)
from botapp.fight.core.push import plan_pull, plan_push, plan_step
from botapp.fight.core.states import fighter_at, occupant
from botapp.fight.core.triggers import let_strike, spring_under, wounded
from botapp.fight.core.waiting import has_waiting
from botapp.fight.core.wounds import hurt


@compiled
def move(s: Any, b: Any, kind: int, caster: int, target: int, centre: int, cells: int) -> None:
    """Pushes, pulls or steps, hurts who is in the way, and springs the trap that somebody is moved into."""
    mover = target
    if kind == PUSH or kind == SHOVE:
        plan_push(s, b, caster, target, centre, cells)
        if kind == SHOVE:
            s[HITS] = 0
    elif kind == PULL:
        plan_pull(s, b, caster, target, centre, cells)
    else:
        mover = caster
        plan_step(s, b, caster, target, cells, kind == RETREAT)
    moved = s[WAY]
    if moved:
        put(s, mover + CELL, s[WAY + moved])
    for hit in range(s[HITS]):
        one = fighter_at(s[HITS + 1 + 2 * hit])
        lost = hurt(s, one, s[HITS + 2 + 2 * hit])
        if lost and s[BUFFS]:
            wounded(s, b, caster, one, lost, ON_PUSH)
    if moved:
        spring_under(s, mover)
        if mover == target and has_waiting(s, mover):
            how = ON_PULLED if kind == PULL else ON_PUSHED
            let_strike(s, b, mover, ON_MOVED | how, s[caster + NUMBER], 0, NO_STATE)


@compiled
def _stays(s: Any, f: int) -> bool:
    """Tells whether a fighter cannot be taken elsewhere."""
    return ((s[f + STATES] >> ROOTED) | (s[f + STATES] >> GRAVITY)) & 1 != 0


@compiled
def swap(s: Any, b: Any, one: int, other: int) -> None:
    """Lets two fighters change places, unless one of them cannot be moved."""
    if one == other or _stays(s, one) or _stays(s, other):
        return
    cell = s[one + CELL]
    put(s, one + CELL, s[other + CELL])
    put(s, other + CELL, cell)
    spring_under(s, other)
    spring_under(s, one)
    if has_waiting(s, other):
        let_strike(s, b, other, ON_MOVED | ON_SWAPPED, s[one + NUMBER], 0, NO_STATE)
    if has_waiting(s, one):
        let_strike(s, b, one, ON_MOVED | ON_SWAPPED, s[other + NUMBER], 0, NO_STATE)


@compiled
def mirror(s: Any, b: Any, mover: int, around: int) -> None:
    """Takes a fighter to the other side of a cell; who stands there changes places with it."""
    start = s[mover + CELL]
    cell = cell_beside(around, x_between(start, around), y_between(start, around))
    if cell == OFF_BOARD or cell == start or not has_cell(b, WALKABLE, cell) or _stays(s, mover):
        return
    other = occupant(s, cell)
    if other >= 0:
        swap(s, b, mover, fighter_at(other))
        return
    put(s, mover + CELL, cell)
    spring_under(s, mover)
    if has_waiting(s, mover):
        let_strike(s, b, mover, ON_TELEPORTED, s[mover + NUMBER], 0, NO_STATE)
