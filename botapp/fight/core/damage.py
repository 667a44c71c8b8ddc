"""How much an effect does: damage, steal, heal, shield, erosion, AP and MP removal, rolled or expected.

Whole numbers throughout, as the games count. Next hop: `botapp.fight.core.effects` writes the amounts down.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AGILITY,
    AIR,
    BASIS,
    CHANCE,
    CRIT,
    CRIT_BONUS,
    CRIT_CHANCE,
    CRIT_DAMAGE,
    CRIT_HIGH,
    CRIT_LOW,
    CRIT_RESISTANCE,
    DAMAGE,
    DAMAGE_STAT,
    DODGE,
    EFFECT_KIND,
    EFFECT_STAT,
    ELEMENT,
    FALL_OFF,
    FALL_STEPS,
    FIRE,
    FIXED_RESISTANCE,
    GIVE_SHIELD,
    HEAL,
    HEALS,
    HIGH,
    INTELLIGENCE,
    LOW,
    NO_DICE,
    PLAYER,
    POINTS,
    POWER,
    RESISTANCE,
    STATS,
    STEAL,
    STRENGTH,
    WATER,
    WISDOM,
    WITHDRAW,
)
from botapp.fight.core.percentages import has_percentages, in_the_end, whole_of
from botapp.fight.core.states import draw

EROSION_PERCENT = 10
MOST_EROSION = 50
PLAYER_RESISTANCE = 50
"""The highest resistance that counts for a player, in percent."""


@compiled
def mastery(s: Any, f: int, element: int) -> int:
    """Returns the stat and power that raise damage of an element, in percent; less than nothing counts as 0.

    Source: the game's own client (`DamageUtil`) and domath.fr, as gathered in design/RULES.md, "Damage".
    """
    if element == FIRE:
        stat = s[f + INTELLIGENCE]
    elif element == WATER:
        stat = s[f + CHANCE]
    elif element == AIR:
        stat = s[f + AGILITY]
    else:
        stat = s[f + STRENGTH]
    return max(0, stat + s[f + POWER])


@compiled
def resistance(s: Any, f: int, element: int) -> int:
    """Returns a fighter's resistance in percent, as far as it counts."""
    percent = s[f + RESISTANCE + element]
    if percent > PLAYER_RESISTANCE and s[f + PLAYER]:
        percent = PLAYER_RESISTANCE
    return percent


@compiled
def taken_off(s: Any, f: int, element: int, critical: int) -> int:
    """Returns a fighter's fixed resistance in HP, off a critical hit that to critical hits too.

    Source: domath.fr and the client, as in design/RULES.md, "Damage".
    """
    return s[f + FIXED_RESISTANCE + element] + (s[f + CRIT_RESISTANCE] if critical else 0)


