"""Reads a record of the game's data by its table of `wanted`, and notes what it was not given."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.content.game.wanted import MAY_BE_NULL, Field, Kind, Need, Table, is_37, name_in

LARGEST = 2**31 - 1
_LONGEST = 400  # Letters of a text: the longest masks and conditions that were seen have some 200
_MOST_AMOUNT = 1_000_000
_ABSENT: Any = object()


class Notes:
    """What records did not say: names of fields, each once, in the order in which they were asked for.

    Attributes:
        missing: fields that were not there.
        odd: fields that hold something else than they should.
        seen: fields that may be absent and were there.
    """

    def __init__(self) -> None:
        self.missing: dict[str, None] = {}
        self.odd: dict[str, None] = {}
        self.seen: dict[str, None] = {}


class Fields:
    """One record, read field by field; a value that is not there or not understood is the usual one.

    Args:
        begins: what stands before their names in a report.
        notes: where what it lacks is noted; a new one where it is left out.
    """

    def __init__(
        self, given: Mapping[str, Any], table: Table, begins: str = "", notes: Notes | None = None
    ) -> None:
        self.given = given
        self.notes = notes or Notes()
        self._table = table
        self._begins = begins

    def __getitem__(self, name: str) -> Any:
        field = self._table[name]
        entry = self._found(field)
        if entry.value is _ABSENT:
            self._note_absent(field, entry.name)
            return field.usual
        if field.need is Need.MAY:
            self.notes.seen[f"{self._begins}{field.names[0]}"] = None
        value = _read(entry.value, field.kind)
        if value is _ABSENT:
            self.odd(entry.name)
            return field.usual
        return value

    def usual(self, name: str) -> Any:
        """Returns a field whose absence is not noted: its usual value stands then."""
        field = self._table[name]
        return field.usual if self._found(field).value is _ABSENT else self[name]

    def count(self, name: str) -> int:
        """Returns a whole number that cannot be below 0; one that is counts as not understood."""
        value = int(self[name])
        if value < 0:
            self.wrong(name)
        return max(0, value)

    def wrong(self, name: str) -> None:
        """Notes that a field, by our name, holds what is not understood."""
        self.odd(self._found(self._table[name]).name)

    def odd(self, name: str) -> None:
        """Notes that a field, by the game's name, holds what is not understood."""
        self.notes.odd[f"{self._begins}{name}"] = None

    def lacks(self, name: str) -> None:
        """Notes that a field is not there."""
        self.notes.missing[f"{self._begins}{name}"] = None

    def _found(self, field: Field) -> "_Found":
        for name in field.names:
            value = self.given.get(name)
            if value is not None:
                return _Found(name, value)
        name = name_in(field, is_37(self.given))
        null = next((alias for alias in field.names if alias in self.given and alias in MAY_BE_NULL), None)
        return _Found(name, _ABSENT) if null is None else _Found(name, field.usual)

    def _note_absent(self, field: Field, name: str) -> None:
        if field.need is not Need.MAY and (not field.since_37 or is_37(self.given)):
            self.lacks(name)


class _Found(NamedTuple):
    name: str
    value: Any


def _read(value: Any, kind: Kind) -> Any:
    """Returns a value as its kind says, `_ABSENT` where it is of another kind."""
    if isinstance(value, bool):
        return value if kind is Kind.FLAG else _ABSENT
    return _READERS[kind](value)


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and abs(value) <= LARGEST else _ABSENT


def _amount(value: Any) -> Any:
    return value if isinstance(value, int | float) and 0 <= value <= _MOST_AMOUNT else _ABSENT


def _letter(value: Any) -> Any:
    if isinstance(value, int) and 32 < value < 127:
        value = chr(value)
    return value if isinstance(value, str) and len(value) == 1 else _ABSENT


_READERS: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.FLAG: lambda value: _ABSENT,
    Kind.WHOLE: _whole,
    Kind.AMOUNT: _amount,
    Kind.LETTER: _letter,
    Kind.TEXT: lambda value: value if isinstance(value, str) and len(value) <= _LONGEST else _ABSENT,
    Kind.LIST: lambda value: value if isinstance(value, list) else _ABSENT,
    Kind.OBJECT: lambda value: value if isinstance(value, Mapping) else _ABSENT,
}


def number_of(given: Mapping[str, Any], name: str, usual: int | None = None) -> int:
    """Returns the number by which a record is known.

    Raises:
        FieldError: it is missing and has no usual value, or is no whole number from 0; the text names the
            field.
    """
    value = given.get(name)
    if value is None:
        if usual is None:
            raise FieldError(f"{name}: missing")
        return usual
    number = _ABSENT if isinstance(value, bool) else _whole(value)
    if number is _ABSENT or number < 0:
        raise FieldError(f"{name}: expected a whole number from 0, got {shown(value)}")
    return int(number)


def whole_numbers(values: Any) -> list[int] | None:
    """Returns values as whole numbers, None if one of them is not a whole number."""
    numbers = [_ABSENT if isinstance(value, bool) else _whole(value) for value in values]
    return None if _ABSENT in numbers else numbers
