"""Casting: what a spell needs before it can be cast, which cells it may aim at, and why another is refused.

Next hop: `botapp.fight.targets` says whom its effects reach there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from botapp.fight.board import CELLS, distance
from botapp.fight.refusals import IllegalAction
from botapp.fight.shapes import area, ring
from botapp.fight.sight import BITS, cells_of, terrain
from botapp.fight.spells import name_of_state
from botapp.fight.standing import standing
from botapp.fight.state import EffectKind, Fighter, FightState, Spell, State
from botapp.fight.summons import full_up
from botapp.fight.targets import HELPFUL, reached

__all__ = [
    "HELPFUL",
    "CasterView",
    "IllegalAction",
    "aimed",
    "aims",
    "area",
    "attacks",
    "castable",
    "castable_cells",
    "hindrance",
    "look",
    "max_range",
    "range_mask",
    "reached",
    "refusal",
    "ring",
    "target_mask",
    "unavailable",
    "view_mask",
]


class CasterView(NamedTuple):
    """What a caster has before it, as sets of cells.

    Attributes:
        walkable: the map's walkable cells.
        taken: cells that somebody stands on.
        shown: those of them that it can aim at: all but enemies that are invisible.
        seen: cells that it sees, others being in the way; whoever is invisible hides nothing.
    """

    walkable: int
    taken: int
    shown: int
    seen: int


def look(state: FightState, fighter: Fighter) -> CasterView:
    """Returns what the fighter has before it where it stands."""
    known: tuple[Fighter, CasterView] | None = state.memo.get("look")
    if known is None or known[0] is not fighter:
        known = state.memo["look"] = (fighter, _look(state, fighter))
    return known[1]


def _look(state: FightState, fighter: Fighter) -> CasterView:
    there = standing(state)
    hidden = there.clear & there.teams[1 - fighter.team] if there.clear else 0
    ground = terrain(state.map.cells)
    blocking = there.taken & ~there.clear & ~BITS[fighter.cell]
    return CasterView(
        ground.walkable, there.taken, there.taken & ~hidden, ground.view(fighter.cell, blocking)
    )


def view_mask(state: FightState, fighter: Fighter) -> int:
    """Returns the set of cells that the fighter sees, other fighters being in the way."""
    return look(state, fighter).seen


def max_range(fighter: Fighter, spell: Spell) -> int:
    """Returns the spell's longest range in cells in this fighter's hands."""
    if not spell.boostable_range:
        return spell.max_range
    return max(spell.min_range, spell.max_range + fighter.stats.range)


def range_mask(fighter: Fighter, spell: Spell, origin: int | None = None) -> int:
    """Returns the set of cells within the spell's range and directions from `origin` (the fighter's cell)."""
    start = fighter.cell if origin is None else origin
    return ring(start, spell.min_range, max_range(fighter, spell), spell.in_line, spell.on_diagonal)


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


def attacks(spell: Spell) -> bool:
    """Tells whether the spell deals damage by itself; what its glyphs and traps do later does not count."""
    return any(e.kind is EffectKind.DAMAGE or e.kind is EffectKind.STEAL for e in spell.effects)


def hindrance(fighter: Fighter, spell: Spell, state: FightState | None = None) -> str:
    """Returns the condition that keeps the fighter from casting the spell anywhere now, "" for none.

    Without the state the number of its summons is not looked at.
    """
    if spell.ap > fighter.ap:
        return "ap"
    if fighter.cooldowns and any(key == spell.key and turns > 0 for key, turns in fighter.cooldowns):
        return "cooldown"
    return _used_up(fighter, spell, state)


def _used_up(fighter: Fighter, spell: Spell, state: FightState | None) -> str:
    """Returns what `hindrance` does, AP and cooldown left out."""
    if spell.casts_per_turn and fighter.casts and _casts(fighter, spell) >= spell.casts_per_turn:
        return "casts-per-turn"
    if (fighter.buffs or spell.required_states) and (condition := _unfit(fighter, spell)):
        return condition
    if spell.needs_free_cell and state is not None and full_up(state, fighter, spell):
        return "summons"
    return ""


def _unfit(fighter: Fighter, spell: Spell) -> str:
    """Returns the condition on the fighter's states that the spell fails, "" for none."""
    conditions = (
        ("required-state", not all(map(fighter.has, spell.required_states))),
        ("forbidden-state", any(map(fighter.has, spell.forbidden_states))),
        ("pacified", fighter.has(State.PACIFIED) and attacks(spell)),
        (
            "gravity",
            fighter.has(State.GRAVITY) and any(e.kind is EffectKind.TELEPORT for e in spell.effects),
        ),
    )
    return next((condition for condition, fails in conditions if fails), "")


def _casts(fighter: Fighter, spell: Spell) -> int:
    return sum(key == spell.key for key, _ in fighter.casts)


def castable(state: FightState, fighter: Fighter) -> list[Spell]:
    """Returns the fighter's spells that nothing keeps it from casting somewhere now."""
    ap = fighter.ap
    waiting = {key for key, turns in fighter.cooldowns if turns > 0} if fighter.cooldowns else ()
    return [
        spell
        for spell in fighter.spells
        if spell.ap <= ap and spell.key not in waiting and not _used_up(fighter, spell, state)
    ]