@compiled
def wound(base: int, raised: int, fixed: int, arrives: int, off: int, resisted: int) -> int:
    """Returns the damage of one hit in HP, before shields.

    A base of 0 stays 0, whatever is fixed (domath.fr and the client; design/RULES.md, "Damage").

    Args:
        base: what the dice say.
        raised: what `mastery` says, in percent.
        fixed: the caster's flat damage.
        arrives: what the way from the centre of the area leaves of it, in percent.
        off: what `taken_off` says.
        resisted: the target's resistance in percent.
    """
    if base <= 0:
        return 0
    raw = max(0, base * (100 + raised) // 100 + fixed)
    return max(0, max(0, raw * arrives // 100 - off) * (100 - resisted) // 100)


@compiled
def cure(base: int, raised: int, heals: int, arrives: int) -> int:
    """Returns the HP one heal gives, before looking at what is missing; see `mastery` for negative stats.

    A base of 0 stays 0 here too.
    """
    if base <= 0:
        return 0
    return max(0, base * (100 + max(0, raised)) // 100 + heals) * arrives // 100


@compiled
def _healing_stat(s: Any, b: Any, effect: int, f: int) -> int:
    """Returns the stat by which a heal grows, in percent: intelligence unless the effect names another."""
    stat: int = b[effect + EFFECT_STAT]
    return int(s[f + INTELLIGENCE] if stat < 0 else s[f + STATS + stat])


@compiled
def collision(level: int, dealt: int, resisted: int, cells_left: int, place: int) -> int:
    """Returns the damage in HP of being stopped short on a push; see `botapp.fight.core.push`."""
    return max(0, level + 2 * (dealt - resisted + 32)) * cells_left // (8 << place)


@compiled
def amount(
    s: Any, b: Any, effect: int, base: int, caster: int, target: int, steps: int, critical: int
) -> int:
    """Returns what an effect does for a dice value, in the effect's own unit.

    Damage and steal are before shields, heals before looking at what is missing, removals as points tried.
    """
    kind = b[effect + EFFECT_KIND]
    if b[effect + BASIS] != POINTS:
        return share(s, b, effect, base, caster, target, steps, critical)
    if kind == DAMAGE or kind == STEAL:
        element = b[effect + ELEMENT]
        fixed = s[caster + DAMAGE_STAT] + (s[caster + CRIT_DAMAGE] if critical else 0)
        arrives = 100 - b[effect + FALL_OFF] * min(b[effect + FALL_STEPS], steps)
        off = taken_off(s, target, element, critical)
        dose = wound(base, mastery(s, caster, element), fixed, arrives, off, resistance(s, target, element))
        return in_the_end(s, b, effect, dose, caster, target) if has_percentages(s, caster, target) else dose
    if kind == HEAL:
        arrives = 100 - b[effect + FALL_OFF] * min(b[effect + FALL_STEPS], steps)
        return cure(base, _healing_stat(s, b, effect, caster), s[caster + HEALS], arrives)
    return base


@compiled
def share(
    s: Any, b: Any, effect: int, percent: int, caster: int, target: int, steps: int, critical: int
) -> int:
    """Returns what an effect does whose dice are percent of something; the caster's stats do not raise it."""
    part = percent * whole_of(s, b[effect + BASIS], caster, target) // 100
    arrives = 100 - b[effect + FALL_OFF] * min(b[effect + FALL_STEPS], steps)
    kind = b[effect + EFFECT_KIND]
    if kind == DAMAGE or kind == STEAL:
        element = b[effect + ELEMENT]
        off = taken_off(s, target, element, critical)
        return wound(part, 0, 0, arrives, off, resistance(s, target, element))
    return part * arrives // 100 if kind == HEAL else part


@compiled
def crit_chance(s: Any, b: Any, f: int, spell: int) -> int:
    """Returns the chance of a critical hit in percent; a spell without one of its own never has any."""
    own = b[spell + CRIT_CHANCE]
    return max(0, min(100, own + s[f + CRIT])) if own else 0


@compiled
def lowest_face(b: Any, effect: int, bonus: int, critical: int) -> int:
    """Returns the lowest face of an effect's dice; the bonus counts on critical hits without own dice."""
    if not critical:
        return b[effect + LOW]
    if b[effect + CRIT_LOW] != NO_DICE:
        return b[effect + CRIT_LOW]
    return b[effect + LOW] + (bonus if _has_bonus(b, effect) else 0)


@compiled
def highest_face(b: Any, effect: int, bonus: int, critical: int) -> int:
    """Returns the highest face of an effect's dice, see `lowest_face`."""
    if not critical:
        return b[effect + HIGH]
    if b[effect + CRIT_LOW] != NO_DICE:
        return b[effect + CRIT_LOW] if b[effect + CRIT_HIGH] == NO_DICE else b[effect + CRIT_HIGH]
    return b[effect + HIGH] + (bonus if _has_bonus(b, effect) else 0)


@compiled
def _has_bonus(b: Any, effect: int) -> bool:
    kind = b[effect + EFFECT_KIND]
    return kind == DAMAGE or kind == STEAL or kind == HEAL or kind == GIVE_SHIELD


@compiled
def _mean(
    s: Any, b: Any, effect: int, bonus: int, caster: int, target: int, steps: int, critical: int
) -> float:
    """Returns the mean of `amount` over the dice of a usual or of a critical hit."""
    low, high = lowest_face(b, effect, bonus, critical), highest_face(b, effect, bonus, critical)
    kind = b[effect + EFFECT_KIND]
    total = 0
    if b[effect + BASIS] != POINTS:
        for face in range(low, high + 1):
            total += share(s, b, effect, face, caster, target, steps, critical)
        return total / (high - low + 1)
    if kind != DAMAGE and kind != STEAL and kind != HEAL:
        return (low + high) / 2
    arrives = 100 - b[effect + FALL_OFF] * min(b[effect + FALL_STEPS], steps)
    if kind == HEAL:
        by = _healing_stat(s, b, effect, caster)
        for face in range(low, high + 1):
            total += cure(face, by, s[caster + HEALS], arrives)
    else:
        element = b[effect + ELEMENT]
        raised = mastery(s, caster, element)
        fixed = s[caster + DAMAGE_STAT] + (s[caster + CRIT_DAMAGE] if critical else 0)
        off, resisted = taken_off(s, target, element, critical), resistance(s, target, element)
        changed = has_percentages(s, caster, target)
        for face in range(low, high + 1):
            dose = wound(face, raised, fixed, arrives, off, resisted)
            total += in_the_end(s, b, effect, dose, caster, target) if changed else dose
    return total / (high - low + 1)


@compiled
def mean_amount(
    s: Any, b: Any, effect: int, bonus: int, chance: int, caster: int, target: int, steps: int
) -> float:
    """Returns the mean of `amount` over the dice, critical hits having a `chance` in percent."""
    plain = _mean(s, b, effect, bonus, caster, target, steps, 0)
    if chance == 0:
        return plain
    better = _mean(s, b, effect, bonus, caster, target, steps, 1)
    return (plain * (100 - chance) + better * chance) / 100


@compiled
def expected_amount(s: Any, b: Any, spell: int, effect: int, caster: int, target: int, steps: int) -> float:
    """Returns the mean of `amount` over the dice and the critical hits of a spell."""
    chance = crit_chance(s, b, caster, spell)
    return mean_amount(s, b, effect, b[spell + CRIT_BONUS], chance, caster, target, steps)


@compiled
def removal_chance(s: Any, caster: int, target: int, remaining: int, base: int) -> float:
    """Returns the chance that one point is removed from a target with `remaining` of `base` points left."""
    withdraw = max(1, s[caster + WITHDRAW] + s[caster + WISDOM] // 10)
    dodge = max(1, s[target + DODGE] + s[target + WISDOM] // 10)
    return min(0.9, max(0.1, 0.5 * withdraw / dodge * remaining / max(1, base)))


@compiled
def removed(s: Any, tries: int, caster: int, target: int, remaining: int, base: int) -> int:
    """Returns how many of `tries` points are removed, each diced for by itself."""
    left = remaining
    for _ in range(tries):
        if left > 0 and draw(s) < removal_chance(s, caster, target, left, base):
            left -= 1
    return remaining - left


@compiled
def expected_removed(s: Any, tries: float, caster: int, target: int, remaining: int, base: int) -> float:
    """Returns how many of `tries` points are removed on average, from the chance at the mean of each step."""
    gone = 0.0
    tried = tries
    while tried > 0:
        left = remaining - int(gone)
        if left <= 0:
            break
        gone += min(1.0, tried) * removal_chance(s, caster, target, left, base)
        tried -= 1
    return min(gone, float(remaining))


@compiled
def eroded_by(lost_hp: int, extra: int) -> int:
    """Returns how much maximum HP goes with `lost_hp` HP; `extra` percent points come on top of the usual."""
    return lost_hp * max(0, min(MOST_EROSION, EROSION_PERCENT + extra)) // 100
