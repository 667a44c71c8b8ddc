"""Casting: which cells a spell may aim at, why another is refused, and whom each of its effects reaches.

Next hop: `botapp.fight.damage` says how much an effect does to someone it reaches.
"""

from collections.abc import Iterator
from functools import lru_cache

from botapp.fight.board import CELLS, XY, distance, in_line, on_diagonal, to_cell
from botapp.fight.sight import cells_of, mask_of, sees, terrain
from botapp.fight.state import CellFlag, Effect, EffectKind, Fighter, FightState, Shape, Spell

HELPFUL = (EffectKind.HEAL, EffectKind.SHIELD)
"""Effects that reach only the caster's own side; all others reach everyone in the area but the caster."""


class IllegalAction(ValueError):
    """An action that the rules refuse.

    Attributes:
        condition: short name of the condition that failed, such as "ap", "range" or "sight".
    """

    def __init__(self, condition: str, text: str) -> None:
        super().__init__(text)
        self.condition = condition


def max_range(fighter: Fighter, spell: Spell) -> int:
    """Returns the spell's longest range in cells in this fighter's hands."""
    if not spell.boostable_range:
        return spell.max_range
    return max(spell.min_range, spell.max_range + fighter.stats.range)


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


@lru_cache(maxsize=1 << 14)
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


def range_mask(fighter: Fighter, spell: Spell, origin: int | None = None) -> int:
    """Returns the set of cells within the spell's range and directions from `origin` (the fighter's cell)."""
    start = fighter.cell if origin is None else origin
    return ring(start, spell.min_range, max_range(fighter, spell), spell.in_line, spell.on_diagonal)


def taken_cells(state: FightState) -> list[int]:
    """Returns the cells with a living fighter on them."""
    return [fighter.cell for fighter in state.fighters if fighter.hp > 0]


def view_mask(state: FightState, fighter: Fighter) -> int:
    """Returns the set of cells that the fighter sees, other fighters being in the way."""
    others = [cell for cell in taken_cells(state) if cell != fighter.cell]
    return terrain(state.map.cells).visible(fighter.cell, others)


def castable_cells(
    state: FightState, fighter: Fighter, spell: Spell
) -> tuple[frozenset[int], frozenset[int]]:
    """Returns what a client paints when the spell is picked: walkable cells in range, seen and unseen.

    A spell that needs no sight has all of them in the first set. Whether a cell is free or taken, and what
    the spell costs, is left to `target_mask`.
    """
    in_range = range_mask(fighter, spell) & terrain(state.map.cells).walkable
    seen = in_range & view_mask(state, fighter) if spell.needs_sight else in_range
    return frozenset(cells_of(seen)), frozenset(cells_of(in_range & ~seen))


def unavailable(fighter: Fighter, spell: Spell) -> IllegalAction | None:
    """Returns why the fighter cannot cast the spell at all right now, None where it can."""
    if spell.ap > fighter.ap:
        return IllegalAction("ap", f"{spell.name}: not enough AP, {spell.ap} needed, {fighter.ap} left")
    for key, turns in fighter.cooldowns:
        if key == spell.key and turns > 0:
            return IllegalAction("cooldown", f"{spell.name}: ready again in {turns} turns")
    if spell.casts_per_turn:
        done = sum(1 for key, _ in fighter.casts if key == spell.key)
        if done >= spell.casts_per_turn:
            return IllegalAction("casts-per-turn", f"{spell.name}: cast {done} times this turn already")
    return None


def spent_on(fighter: Fighter, spell: Spell, target: int) -> bool:
    """Tells whether the spell's casts on the fighter with the id `target` are used up for this turn."""
    limit = spell.casts_per_target
    return bool(limit) and fighter.casts.count((spell.key, target)) >= limit


def target_mask(state: FightState, fighter: Fighter, spell: Spell, seen: int | None = None) -> int:
    """Returns the set of cells the fighter may cast the spell at now; empty where it cannot cast it.

    Args:
        state: the fight.
        fighter: the caster.
        spell: one of its spells.
        seen: `view_mask` of the caster, where it is known already.
    """
    if unavailable(fighter, spell):
        return 0
    aimed = range_mask(fighter, spell) & terrain(state.map.cells).walkable
    if spell.needs_sight:
        aimed &= view_mask(state, fighter) if seen is None else seen
    if spell.needs_taken_cell or spell.needs_free_cell:
        taken = mask_of(taken_cells(state))
        if spell.needs_taken_cell:
            aimed &= taken
        if spell.needs_free_cell:
            aimed &= ~taken
    if spell.casts_per_target:
        for other in state.fighters:
            if other.hp > 0 and spent_on(fighter, spell, other.id):
                aimed &= ~(1 << other.cell)
    return aimed


