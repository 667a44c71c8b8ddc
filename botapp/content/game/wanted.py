"""Every field of the game's data that is read: what it holds, and what follows where it is not there.

The names are those of versions 3.6 and 3.7 of the game. A field that is absent, null or of another kind than
this says is never taken to be 0 or no without a word: its record notes the name, the report counts it,
and what depends on it is judged in part or not at all.
"""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from botapp.host.message import say


class Kind(Enum):
    """What a field holds."""

    WHOLE = auto()  # A whole number; true and false are none
    AMOUNT = auto()  # A number from 0, with decimals or without
    FLAG = auto()  # true or false, and nothing else
    TEXT = auto()
    LIST = auto()
    OBJECT = auto()
    LETTER = auto()  # One letter, or its code


class Need(Enum):
    """What follows where a field is not there or not understood."""

    JUDGED = auto()  # What it belongs to is not judged: it would be valued wrongly
    PART = auto()  # What it belongs to is judged in part; the usual value stands
    NAMED = auto()  # Nothing is judged by it (a name, a picture): it is counted
    MAY = auto()
    """Tools leave it out where it is at its usual value. It is named where no record of an import has it,
    and counted where it is not understood."""


class Field(NamedTuple):
    """One field of a record."""

    names: tuple[str, ...]  # How the game calls it, 3.6 first, then 3.7 and other tools
    kind: Kind
    need: Need
    usual: Any = 0  # What stands where it is not there
    # Whether only version 3.7 has it: it is missed where a record has that version's names
    since_37: bool = False


Table = Mapping[str, Field]


def _whole(*names: str, need: Need = Need.PART, usual: int = 0, since_37: bool = False) -> Field:
    return Field(names, Kind.WHOLE, need, usual, since_37)


def _flag(*names: str, need: Need = Need.PART) -> Field:
    return Field(names, Kind.FLAG, need, False)


def _text(name: str, need: Need = Need.PART) -> Field:
    return Field((name,), Kind.TEXT, need, "")


def _list(*names: str, need: Need) -> Field:
    return Field(names, Kind.LIST, need, ())


LEVEL: Table = {
    "grade": _whole("grade", usual=1),
    "ap": _whole("apCost", need=Need.JUDGED),
    "min_range": _whole("minRange", need=Need.JUDGED),
    "max_range": _whole("range", need=Need.JUDGED),
    "boostable": _flag("rangeCanBeBoosted"),
    "in_line": _flag("castInLine", need=Need.JUDGED),
    "on_diagonal": _flag("castInDiagonal", need=Need.JUDGED),
    "needs_sight": _flag("castTestLos", need=Need.JUDGED),
    "needs_free": _flag("needFreeCell"),
    "needs_taken": _flag("needTakenCell"),
    "crit": _whole("criticalHitProbability"),
    "casts_per_turn": _whole("maxCastPerTurn"),
    "casts_per_target": _whole("maxCastPerTarget"),
    "cooldown": _whole("minCastInterval"),
    "initial_cooldown": _whole("initialCooldown"),
    "min_level": _whole("minPlayerLevel"),
    "max_stack": _whole("maxStack"),
    "criterion": _text("statesCriterion"),
    "lines": _list("effects", need=Need.JUDGED),
    "critical": _list("criticalEffect", need=Need.PART),
}
"""A spell at a grade."""
MAY_BE_NULL = frozenset(("statesCriterion",))  # Fields in which null stands for none: no condition on casting

LINE: Table = {
    "number": _whole("effectId", need=Need.JUDGED),
    "order": _whole("order"),
    "first": _whole("diceNum", need=Need.JUDGED),
    "second": _whole("diceSide", need=Need.JUDGED),
    "third": _whole("value", need=Need.JUDGED),
    "turns": _whole("duration", need=Need.JUDGED),
    "delay": _whole("delay", need=Need.JUDGED),
    "listens": _whole("effectTriggerDuration"),
    "weight": Field(("random",), Kind.AMOUNT, Need.JUDGED, 0),
    "group": _whole("group"),
    "mask": _text("targetMask", Need.JUDGED),
    "triggers": _text("triggers", Need.JUDGED),
    "dispellable": _whole("dispellable", usual=1),
    "hidden": _flag("forClientOnly", need=Need.MAY),
    "flags": _text("zoneFlags", Need.MAY),
}
"""One effect of a spell. A line that acts at once waits for nothing: only of others `listens` is asked."""
AREAS = ("zoneDescr", "zone", "rawZone")
"""The forms of an area, the fullest first: an object, a text or an object, and the older text."""
ZONE: Table = {
    "shape": Field(("shape", "zoneShape", "type"), Kind.LETTER, Need.JUDGED, "P"),
    "size": _whole("param1", "zoneSize", "size", "radius", need=Need.JUDGED, usual=1),
    "inner": _whole("param2", "zoneMinSize", "minSize"),
    "fall_off": _whole("damageDecreaseStepPercent", "zoneEfficiencyPercent", usual=10),
    "fall_steps": _whole("maxDamageDecreaseApplyCount", "zoneMaxEfficiency", usual=4),
    "stops": _flag("isStopAtTarget"),
}
"""An area as an object; what follows the first name is what other tools call it."""

