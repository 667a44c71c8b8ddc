"""Texts for a person that can still be translated: English, with the template and the values they came from.

Whatever is put into words before it is known who reads it is a `Message`: reasons of the worker process,
findings of the doctor, what is wrong with a file. It is a `str`, so a caller that knows nothing of this may
print it; adding to it or formatting it makes a plain `str` that no catalogue knows. The class is that of
`hrm.message`; `vision` has one of its own.
"""

import errno
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypeGuard, runtime_checkable

from hrm.message import COUNT, PLURAL, Message, counted, join, mark, one_line, pack, say, unpack

__all__ = [
    "COUNT",
    "PLURAL",
    "Message",
    "Translatable",
    "counted",
    "error_text",
    "is_full",
    "is_message",
    "join",
    "listed",
    "mark",
    "one_line",
    "pack",
    "say",
    "unpack",
    "unwritten",
]

_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


@runtime_checkable
class Translatable(Protocol):
    """What a translator needs of a message: both `hrm`'s and `vision`'s have it."""

    @property
    def template(self) -> str:
        """The id in the catalogues: an English text with {placeholders}."""

    @property
    def values(self) -> Mapping[str, object]:
        """What is put in for the placeholders; may be messages themselves."""


class _TranslatableText(str, Translatable):
    """For the type checker: a `str` that is `Translatable`."""


def is_message(value: object) -> TypeGuard[_TranslatableText]:
    """Tells whether a value is a text that remembers its template and values."""
    # not by isinstance of `Translatable`, which takes twenty times as long and is asked for each word shown
    return type(value) is not str and isinstance(value, str) and hasattr(value, "template")


def listed(parts: Iterable[str]) -> str:
    """Returns the parts in one text with commas between them; "" for none."""
    first, *rest = list(parts) or [""]
    for part in rest:
        first = say("{first}, {second}", first=first, second=part)
    return first


def is_full(error: BaseException) -> bool:
    """Tells whether an error says that a disk is full, or a person's share of it."""
    return isinstance(error, OSError) and error.errno in _FULL


def error_text(error: BaseException) -> str:
    """Returns what an error says; unlike in `str(error)`, a `Message` that it was raised with stays one.

    Of the system's errors it is what went wrong alone, without a number; of a full disk also what helps.
    """
    if is_full(error):
        return say("the disk is full; make room on it")
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    message = getattr(error, "message", None) or (error.args[0] if error.args else None)
    if is_message(message):
        return message
    return one_line(error) if str(error) else ""


def unwritten(error: BaseException) -> str:
    """Returns why something could not be written, for a text that does not say where: see `error_text`.

    Where writing is not allowed it names the folder, the nearest one that is there.
    """
    if not isinstance(error, OSError) or error.errno not in _DENIED or not error.filename:
        return error_text(error)
    place = next((parent for parent in Path(os.fsdecode(error.filename)).parents if parent.is_dir()), None)
    return say(
        "nothing can be written in the folder {folder} ({problem}); make it writable",
        folder=place or os.fsdecode(error.filename),
        problem=error_text(error),
    )
