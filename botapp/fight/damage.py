"""How much an effect does: damage, steal, heal, shield, erosion, AP and MP removal, rolled or expected.

Whole numbers throughout, as the games count. Next hop: `botapp.fight.rules` writes the amounts down.
"""

import random
from functools import lru_cache

from botapp.fight.state import Effect, EffectKind, Element, Fighter, Spell, Stats

EROSION_PERCENT = 10
_FALL_OFF_STEPS = 4
_ELEMENT_INDEX = {element: index for index, element in enumerate(Element)}


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


@lru_cache(maxsize=1 << 12)
def wound(base: int, raised: int, fixed: int, steps: int, taken_off: int, resisted: int) -> int:
    """Returns the damage of one hit in HP, before shields.

    Args:
        base: what the dice say.
        raised: the caster's stat and power, in percent.
        fixed: the caster's flat damage.
        steps: cells between the target and the centre of the area; each takes 10 % off, four at most.
        taken_off: the target's fixed resistance.
        resisted: the target's resistance in percent.
    """
    raw = max(0, base * (100 + raised) // 100 + fixed)
    arrived = raw * (10 - min(_FALL_OFF_STEPS, steps)) // 10
    return max(0, max(0, arrived - taken_off) * (100 - resisted) // 100)


@lru_cache(maxsize=1 << 12)
def cure(base: int, intelligence: int, heals: int, steps: int) -> int:
    """Returns the HP one heal gives, before looking at what is missing."""
    raw = max(0, base * (100 + intelligence) // 100 + heals)
    return raw * (10 - min(_FALL_OFF_STEPS, steps)) // 10


def amount(effect: Effect, base: int, caster: Fighter, target: Fighter, steps: int) -> int:
    """Returns what an effect does for a dice value, in the effect's own unit.

    Damage and steal are before shields, heals before looking at what is missing, removals as points tried.
    """
    kind, stats = effect.kind, caster.stats
    if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
        index = _ELEMENT_INDEX[effect.element]
        sheet = target.stats
        return wound(
            base,
            mastery(stats, effect.element),
            stats.damage,
            steps,
            sheet.fixed_resistance[index],
            sheet.resistance[index],
        )
    if kind is EffectKind.HEAL:
        return cure(base, stats.intelligence, stats.heals, steps)
    return base


def crit_bonus(effect: Effect, spell: Spell) -> int:
    """Returns what a critical hit adds to the effect's dice; removals gain nothing."""
    removal = effect.kind is EffectKind.REMOVE_AP or effect.kind is EffectKind.REMOVE_MP
    return 0 if removal else spell.crit_bonus


@lru_cache(maxsize=1 << 12)
def _mean_wound(
    low: int,
    high: int,
    critical: tuple[int, int],
    raised: int,
    fixed: int,
    steps: int,
    off: int,
    resisted: int,
) -> float:
    """Returns the mean of `wound` over the dice; `critical` is the chance in percent and the bonus."""
    chance, bonus = critical
    faces = range(low, high + 1)
    plain = sum(wound(face, raised, fixed, steps, off, resisted) for face in faces)
    better = sum(wound(face + bonus, raised, fixed, steps, off, resisted) for face in faces)
    return (plain * (100 - chance) + better * chance) / (100 * len(faces))


def expected_amount(effect: Effect, spell: Spell, caster: Fighter, target: Fighter, steps: int) -> float:
    """Returns the mean of `amount` over the dice and the critical hits."""
    kind = effect.kind
    if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
        index = _ELEMENT_INDEX[effect.element]
        stats, sheet = caster.stats, target.stats
        return _mean_wound(
            effect.low,
            effect.high,
            (spell.crit, spell.crit_bonus),
            mastery(stats, effect.element),
            stats.damage,
            steps,
            sheet.fixed_resistance[index],
            sheet.resistance[index],
        )
    faces = range(effect.low, effect.high + 1)
    plain = sum(amount(effect, face, caster, target, steps) for face in faces) / len(faces)
    bonus = crit_bonus(effect, spell)
    if not spell.crit or not bonus:
        return plain
    better = sum(amount(effect, face + bonus, caster, target, steps) for face in faces) / len(faces)
    return (plain * (100 - spell.crit) + better * spell.crit) / 100


def removal_chance(caster: Fighter, target: Fighter, remaining: int, base: int) -> float:
    """Returns the chance that one point is removed from a target with `remaining` of `base` points left."""
    withdraw, dodge = max(1, caster.stats.wisdom // 10), max(1, target.stats.wisdom // 10)
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


def eroded_by(lost_hp: int) -> int:
    """Returns how much maximum HP goes with `lost_hp` HP."""
    return lost_hp * EROSION_PERCENT // 100
