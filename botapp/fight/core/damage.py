"""How much an effect does: damage, steal, heal, shield, erosion, AP and MP removal, rolled or expected.

Whole numbers throughout, as the games count. At the end: the HP that a fighter then loses, and what dies with
it, which is its summons, its marks and the buffs that it gave to others.
"""

from botapp.fight.core import kinds
from botapp.fight.core.buffs import has_buffs, lose
from botapp.fight.core.cells import distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import BUFF_BY, HP, MAX_HP, SHIELD, STAT_NAMES, Fight, Fighter
from botapp.fight.core.marks import remove_marks_of
from botapp.fight.core.spellbook import NO_DICE, Effect, Spell
from botapp.fight.core.state import draw, put

_FINAL_DAMAGE, _RANGED_DAMAGE, _SPELL_RESISTANCE, _RANGED_RESISTANCE = map(
    STAT_NAMES.index, ("final_damage", "ranged_damage", "spell_resistance", "ranged_resistance")
)


@compiled
def has_percentages(caster: Fighter, target: Fighter) -> bool:
    """Tells whether damage of the caster's on the target may change in the end; see `in_the_end`."""
    for stat in range(_FINAL_DAMAGE, _RANGED_DAMAGE + 1):
        if caster.stats[stat]:
            return True
    for stat in range(_SPELL_RESISTANCE, _RANGED_RESISTANCE + 1):
        if target.stats[stat]:
            return True
    return False


@compiled
def is_near(caster: Fighter, target: Fighter) -> int:
    """Tells whether damage between two fighters is melee damage, from the next cell, as 0 or 1."""
    return 1 if distance(caster.cell, target.cell) <= 1 else 0


@compiled
def in_the_end(effect: Effect, dose: int, caster: Fighter, target: Fighter) -> int:
    """Returns damage once the percentages that come last have grown and shrunk it, in this order.

    The final ones; those of spells or weapons; those of melee (from the next cell) or of range; each rounded
    down. Then the target's resistances to both at once. Source: domath.fr, whose cases leave no other order,
    as in docs/rules.md.
    """
    weapon, near = effect.by_weapon != 0, is_near(caster, target) != 0
    dose = dose * max(0, 100 + caster.final_damage) // 100
    dose = dose * max(0, 100 + (caster.weapon_damage if weapon else caster.spell_damage)) // 100
    dose = dose * max(0, 100 + (caster.melee_damage if near else caster.ranged_damage)) // 100
    percent_left = max(0, 100 - (target.weapon_resistance if weapon else target.spell_resistance))
    return (
        dose
        * percent_left
        * max(0, 100 - (target.melee_resistance if near else target.ranged_resistance))
        // 10000
    )


@compiled
def whole_of(fight: Fight, basis: int, caster: Fighter, target: Fighter) -> int:
    """Returns what an effect's percent are of, in HP or levels."""
    if basis == kinds.OF_LEVEL:
        return caster.level
    if basis == kinds.OF_DAMAGE_TAKEN:
        return fight.cause_hp
    fighter = caster if basis <= kinds.OF_CASTER_ERODED_HP else target
    if basis == kinds.OF_CASTER_MISSING_HP:
        return fighter.max_hp - fighter.hp
    if basis == kinds.OF_CASTER_ERODED_HP or basis == kinds.OF_TARGET_ERODED_HP:
        return fighter.eroded
    return fighter.hp if basis == kinds.OF_CASTER_HP or basis == kinds.OF_TARGET_HP else fighter.max_hp


EROSION_PERCENT = 10
MOST_EROSION = 50
PLAYER_RESISTANCE = 50
"""The highest resistance that counts for a player, in percent."""


@compiled
def mastery(fighter: Fighter, element: int) -> int:
    """Returns the stat and power that raise damage of an element, in percent; less than nothing counts as 0.

    Source: the game's own client (`DamageUtil`) and domath.fr, as gathered in docs/rules.md.
    """
    if element == kinds.FIRE:
        stat = fighter.intelligence
    elif element == kinds.WATER:
        stat = fighter.chance
    elif element == kinds.AIR:
        stat = fighter.agility
    else:
        stat = fighter.strength
    return max(0, stat + fighter.power)


@compiled
def resistance(fighter: Fighter, element: int) -> int:
    """Returns a fighter's resistance in percent, as far as it counts."""
    percent = fighter.resistance[element]
    if percent > PLAYER_RESISTANCE and fighter.player:
        percent = PLAYER_RESISTANCE
    return percent


@compiled
def taken_off(fighter: Fighter, element: int, critical: int) -> int:
    """Returns a fighter's fixed resistance and armor in HP, off a critical hit that to critical hits too.

    Source: domath.fr and the client, as in docs/rules.md.
    """
    return fighter.fixed_resistance[element] + fighter.armor + (fighter.crit_resistance if critical else 0)


