"""The lines of a spell as the game writes them, and a spell at one grade: plain values, checked and compact.

They are kept in the store as lists of these very fields.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.content.game.wanted import LIMITS, OF_A_LINE, WHERE_TO_CAST, ZONES, missing_of

MOST_LINES = 256
"""Lines of one spell at one grade."""
_LONGEST = 400
_SIZED = frozenset("#+CQRXl")
"""Shapes whose second number is the nearest cell, where a zone is written in the older way."""
_LARGEST = 2**31 - 1
_COUNTS = ("apCost", "minRange", "range")
_BEHIND: tuple[Any, ...] = (0, ())
"""What stands behind the lines where an older app has kept less."""


class Zone(NamedTuple):
    """An area as the game writes it.

    Attributes:
        shape: a letter or sign; see design/CONTENT.md.
        size, inner: the two numbers behind it.
        fall_off: percent lost with each step from the centre.
        fall_steps: at how many steps it loses no more.
        stops: whether a line ends at the cell aimed at.
    """

    shape: str = "P"
    size: int = 1
    inner: int = 0
    fall_off: int = 10
    fall_steps: int = 4
    stops: bool = False


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
    """A spell at one grade, as the game writes it; ranges in cells, cooldowns in turns, 0 for no limit.

    Attributes:
        max_stack: how often what it gives may lie on one fighter; unknown in imports of an older app.
        missing: the fields that the data lack, by the game's names; those of its lines as "effects.NAME".
    """

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
    max_stack: int = 0
    missing: tuple[str, ...] = ()


def whole(fields: Mapping[str, Any], name: str, default: int = 0) -> int:
    """Returns a whole number of a record.

    Raises:
        FieldError: it is something else; the text names the field.
    """
    value = fields.get(name, default)
    if type(value) is int and -_LARGEST <= value <= _LARGEST:
        return value
    if value is None or isinstance(value, bool):
        return default if value is None else int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST:
        value = int(value)
    if not isinstance(value, int) or abs(value) > _LARGEST:
        raise FieldError(f"{name}: expected a whole number, got {shown(value)}")
    return value


def text(fields: Mapping[str, Any], name: str) -> str:
    """Returns a short text of a record, "" where it is missing.

    Raises:
        FieldError: it is something else; the text names the field.
    """
    value = fields.get(name) or ""
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise FieldError(f"{name}: expected a text of at most {_LONGEST} letters, got {shown(value)}")
    return value


def read_level(fields: Mapping[str, Any], spell: int = 0) -> SpellLevel:
    """Returns a spell level of the game's data.

    Args:
        fields: the record.
        spell: the number of the spell that it stands in, where it does.

    Raises:
        FieldError: a field is wrong; the text names it.
    """
    return SpellLevel(
        spell=whole(fields, "spellId", spell) or spell,
        grade=whole(fields, "grade", 1),
        ap=_at_least_0(fields, "apCost"),
        min_range=_at_least_0(fields, "minRange"),
        max_range=_at_least_0(fields, "range"),
        boostable=_flag(fields, "rangeCanBeBoosted"),
        in_line=_flag(fields, "castInLine"),
        on_diagonal=_flag(fields, "castInDiagonal"),
        needs_sight=_flag(fields, "castTestLos"),
        needs_free=_flag(fields, "needFreeCell"),
        needs_taken=_flag(fields, "needTakenCell"),
        crit=_at_least_0(fields, "criticalHitProbability"),
        casts_per_turn=_at_least_0(fields, "maxCastPerTurn"),
        casts_per_target=_at_least_0(fields, "maxCastPerTarget"),
        cooldown=_at_least_0(fields, "minCastInterval"),
        initial_cooldown=_at_least_0(fields, "initialCooldown"),
        min_level=_at_least_0(fields, "minPlayerLevel"),
        criterion=text(fields, "statesCriterion"),
        lines=_lines(fields, "effects"),
        critical=_lines(fields, "criticalEffect"),
        max_stack=_at_least_0(fields, "maxStack"),
        missing=_missing(fields),
    )


def _missing(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the fields that matter and that a level or its lines lack; a cost below 0 is none."""
    found = missing_of(fields, (*WHERE_TO_CAST, *LIMITS))
    found += [name for name in _COUNTS if name in fields and whole(fields, name) < 0]
    for name in ("effects", "criticalEffect"):
        for line in fields.get(name) or ():
            if isinstance(line, Mapping) and not line.get("forClientOnly"):
                found += [f"effects.{field}" for field in missing_of(line, OF_A_LINE)]
                if all(line.get(field) is None for field in ZONES):
                    found.append("effects.zone")
    return tuple(dict.fromkeys(found))


def level_from_json(kept: Any) -> SpellLevel:
    """Returns a level that was kept as JSON, where named tuples are lists."""
    place = SpellLevel._fields.index("lines")
    lines, critical, *behind = list(kept)[place:]
    stack, missing = [*behind, *_BEHIND[len(behind) :]]
    return SpellLevel._make((*kept[:place], _from_lists(lines), _from_lists(critical), stack, tuple(missing)))


