"""TOML tables read with checks: each error names the file, the field, what was wanted and what was found.

Next hop: `vision.profiles` builds profiles out of them.
"""

import re
import tomllib
from typing import Any, NoReturn

RGB = tuple[int, int, int]
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


class ProfileError(ValueError):
    """A profile is missing or broken; the text names the file and the field."""


class Table:
    """One TOML table; keeps the path to each field for the message."""

    def __init__(self, values: Any, file: str, path: str = "") -> None:
        """Takes a table's values.

        Raises:
            ProfileError: it is no table.
        """
        self._file, self._path = file, path
        if not isinstance(values, dict):
            raise ProfileError(f"{file}: {path.rstrip('.')} must be a table, got {values!r}")
        self._values: dict[str, Any] = values

    @classmethod
    def parse(cls, text: str, file: str) -> "Table":
        """Reads TOML text.

        Raises:
            ProfileError: it is not TOML.
        """
        try:
            return cls(tomllib.loads(text), file)
        except tomllib.TOMLDecodeError as error:
            raise ProfileError(f"{file}: not TOML: {error}") from error

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def fields(self) -> list[str]:
        """Returns the names of the fields."""
        return list(self._values)

    def table(self, key: str) -> "Table":
        """Returns the table in a field."""
        return Table(self._get(key), self._file, f"{self._path}{key}.")

    def tables(self) -> dict[str, "Table"]:
        """Returns all fields, each being a table."""
        return {key: self.table(key) for key in self._values}

    def text(self, key: str, default: str = "") -> str:
        """Returns a text."""
        value = self._values.get(key, default)
        if not isinstance(value, str):
            self._fail(key, "a text", value)
        return str(value)

    def choice(self, key: str, options: tuple[str, ...]) -> str:
        """Returns one of several words, the first where the field is left out."""
        value = self.text(key, options[0])
        if value not in options:
            self._fail(key, "one of " + ", ".join(options), value)
        return value

    def number(self, key: str, low: float, high: float) -> float:
        """Returns a number within limits."""
        return self._number(key, self._get(key), low, high)

    def numbers(self, key: str, count: int, low: float, high: float) -> tuple[float, ...]:
        """Returns a list of numbers within limits."""
        values = self._get(key)
        if not isinstance(values, list) or len(values) != count:
            self._fail(key, f"a list of {count} numbers", values)
        return tuple(self._number(key, value, low, high) for value in values)

    def pair(self, key: str, low: float, high: float) -> tuple[float, float]:
        """Returns two numbers within limits."""
        first, second = self.numbers(key, 2, low, high)
        return first, second

    def points(self, key: str) -> tuple[tuple[float, float], ...]:
        """Returns a list of points, one at least, both numbers from -2 to 2."""
        values = self._get(key)
        if not isinstance(values, list) or not values:
            self._fail(key, "a list of points", values)
        if not all(isinstance(value, list) and len(value) == 2 for value in values):
            self._fail(key, "a list of pairs of numbers", values)
        return tuple((self._number(key, x, -2, 2), self._number(key, y, -2, 2)) for x, y in values)

    def colour(self, key: str) -> RGB:
        """Returns a colour as (red, green, blue)."""
        return self._colour(key, self._get(key))

    def colours(self, key: str) -> tuple[RGB, ...]:
        """Returns a list of colours, one at least."""
        values = self._get(key)
        if not isinstance(values, list) or not values:
            self._fail(key, "a list of colours", values)
        return tuple(self._colour(key, value) for value in values)

    def _get(self, key: str) -> Any:
        if key not in self._values:
            raise ProfileError(f"{self._file}: {self._path}{key} is missing")
        return self._values[key]

    def _number(self, key: str, value: Any, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            self._fail(key, f"a number from {low:g} to {high:g}", value)
        return float(value)

    def _colour(self, key: str, value: Any) -> RGB:
        if not isinstance(value, str) or not _COLOUR.fullmatch(value):
            self._fail(key, "a colour like #2f9a3c", value)
        return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)

    def _fail(self, key: str, wanted: str, value: Any) -> NoReturn:
        raise ProfileError(f"{self._file}: {self._path}{key} must be {wanted}, got {value!r}")