@compiled
def wound(base: int, raised: int, fixed: int, arrives: int, off: int, resisted: int) -> int:
    """Returns the damage of one hit in HP, before shields.

    A base of 0 stays 0, with any fixed damage (domath.fr and the client; docs/rules.md).

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
    # Rounded down after each factor, as the games do: one product rounded at the end is another whole number.
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
def cured(effect: Effect, dose: int, caster: Fighter, target: Fighter) -> int:
    """Returns a heal once the percentages that come last have changed it: the caster's, then the target's.

    The caster's do not change a heal in percent of something.
    """
    if effect.percent_of == kinds.OF_POINTS:
        dose = dose * max(0, 100 + caster.final_heals) // 100
    return dose * max(0, 100 + target.heals_received) // 100


@compiled
def _healing_stat(effect: Effect, fighter: Fighter) -> int:
    """Returns the stat by which a heal grows, in percent: intelligence unless the effect names another."""
    stat: int = effect.stat
    return int(fighter.intelligence if stat < 0 else fighter.stats[stat])


@compiled
def collision(level: int, dealt: int, resisted: int, cells_left: int, place: int) -> int:
    """Returns the damage in HP of being stopped short on a push; see `botapp.fight.core.push`."""
    # Both sides of the formula are doubled, so that half a level needs no fraction.
    return max(0, level + 2 * (dealt - resisted + 32)) * cells_left // (8 << place)


@compiled
def amount(
    fight: Fight, effect: Effect, base: int, caster: Fighter, target: Fighter, steps: int, critical: int
) -> int:
    """Returns what an effect does for a dice value, in the effect's own unit.

    Damage and steal are before shields, heals before looking at what is missing, removals as points tried.
    """
    kind = effect.kind
    if effect.percent_of != kinds.OF_POINTS:
        return share(fight, effect, base, caster, target, steps, critical)
    if kind == kinds.DAMAGE or kind == kinds.STEAL:
        element = effect.element
        fixed = caster.damage + (caster.crit_damage if critical else 0)
        arrives = 100 - effect.fall_off * min(effect.fall_steps, steps)
        off = taken_off(target, element, critical)
        dose = wound(base, mastery(caster, element), fixed, arrives, off, resistance(target, element))
        return in_the_end(effect, dose, caster, target) if has_percentages(caster, target) else dose
    if kind == kinds.HEAL:
        arrives = 100 - effect.fall_off * min(effect.fall_steps, steps)
        return cured(effect, cure(base, _healing_stat(effect, caster), caster.heals, arrives), caster, target)
    return base


@compiled
def share(
    fight: Fight, effect: Effect, percent: int, caster: Fighter, target: Fighter, steps: int, critical: int
) -> int:
    """Returns what an effect does whose dice are percent of something; the caster's stats do not raise it."""
    part = percent * whole_of(fight, effect.percent_of, caster, target) // 100
    arrives = 100 - effect.fall_off * min(effect.fall_steps, steps)
    kind = effect.kind
    if kind == kinds.DAMAGE or kind == kinds.STEAL:
        element = effect.element
        off = taken_off(target, element, critical)
        return wound(part, 0, 0, arrives, off, resistance(target, element))
    return cured(effect, part * arrives // 100, caster, target) if kind == kinds.HEAL else part


@compiled
def crit_chance(fighter: Fighter, spell: Spell) -> int:
    """Returns the chance of a critical hit in percent; a spell without one of its own never has any."""
    own = spell.crit_chance
    return max(0, min(100, own + fighter.crit)) if own else 0


@compiled
def faces(effect: Effect, bonus: int, critical: int, luck: int) -> tuple[int, int]:
    """Returns the lowest and the highest face that an effect's dice may fall on.

    Args:
        effect: the effect.
        bonus: the spell's, which counts on critical hits without own dice.
        critical: whether it is one.
        luck: the caster's; see `Stats`.
    """
    low, high = effect.low, effect.high
    if critical:
        if effect.crit_low != NO_DICE:
            low = effect.crit_low
            high = low if effect.crit_high == NO_DICE else effect.crit_high
        elif _has_bonus(effect):
            low, high = low + bonus, high + bonus
    if luck < 0:
        high = low
    elif luck > 0:
        low = high
    return low, high


@compiled
def _has_bonus(effect: Effect) -> bool:
    kind = effect.kind
    return kind == kinds.DAMAGE or kind == kinds.STEAL or kind == kinds.HEAL or kind == kinds.SHIELD


@compiled
def _mean(
    fight: Fight, effect: Effect, bonus: int, caster: Fighter, target: Fighter, steps: int, critical: int
) -> float:
    """Returns the mean of `amount` over the dice of a usual or of a critical hit."""
    low, high = faces(effect, bonus, critical, caster.luck)
    kind = effect.kind
    total = 0
    if effect.percent_of != kinds.OF_POINTS:
        for face in range(low, high + 1):
            total += share(fight, effect, face, caster, target, steps, critical)
        return total / (high - low + 1)
    if kind != kinds.DAMAGE and kind != kinds.STEAL and kind != kinds.HEAL:
        return (low + high) / 2
    arrives = 100 - effect.fall_off * min(effect.fall_steps, steps)
    if kind == kinds.HEAL:
        by = _healing_stat(effect, caster)
        for face in range(low, high + 1):
            total += cured(effect, cure(face, by, caster.heals, arrives), caster, target)
    else:
        element = effect.element
        raised = mastery(caster, element)
        fixed = caster.damage + (caster.crit_damage if critical else 0)
        off, resisted = taken_off(target, element, critical), resistance(target, element)
        changed = has_percentages(caster, target)
        for face in range(low, high + 1):
            dose = wound(face, raised, fixed, arrives, off, resisted)
            total += in_the_end(effect, dose, caster, target) if changed else dose
    return total / (high - low + 1)


@compiled
def mean_amount(
    fight: Fight, effect: Effect, bonus: int, chance: int, caster: Fighter, target: Fighter, steps: int
) -> float:
    """Returns the mean of `amount` over the dice, critical hits having a `chance` in percent."""
    plain = _mean(fight, effect, bonus, caster, target, steps, 0)
    if chance == 0:
        return plain
    better = _mean(fight, effect, bonus, caster, target, steps, 1)
    return (plain * (100 - chance) + better * chance) / 100


@compiled
def expected_amount(
    fight: Fight, spell: Spell, effect: Effect, caster: Fighter, target: Fighter, steps: int
) -> float:
    """Returns the mean of `amount` over the dice and the critical hits of a spell."""
    chance = crit_chance(caster, spell)
    return mean_amount(fight, effect, spell.crit_bonus, chance, caster, target, steps)


@compiled
def removal_chance(caster: Fighter, target: Fighter, remaining: int, base: int) -> float:
    """Returns the chance that one point is removed from a target with `remaining` of `base` points left."""
    withdraw = max(1, caster.withdraw + caster.wisdom // 10)
    dodge = max(1, target.dodge + target.wisdom // 10)
    return min(0.9, max(0.1, 0.5 * withdraw / dodge * remaining / max(1, base)))


@compiled
def removed(fight: Fight, tries: int, caster: Fighter, target: Fighter, remaining: int, base: int) -> int:
    """Returns how many of `tries` points are removed, each diced for by itself."""
    left = remaining
    for _ in range(tries):  # one by one: each point that is gone makes the next one harder to take
        if left > 0 and draw(fight) < removal_chance(caster, target, left, base):
            left -= 1
    return remaining - left


@compiled
def expected_removed(tries: float, caster: Fighter, target: Fighter, remaining: int, base: int) -> float:
    """Returns how many of `tries` points are removed on average, from the chance at the mean of each step."""
    gone = 0.0
    tried = tries
    while tried > 0:
        left = remaining - int(gone)
        if left <= 0:
            break
        gone += min(1.0, tried) * removal_chance(caster, target, left, base)
        tried -= 1
    return min(gone, float(remaining))


@compiled
def eroded_by(lost_hp: int, extra: int) -> int:
    """Returns how much maximum HP goes with `lost_hp` HP; `extra` percent points come on top of the usual."""
    return lost_hp * max(0, min(MOST_EROSION, EROSION_PERCENT + extra)) // 100


@compiled
def hurt(fight: Fight, fighter: Fighter, dose: int) -> int:
    """Takes HP off a fighter, its shield first, and erodes its maximum; returns the HP lost."""
    hp = fighter.hp
    if hp <= 0 or dose <= 0 or (fighter.states >> kinds.INVULNERABLE) & 1:
        return 0
    absorbed = min(fighter.shield, dose)
    lost = min(dose - absorbed, hp)
    eroded = eroded_by(lost, fighter.erosion)
    put(fight, fighter, HP, hp - lost)
    put(fight, fighter, SHIELD, fighter.shield - absorbed)
    put(fight, fighter, MAX_HP, fighter.max_hp - eroded)
    fighter.eroded += eroded
    if lost == hp:
        bury(fight, fighter)
    return lost


@compiled
def kill(fight: Fight, fighter: Fighter) -> None:
    """Lets a living fighter die."""
    put(fight, fighter, HP, 0)
    put(fight, fighter, SHIELD, 0)
    bury(fight, fighter)


@compiled
def bury(fight: Fight, fighter: Fighter) -> None:
    """Takes away what dies with a fighter, with its summons what dies with them, the eldest first."""
    waiting = 1
    fight.queue[0] = fighter.number
    first = True
    while waiting > 0:
        waiting -= 1
        dead = fight.queue[waiting]
        at = fight.fighters[dead]
        if not first:
            if at.hp <= 0:
                continue
            put(fight, at, HP, 0)
            put(fight, at, SHIELD, 0)
        first = False
        if fight.mark_count:
            remove_marks_of(fight, dead)
        for number in range(fight.fighter_count - 1, -1, -1):
            other = fight.fighters[number]
            if other.summoner == dead and other.hp > 0:
                fight.queue[waiting] = number
                waiting += 1
        if fight.buff_count:
            for number in range(fight.fighter_count):
                other = fight.fighters[number]
                if other.hp > 0 and has_buffs(fight, other):
                    lose(fight, other, BUFF_BY, dead)