def _from_lists(kept: Any) -> tuple[GameLine, ...]:
    return tuple(GameLine._make((*fields[:-1], Zone._make(fields[-1]))) for fields in kept)


def _lines(fields: Mapping[str, Any], name: str) -> tuple[GameLine, ...]:
    found = fields.get(name) or ()
    if not isinstance(found, list | tuple) or len(found) > MOST_LINES:
        raise FieldError(f"{name}: expected a list of at most {MOST_LINES} effects, got {shown(found)}")
    read = [_line(one, f"{name}[{index}]") for index, one in enumerate(found)]
    return tuple(sorted((line for line in read if line is not None), key=lambda line: line.order))


def _line(fields: Any, path: str) -> GameLine | None:
    """Returns an effect; None for one that only stands in the spell's description."""
    if not isinstance(fields, Mapping):
        raise FieldError(f"{path}: expected an object, got {shown(fields)}")
    if fields.get("forClientOnly"):
        return None
    try:
        return GameLine(
            number=whole(fields, "effectId"),
            order=whole(fields, "order"),
            first=whole(fields, "diceNum"),
            second=whole(fields, "diceSide"),
            third=whole(fields, "value"),
            turns=whole(fields, "duration"),
            delay=_at_least_0(fields, "delay"),
            listens=whole(fields, "effectTriggerDuration"),
            weight=_weight(fields),
            group=_at_least_0(fields, "group"),
            mask=text(fields, "targetMask"),
            triggers=text(fields, "triggers"),
            dispellable=whole(fields, "dispellable", 1),
            zone=read_zone(fields),
        )
    except FieldError as error:
        raise FieldError(f"{path}.{error}") from None


def _weight(fields: Mapping[str, Any]) -> int:
    value = fields.get("random") or 0
    if value == 0:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1_000_000:
        raise FieldError(f"random: expected a number from 0, got {shown(value)}")
    return round(value * 100)


def read_zone(fields: Mapping[str, Any]) -> Zone:
    """Returns the area of an effect: an object, a text with the shape and four numbers, or the older text.

    Raises:
        FieldError: it is none of these.
    """
    given = fields.get("zoneDescr")
    if isinstance(given, Mapping):
        return _zone_of_object(given)
    written = fields.get("zone")
    if isinstance(written, Mapping):
        return _zone_of_object(written)
    if isinstance(written, str) and written:
        shape, size, inner, fall_off, steps = _numbers(written, (0, 0, 10, 4))
        return Zone(shape, size, inner, fall_off, steps, "s" in text(fields, "zoneFlags"))
    raw = text(fields, "rawZone")
    return _zone_of_raw(raw) if raw else Zone()


def _zone_of_object(given: Mapping[str, Any]) -> Zone:
    shape = given.get("shape", "P")
    if isinstance(shape, int) and not isinstance(shape, bool) and 32 < shape < 127:
        shape = chr(shape)
    if not isinstance(shape, str) or len(shape) != 1:
        raise FieldError(f"zoneDescr.shape: expected a letter or its code, got {shown(shape)}")
    return Zone(
        shape,
        whole(given, "param1"),
        whole(given, "param2"),
        whole(given, "damageDecreaseStepPercent", 10),
        whole(given, "maxDamageDecreaseApplyCount", 4),
        bool(given.get("isStopAtTarget")),
    )


def _zone_of_raw(raw: str) -> Zone:
    """Reads a zone as version 2 of the game writes it: what follows the size depends on the shape."""
    parts = raw[1:].count(",") + bool(raw[1:])
    shape, size, one, two, three = _numbers(raw, (0, 0, 0, 0))
    if shape == "l":
        size, one = one, size
        return Zone(shape, one, size, two if parts > 2 else 10, three if parts > 3 else 4, raw.endswith(",1"))
    if shape in _SIZED:
        return Zone(shape, size, one, two if parts > 2 else 10, three if parts > 3 else 4)
    return Zone(shape, size, 0, one if parts > 1 else 10, two if parts > 2 else 4)


def _numbers(written: str, defaults: tuple[int, int, int, int]) -> tuple[str, int, int, int, int]:
    parts = written[1:].split(",")[:4] if written[1:] else []
    try:
        found = [int(part) for part in parts]
    except ValueError:
        found = None
    if found is None or any(abs(number) > _LARGEST for number in found):
        if written[0] == ";":  # cells of one map, which are not understood
            return ";", *defaults
        raise FieldError(f"zone: expected a letter and numbers such as C2, got {shown(written)}") from None
    a, b, c, d = (*found, *defaults[len(found) :])
    return written[0], a, b, c, d


def _at_least_0(fields: Mapping[str, Any], name: str) -> int:
    return max(0, whole(fields, name))


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    return bool(fields.get(name))
