"""Cells that a client paints: where a fighter can walk, where a spell may be cast, what it covers there.

Next hop: the arena's window paints them; `botapp.fight.rules` makes actions of them.
"""

from typing import Any

from botapp.fight.core import casting, sight, walking, zones
from botapp.fight.core.casting import AIM_SET, SEEN_SET
from botapp.fight.core.cells import cells_into, clear_set, join, keep_common, ring_into, take_out
from botapp.fight.core.layout import (
    CELL,
    EFFECTS_AT,
    QUEUE,
    REACH_CELLS,
    REACH_COUNT,
    REACH_FROM,
    SPELL_EFFECTS,
    WALKABLE,
)
from botapp.fight.core.words import numbers_of
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter, FightState
from botapp.fight.workspace import Workspace, open_workspace


def reachable(state: FightState, fighter: Fighter) -> dict[int, tuple[int, ...]]:
    """Returns the path to every cell the fighter can walk to with the MP it has, its own cell left out."""
    desk = open_workspace(state)
    return ways(desk, desk.fighter(fighter.id))


def ways(desk: Workspace, f: int) -> dict[int, tuple[int, ...]]:
    """Returns the best way to every cell in a fighter's reach, in the order in which they are found."""
    s = desk.s
    walking.reach(s, desk.b, f)
    if not s[REACH_COUNT]:
        return {}
    cells = numbers_of(s, REACH_CELLS, s[REACH_COUNT])
    before = numbers_of(s, REACH_FROM, 560)
    found: dict[int, tuple[int, ...]] = {int(s[f + CELL]): ()}
    for cell in cells:
        way = []
        at = cell
        while at not in found:
            way.append(at)
            at = before[at]
        for step in reversed(way):
            found[step] = (*found[before[step]], step)
    return {cell: found[cell] for cell in cells}


def castable_cells(
    state: FightState, fighter: Fighter, spell: Spell
) -> tuple[frozenset[int], frozenset[int]]:
    """Returns what a client paints when the spell is picked: walkable cells in range, seen and unseen.

    A spell that needs no sight has all of them in the first set. Whether a cell is free or taken, and what
    the spell costs, is left to `target_cells`.
    """
    desk = open_workspace(state)
    s, b, f = desk.s, desk.b, desk.fighter(fighter.id)
    high = int(casting.max_range(s, b, f, casting.spell_at(s, b, f, desk.slot(fighter, spell))))
    ring_into(s, AIM_SET, s[f + CELL], spell.min_range, high, spell.in_line, spell.on_diagonal)
    keep_common(s, AIM_SET, b, WALKABLE)
    in_range = cells_of(s, AIM_SET)
    if not spell.needs_sight:
        return in_range, frozenset()
    sight.view_into(s, b, f, high, SEEN_SET)
    take_out(s, AIM_SET, s, SEEN_SET)
    unseen = cells_of(s, AIM_SET)
    return in_range - unseen, unseen


def target_cells(state: FightState, fighter: Fighter, spell: Spell) -> frozenset[int]:
    """Returns the cells the fighter may cast the spell at now; none where it cannot cast it."""
    desk = open_workspace(state)
    casting.aims_into(desk.s, desk.b, desk.fighter(fighter.id), desk.slot(fighter, spell), AIM_SET)
    return cells_of(desk.s, AIM_SET)


def covered_cells(state: FightState, fighter: Fighter, spell: Spell, target: int) -> frozenset[int]:
    """Returns the walkable cells that a spell's effects cover when it is cast at a cell."""
    desk = open_workspace(state)
    s, b, f = desk.s, desk.b, desk.fighter(fighter.id)
    place = casting.spell_at(s, b, f, desk.slot(fighter, spell))
    clear_set(s, AIM_SET)
    for index in range(b[place + SPELL_EFFECTS]):
        zones.zone_into(s, b, b[b[place + EFFECTS_AT] + index], s[f + CELL], target, SEEN_SET)
        join(s, AIM_SET, s, SEEN_SET)
    keep_common(s, AIM_SET, b, WALKABLE)
    return cells_of(s, AIM_SET)


def cells_of(s: Any, m: int) -> frozenset[int]:
    """Returns the cells of the set at `m`."""
    return frozenset(listed(s, m))


def listed(s: Any, m: int) -> list[int]:
    """Returns the cells of the set at `m` in ascending order."""
    return numbers_of(s, QUEUE, cells_into(s, m, s, QUEUE))
