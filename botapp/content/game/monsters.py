"""A monster's grades as the game writes them, read and kept compact, and the sheet that each makes.

The names of a grade's fields changed with version 3.7 of the game; both are read, see
`botapp.content.game.wanted`. A grade without life, points or resistances is not kept, but named.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.content.game.fields import Fields, Notes
from botapp.content.game.wanted import BODY, ELEMENTS, GRADE, MONSTER, SHARE, misleads
from botapp.fight.spells import Element, Stats, Summon
from botapp.host.message import say

_MOST_GRADES = 40
_MOST_SPELLS = 60
_MOST_SEGMENTS = 80
_OLD_FIELDS = (
    "grade", "level", "hp", "ap", "mp", "strength", "intelligence", "chance", "agility", "wisdom",
    "initiative", "lock", "flee", "damage", "power", "heals", "crit", "crit_damage", "crit_resistance",
    "push_damage", "push_resistance", "ap_removal", "mp_removal", "summons", "range", "ap_dodge", "mp_dodge",
    *ELEMENTS, *(f"{name}_fixed" for name in ELEMENTS),
)  # fmt: skip
"""What an older app has kept of a grade, in this order."""
_NAMES_OF_SHARES = frozenset(name for field in SHARE.values() for name in field.names)
_OF_AN_ELEMENT = frozenset(f"{name}_damage" for name in ELEMENTS)
_LEAST_HP = 1


class Grade(NamedTuple):
    """A monster at one of its grades."""

    grade: int
    level: int
    hp: int
    ap: int
    mp: int
    stats: Stats
    spells: tuple[tuple[int, int], ...]
    element_damage: Mapping[Element, int] = {}  # Flat damage of its hits of one element, by element
    # Percent of its summoner's HP ("hp") and stats that come on top where it is called
    shares: Mapping[str, int] = {}


class Monster(NamedTuple):
    """A monster as it is kept, and what is wrong with it."""

    kept: dict[str, Any]  # What the store keeps; see `grades_from`
    grades: int  # How many grades can be used
    notes: Notes  # The fields that it and its grades lack, and those that hold what is not understood
    problems: tuple[str, ...]  # What else is not known of it, as messages; the monster is judged in part


def read_monster(given: Mapping[str, Any]) -> Monster:
    """Returns a monster as it is kept: its grades, and its spells with their grades.

    Raises:
        FieldError: it has far too many grades or spells; the text names the field.
    """
    fields = Fields(given, MONSTER)
    notes = fields.notes
    problems: list[str] = []
    grades: list[dict[str, Any]] = []
    listed = fields["grades"]
    if len(listed) > _MOST_GRADES:
        raise FieldError(f"grades: expected at most {_MOST_GRADES} objects, got {shown(listed)}")
    for index, grade in enumerate(listed):
        if not isinstance(grade, Mapping):
            fields.odd("grades")
            continue
        read = _read_grade(Fields(grade, GRADE), index + 1, notes, problems)
        grades += [] if read is None else [read]
    if not listed and not misleads((*notes.missing, *notes.odd)):
        problems.append(say("grades: there are none"))
    spells = _spells(fields, problems)
    if any(grade.get("first_spell", 0) > 0 for grade in grades):
        problems.append(say("a spell that it casts as the fight begins"))
    if any(grade.get("reflected", 0) for grade in grades):
        problems.append(say("damage that it throws back"))
    stored = {"grades": grades, "spells": spells}
    return Monster(stored, len(grades), notes, tuple(dict.fromkeys(problems)))


def _read_grade(at: Fields, place: int, notes: Notes, problems: list[str]) -> dict[str, Any] | None:
    """Returns what is kept of a grade: its numbers that are not 0; None where it is of no use.

    Args:
        place: its place in the list, which stands for its number where that is not said.
        problems: takes up what of it cannot be.
    """
    values = {name: value for name in GRADE if name != "share" and (value := at[name])}
    values.setdefault("grade", place)
    share = Fields(at["share"], SHARE, "bonusCharacteristics.", Notes())
    shares = {name: value for name in SHARE if (value := share[name])}
    for name, value in share.given.items():
        if name not in _NAMES_OF_SHARES and value:
            share.odd(name)
    if "bonusCharacteristics" in at.given and not _NAMES_OF_SHARES & share.given.keys():
        at.odd("bonusCharacteristics")
    own = at.notes
    lacks = (*own.missing, *own.odd)
    hp_known = not {*BODY["hp"].names} & {*lacks}
    wrong = _impossible(values, shares) if hp_known else []
    problems += wrong
    notes.missing |= own.missing
    notes.odd |= own.odd | share.notes.odd
    notes.seen |= own.seen
    if wrong or misleads(lacks):
        return None
    return {**values, "shares": shares} if shares else values


def _impossible(values: Mapping[str, int], shares: Mapping[str, int]) -> list[str]:
    """Returns what of a grade cannot be: no life, or points below 0; a share of another's life is life."""
    impossible: list[str] = []
    if values.get("hp", 0) < _LEAST_HP and not (values.get("hp", 0) == 0 and shares.get("hp", 0) > 0):
        impossible.append(say("lifePoints: {value}", value=values.get("hp", 0)))
    for name in ("ap", "mp"):
        if values.get(name, 0) < 0:
            impossible.append(say("{field}: {value}", field=BODY[name].names[0], value=values[name]))
    return impossible


