"""Words of an array read and written in bulk: an array has its own quick ways, a list where interpreted."""

from array import array
from collections.abc import Iterable
from typing import Any

from botapp.fight.core.capacity import check_numbers
from botapp.fight.core.compiler import INTERPRETED


def words_of(what: str, numbers: Iterable[int]) -> "array[int]":
    """Returns numbers as words; `what` they are is for the error.

    Raises:
        CapacityError: one of them is beyond 32 bits.
    """
    listed = list(numbers)
    try:
        return array("i", listed)
    except OverflowError:
        check_numbers(what, listed)
        raise


def put_words(s: Any, place: int, words: "array[int]") -> None:
    """Writes words into an array from a place on."""
    s[place : place + len(words)] = words


def bytes_of(s: Any, place: int, count: int) -> bytes:
    """Returns `count` words of an array as bytes."""
    part = s[place : place + count]
    return array("i", part).tobytes() if INTERPRETED else bytes(part.tobytes())


def numbers_of(s: Any, place: int, count: int) -> list[int]:
    """Returns `count` words of an array as plain numbers."""
    part = s[place : place + count]
    found: list[int] = part if INTERPRETED else part.tolist()
    return found
