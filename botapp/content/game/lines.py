"""The lines of a spell as the game writes them, and a spell at one grade: plain values, checked and compact.

They are kept in the store as lists of these very fields.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.content.game.fields import LARGEST, Fields, Notes, number_of
from botapp.content.game.wanted import AREAS, LEVEL, LINE, ZONE

MOST_LINES = 256  # Lines of one spell at one grade
_SIZED = frozenset("#+CQRXl")
"""Shapes whose second number is the nearest cell, where a zone is written in the older way."""
_POINTS = frozenset("PaA")  # Shapes that have no size
_BEHIND: tuple[Any, ...] = (0, (), ())  # What stands behind the lines where an older app has kept less


class Zone(NamedTuple):
    """An area as the game writes it."""

    shape: str = "P"  # A letter or sign; see docs/rules.md
    size: int = 1
    inner: int = 0
    fall_off: int = 10  # Percent lost with each step from the centre
    fall_steps: int = 4  # At how many steps it loses no more
    stops: bool = False  # Whether a line ends at the cell aimed at


class GameLine(NamedTuple):
    """One effect of a spell, as the game writes it; the names are the game's in plain words.

    Attributes:
        number: which effect it is, see `botapp.content.game.effect_ids`.
        first, second, third: the game's `diceNum`, `diceSide` and `value`.
        turns: how long what it gives lasts; below 0 or 63 has no end.
        listens: how long it waits for its triggers.
        weight: its part in a random choice, in hundredths of a percent; 0 where it is no choice.
    """

    number: int
    order: int
    first: int
    second: int
    third: int
    turns: int
    delay: int
    listens: int
    weight: int
    group: int
    mask: str
    triggers: str
    dispellable: int
    zone: Zone


class SpellLevel(NamedTuple):
    """A spell at one grade, as the game writes it; ranges in cells, cooldowns in turns, 0 for no limit."""

    spell: int
    grade: int
    ap: int
    min_range: int
    max_range: int
    boostable: bool
    in_line: bool
    on_diagonal: bool
    needs_sight: bool
    needs_free: bool
    needs_taken: bool
    crit: int
    casts_per_turn: int
    casts_per_target: int
    cooldown: int
    initial_cooldown: int
    min_level: int
    criterion: str
    lines: tuple[GameLine, ...]
    critical: tuple[GameLine, ...]
    max_stack: int = 0  # How often what it gives may lie on one fighter; unknown in imports of an older app
    # The fields that the data lack, by the game's names; those of its lines as "effects.NAME"
    missing: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()  # Those that hold what is not understood


def read_level(
    given: Mapping[str, Any],
    spell: int = 0,
    usual: Mapping[str, Any] | None = None,
    notes: Notes | None = None,
) -> SpellLevel:
    """Returns a spell level of the game's data; what it does not say, or not clearly, is noted.

    Args:
        spell: the number of the spell that it stands in, where it does.
        usual: the values that its file says for fields that its effects leave out.
        notes: where what it lacks is noted.

    Raises:
        FieldError: it is of no known spell, or has far too many effects; the text names the field.
    """
    level = Fields(given, LEVEL, notes=notes)
    notes = level.notes
    read = SpellLevel(
        spell=number_of(given, "spellId", spell or None),
        grade=level["grade"],
        ap=level.count("ap"),
        min_range=level.count("min_range"),
        max_range=level.count("max_range"),
        boostable=level["boostable"],
        in_line=level["in_line"],
        on_diagonal=level["on_diagonal"],
        needs_sight=level["needs_sight"],
        needs_free=level["needs_free"],
        needs_taken=level["needs_taken"],
        crit=max(0, level["crit"]),
        casts_per_turn=max(0, level["casts_per_turn"]),
        casts_per_target=max(0, level["casts_per_target"]),
        cooldown=max(0, level["cooldown"]),
        initial_cooldown=max(0, level["initial_cooldown"]),
        min_level=max(0, level["min_level"]),
        criterion=level["criterion"],
        lines=_lines(level, "lines", usual or {}),
        critical=_lines(level, "critical", usual or {}),
        max_stack=max(0, level["max_stack"]),
    )
    return read._replace(missing=tuple(notes.missing), odd=tuple(notes.odd))


def level_from_json(stored: Any) -> SpellLevel:
    """Returns a level that was kept as JSON, where named tuples are lists."""
    place = SpellLevel._fields.index("lines")
    lines, critical, *behind = list(stored)[place:]
    stack, missing, odd = [*behind, *_BEHIND[len(behind) :]]
    notes = (stack, tuple(missing), tuple(odd))
    return SpellLevel._make((*stored[:place], _from_lists(lines), _from_lists(critical), *notes))


def _from_lists(stored: Any) -> tuple[GameLine, ...]:
    return tuple(GameLine._make((*fields[:-1], Zone._make(fields[-1]))) for fields in stored)


def _lines(level: Fields, name: str, usual: Mapping[str, Any]) -> tuple[GameLine, ...]:
    """Returns the effects of a list, in their order.

    Raises:
        FieldError: there are far too many.
    """
    called = LEVEL[name].names[0]
    rows = level[name]
    if len(rows) > MOST_LINES:
        raise FieldError(f"{called}: expected a list of at most {MOST_LINES} effects, got {shown(rows)}")
    read = []
    for row in rows:
        if isinstance(row, Mapping):
            read.append(_line(Fields({**usual, **row}, LINE, "effects.", level.notes)))
        else:
            level.odd(called)
    return tuple(sorted((line for line in read if line is not None), key=lambda line: line.order))


def _line(line: Fields) -> GameLine | None:
    """Returns an effect; None for one that only stands in the spell's description."""
    if line["hidden"]:
        return None
    triggers = line["triggers"]
    at_once = triggers.strip() in ("", "I")
    return GameLine(
        number=line["number"],
        order=line["order"],
        first=line["first"],
        second=line["second"],
        third=line["third"],
        turns=line["turns"],
        delay=max(0, line["delay"]),
        listens=line.usual("listens") if at_once else line["listens"],
        weight=round(line["weight"] * 100),
        group=max(0, line["group"]),
        mask=line["mask"],
        triggers=triggers,
        dispellable=line["dispellable"],
        zone=read_zone(line),
    )


