"""The rules as functions of a state: what may be done, what comes of it, and who has won.

`apply` rolls the dice it is given, `foresee` does the same with the means instead of dice, `expected` only
tells the means. Nothing is ever changed in place. Next hop: `botapp.advisor` scores `legal_actions`.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from botapp.fight import damage
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.board import neighbours
from botapp.fight.casting import (
    IllegalAction,
    castable_cells,
    reached,
    refusal,
    target_mask,
    view_mask,
)
from botapp.fight.paths import after_grip, grips, reachable, walks
from botapp.fight.sight import cells_of
from botapp.fight.state import CellFlag, Effect, EffectKind, Fighter, FightState, Spell

__all__ = [
    "DRAW",
    "IllegalAction",
    "Outcome",
    "apply",
    "castable_cells",
    "expected",
    "foresee",
    "legal_actions",
    "reachable",
    "winner",
]

DRAW = -1
END_TURN = EndTurn()

_cast = lru_cache(maxsize=1 << 13)(Cast)
_move = lru_cache(maxsize=1 << 12)(Move)


@dataclass(slots=True)
class Outcome:
    """What a cast is expected to do to one fighter, in HP, AP and MP; all of it 0 or more.

    `damage` counts what a shield would take and may exceed the HP left; `heal` is what is really given back.
    """

    damage: float = 0.0
    heal: float = 0.0
    shield: float = 0.0
    ap: float = 0.0
    mp: float = 0.0


def winner(state: FightState) -> int | None:
    """Returns the only team with someone alive, None while both fight on, -1 when nobody is left."""
    alive = {fighter.team for fighter in state.fighters if fighter.hp > 0}
    if len(alive) > 1:
        return None
    return alive.pop() if alive else DRAW


def legal_actions(state: FightState) -> tuple[Action, ...]:
    """Returns everything the current actor may do: moves, casts by spell and cell, the end of the turn last.

    There is one `Move` for each cell in reach. Once the fight is over there is nothing left to do.
    """
    if winner(state) is not None:
        return ()
    actor = state.actor
    actions: list[Action] = [_move(walk.path) for walk in walks(state, actor).values()]
    seen = view_mask(state, actor)
    for spell in actor.spells:
        key = spell.key
        actions.extend(_cast(key, cell) for cell in cells_of(target_mask(state, actor, spell, seen)))
    actions.append(END_TURN)
    return tuple(actions)


def apply(state: FightState, action: Action, rng: random.Random) -> FightState:
    """Returns the state after the current actor's action; dice come from `rng`.

    Raises:
        IllegalAction: the rules refuse the action; the text names the condition that failed.
    """
    return _after(state, action, rng)


def foresee(state: FightState, action: Action) -> FightState:
    """Returns the state after an action whose dice all fall on their mean, rounded to whole points.

    Raises:
        IllegalAction: the rules refuse the action.
    """
    return _after(state, action, None)


def expected(state: FightState, action: Action) -> dict[int, Outcome]:
    """Returns what a cast by the current actor is expected to do, by fighter id; nothing for other actions.

    The action need not be affordable now: only the spell and the target cell are looked at.

    Raises:
        IllegalAction: the actor does not have the spell.
    """
    outcomes: dict[int, Outcome] = {}
    if not isinstance(action, Cast):
        return outcomes
    caster = state.actor
    spell = _spell(caster, action.spell)
    for effect in spell.effects:
        for target, steps in reached(state, caster, effect, action.target):
            mean = damage.expected_amount(effect, spell, caster, target, steps)
            outcome = outcomes.setdefault(target.id, Outcome())
            kind = effect.kind
            if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
                outcome.damage += mean
                if kind is EffectKind.STEAL:
                    own = outcomes.setdefault(caster.id, Outcome())
                    taken = max(0.0, min(mean - target.shield, target.hp))
                    own.heal = min(own.heal + taken / 2, caster.max_hp - caster.hp)
            elif kind is EffectKind.HEAL:
                outcome.heal = min(outcome.heal + mean, target.max_hp - target.hp)
            elif kind is EffectKind.SHIELD:
                outcome.shield += mean
            elif kind is EffectKind.REMOVE_AP:
                outcome.ap += damage.expected_removed(mean, caster, target, target.ap, target.base_ap)
            else:
                outcome.mp += damage.expected_removed(mean, caster, target, target.mp, target.base_mp)
    return outcomes


def _after(state: FightState, action: Action, rng: random.Random | None) -> FightState:
    if winner(state) is not None:
        raise IllegalAction("over", "the fight is over")
    if isinstance(action, Move):
        return _walk(state, action.path)
    if isinstance(action, Cast):
        return _resolve(state, action, rng)
    if isinstance(action, EndTurn):
        return _end_turn(state)
    raise IllegalAction("action", f"{action!r} is no action")


def _spell(fighter: Fighter, key: str) -> Spell:
    for spell in fighter.spells:
        if spell.key == key:
            return spell
    raise IllegalAction("spell", f"{fighter.name} has no spell {key!r}")


def _with(state: FightState, changed: Fighter) -> FightState:
    fighters = tuple(changed if fighter.id == changed.id else fighter for fighter in state.fighters)
    return FightState(state.map, fighters, state.order, state.current, state.turn)


def _walk(state: FightState, path: tuple[int, ...]) -> FightState:
    if not path:
        raise IllegalAction("path", "the path is empty")
    actor = state.actor
    held = grips(state, actor)
    taken = {fighter.cell for fighter in state.fighters if fighter.hp > 0}
    cell, mp, ap = actor.cell, actor.mp, actor.ap
    for step in path:
        if step not in neighbours(cell):
            raise IllegalAction("path", f"cell {step} is not next to cell {cell}")
        if not state.map.cells[step] & CellFlag.WALKABLE:
            raise IllegalAction("walkable", f"cell {step} cannot be walked on")
        if step in taken:
            raise IllegalAction("free-cell", f"cell {step} is taken")
        if cell in held:
            mp, ap = after_grip(mp, held[cell]), after_grip(ap, held[cell])
        if mp < 1:
            raise IllegalAction("mp", f"not enough MP to reach cell {step}")
        cell, mp = step, mp - 1
    return _with(state, replace(actor, cell=cell, mp=mp, ap=ap))


def _end_turn(state: FightState) -> FightState:
    """Refills the actor's AP and MP, counts its cooldowns down, and hands over to the next one alive.

    A shield lasts until its bearer's next turn begins.
    """
    actor = state.actor
    rested = replace(
        actor,
        ap=actor.base_ap,
        mp=actor.base_mp,
        casts=(),
        cooldowns=tuple((key, turns - 1) for key, turns in actor.cooldowns if turns > 1),
    )
    after = _with(state, rested)
    current, turn = state.current, state.turn
    while True:
        current += 1
        if current == len(state.order):
            current, turn = 0, turn + 1
        upcoming = after.fighter(state.order[current])
        if upcoming.hp > 0:
            break
    if upcoming.shield:
        after = _with(after, replace(upcoming, shield=0))
    return FightState(after.map, after.fighters, after.order, current, turn)


def _resolve(state: FightState, action: Cast, rng: random.Random | None) -> FightState:
    caster = state.actor
    spell = _spell(caster, action.spell)
    refused = refusal(state, caster, spell, action.target)
    if refused:
        raise refused
    aimed_at = next((f.id for f in state.fighters if f.hp > 0 and f.cell == action.target), -1)
    cooldowns = caster.cooldowns
    if spell.cooldown:
        cooldowns = (*(entry for entry in cooldowns if entry[0] != spell.key), (spell.key, spell.cooldown))
    critical = rng is not None and spell.crit > 0 and rng.random() * 100 < spell.crit
    fighters = {fighter.id: fighter for fighter in state.fighters}
    fighters[caster.id] = replace(
        caster, ap=caster.ap - spell.ap, cooldowns=cooldowns, casts=(*caster.casts, (spell.key, aimed_at))
    )
    for effect in spell.effects:
        for standing, steps in reached(state, caster, effect, action.target):
            target = fighters[standing.id]
            if target.hp > 0:
                dose = _dose(effect, spell, fighters[caster.id], target, steps, critical, rng)
                for changed in _take(effect.kind, dose, fighters[caster.id], target):
                    fighters[changed.id] = changed
    return FightState(state.map, tuple(fighters.values()), state.order, state.current, state.turn)


def _dose(
    effect: Effect,
    spell: Spell,
    caster: Fighter,
    target: Fighter,
    steps: int,
    critical: bool,
    rng: random.Random | None,
) -> int:
    """Returns the effect's amount on one target; for removals the points really removed."""
    kind = effect.kind
    if kind is EffectKind.REMOVE_AP:
        remaining, base = target.ap, target.base_ap
    elif kind is EffectKind.REMOVE_MP:
        remaining, base = target.mp, target.base_mp
    else:
        if rng is None:
            return round(damage.expected_amount(effect, spell, caster, target, steps))
        bonus = damage.crit_bonus(effect, spell) if critical else 0
        return damage.amount(effect, rng.randint(effect.low, effect.high) + bonus, caster, target, steps)
    if rng is None:
        tries = (effect.low + effect.high) / 2
        return round(damage.expected_removed(tries, caster, target, remaining, base))
    return damage.removed(rng.randint(effect.low, effect.high), caster, target, remaining, base, rng)


def _take(kind: EffectKind, dose: int, caster: Fighter, target: Fighter) -> Iterator[Fighter]:
    """Yields the fighters that an amount changes: the target, and the caster where it steals."""
    if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
        absorbed = min(target.shield, dose)
        lost = min(dose - absorbed, target.hp)
        eroded = damage.eroded_by(lost)
        yield replace(
            target,
            hp=target.hp - lost,
            shield=target.shield - absorbed,
            max_hp=target.max_hp - eroded,
            eroded=target.eroded + eroded,
        )
        if kind is EffectKind.STEAL:
            yield replace(caster, hp=min(caster.max_hp, caster.hp + lost // 2))
    elif kind is EffectKind.HEAL:
        yield replace(target, hp=min(target.max_hp, target.hp + dose))
    elif kind is EffectKind.SHIELD:
        yield replace(target, shield=target.shield + dose)
    elif kind is EffectKind.REMOVE_AP:
        yield replace(target, ap=target.ap - dose)
    else:
        yield replace(target, mp=target.mp - dose)
