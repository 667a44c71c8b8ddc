"""Files of a person's, read by one mechanism: what is wrong is named and kept in a backup, the rest counts.

No such file stops the app. What is no file of its format is moved aside; one with wrong fields is copied
aside and written anew without them; one of a newer version, or that is not open to us, stays as it is.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from botapp.host.files import open_regular, set_aside
from botapp.host.message import error_text, say

T = TypeVar("T")
Problems = list[str]

_MOST_NAMED = 5
NOT_OF_ITS_FORMAT: tuple[type[Exception], ...] = (
    ArithmeticError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What parsing and checking a text raises that is not what it should be."""


class NewerFileError(Exception):
    """A file of a newer version of the app."""


@dataclass(frozen=True, slots=True)
class Recalled(Generic[T]):
    """What was read, and what a person should know about the reading, in words."""

    value: T
    messages: tuple[str, ...] = ()  # What was wrong, where the old file is and what to do
    foreign: bool = False  # Whether the file was left as it is: of a newer version, or not open to us


@dataclass(frozen=True, slots=True)
class OwnFile(Generic[T]):
    """How a file of a person's is read and written."""

    # Makes a value of a file's fields, and says what is wrong with those that it leaves out; may raise
    # `NewerFileError`. No fields make the defaults
    accept: Callable[[Mapping[str, Any]], tuple[T, Problems]]
    write: Callable[[Path, T], object]  # Writes a value; raises OSError where that cannot be
    remedy: str  # What helps other than correcting the file by hand, a sentence of `mark`
    parse: Callable[[str], Any] = tomllib.loads
    largest: int = 256 << 10  # Of the file, in bytes

    def read(self, path: Path) -> Recalled[T]:
        """Reads the file; never raises over a bad one. One that is not there makes the defaults."""
        try:
            text = self._text(path)
            value, problems = self.accept(self._fields(text))
        except (FileNotFoundError, NotADirectoryError):
            return Recalled(self._default())
        except NewerFileError:
            message = say("{file} was written by a newer botapp; update this one to use it.", file=str(path))
            return Recalled(self._default(), (message,), foreign=True)
        except OSError as error:
            message = say(
                "{file} cannot be opened ({problem}), so the defaults are used. Check its permissions.",
                file=str(path),
                problem=error_text(error),
            )
            return Recalled(self._default(), (message,), foreign=True)
        except NOT_OF_ITS_FORMAT as error:
            return Recalled(self._default(), (self._moved_aside(path, error),))
        return Recalled(value, self._corrected(path, value, problems) if problems else ())

    def save(self, path: Path, value: T) -> None:
        """Writes a value; what is there and cannot be read as a whole is kept aside first.

        Raises:
            OSError: the folder cannot be written to.
        """
        if self.read(path).foreign:
            set_aside(path, move=True)
        self.write(path, value)

    def _text(self, path: Path) -> str:
        """Returns what is in the file, which must be a regular one and not too large."""
        with open_regular(path) as file:
            data = file.read(self.largest + 1)
        if len(data) > self.largest:
            raise ValueError(say("it is larger than {size} KB", size=self.largest >> 10))
        if not data:
            raise ValueError(say("it is empty"))
        return data.decode("utf-8-sig")  # Notepad writes a mark before the text

    def _fields(self, text: str) -> Mapping[str, Any]:
        fields = self.parse(text)
        if not isinstance(fields, Mapping):
            raise TypeError(say("it holds no fields"))
        return fields

    def _default(self) -> T:
        return self.accept({})[0]

    def _moved_aside(self, path: Path, error: Exception) -> str:
        try:
            backup = set_aside(path, move=True)
        except OSError as blocked:
            rest = say(
                "It cannot be moved aside ({problem}); correct it by hand.", problem=error_text(blocked)
            )
        else:
            rest = say(
                "It is kept as {kept}: correct it and rename it back. {remedy}",
                kept=str(backup),
                remedy=say(self.remedy),
            )
        problem = say("it is nested too deeply") if isinstance(error, RecursionError) else error_text(error)
        return say(
            "{file} cannot be read ({problem}), so the defaults are used. {rest}",
            file=str(path),
            problem=problem,
            rest=rest,
        )

    def _corrected(self, path: Path, value: T, problems: Problems) -> tuple[str, ...]:
        messages = [
            say("{file}: {problem}; using the default", file=str(path), problem=problem)
            for problem in problems[:_MOST_NAMED]
        ]
        if len(problems) > _MOST_NAMED:
            messages.append(
                say("{file}: {count} more like these", file=str(path), count=len(problems) - _MOST_NAMED)
            )
        try:
            backup = set_aside(path, move=False)
            self.write(path, value)
        except OSError as error:
            last = say(
                "{file} cannot be corrected automatically ({problem}); correct it by hand.",
                file=str(path),
                problem=error_text(error),
            )
        else:
            last = say(
                "The old file is kept as {kept}: correct it and rename it back. {remedy}",
                kept=str(backup),
                remedy=say(self.remedy),
            )
        return (*messages, last)


def quoted(value: object) -> str:
    """Returns a value as a message quotes it, in one line of a readable length."""
    return repr(value)[:60]