ELEMENTS = ("neutral", "earth", "fire", "water", "air")
BODY: Table = {
    "level": _whole("level", need=Need.JUDGED),
    "hp": _whole("lifePoints", need=Need.JUDGED),
    "ap": _whole("actionPoints", need=Need.JUDGED),
    "mp": _whole("movementPoints", need=Need.JUDGED),
    **{name: _whole(f"{name}Resistance", f"reduction{name.title()}", need=Need.JUDGED) for name in ELEMENTS},
}
SHEET: Table = {
    **{name: _whole(name) for name in ("strength", "intelligence", "chance", "agility", "wisdom")},
    "range": _whole("bonusRange", "rangeBonus"),
    "ap_dodge": _whole("paDodge", "paLostDodge"),
    "mp_dodge": _whole("pmDodge", "mpLostDodge"),
}
_SINCE_37 = {
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
SINCE_37: Table = {name: _whole(*names, since_37=True) for name, names in _SINCE_37.items()}
GRADE: Table = {
    "grade": _whole("grade"),
    **BODY,
    **SHEET,
    **SINCE_37,
    "reflected": _whole("damageReflect", need=Need.MAY),
    "first_spell": _whole("startingSpellId", need=Need.MAY),
    "share": Field(("bonusCharacteristics",), Kind.OBJECT, Need.MAY, {}),
}
"""A monster at one of its grades; `share` is what it has of its summoner, where it is called."""
SHARE: Table = {
    name: field._replace(need=Need.MAY)
    for name, field in {"hp": BODY["hp"], **{n: BODY[n] for n in ELEMENTS}, **SHEET, **SINCE_37}.items()
}
_SIGN_OF_37 = tuple(f"reduction{name.title()}" for name in ELEMENTS)
MONSTER: Table = {
    "grades": _list("grades", need=Need.JUDGED),
    "spells": _list("spells", need=Need.PART),
    "spell_grades": _list("spellGrades", need=Need.PART),
    "picture": _whole("gfxId", need=Need.NAMED),
}

SPELL: Table = {
    "picture": _whole("iconId", need=Need.NAMED),
    "levels": _list("levels", "spellLevels", need=Need.NAMED),
    "breed": _whole("breedId", need=Need.MAY),
    "pair": _whole("pairIndex", need=Need.MAY, usual=-1),
}
BREED: Table = {
    "spells": _list("breedSpellsId", need=Need.NAMED),
    "pairs": _list("spellPairs", need=Need.MAY),
}
VARIANT: Table = {
    "breed": _whole("breedId", need=Need.NAMED),
    "spells": _list("spellIds", need=Need.NAMED),
}
STATE: Table = {
    name: _flag(name, need=Need.MAY)
    for name in (
        "preventsSpellCast",
        "preventsFight",
        "cantBeMoved",
        "cantBePushed",
        "cantDealDamage",
        "invulnerable",
        "cantSwitchPosition",
        "incurable",
        "invulnerableMelee",
        "invulnerableRange",
        "cantTackle",
        "cantBeTackled",
    )
}
CELL: Table = {
    "walkable": _flag("mov", "walkable", need=Need.JUDGED),
    "los": _flag("los", need=Need.JUDGED),
    "barred": _flag("nonWalkableDuringFight", need=Need.MAY),
    "red": _flag("red", need=Need.MAY),
    "blue": _flag("blue", need=Need.MAY),
}

KINDS: Mapping[str, tuple[tuple[str, Table], ...]] = {
    "level": (("", LEVEL), ("effects.", LINE)),
    "monster": (("", MONSTER), ("", GRADE)),
    "spell": (("", SPELL),),
    "class": (("", BREED),),
    "variant": (("", VARIANT),),
    "state": (("", STATE),),
    "map": (("cells.", CELL),),
}
"""By kind of record its tables, and what stands before their fields' names in a report."""

MISLEADING = frozenset(
    ("effects.zone", *(
        f"{begins}{name}"
        for tables in KINDS.values()
        for begins, table in tables
        for field in table.values()
        if field.need is Need.JUDGED
        for name in field.names
    ))
)  # fmt: skip
"""The names of the fields without which nothing is judged."""
MAY_BE_ABSENT: Mapping[str, tuple[str, ...]] = {
    kind: tuple(
        f"{begins}{field.names[0]}"
        for begins, table in tables
        for field in table.values()
        if field.need is Need.MAY
    )
    for kind, tables in KINDS.items()
}
"""By kind of record the fields that tools leave out."""


def is_37(fields: Mapping[str, Any]) -> bool:
    """Tells whether a monster's grade has the names of version 3.7."""
    return any(name in fields for name in _SIGN_OF_37)


def name_in(field: Field, of_37: bool) -> str:
    return field.names[1 if of_37 and len(field.names) > 1 and not field.since_37 else 0]


def misleads(names: Iterable[str]) -> bool:
    return any(name in MISLEADING for name in names)


class LeftOut(NamedTuple):
    """What of a spell is not judged."""

    why: str
    misleads: bool = False  # Whether the spell must not be judged without it


class Left(Exception):
    """A line that is left out."""

    def __init__(self, why: str, misleads: bool = False) -> None:
        super().__init__(why)
        self.left_out = LeftOut(why, misleads)


def lacking(name: str) -> LeftOut:
    """Returns that a spell's data lack a field; without most of them it must not be judged."""
    return LeftOut(say("a field that the data lack: {field}", field=name), misleads=name in MISLEADING)


def not_understood(name: str) -> LeftOut:
    """Returns that a field of a spell's data holds what is not understood; see `lacking`."""
    return LeftOut(say("a field that is not understood: {field}", field=name), misleads=name in MISLEADING)


def notes_of(missing: Iterable[str], odd: Iterable[str]) -> list[LeftOut]:
    """Returns what the data of a spell or a monster do not say, field by field."""
    return [*map(lacking, missing), *map(not_understood, odd)]
