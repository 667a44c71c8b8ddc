"""Which fields of the game's data matter, by the names that versions 3.6 and 3.7 of the game have for them.

A field that is not there is never taken to be 0: its record notes the name, and is judged in part or not at
all.
"""

from collections.abc import Iterable, Mapping
from typing import Any

WHERE_TO_CAST = ("apCost", "minRange", "range", "castInLine", "castInDiagonal", "castTestLos", "effects")
LIMITS = (
    "rangeCanBeBoosted",
    "needFreeCell",
    "needTakenCell",
    "criticalHitProbability",
    "maxStack",
    "maxCastPerTurn",
    "maxCastPerTarget",
    "minCastInterval",
    "initialCooldown",
    "minPlayerLevel",
    "statesCriterion",
    "grade",
)
OF_A_LINE = (
    "effectId",
    "diceNum",
    "diceSide",
    "value",
    "duration",
    "delay",
    "random",
    "targetMask",
    "triggers",
)
ZONES = ("zoneDescr", "zone", "rawZone")
MISLEADING = frozenset((*WHERE_TO_CAST, *(f"effects.{name}" for name in (*OF_A_LINE, "zone"))))
"""Fields without which a spell is not judged: its costs, range, effects and targets."""

ELEMENTS = ("neutral", "earth", "fire", "water", "air")
BODY = {
    "level": ("level",),
    "hp": ("lifePoints",),
    "ap": ("actionPoints",),
    "mp": ("movementPoints",),
    **{name: (f"{name}Resistance", f"reduction{name.title()}") for name in ELEMENTS},
}
"""A monster's fields without which it is not judged, by our names."""
SHEET = {
    **{name: (name,) for name in ("strength", "intelligence", "chance", "agility", "wisdom")},
    "range": ("bonusRange", "rangeBonus"),
    "ap_dodge": ("paDodge", "paLostDodge"),
    "mp_dodge": ("pmDodge", "mpLostDodge"),
}
"""Those without which it is judged in part."""
SINCE_37 = {
    **{f"{name}_fixed": (f"reduction{name.title()}Flat", f"{name}ResistanceFlat") for name in ELEMENTS},
    **{f"{name}_damage": (f"{name}DamageBonus", f"bonus{name.title()}Damage") for name in ELEMENTS},
    "initiative": ("initiativeBonus",),
    "lock": ("tackleBonus", "tackleBlock"),
    "flee": ("tackleEvade",),
    "damage": ("damageBonus",),
    "power": ("percentDamageBonus",),
    "heals": ("healBonus",),
    "crit": ("criticalHitBonus",),
    "crit_damage": ("criticalDamageBonus",),
    "crit_resistance": ("criticalDamageReduction",),
    "push_damage": ("pushDamageBonus",),
    "push_resistance": ("pushDamageReduction",),
    "ap_removal": ("apAttack", "aPRemoval"),
    "mp_removal": ("mpAttack", "mPRemoval"),
    "summons": ("maxSummon",),
}
"""Those that only version 3.7 has: they are missed where a record has that version's names."""
OTHERS = {"reflected": ("damageReflect",), "first_spell": ("startingSpellId",)}
"""Fields that are shown where they are set, and not required."""
_SIGN_OF_37 = tuple(f"reduction{name.title()}" for name in ELEMENTS)


def missing_of(fields: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Returns which of some fields a record lacks; no condition on casting may be written as null."""
    return [name for name in names if name not in fields or (fields[name] is None and name != _MAY_BE_NULL)]


_MAY_BE_NULL = "statesCriterion"


def missing_of_grade(fields: Mapping[str, Any]) -> list[str]:
    """Returns the fields that a monster's grade lacks, by their names in the version that the grade is of."""
    is_37 = any(name in fields for name in _SIGN_OF_37)
    wanted = [*BODY.values(), *SHEET.values(), *(SINCE_37.values() if is_37 else ())]
    return [_name(names, is_37) for names in wanted if all(fields.get(name) is None for name in names)]


def _name(names: tuple[str, ...], is_37: bool) -> str:
    """Returns how a version calls a field; those of 3.7 alone have that name first."""
    if len(names) == 2 and names not in SINCE_37.values():
        return names[1 if is_37 else 0]
    return names[0]


def needed(name: str) -> bool:
    """Tells whether a monster is not judged without a field, by either version's name of it."""
    return any(name in names for names in BODY.values())
