"""Cells that a client paints: where a fighter can walk, where a spell may be cast, what it covers there."""

from botapp.fight.board import CELLS
from botapp.fight.core.capacity import numbers_of
from botapp.fight.core.fight import Fight, Reach
from botapp.fight.core.requests import AIMS, COVERED, RANGE, REACH
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter, FightState
from botapp.fight.workspace import Workspace, open_workspace

_REACH, _AIM, _SEEN = (Fight.word(name) for name in ("reach", "aim", "seen"))


def reachable(state: FightState, fighter: Fighter) -> dict[int, tuple[int, ...]]:
    """Returns the path to every cell the fighter can walk to with the MP it has, its own cell left out."""
    desk = open_workspace(state)
    desk.ask(REACH, desk.number(fighter))
    return ways(desk, fighter)


def ways(desk: Workspace, fighter: Fighter) -> dict[int, tuple[int, ...]]:
    """Returns the best way to every cell just found to be in a fighter's reach, in the order found."""
    count = int(desk.fight.reach.count)
    if not count:
        return {}
    cells = numbers_of(desk.s, _REACH + Reach.word("cells"), count)
    before = numbers_of(desk.s, _REACH + Reach.word("before"), CELLS)
    paths: dict[int, tuple[int, ...]] = {fighter.cell: ()}
    for cell in cells:
        way = []
        at = cell
        while at not in paths:
            way.append(at)
            at = before[at]
        for step in reversed(way):
            paths[step] = (*paths[before[step]], step)
    return {cell: paths[cell] for cell in cells}


def way_to(state: FightState, fighter: Fighter, cell: int) -> tuple[int, ...]:
    """Returns the path to a cell that the fighter can walk to with the MP it has, () where it cannot."""
    desk = open_workspace(state)
    desk.ask(REACH, desk.number(fighter))
    reach = desk.fight.reach
    if cell == fighter.cell or reach.mp[cell] < 0:
        return ()
    way = []
    while cell != fighter.cell:
        way.append(cell)
        cell = int(reach.before[cell])
    return tuple(reversed(way))


def castable_cells(
    state: FightState, fighter: Fighter, spell: Spell
) -> tuple[frozenset[int], frozenset[int]]:
    """Returns what a client paints when the spell is picked: walkable cells in range, seen and unseen.

    A spell that needs no sight has all of them in the first set. Whether a cell is free or taken, and what
    the spell costs, is left to `target_cells`.
    """
    desk = open_workspace(state)
    desk.ask(RANGE, desk.number(fighter), desk.slot(fighter, spell))
    seen = frozenset(desk.cells(_SEEN))
    return seen, frozenset(desk.cells(_AIM)) - seen


def target_cells(state: FightState, fighter: Fighter, spell: Spell) -> frozenset[int]:
    """Returns the cells the fighter may cast the spell at now; none where it cannot cast it."""
    desk = open_workspace(state)
    desk.ask(AIMS, desk.number(fighter), desk.slot(fighter, spell))
    return frozenset(desk.cells(_AIM))


def covered_cells(state: FightState, fighter: Fighter, spell: Spell, target: int) -> frozenset[int]:
    """Returns the walkable cells that a spell's effects cover when it is cast at a cell."""
    desk = open_workspace(state)
    desk.ask(COVERED, desk.number(fighter), desk.slot(fighter, spell), target)
    return frozenset(desk.cells(_AIM))