def read_zone(line: Fields) -> Zone:
    """Returns the area of an effect by the first form that is understood; notes those that are not."""
    given = [name for name in AREAS if line.given.get(name) is not None]
    for name in given:
        zone = _zone(line, name)
        if zone is not None:
            return zone
        line.odd(name)
    if given:
        line.odd("zone")
    else:
        line.lacks("zone")
    return Zone()


def _zone(line: Fields, name: str) -> Zone | None:
    """Returns the area in one of its forms, None where that is not understood."""
    value = line.given[name]
    if isinstance(value, Mapping):
        return _zone_of_object(Fields(value, ZONE, f"effects.{name}."), line.notes)
    if not isinstance(value, str) or not value:
        return None
    if name == "rawZone":
        return _zone_of_raw(value)
    numbers = _numbers(value, (0, 0, 10, 4))
    return None if numbers is None else Zone(*numbers, stops="s" in line["flags"])


def _zone_of_object(area: Fields, notes: Notes) -> Zone | None:
    """Returns an area of an object, None where its shape or its size is not known."""
    shape = area["shape"]
    size = ZONE["size"].usual if shape in _POINTS else area["size"]
    known = not area.notes.missing and not area.notes.odd
    zone = Zone(shape, size)
    if known and shape not in _POINTS:
        zone = Zone(shape, size, area["inner"], area["fall_off"], area["fall_steps"], area["stops"])
    notes.missing |= area.notes.missing
    notes.odd |= area.notes.odd
    return zone if known else None


def _zone_of_raw(raw: str) -> Zone | None:
    """Reads a zone as version 2 of the game writes it: what follows the size depends on the shape."""
    parts = raw[1:].count(",") + bool(raw[1:])
    numbers = _numbers(raw, (0, 0, 0, 0))
    if numbers is None:
        return None
    shape, size, second, third, fourth = numbers
    if shape == "l":
        size, second = second, size
        return Zone(
            shape, second, size, third if parts > 2 else 10, fourth if parts > 3 else 4, raw.endswith(",1")
        )
    if shape in _SIZED:
        return Zone(shape, size, second, third if parts > 2 else 10, fourth if parts > 3 else 4)
    return Zone(shape, size, 0, second if parts > 1 else 10, third if parts > 2 else 4)


def _numbers(written: str, usual: tuple[int, int, int, int]) -> tuple[str, int, int, int, int] | None:
    """Returns the letter of an area and the four numbers behind it, None where they are not understood."""
    shape, parts = written[0], written[1:].split(",")[:4] if written[1:] else []
    if shape == ";":  # cells of one map: named by its shape, which is not understood
        return shape, *usual
    if not parts and shape not in _POINTS:
        return None
    try:
        numbers = [int(part) for part in parts]
    except ValueError:
        return None
    if any(abs(number) > LARGEST for number in numbers):
        return None
    a, b, c, d = (*numbers, *usual[len(numbers) :])
    return shape, a, b, c, d
