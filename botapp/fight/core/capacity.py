"""What the arrays of the compiled rules can hold, the error beyond it; words in bulk."""

from array import array
from collections.abc import Iterable
from typing import Any

from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.core.fight import (
    FULL_BUFFS,
    FULL_CASTS,
    FULL_FIGHTERS,
    FULL_TAPE,
    FULL_TASKS,
    MOST_BUFFS,
    MOST_CASTS,
    MOST_FIGHTERS,
    MOST_TAPE,
    MOST_TASKS,
    Fight,
)

_LEAST, _MOST = -(2**31), 2**31 - 1
_FULL = {
    FULL_FIGHTERS: ("fighters", MOST_FIGHTERS),
    FULL_BUFFS: ("buffs and states", MOST_BUFFS),
    FULL_CASTS: ("casts in one turn", MOST_CASTS),
    FULL_TASKS: ("effects waiting for each other", MOST_TASKS),
    FULL_TAPE: ("dice in one action", MOST_TAPE),
}


class CapacityError(ValueError):
    """A fight that is too large for the rules; the text names what there is too much of, and the bound."""


def check_count(what: str, count: int, most: int) -> None:
    """Sees to it that there are not too many of something.

    Raises:
        CapacityError: `count` is more than `most`.
    """
    if count > most:
        raise CapacityError(f"{what}: {count} of them, at most {most} are possible")


def check_numbers(what: str, numbers: list[int]) -> None:
    """Sees to it that numbers fit into 32 bits.

    Raises:
        CapacityError: one of them does not.
    """
    if min(numbers) < _LEAST or max(numbers) > _MOST:
        worst = next(number for number in numbers if not _LEAST <= number <= _MOST)
        raise CapacityError(f"{what}: {worst} is beyond 32 bits, {_LEAST} to {_MOST} are possible")


def fault(s: Any) -> None:
    """Sees to it that the rules found room for all that has happened in a state.

    Raises:
        CapacityError: something did not fit.
    """
    failed = int(Fight(s).fault)
    if failed:
        what, most = _FULL[failed]
        raise CapacityError(f"{what}: more than {most} of them are not possible")


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
    numbers: list[int] = part if INTERPRETED else part.tolist()
    return numbers