def unavailable(fighter: Fighter, spell: Spell, state: FightState | None = None) -> IllegalAction | None:
    """Returns why the fighter cannot cast the spell at all right now, None where it can.

    Without the state the number of its summons is not looked at.
    """
    condition = hindrance(fighter, spell, state)
    if not condition:
        return None
    required = ", ".join(name_of_state(s) for s in spell.required_states if not fighter.has(s))
    forbidden = ", ".join(name_of_state(s) for s in spell.forbidden_states if fighter.has(s))
    left = max((turns for key, turns in fighter.cooldowns if key == spell.key), default=0)
    reasons = {
        "ap": f"not enough AP, {spell.ap} needed, {fighter.ap} left",
        "cooldown": f"ready again in {left} turns",
        "casts-per-turn": f"cast {_casts(fighter, spell)} times this turn already",
        "required-state": f"{fighter.name} would have to be {required}",
        "forbidden-state": f"not while {fighter.name} is {forbidden}",
        "pacified": f"{fighter.name} is pacified and cannot deal damage",
        "gravity": f"{fighter.name} is held by gravity and cannot teleport",
        "summons": f"{fighter.name} cannot have more than {fighter.stats.summons} summons at once",
    }
    return IllegalAction(condition, f"{spell.name}: {reasons[condition]}")


def spent_on(fighter: Fighter, spell: Spell, target: int) -> bool:
    """Tells whether the spell's casts on the fighter with the id `target` are used up for this turn."""
    limit = spell.casts_per_target
    return bool(limit) and fighter.casts.count((spell.key, target)) >= limit


def aimed(state: FightState, fighter: Fighter, spell: Spell, before: CasterView) -> int:
    """Returns the set of cells that a castable spell may aim at, given what the fighter has before it."""
    farthest = spell.max_range
    if spell.boostable_range:
        farthest = max_range(fighter, spell)
    aim = ring(fighter.cell, spell.min_range, farthest, spell.in_line, spell.on_diagonal) & before.walkable
    if spell.needs_sight:
        aim &= before.seen
    if spell.needs_taken_cell:
        aim &= before.shown
    if spell.needs_free_cell:
        aim &= ~before.taken
    if spell.casts_per_target and fighter.casts:
        for other in state.fighters:
            if other.hp > 0 and spent_on(fighter, spell, other.id):
                aim &= ~BITS[other.cell]
    return aim


def aims(state: FightState, fighter: Fighter) -> dict[str, int]:
    """Returns the set of cells that each spell may aim at which the fighter can cast now, by the spell's key.

    The result is shared: it must not be changed.
    """
    known: tuple[Fighter, dict[str, int]] | None = state.memo.get("aims")
    if known is None or known[0] is not fighter:
        spells = castable(state, fighter)
        before = look(state, fighter) if spells else None
        found = {spell.key: aimed(state, fighter, spell, before) for spell in spells} if before else {}
        known = state.memo["aims"] = (fighter, found)
    return known[1]


def target_mask(state: FightState, fighter: Fighter, spell: Spell, seen: int | None = None) -> int:
    """Returns the set of cells the fighter may cast the spell at now; empty where it cannot cast it.

    Args:
        state: the fight.
        fighter: the caster.
        spell: one of its spells.
        seen: `view_mask` of the caster, where it is known already.
    """
    if hindrance(fighter, spell, state):
        return 0
    before = look(state, fighter)
    return aimed(state, fighter, spell, before if seen is None else before._replace(seen=seen))


def refusal(state: FightState, fighter: Fighter, spell: Spell, target: int) -> IllegalAction | None:
    """Returns why the fighter may not cast the spell at the cell `target`, None where it may."""
    if not 0 <= target < CELLS:
        return IllegalAction("target", f"{spell.name}: cell {target} is off the board")
    known = state.memo.get("aims")
    if known is not None and known[0] is fighter and known[1].get(spell.key, 0) >> target & 1:
        return None
    before = look(state, fighter)
    if not hindrance(fighter, spell, state) and aimed(state, fighter, spell, before) >> target & 1:
        return None
    reason = unavailable(fighter, spell, state)
    return reason or next(_objections(state, fighter, spell, target, before))


def _objections(
    state: FightState, fighter: Fighter, spell: Spell, target: int, before: CasterView
) -> Iterator[IllegalAction]:
    """Yields what speaks against the target cell; only the first is meant to be asked for."""
    name, bit = spell.name, BITS[target]
    if not before.walkable & bit:
        yield IllegalAction("target", f"{name}: cell {target} is not one that can be walked on")
    far, low, high = distance(fighter.cell, target), spell.min_range, max_range(fighter, spell)
    if not low <= far <= high:
        yield IllegalAction("range", f"{name}: out of range, {far} cells away, {low} to {high} allowed")
    if not range_mask(fighter, spell) & bit:
        ways = "in line" if spell.in_line else "on a diagonal"
        yield IllegalAction("line", f"{name}: cell {target} is not {ways}")
    if spell.needs_free_cell and before.taken & bit:
        yield IllegalAction("free-cell", f"{name}: somebody stands on cell {target}")
    if spell.needs_taken_cell and not before.shown & bit:
        yield IllegalAction("taken-cell", f"{name}: nobody to aim at stands on cell {target}")
    standing = next((f for f in state.fighters if f.hp > 0 and f.cell == target), None)
    if standing and spent_on(fighter, spell, standing.id):
        yield IllegalAction("casts-per-target", f"{name}: no casts left on {standing.name} this turn")
    yield IllegalAction("sight", f"{name}: no line of sight to cell {target}")