def _spells(fields: Fields, problems: list[str]) -> list[list[Any]]:
    """Returns for each spell its number and its grade at each grade of the monster, 0 where it has it not.

    The data's own lists say so: the first entry is that of the monster's grade 1. A spell without a list has
    None, and is named.

    Raises:
        FieldError: there are far too many.
    """
    spells = fields["spells"]
    if len(spells) > _MOST_SPELLS:
        raise FieldError(f"spells: expected a list of at most {_MOST_SPELLS}, got {shown(spells)}")
    given = fields["spell_grades"] if spells else fields.usual("spell_grades")
    rows: list[list[Any]] = []
    for index, spell in enumerate(spells):
        number = spell.get("id") if isinstance(spell, Mapping) else spell
        if isinstance(number, bool) or not isinstance(number, int):
            fields.odd("spells")
        elif number > 0:
            grades = None
            if index < len(given) and given[index]:
                grades = _grades_of(given[index])
                if grades is None:
                    fields.odd("spellGrades")
            if grades is None:
                problems.append(say("at which grade it has spell {number}", number=number))
            rows.append([number, grades])
    return rows


def _grades_of(given: Any) -> list[int] | None:
    """Returns the grades of a spell at each grade of the monster, None where they are not understood."""
    if isinstance(given, str):
        parts: list[Any] = [part.split(",")[0].strip() for part in given.strip("; ").split(";")]
        given = [int(part) if part.isdecimal() and len(part) < 4 else None for part in parts]
    if not isinstance(given, list):
        return None
    known = all(
        isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1000 for value in given
    )
    return [max(0, value) for value in given][:_MOST_SEGMENTS] if known else None


def spells_of(stored: Mapping[str, Any]) -> list[int]:
    """Returns the numbers of the spells of a monster that was read."""
    return [number for number, _ in stored["spells"]]


def grades_from(stored: Any, only_grade: Mapping[int, int] | None = None) -> list[Grade]:
    """Returns a monster's grades as they were kept, the lowest first.

    Args:
        stored: what `read_monster` or an older app kept.
        only_grade: by spell, its grade where it has just one.
    """
    grades, spells = (
        (stored["grades"], stored["spells"]) if isinstance(stored, dict) else _of_an_older_app(*stored)
    )
    read = [_grade(at, _at_grade(spells, at["grade"], only_grade or {})) for at in grades]
    return sorted(read, key=lambda grade: grade.grade)


def _of_an_older_app(grades: Any, spells: Any) -> tuple[list[dict[str, int]], Any]:
    return [dict(zip(_OLD_FIELDS, values, strict=True)) for values in grades], spells


