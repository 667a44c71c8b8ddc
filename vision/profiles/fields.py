"""Checks of the fields of TOML files, and an error that names the file, the field and the expected value.

The records of a file are plain dataclasses whose annotations hold these checks; pydantic builds them.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from vision.message import Message, say

T = TypeVar("T")
RGB = tuple[int, int, int]
Corners = tuple[tuple[float, float], ...]  # Of a shape of straight edges
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_GATHERED = frozenset(("fight", "region", "number", "sides", "[key]"))
"""Parts of a place that are no tables of the file, see `gather`; `[key]` is pydantic's mark of a key."""

_WANTED = {
    "dataclass_type": "a table",
    "dict_type": "a table",
    "string_type": "a text",
    "tuple_type": "a list",
    "too_short": "a longer list",
    "too_long": "a shorter list",
    "bool_parsing": "true or false",
    "int_from_float": "a whole number",
}


class ProfileError(ValueError):
    """A file is missing or broken.

    Attributes:
        message: the file and field, the expected and the actual value, and the remedy, for a person.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def parse(adapter: TypeAdapter[T], text: str, file: str, remedy: Message) -> T:
    """Reads records from TOML text.

    Args:
        remedy: what a person can do about a wrong file, a sentence.

    Raises:
        ProfileError: it is not TOML, or a field is missing or wrong.
    """
    try:
        return adapter.validate_python(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(
            say("{file}: not TOML: {problem}. {remedy}", file=file, problem=str(error), remedy=remedy)
        ) from error
    except ValidationError as error:
        raise ProfileError(
            say(
                "{file}: {problem}. {remedy}",
                file=file,
                problem=_problem(error.errors()[0]),
                remedy=remedy,
            )
        ) from error


def checked(adapter: TypeAdapter[T], tables: Mapping[str, Any]) -> T:
    """Returns the records that tables describe.

    Raises:
        ProfileError: a field is missing or wrong; the text names it, without a file.
    """
    try:
        return adapter.validate_python(tables)
    except ValidationError as error:
        raise ProfileError(_problem(error.errors()[0])) from error


def within(low: float, high: float) -> BeforeValidator:
    """Returns the check that a number, or each one of a list of them or of points, is within limits."""

    def check(value: Any) -> Any:
        for number in value if isinstance(value, list) else (value,):
            if isinstance(number, list):
                check(number)
            elif isinstance(number, bool) or not isinstance(number, int | float) or not low <= number <= high:
                raise _wanted(f"a number from {low:g} to {high:g}")
        return value

    return BeforeValidator(check)


def pattern(value: str) -> str:
    """Checks that a text is a regular expression."""
    try:
        re.compile(value)
    except re.error as error:
        raise _wanted("a regular expression") from error
    return value


def complete(*names: str) -> AfterValidator:
    """Returns the check that a table has all of some fields."""

    def check(table: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in names:
            if name not in table:
                raise _wanted(f"a table with {', '.join(names)}")
        return table

    return AfterValidator(check)


def gather(part: str, *keys: str) -> BeforeValidator:
    """Returns the step that moves fields of a table (by default all) into a nested part of it."""

    def gathered(table: Any) -> Any:
        if not isinstance(table, dict):
            return table
        return table | {part: {key: table[key] for key in keys if key in table} if keys else table}

    return BeforeValidator(gathered)


def _colour(value: Any) -> RGB:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise _wanted("a colour like #2f9a3c")
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def _wanted(what: str) -> PydanticCustomError:
    return PydanticCustomError("wanted", "{what}", {"what": what})


def _problem(error: ErrorDetails) -> Message:
    place = error["loc"]
    field = ".".join(
        part for part in place if isinstance(part, str) and part not in _GATHERED and part[0] != "<"
    )
    if error["type"] == "missing" and isinstance(place[-1], str):
        return say("{field} is missing", field=field)
    kind = "too_short" if error["type"] == "missing" else error["type"]
    wanted = error["ctx"]["expected"] if kind == "literal_error" else _WANTED.get(kind, error["msg"])
    given = repr(error["input"])[:60]
    return say("{field} must be {wanted}, got {found}", field=field, wanted=wanted, found=given)


Colour = Annotated[RGB, BeforeValidator(_colour)]
"""A colour (red, green, blue), in the file a text like #2f9a3c."""

Colours = Annotated[tuple[Colour, ...], Field(min_length=1)]  # Several colours, one at least
