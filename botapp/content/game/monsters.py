"""A monster's grades as the game writes them, read and kept compact, and the sheet that each makes.

The names of a grade's fields changed with version 3.7 of the game; both are read. Next hop:
`botapp.content.game.data`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.content.game.lines import whole
from botapp.fight.spells import Stats

_MOST_GRADES = 40
_MOST_SPELLS = 60
_ELEMENTS = ("neutral", "earth", "fire", "water", "air")
_POINTS = ("level", "lifePoints", "actionPoints", "movementPoints")
_ONE_NAME = (
    "strength",
    "intelligence",
    "chance",
    "agility",
    "wisdom",
    "initiativeBonus",
    "tackleBonus",
    "tackleEvade",
    "damageBonus",
    "percentDamageBonus",
    "healBonus",
    "criticalHitBonus",
    "criticalDamageBonus",
    "criticalDamageReduction",
    "pushDamageBonus",
    "pushDamageReduction",
    "apAttack",
    "mpAttack",
    "maxSummon",
)
_TWO_NAMES = {
    "range": ("bonusRange", "rangeBonus"),
    "ap_dodge": ("paDodge", "paLostDodge"),
    "mp_dodge": ("pmDodge", "mpLostDodge"),
    **{name: (f"{name}Resistance", f"reduction{name.title()}") for name in _ELEMENTS},
    **{f"{name}_fixed": (f"{name}ResistanceFlat", f"reduction{name.title()}Flat") for name in _ELEMENTS},
}
FIELDS = ("grade", *_POINTS, *_ONE_NAME, *_TWO_NAMES)
"""What is kept of a grade, in this order."""


class Grade(NamedTuple):
    """A monster at one of its grades.

    Attributes:
        spells: numbers and grades of its spells.
    """

    grade: int
    level: int
    hp: int
    ap: int
    mp: int
    stats: Stats
    spells: tuple[tuple[int, int], ...]


def read_monster(fields: Mapping[str, Any]) -> list[Any]:
    """Returns a monster as it is kept: its grades, and its spells with their grades.

    Raises:
        FieldError: a field is wrong; the text names it.
    """
    grades = fields["grades"]
    if len(grades) > _MOST_GRADES or not all(isinstance(grade, Mapping) for grade in grades):
        raise FieldError(f"grades: expected at most {_MOST_GRADES} objects, got {shown(grades)}")
    kept = [_grade(grade, index) for index, grade in enumerate(grades)]
    return [kept, _spells(fields, len(kept))]


def _grade(fields: Mapping[str, Any], index: int) -> list[int]:
    values = [whole(fields, "grade", index + 1), *(whole(fields, name) for name in (*_POINTS, *_ONE_NAME))]
    for names in _TWO_NAMES.values():
        values.append(next((whole(fields, name) for name in names if name in fields), 0))
    return values


def _spells(fields: Mapping[str, Any], grades: int) -> list[list[Any]]:
    """Returns for each spell its number and its grade at each grade of the monster, 0 where it has it not."""
    spells = fields.get("spells") or []
    given = fields.get("spellGrades") or []
    if not isinstance(spells, list) or not isinstance(given, list) or len(spells) > _MOST_SPELLS:
        raise FieldError(f"spells: expected a list of at most {_MOST_SPELLS}, got {shown(spells)}")
    found = []
    for index, spell in enumerate(spells):
        number = spell.get("id") if isinstance(spell, Mapping) else spell
        if isinstance(number, bool) or not isinstance(number, int):
            raise FieldError(f"spells[{index}]: expected a number, got {shown(spell)}")
        if number > 0:
            found.append([number, _grades_of(given[index] if index < len(given) else None, grades, index)])
    return found


def _grades_of(given: Any, grades: int, index: int) -> list[int]:
    if given is None:
        return [at + 1 for at in range(grades)]
    if isinstance(given, str):
        parts: list[Any] = [part.split(",")[0].strip() for part in given.split(";")[: _MOST_GRADES * 2]]
        given = [int(part) if part.isdecimal() and len(part) < 4 else 0 for part in parts]
    if not isinstance(given, list) or not all(isinstance(one, int) for one in given):
        raise FieldError(f"spellGrades[{index}]: expected grades, got {shown(given)}")
    return [one if 0 <= one < 1000 else 0 for one in given][:grades]


def grades_from(kept: Any) -> list[Grade]:
    """Returns a monster's grades as `read_monster` kept them, the lowest first."""
    grades, spells = kept
    found = []
    for index, values in enumerate(grades):
        at = dict(zip(FIELDS, values, strict=True))
        own = [(number, of[index] if index < len(of) else (of or [1])[-1]) for number, of in spells]
        found.append(
            Grade(
                grade=at["grade"],
                level=max(1, at["level"]),
                hp=max(1, at["lifePoints"]),
                ap=max(0, at["actionPoints"]),
                mp=max(0, at["movementPoints"]),
                stats=_stats(at),
                spells=tuple((number, grade) for number, grade in own if grade > 0),
            )
        )
    return found


def _stats(at: Mapping[str, int]) -> Stats:
    """Returns the sheet of a grade; lock and flee are a tenth of agility, as a player's are."""
    body = at["strength"] + at["intelligence"] + at["chance"] + at["agility"]
    return Stats(
        strength=at["strength"],
        intelligence=at["intelligence"],
        chance=at["chance"],
        agility=at["agility"],
        power=at["percentDamageBonus"],
        damage=at["damageBonus"],
        heals=at["healBonus"],
        wisdom=at["wisdom"],
        lock=at["agility"] // 10 + at["tackleBonus"],
        flee=at["agility"] // 10 + at["tackleEvade"],
        range=at["range"],
        initiative=body + at["initiativeBonus"],
        resistance=_by_element(at, ""),
        fixed_resistance=_by_element(at, "_fixed"),
        crit=at["criticalHitBonus"],
        crit_damage=at["criticalDamageBonus"],
        crit_resistance=at["criticalDamageReduction"],
        push_damage=at["pushDamageBonus"],
        push_resistance=at["pushDamageReduction"],
        withdraw=(at["apAttack"] + at["mpAttack"]) // 2,
        dodge=(at["ap_dodge"] + at["mp_dodge"]) // 2,
        summons=max(1, at["maxSummon"]),
    )


def _by_element(at: Mapping[str, int], ending: str) -> tuple[int, int, int, int, int]:
    neutral, earth, fire, water, air = (at[f"{name}{ending}"] for name in _ELEMENTS)
    return neutral, earth, fire, water, air
