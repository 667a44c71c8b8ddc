"""How much an effect does: damage, steal, heal, shield, erosion, AP and MP removal, rolled or expected.

Whole numbers throughout, as the games count. Next hop: `botapp.fight.effects` writes the amounts down.
"""

import random
from functools import lru_cache

from botapp.fight.state import Effect, EffectKind, Element, Fighter, Spell, Stats

EROSION_PERCENT = 10
MOST_EROSION = 50
PLAYER_RESISTANCE = 50
"""The highest resistance that counts for a player, in percent."""

_FALL_OFF_STEPS = 4
_ELEMENT_INDEX = {element: index for index, element in enumerate(Element)}
_WITH_BONUS = frozenset({EffectKind.DAMAGE, EffectKind.STEAL, EffectKind.HEAL, EffectKind.SHIELD})


def mastery(stats: Stats, element: Element) -> int:
    """Returns the stat and power that raise damage of an element, in percent."""
    if element is Element.FIRE:
        stat = stats.intelligence
    elif element is Element.WATER:
        stat = stats.chance
    elif element is Element.AIR:
        stat = stats.agility
    else:
        stat = stats.strength
    return stat + stats.power


def resistances(target: Fighter, element: Element) -> tuple[int, int]:
    """Returns the target's fixed resistance in HP and its resistance in percent, as far as it counts."""
    index = _ELEMENT_INDEX[element]
    stats = target.stats
    percent = stats.resistance[index]
    if percent > PLAYER_RESISTANCE and target.player:
        percent = PLAYER_RESISTANCE
    return stats.fixed_resistance[index], percent


