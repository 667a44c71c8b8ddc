"""Moved by effects: pushed, pulled, stepping, changing places, to the other side of a cell; and impacts."""

from botapp.fight.core import kinds
from botapp.fight.core.buffs import NO_STATE, has_waiting
from botapp.fight.core.cells import OFF_BOARD, cell_beside, distance, has_cell, sign, x_between, y_between
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import collision, hurt
from botapp.fight.core.fight import CELL, TRAP, Fight, Fighter
from botapp.fight.core.marks import mark_on
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import occupant, put
from botapp.fight.core.triggers import let_strike, spring_under, wounded

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
def _slide(fight: Fight, book: Book, cell: int, step_x: int, step_y: int, steps: int, towards: int) -> bool:
    """Writes the cells that a fighter slides over to `fight.way`; tells whether a trap ended it.

    It does not go past the cell `towards`, where one is given.
    """
    fight.way.length = 0
    while fight.way.length < steps:
        near = cell_beside(cell, step_x, step_y)
        if near == OFF_BOARD or not has_cell(book.walkable, near) or occupant(fight, near) >= 0:
            return False
        if towards >= 0 and distance(near, towards) >= distance(cell, towards):
            return False
        fight.way.length += 1
        fight.way.cells[fight.way.length - 1] = near
        cell = near
        if mark_on(fight, TRAP, cell) >= 0:
            return True
    return False


@compiled
def plan_push(fight: Fight, book: Book, caster: Fighter, target: Fighter, centre: int, cells: int) -> None:
    """Writes to `fight.way` where a push takes the target, and to `hits` the fighters that the impact hurts.

    Args:
        fight: the state.
        book: the book.
        caster: whose level and push damage count; it shows the way where the target stands on the centre.
        target: who is pushed.
        centre: the cell it is pushed away from.
        cells: how far; on a diagonal half of it, rounded up.
    """
    fight.way.length = 0
    fight.hit_count = 0
    origin = caster.cell if centre == target.cell else centre
    step_x, step_y = way_x(origin, target.cell), way_y(origin, target.cell)
    if (target.states >> kinds.ROOTED) & 1 or (step_x == 0 and step_y == 0):
        return
    steps = (cells + 1) // 2 if step_x != 0 and step_y != 0 else cells
    if _slide(fight, book, target.cell, step_x, step_y, steps, -1):
        return
    done = fight.way.length
    cell = fight.way.cells[done - 1] if done else target.cell
    struck = target.number
    while struck >= 0 and done < steps:
        hits = fight.hit_count
        struck_fighter = fight.fighters[struck]
        dose = collision(caster.level, caster.push_damage, struck_fighter.push_resistance, steps - done, hits)
        fight.hits[hits].number = struck
        fight.hits[hits].hp = dose
        fight.hit_count = hits + 1
        cell = cell_beside(cell, step_x, step_y)
        if cell == OFF_BOARD:
            return
        struck = occupant(fight, cell)
        if struck == target.number:
            struck = -1


@compiled
def plan_pull(fight: Fight, book: Book, caster: Fighter, target: Fighter, centre: int, cells: int) -> None:
    """Writes to `fight.way` where a pull takes the target: as a push backwards, not past the centre."""
    fight.way.length = 0
    fight.hit_count = 0
    origin = caster.cell if centre == target.cell else centre
    step_x, step_y = way_x(target.cell, origin), way_y(target.cell, origin)
    if (target.states >> kinds.ROOTED) & 1 or (step_x == 0 and step_y == 0):
        return
    steps = (cells + 1) // 2 if step_x != 0 and step_y != 0 else cells
    _slide(fight, book, target.cell, step_x, step_y, steps, origin)


@compiled
def plan_step(fight: Fight, book: Book, mover: Fighter, other: Fighter, cells: int, back: bool) -> None:
    """Writes to `fight.way` where a fighter steps to, away from another or up to it; no fighter is hurt."""
    fight.way.length = 0
    fight.hit_count = 0
    start, cell = mover.cell, other.cell
    step_x = way_x(cell, start) if back else way_x(start, cell)
    step_y = way_y(cell, start) if back else way_y(start, cell)
    if (mover.states >> kinds.ROOTED) & 1 or (step_x == 0 and step_y == 0):
        return
    steps = (cells + 1) // 2 if step_x != 0 and step_y != 0 else cells
    _slide(fight, book, start, step_x, step_y, steps, -1)


@compiled
def move(
    fight: Fight, book: Book, kind: int, caster: Fighter, target: Fighter, centre: int, cells: int
) -> None:
    """Pushes, pulls or steps, hurts those in the way, and springs the trap that a fighter is moved into."""
    mover = target
    if kind == kinds.PUSH or kind == kinds.SHOVE:
        plan_push(fight, book, caster, target, centre, cells)
        if kind == kinds.SHOVE:
            fight.hit_count = 0
    elif kind == kinds.PULL:
        plan_pull(fight, book, caster, target, centre, cells)
    else:
        mover = caster
        plan_step(fight, book, caster, target, cells, kind == kinds.RETREAT)
    moved = fight.way.length
    if moved:
        put(fight, mover, CELL, fight.way.cells[moved - 1])
    for hit in range(fight.hit_count):
        hit_fighter = fight.fighters[fight.hits[hit].number]
        lost = hurt(fight, hit_fighter, fight.hits[hit].hp)
        if lost and fight.buff_count:
            wounded(fight, book, caster, hit_fighter, lost, kinds.ON_PUSH_DAMAGE)
    if moved:
        spring_under(fight, mover)
        if mover.number == target.number and has_waiting(fight, mover):
            how = kinds.ON_PULLED if kind == kinds.PULL else kinds.ON_PUSHED
            let_strike(fight, book, mover, kinds.ON_MOVED | how, caster.number, 0, NO_STATE)


@compiled
def _stays(fighter: Fighter) -> bool:
    """Tells whether a fighter cannot be taken elsewhere."""
    return ((fighter.states >> kinds.ROOTED) | (fighter.states >> kinds.GRAVITY)) & 1 != 0


@compiled
def swap(fight: Fight, book: Book, first: Fighter, second: Fighter) -> None:
    """Lets two fighters change places, unless one of them cannot be moved."""
    if first.number == second.number or _stays(first) or _stays(second):
        return
    cell = first.cell
    put(fight, first, CELL, second.cell)
    put(fight, second, CELL, cell)
    spring_under(fight, second)
    spring_under(fight, first)
    if has_waiting(fight, second):
        let_strike(fight, book, second, kinds.ON_MOVED | kinds.ON_SWAPPED, first.number, 0, NO_STATE)
    if has_waiting(fight, first):
        let_strike(fight, book, first, kinds.ON_MOVED | kinds.ON_SWAPPED, second.number, 0, NO_STATE)


@compiled
def mirror(fight: Fight, book: Book, mover: Fighter, around: int) -> None:
    """Takes a fighter to the other side of a cell; who stands there changes places with it."""
    start = mover.cell
    cell = cell_beside(around, x_between(start, around), y_between(start, around))
    if cell == OFF_BOARD or cell == start or not has_cell(book.walkable, cell) or _stays(mover):
        return
    other = occupant(fight, cell)
    if other >= 0:
        swap(fight, book, mover, fight.fighters[other])
        return
    put(fight, mover, CELL, cell)
    spring_under(fight, mover)
    if has_waiting(fight, mover):
        let_strike(fight, book, mover, kinds.ON_TELEPORTED, mover.number, 0, NO_STATE)
