"""Percentages that damage grows and shrinks by in the end, and what shares of HP are shares of.

Next hop: `botapp.fight.core.damage`.
"""

from typing import Any

from botapp.fight.core.cells import distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    BY_WEAPON,
    CAUSE_HP,
    CELL,
    ERODED,
    FINAL_DAMAGE,
    HP,
    LEVEL,
    MAX_HP,
    MELEE_DAMAGE,
    MELEE_RESISTANCE,
    OF_CASTER_ERODED_HP,
    OF_CASTER_HP,
    OF_CASTER_MISSING_HP,
    OF_DAMAGE_TAKEN,
    OF_LEVEL,
    OF_TARGET_ERODED_HP,
    OF_TARGET_HP,
    RANGED_DAMAGE,
    RANGED_RESISTANCE,
    SPELL_DAMAGE,
    SPELL_RESISTANCE,
    WEAPON_DAMAGE,
    WEAPON_RESISTANCE,
)


@compiled
def has_percentages(s: Any, caster: int, target: int) -> bool:
    """Tells whether damage of the caster's on the target may change in the end; see `in_the_end`."""
    for stat in range(FINAL_DAMAGE, RANGED_DAMAGE + 1):
        if s[caster + stat]:
            return True
    for stat in range(SPELL_RESISTANCE, RANGED_RESISTANCE + 1):
        if s[target + stat]:
            return True
    return False


@compiled
def in_the_end(s: Any, b: Any, effect: int, dose: int, caster: int, target: int) -> int:
    """Returns damage once the percentages that come last have grown and shrunk it, in this order.

    The final ones; those of spells or weapons; those of melee (from the next cell) or of range; each rounded
    down. Then the target's resistances to both at once. Source: domath.fr, whose cases leave no other order,
    as in design/RULES.md, "Damage".
    """
    weapon, near = b[effect + BY_WEAPON] != 0, distance(s[caster + CELL], s[target + CELL]) <= 1
    dose = dose * max(0, 100 + s[caster + FINAL_DAMAGE]) // 100
    dose = dose * max(0, 100 + s[caster + (WEAPON_DAMAGE if weapon else SPELL_DAMAGE)]) // 100
    dose = dose * max(0, 100 + s[caster + (MELEE_DAMAGE if near else RANGED_DAMAGE)]) // 100
    kept = max(0, 100 - s[target + (WEAPON_RESISTANCE if weapon else SPELL_RESISTANCE)])
    return dose * kept * max(0, 100 - s[target + (MELEE_RESISTANCE if near else RANGED_RESISTANCE)]) // 10000


@compiled
def whole_of(s: Any, basis: int, caster: int, target: int) -> int:
    """Returns what an effect's percent are of, in HP or levels."""
    if basis == OF_LEVEL:
        return s[caster + LEVEL]
    if basis == OF_DAMAGE_TAKEN:
        return s[CAUSE_HP]
    f = caster if basis <= OF_CASTER_ERODED_HP else target
    if basis == OF_CASTER_MISSING_HP:
        return s[f + MAX_HP] - s[f + HP]
    if basis == OF_CASTER_ERODED_HP or basis == OF_TARGET_ERODED_HP:
        return s[f + ERODED]
    return s[f + HP] if basis == OF_CASTER_HP or basis == OF_TARGET_HP else s[f + MAX_HP]