def refusal(state: FightState, fighter: Fighter, spell: Spell, target: int) -> IllegalAction | None:
    """Returns why the fighter may not cast the spell at the cell `target`, None where it may."""
    return unavailable(fighter, spell) or next(_objections(state, fighter, spell, target), None)


def _objections(state: FightState, fighter: Fighter, spell: Spell, target: int) -> Iterator[IllegalAction]:
    """Yields what speaks against the target cell; only the first is meant to be asked for."""
    name = spell.name
    if not 0 <= target < CELLS or not state.map.cells[target] & CellFlag.WALKABLE:
        yield IllegalAction("target", f"{name}: cell {target} is not one that can be walked on")
    far, low, high = distance(fighter.cell, target), spell.min_range, max_range(fighter, spell)
    if not low <= far <= high:
        yield IllegalAction("range", f"{name}: out of range, {far} cells away, {low} to {high} allowed")
    if not range_mask(fighter, spell) >> target & 1:
        ways = "in line" if spell.in_line else "on a diagonal"
        yield IllegalAction("line", f"{name}: cell {target} is not {ways}")
    standing = next((f for f in state.fighters if f.hp > 0 and f.cell == target), None)
    if spell.needs_free_cell and standing:
        yield IllegalAction("free-cell", f"{name}: {standing.name} stands on cell {target}")
    if spell.needs_taken_cell and not standing:
        yield IllegalAction("taken-cell", f"{name}: nobody stands on cell {target}")
    if standing and spent_on(fighter, spell, standing.id):
        yield IllegalAction("casts-per-target", f"{name}: no casts left on {standing.name} this turn")
    if spell.needs_sight and not sees(state.map.cells, taken_cells(state), fighter.cell, target):
        yield IllegalAction("sight", f"{name}: no line of sight to cell {target}")


def area(shape: Shape, radius: int, caster: int, target: int) -> dict[int, int]:
    """Returns the cells an effect covers, with their distance in cells from the target cell.

    The result is shared: it must not be changed. A line runs from the target away from the caster, along the
    axis on which they are further apart.
    """
    if shape is not Shape.LINE:
        return _covered(shape, radius, target)
    (x, y), (from_x, from_y) = XY[target], XY[caster]
    dx, dy = x - from_x, y - from_y
    if abs(dx) >= abs(dy):
        return _covered(shape, radius, target, (dx > 0) - (dx < 0), 0)
    return _covered(shape, radius, target, 0, (dy > 0) - (dy < 0))


@lru_cache(maxsize=1 << 13)
def _covered(shape: Shape, radius: int, target: int, way_x: int = 0, way_y: int = 0) -> dict[int, int]:
    """Returns what `area` does; a line runs one way."""
    if shape is Shape.CIRCLE:
        return dict(_around(target, radius))
    covered = {target: 0}
    x, y = XY[target]
    ways: tuple[tuple[int, int], ...] = ()
    if shape is Shape.CROSS:
        ways = ((1, 0), (-1, 0), (0, 1), (0, -1))
    elif shape is Shape.LINE:
        ways = ((way_x, way_y),)
    for step_x, step_y in ways:
        for steps in range(1, radius + 1):
            cell = to_cell(x + steps * step_x, y + steps * step_y)
            if cell is not None and cell not in covered:
                covered[cell] = steps
    return covered


def reached(
    state: FightState, caster: Fighter, effect: Effect, target: int, origin: int | None = None
) -> Iterator[tuple[Fighter, int]]:
    """Yields the living fighters that one effect of a spell cast at `target` reaches.

    Each comes with its distance from the target cell. Helpful effects reach the caster's side, the caster
    among them; harmful ones reach everyone else, allies too.
    """
    helpful = effect.kind in HELPFUL
    start = caster.cell if origin is None else origin
    covered = area(effect.shape, effect.radius, start, target)
    for fighter in state.fighters:
        if fighter.hp <= 0:
            continue
        cell = start if fighter.id == caster.id else fighter.cell
        if cell in covered and (fighter.team == caster.team if helpful else fighter.id != caster.id):
            yield fighter, covered[cell]
