"""Which cells light up: the reach of the person's fighter, or the range and area of the selected spell."""

from functools import lru_cache

from botapp.arena.window.moment import Highlights
from botapp.fight.ranges import castable_cells, covered_cells, reachable, target_cells
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter, FightState


@lru_cache(maxsize=8)
def reach(state: FightState, fighter: Fighter) -> dict[int, tuple[int, ...]]:
    """Returns the path to each cell in reach; the result is shared and must not be changed."""
    return reachable(state, fighter)


@lru_cache(maxsize=8)
def spell_range(state: FightState, fighter: Fighter, spell: Spell) -> tuple[frozenset[int], frozenset[int]]:
    """Returns the cells in range, with and without sight."""
    return castable_cells(state, fighter, spell)


@lru_cache(maxsize=8)
def targets(state: FightState, fighter: Fighter, spell: Spell) -> frozenset[int]:
    return target_cells(state, fighter, spell)


def spell_area(state: FightState, fighter: Fighter, spell: Spell, target: int) -> frozenset[int]:
    """Returns the floor cells that the spell touches when cast at a cell."""
    return covered_cells(state, fighter, spell, target)


def highlights(state: FightState, fighter: Fighter, selected: str | None, hover: int | None) -> Highlights:
    """Returns what to light up in the fighter's own turn, or while places are chosen.

    Args:
        fighter: whose reach or range is shown.
        selected: key of the selected spell, None to show the reach.
        hover: the cell under the mouse, None for none.
    """
    if state.placing:
        return _start_cells(state, fighter)
    spell = next((spell for spell in fighter.spells if spell.key == selected), None)
    if spell is None:
        paths = reach(state, fighter)
        path = paths.get(hover, ()) if hover is not None else ()
        return Highlights(reachable=frozenset(paths), path=path)
    seen, out_of_sight = spell_range(state, fighter, spell)
    touched: frozenset[int] = frozenset()
    if hover is not None and hover in targets(state, fighter, spell):
        touched = spell_area(state, fighter, spell, hover)
    return Highlights(range=seen, no_sight=out_of_sight, area=touched)


def _start_cells(state: FightState, fighter: Fighter) -> Highlights:
    """Returns the free start cells of both sides, to light up while fighters choose their places."""
    taken = {f.cell for f in state.fighters if f.alive and f.id != fighter.id}
    free = [frozenset(starts) - taken for starts in (state.map.red_starts, state.map.blue_starts)]
    return Highlights(red_start=free[0], blue_start=free[1])