@lru_cache(maxsize=1 << 14)
def wound(base: int, raised: int, fixed: int, steps: int, taken_off: int, resisted: int) -> int:
    """Returns the damage of one hit in HP, before shields.

    Args:
        base: what the dice say.
        raised: the caster's stat and power, in percent; below -100 it counts as -100.
        fixed: the caster's flat damage.
        steps: cells between the target and the centre of the area; each takes 10 % off, four at most.
        taken_off: the target's fixed resistance.
        resisted: the target's resistance in percent.
    """
    raw = max(0, base * max(0, 100 + raised) // 100 + fixed)
    arrived = raw * (10 - min(_FALL_OFF_STEPS, steps)) // 10
    return max(0, max(0, arrived - taken_off) * (100 - resisted) // 100)


@lru_cache(maxsize=1 << 13)
def cure(base: int, intelligence: int, heals: int, steps: int) -> int:
    """Returns the HP one heal gives, before looking at what is missing."""
    raw = max(0, base * max(0, 100 + intelligence) // 100 + heals)
    return raw * (10 - min(_FALL_OFF_STEPS, steps)) // 10


def collision(level: int, dealt: int, resisted: int, cells_left: int, place: int) -> int:
    """Returns the damage in HP of being stopped short on a push.

    Args:
        level: the pushing caster's level.
        dealt: its push damage.
        resisted: the push resistance of who is hurt.
        cells_left: how many cells of the push were left.
        place: 0 for the one pushed, 1 for who it bumps into, 2 for the next one behind, and so on.
    """
    return max(0, level + 2 * (dealt - resisted + 32)) * cells_left // (8 << place)


def amount(
    effect: Effect, base: int, caster: Fighter, target: Fighter, steps: int, critical: bool = False
) -> int:
    """Returns what an effect does for a dice value, in the effect's own unit.

    Damage and steal are before shields, heals before looking at what is missing, removals as points tried.
    """
    kind, stats = effect.kind, caster.stats
    if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
        taken_off, resisted = resistances(target, effect.element)
        fixed = stats.damage + stats.crit_damage if critical else stats.damage
        return wound(base, mastery(stats, effect.element), fixed, steps, taken_off, resisted)
    if kind is EffectKind.HEAL:
        return cure(base, stats.intelligence, stats.heals, steps)
    return base


def crit_chance(spell: Spell, caster: Fighter) -> int:
    """Returns the chance of a critical hit in percent; a spell without one of its own never has any."""
    return max(0, min(100, spell.crit + caster.stats.crit)) if spell.crit else 0


def dice(effect: Effect, crit_bonus: int, critical: bool) -> tuple[int, int]:
    """Returns the lowest and the highest face of the effect's dice.

    A critical hit has dice of its own, or else the spell's bonus on top of the usual ones where the effect
    is counted in HP.
    """
    if not critical:
        return effect.low, effect.high
    if effect.crit_low is not None:
        return effect.crit_low, effect.crit_low if effect.crit_high is None else effect.crit_high
    bonus = crit_bonus if effect.kind in _WITH_BONUS else 0
    return effect.low + bonus, effect.high + bonus


def rolled(low: int, high: int, rng: random.Random) -> int:
    """Returns what dice from `low` to `high` show."""
    return low if low == high else low + int(rng.random() * (high - low + 1))


@lru_cache(maxsize=1 << 14)
def _mean_wound(
    low: int, high: int, raised: int, fixed: int, steps: int, taken_off: int, resisted: int
) -> float:
    """Returns the mean of `wound` over the faces of the dice."""
    faces = range(low, high + 1)
    return sum(wound(face, raised, fixed, steps, taken_off, resisted) for face in faces) / len(faces)


def _mean(
    effect: Effect, crit_bonus: int, caster: Fighter, target: Fighter, steps: int, critical: bool
) -> float:
    """Returns the mean of `amount` over the dice of a usual or of a critical hit."""
    low, high = dice(effect, crit_bonus, critical)
    kind, stats = effect.kind, caster.stats
    if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
        taken_off, resisted = resistances(target, effect.element)
        fixed = stats.damage + stats.crit_damage if critical else stats.damage
        return _mean_wound(low, high, mastery(stats, effect.element), fixed, steps, taken_off, resisted)
    if kind is EffectKind.HEAL:
        faces = range(low, high + 1)
        return sum(cure(face, stats.intelligence, stats.heals, steps) for face in faces) / len(faces)
    return (low + high) / 2


def expected_amount(effect: Effect, spell: Spell, caster: Fighter, target: Fighter, steps: int) -> float:
    """Returns the mean of `amount` over the dice and the critical hits."""
    return mean_amount(effect, spell.crit_bonus, crit_chance(spell, caster), caster, target, steps)


def mean_amount(
    effect: Effect, crit_bonus: int, chance: int, caster: Fighter, target: Fighter, steps: int
) -> float:
    """Returns the mean of `amount` over the dice, critical hits having a `chance` in percent."""
    plain = _mean(effect, crit_bonus, caster, target, steps, False)
    if not chance:
        return plain
    better = _mean(effect, crit_bonus, caster, target, steps, True)
    return (plain * (100 - chance) + better * chance) / 100


def removal_chance(caster: Fighter, target: Fighter, remaining: int, base: int) -> float:
    """Returns the chance that one point is removed from a target with `remaining` of `base` points left."""
    withdraw = max(1, caster.stats.withdraw + caster.stats.wisdom // 10)
    dodge = max(1, target.stats.dodge + target.stats.wisdom // 10)
    return min(0.9, max(0.1, 0.5 * withdraw / dodge * remaining / max(1, base)))


def removed(
    tries: int, caster: Fighter, target: Fighter, remaining: int, base: int, rng: random.Random
) -> int:
    """Returns how many of `tries` points are removed, each diced for by itself."""
    left = remaining
    for _ in range(tries):
        if left > 0 and rng.random() < removal_chance(caster, target, left, base):
            left -= 1
    return remaining - left


def expected_removed(tries: float, caster: Fighter, target: Fighter, remaining: int, base: int) -> float:
    """Returns how many of `tries` points are removed on average, from the chance at the mean of each step."""
    gone, tried = 0.0, tries
    while tried > 0:
        left = remaining - int(gone)
        if left <= 0:
            break
        gone += min(1.0, tried) * removal_chance(caster, target, left, base)
        tried -= 1
    return min(gone, float(remaining))


def eroded_by(lost_hp: int, extra: int = 0) -> int:
    """Returns how much maximum HP goes with `lost_hp` HP; `extra` percent points come on top of the usual."""
    return lost_hp * max(0, min(MOST_EROSION, EROSION_PERCENT + extra)) // 100
