"""Whom an effect reaches: the living fighters in its area that it is meant for.

Next hop: `botapp.fight.effects` strikes them, `botapp.fight.outcome` tells what would come of it.
"""

from collections.abc import Iterable

from botapp.fight.shapes import area
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, State
from botapp.fight.state import Fighter, FightState

HELPFUL = (EffectKind.HEAL, EffectKind.SHIELD)
"""Effects that by themselves reach only the caster's own side; see `helps` for those that depend."""

_WELCOME = (State.INVULNERABLE, State.INVISIBLE, State.UNLOCKABLE, State.FOCUSED)


def helps(effect: Effect) -> bool:
    """Tells whether the effect is good for those it reaches."""
    kind = effect.kind
    if kind is EffectKind.BUFF:
        return effect.low + effect.high > 0
    if kind is EffectKind.STATE:
        return effect.state in _WELCOME
    return kind is EffectKind.HEAL or kind is EffectKind.SHIELD


def meant(effect: Effect, caster: Fighter, fighter: Fighter) -> bool:
    """Tells whether an effect of the caster's is for a fighter, wherever that stands."""
    affects = effect.affects
    if affects is Affects.DEFAULT:
        return fighter.team == caster.team if helps(effect) else fighter.id != caster.id
    if affects is Affects.ENEMIES:
        return fighter.team != caster.team
    if affects is Affects.TEAM:
        return fighter.team == caster.team
    if affects is Affects.ALLIES:
        return fighter.team == caster.team and fighter.id != caster.id
    if affects is Affects.OTHERS:
        return fighter.id != caster.id
    return affects is Affects.ALL or fighter.id == caster.id


def among(
    fighters: Iterable[Fighter], caster: Fighter, effect: Effect, target: int, origin: int
) -> list[tuple[Fighter, int]]:
    """Returns the living among `fighters` that an effect at the cell `target` reaches, with their steps.

    Args:
        fighters: who may be reached.
        caster: whose effect it is.
        effect: the effect.
        target: the cell it is aimed at.
        origin: where its caster stands.
    """
    if effect.affects is Affects.CASTER:
        return [(caster, 0)]
    if effect.shape is Shape.POINT:
        return [(f, 0) for f in fighters if _cell(f, caster, origin) == target and _lives(effect, caster, f)]
    covered = area(effect.shape, effect.radius, origin, target)
    return [
        (fighter, covered[cell])
        for fighter in fighters
        if (cell := _cell(fighter, caster, origin)) in covered and _lives(effect, caster, fighter)
    ]


def _cell(fighter: Fighter, caster: Fighter, origin: int) -> int:
    return origin if fighter.id == caster.id else fighter.cell


def _lives(effect: Effect, caster: Fighter, fighter: Fighter) -> bool:
    return fighter.hp > 0 and meant(effect, caster, fighter)


def reached(
    state: FightState, caster: Fighter, effect: Effect, target: int, origin: int | None = None
) -> list[tuple[Fighter, int]]:
    """Returns the living fighters that one effect of a spell cast at `target` reaches.

    Each comes with its steps from the target cell. `origin` is where the caster is taken to stand.
    """
    return among(state.fighters, caster, effect, target, caster.cell if origin is None else origin)
