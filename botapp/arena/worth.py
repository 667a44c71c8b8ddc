"""What a cast is worth to its caster's side, in HP: the yardstick that the simple players share.

Next hop: `botapp.arena.players` picks the cast worth most, `botapp.arena.threat` sums up what a turn can do.
"""

from collections.abc import Iterator

from botapp.fight.actions import Cast
from botapp.fight.board import distance
from botapp.fight.casting import area, max_range, target_mask, view_mask
from botapp.fight.rules import Outcome, expected
from botapp.fight.sight import cells_of, mask_of
from botapp.fight.state import EffectKind, Fighter, FightState, Spell

KILL_BONUS = 0.4
"""What a death is worth on top of the HP, as a share of the dead one's full HP."""

_AP_WORTH = 8.0
_MP_WORTH = 5.0
_HEAL_WORTH = 0.7
_SHIELD_WORTH = 0.5
HURTING = (EffectKind.DAMAGE, EffectKind.STEAL)


def full_hp(fighter: Fighter) -> int:
    """Returns the maximum HP the fighter came with, before erosion."""
    return fighter.max_hp + fighter.eroded


def worth(state: FightState, caster: Fighter, outcomes: dict[int, Outcome]) -> float:
    """Returns what expected outcomes are worth to the caster's side, in HP; harm to allies counts against."""
    total = 0.0
    for fighter in state.fighters:
        outcome = outcomes.get(fighter.id)
        if outcome is None:
            continue
        lost = max(0.0, outcome.damage - fighter.shield)
        harm = min(lost, fighter.hp) + _SHIELD_WORTH * min(outcome.damage, fighter.shield)
        if lost >= fighter.hp:
            harm += KILL_BONUS * full_hp(fighter)
        else:
            harm += _AP_WORTH * outcome.ap + _MP_WORTH * outcome.mp * _mp_counts(state, fighter)
        help = _HEAL_WORTH * outcome.heal
        if outcome.shield and threatened(state, fighter):
            help += _SHIELD_WORTH * outcome.shield
        total += help - harm if fighter.team == caster.team else harm - help
    return total


def reach(fighter: Fighter) -> int:
    """Returns how far the fighter's hurting spells go, in cells; 0 where it has none."""
    spans = (
        max_range(fighter, spell) + max(effect.radius for effect in spell.effects)
        for spell in fighter.spells
        if any(effect.kind in HURTING for effect in spell.effects)
    )
    return max(spans, default=0)


def threatened(state: FightState, fighter: Fighter) -> bool:
    """Tells whether an enemy stands close enough to hurt the fighter within a turn."""
    return any(
        distance(enemy.cell, fighter.cell) <= enemy.mp + reach(enemy)
        for enemy in state.fighters
        if enemy.hp > 0 and enemy.team != fighter.team
    )


def _mp_counts(state: FightState, fighter: Fighter) -> float:
    """Returns how much a lost MP hurts: little for one that stands next to its prey."""
    near = min(
        (distance(f.cell, fighter.cell) for f in state.fighters if f.hp > 0 and f.team != fighter.team),
        default=0,
    )
    return 0.2 if near <= 1 else 1.0


def telling_casts(state: FightState) -> Iterator[tuple[Spell, Cast]]:
    """Yields the current actor's legal casts that reach at least one fighter."""
    actor = state.actor
    seen = view_mask(state, actor)
    alive = [fighter for fighter in state.fighters if fighter.hp > 0]
    for spell in actor.spells:
        aimed = target_mask(state, actor, spell, seen)
        if not aimed:
            continue
        standing = mask_of(fighter.cell for fighter in alive)
        if all(effect.radius == 0 for effect in spell.effects):
            aimed &= standing
        for cell in cells_of(aimed):
            if standing >> cell & 1 or any(
                fighter.cell in area(effect.shape, effect.radius, actor.cell, cell)
                for effect in spell.effects
                for fighter in alive
            ):
                yield spell, Cast(spell.key, cell)


def best_cast(state: FightState) -> tuple[float, Cast | None]:
    """Returns the current actor's best cast by worth per AP, and that worth; (0, None) where none helps."""
    best, chosen = 0.0, None
    actor = state.actor
    for spell, cast in telling_casts(state):
        value = worth(state, actor, expected(state, cast)) / max(1, spell.ap)
        if value > best:
            best, chosen = value, cast
    return best, chosen
