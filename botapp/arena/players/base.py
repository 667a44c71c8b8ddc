"""What a player is, and how a module of this package registers one, with what its word may say.

Words such as `bare:ms=150` are read by `botapp.arena.player_spec`.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.registry import Registry

Reader = Callable[[str], Any]  # Reads an option's value from its text, or raises `OptionError`


class Player(Protocol):
    """Says what the current actor should do."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns a legal action for the current actor; the state is not changed."""
        ...


class OptionError(ValueError):
    """A player's word that makes no sense; the text names what is wrong and says what there is."""


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """What makes fresh players, and what reads each of its options."""

    make: Callable[..., Player]
    options: Mapping[str, Reader]


PLAYERS: Registry[PlayerKind] = Registry("botapp.arena.players")
_Made = TypeVar("_Made", bound=Callable[..., Player])


def player(name: str, **options: Reader) -> Callable[[_Made], _Made]:
    """Registers a class or a function under the name that words begin with; `options` are its arguments."""

    def register(make: _Made) -> _Made:
        PLAYERS.add(name, PlayerKind(make, options))
        return make

    return register


def whole(least: int) -> Reader:
    """Reads a whole number that is not below the least."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise OptionError(f"a whole number, {least} or more")
        return value

    return read


def number(fits: Callable[[float], bool], wanted: str) -> Reader:
    """Reads a number that fits; `wanted` says in an error which ones do."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not fits(value):
            raise OptionError(wanted)
        return value

    return read


milliseconds = number(lambda value: 0 < value < math.inf, "a number of milliseconds above 0")
share = number(lambda value: 0 <= value <= 1, "a number from 0 to 1")


def switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise OptionError("on or off")
    return text == "on"


def one_of(*values: str) -> Reader:
    def read(text: str) -> str:
        if text not in values:
            raise OptionError(f"one of {', '.join(values)}")
        return text

    return read


def text(value: str) -> str:
    if not value:
        raise OptionError("not empty")
    return value
