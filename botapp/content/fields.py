"""Plain data from JSON or TOML on its way in: each field is checked, and what is wrong is named by its path.

Next hop: `botapp.content.state_json` and `botapp.content.library` build values out of it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar

from botapp.fight.board import CELLS

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
_MISSING = object()


class FieldError(ValueError):
    """A dict that is not what it should be; the text starts with the field's path."""


class Fields:
    """One dict on its way in, knowing where it stands.

    Every reading method raises `FieldError` where the field is missing (and has no default) or wrong.
    """

    def __init__(self, data: object, path: str) -> None:
        if not isinstance(data, Mapping):
            raise FieldError(f"{path or 'top level'}: expected an object, got {shown(data)}")
        self._data = data
        self._path = path

    def at(self, name: str) -> str:
        """Returns the path of a field, such as `fighters[1].hp`."""
        return f"{self._path}.{name}" if self._path else name

    def names(self) -> list[str]:
        """Returns the names of the fields there are."""
        return [str(name) for name in self._data]

    def only(self, allowed: Collection[str], what: str = "field") -> None:
        """Refuses fields that are not among the `allowed` ones; `what` is how such a field is called."""
        for name in self.names():
            if name not in allowed:
                raise FieldError(f"{self.at(name)}: no such {what}, there are {', '.join(allowed)}")

    def raw(self, name: str, default: object = _MISSING) -> Any:
        """Returns a field as it came; without a default it must be there."""
        value = self._data.get(name, default)
        if value is _MISSING:
            raise FieldError(f"{self.at(name)}: missing")
        return value

    def whole(
        self, name: str, default: object = _MISSING, low: int | None = None, high: int | None = None
    ) -> int:
        """Returns a whole number from `low` to `high`."""
        return whole_number(self.raw(name, default), self.at(name), low, high)

    def text(self, name: str, default: object = _MISSING) -> str:
        """Returns a text."""
        value = self.raw(name, default)
        if not isinstance(value, str):
            raise FieldError(f"{self.at(name)}: expected a text, got {shown(value)}")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """Returns true or false."""
        value = self.raw(name, default)
        if not isinstance(value, bool):
            raise FieldError(f"{self.at(name)}: expected true or false, got {shown(value)}")
        return value

    def choice(self, name: str, kind: type[E], default: object = _MISSING) -> E:
        """Returns the member of an enumeration with this value."""
        value = self.raw(name, default)
        try:
            return kind(value)
        except ValueError:
            allowed = ", ".join(str(member.value) for member in kind)
            raise FieldError(f"{self.at(name)}: expected one of {allowed}, got {shown(value)}") from None

    def items(self, name: str, read: Callable[[object, str], T], default: object = _MISSING) -> tuple[T, ...]:
        """Returns a list, each item read by `read(item, its path)`."""
        value = self.raw(name, default)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise FieldError(f"{self.at(name)}: expected a list, got {shown(value)}")
        return tuple(read(item, f"{self.at(name)}[{index}]") for index, item in enumerate(value))


def shown(value: object) -> str:
    """Returns a value as it is quoted in an error, cut to a readable length."""
    return repr(value)[:60]


def whole_number(value: object, path: str, low: int | None = None, high: int | None = None) -> int:
    """Returns a whole number within its limits; raises `FieldError` with `path` where it is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError(f"{path}: expected a whole number, got {shown(value)}")
    if (low is not None and value < low) or (high is not None and value > high):
        allowed = f"{low} or more" if high is None else f"{low} to {high}"
        raise FieldError(f"{path}: expected {allowed}, got {value}")
    return value


def cell_id(value: object, path: str) -> int:
    """Returns a cell id; raises `FieldError` with `path` where it is none."""
    return whole_number(value, path, 0, CELLS - 1)