def _at_grade(
    spells: Iterable[tuple[int, list[int] | None]], grade: int, only_grade: Mapping[int, int]
) -> tuple[tuple[int, int], ...]:
    spells_then = []
    for number, grades in spells:
        if grades is None:
            own = only_grade.get(number, 0)
        else:
            own = grades[min(max(1, grade), len(grades)) - 1] if grades else 0
        if own > 0:
            spells_then.append((number, own))
    return tuple(spells_then)


def _grade(at: Mapping[str, Any], spells: tuple[tuple[int, int], ...]) -> Grade:
    flat = {element: at.get(f"{element.value}_damage", 0) for element in Element}
    common = min(flat.values())
    return Grade(
        grade=at["grade"],
        level=max(1, at.get("level", 1)),
        hp=max(0, at.get("hp", 0)),
        ap=max(0, at.get("ap", 0)),
        mp=max(0, at.get("mp", 0)),
        stats=_stats(at, common),
        spells=spells,
        element_damage={element: extra - common for element, extra in flat.items() if extra != common},
        shares=at.get("shares", {}),
    )


def _stats(at: Mapping[str, Any], damage: int) -> Stats:
    """Returns the sheet of a grade; lock and flee are a tenth of agility, as a player's are."""

    def own(name: str) -> int:
        return int(at.get(name, 0))

    body = own("strength") + own("intelligence") + own("chance") + own("agility")
    return Stats(
        strength=own("strength"),
        intelligence=own("intelligence"),
        chance=own("chance"),
        agility=own("agility"),
        power=own("power"),
        damage=own("damage") + damage,
        heals=own("heals"),
        wisdom=own("wisdom"),
        lock=own("agility") // 10 + own("lock"),
        flee=own("agility") // 10 + own("flee"),
        range=own("range"),
        initiative=body + own("initiative"),
        resistance=_by_element(at, ""),
        fixed_resistance=_by_element(at, "_fixed"),
        crit=own("crit"),
        crit_damage=own("crit_damage"),
        crit_resistance=own("crit_resistance"),
        push_damage=own("push_damage"),
        push_resistance=own("push_resistance"),
        withdraw=(own("ap_removal") + own("mp_removal")) // 2,
        dodge=(own("ap_dodge") + own("mp_dodge")) // 2,
        summons=max(1, own("summons")),
    )


def _by_element(at: Mapping[str, Any], ending: str) -> tuple[int, int, int, int, int]:
    neutral, earth, fire, water, air = (int(at.get(f"{name}{ending}", 0)) for name in ELEMENTS)
    return neutral, earth, fire, water, air


def with_share(summon: Summon, shares: Mapping[str, int], stats: Stats, hp: int) -> Summon:
    """Returns a monster as one of a sheet calls it: on top of its own comes its share of the summoner's.

    Args:
        shares: percent by our names, `Grade.shares`.
        hp: the summoner's maximum HP, 0 where it is not known.
    """
    if not shares:
        return summon
    gains: dict[str, Any] = {}
    for name, percent in shares.items():
        stat = "damage" if name in _OF_AN_ELEMENT else name
        if hasattr(stats, stat):
            gains[stat] = max(gains.get(stat, 0), getattr(stats, stat) * percent // 100)
    own = summon.stats
    changed = {name: getattr(own, name) + gain for name, gain in gains.items()}
    for field, ending in (("resistance", ""), ("fixed_resistance", "_fixed")):
        added = [shares.get(f"{name}{ending}", 0) for name in ELEMENTS]
        theirs, ours = getattr(stats, field), getattr(own, field)
        pairs = zip(ours, theirs, added, strict=True)
        changed[field] = tuple(mine + its * percent // 100 for mine, its, percent in pairs)
    life = summon.hp + hp * shares.get("hp", 0) // 100
    return replace(summon, hp=max(1, life), stats=replace(own, **changed))
