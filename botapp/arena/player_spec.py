"""Players in one word: a name with options of its own, such as `lite:steps=8,exit=off` or `bare:ms=150`."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from botapp.arena.players.base import PLAYERS, OptionError, Player
from botapp.search.whole_fights import Policy


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player's name and options, read from its word."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()  # Names and values, sorted by name

    def __str__(self) -> str:
        """Returns the word, the options in order: equal players have equal words."""
        given = ",".join(f"{name}={_shown(value)}" for name, value in self.options)
        return f"{self.name}:{given}" if given else self.name

    def make(self) -> Player:
        """Returns a fresh player.

        Raises:
            ValueError: its weights are missing, or it cannot run where it should.
        """
        return PLAYERS.all()[self.name].make(**dict(self.options))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def parse(word: str) -> PlayerSpec:
    """Reads a player's word.

    Raises:
        OptionError: there is no such player, it has no such option, or a value makes no sense.
    """
    name, _, rest = word.strip().partition(":")
    there_are = PLAYERS.all()
    if name not in there_are:
        raise OptionError(f"no player {name!r}; there are {', '.join(there_are)}")
    readers = there_are[name].options
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, text = part.partition("=")
        if key not in readers:
            there = f"it has {', '.join(readers)}" if readers else "it has none"
            raise OptionError(f"{word}: {name} has no option {key!r}; {there}")
        if key in options:
            raise OptionError(f"{word}: {key} is given twice")
        try:
            options[key] = readers[key](text)
        except OptionError as error:
            instead = f"not {text!r}" if equals else f"such as {key}=VALUE"
            raise OptionError(f"{word}: {key} is {error}, {instead}") from None
    if {"ms", "decision_ms"} <= set(options):
        raise OptionError(f"{word}: ms is for a turn, decision_ms for each decision; give one of them")
    if "share" in options and "ms" not in options:
        raise OptionError(f"{word}: share is of a turn's time, which ms gives")
    if {"ms", "states"} <= set(options):
        raise OptionError(f"{word}: search goes by states or by ms; give one of them")
    return PlayerSpec(name, tuple(sorted(options.items())))


def split(words: str) -> list[str]:
    """Returns the words of several players, separated by commas as their options are.

    A part such as `exit=off` belongs to the player before it.
    """
    specs: list[str] = []
    for part in words.split(","):
        before, equals, _ = part.partition("=")
        if specs and equals and ":" not in before:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def make_player(word: str) -> Player:
    """Returns a fresh player of this word.

    Raises:
        ValueError: the word makes no sense, its weights are missing, or it cannot run where it should.
    """
    return parse(word).make()


@lru_cache(maxsize=64)
def policy_of(word: str) -> Policy:
    """Returns how a player plays a fight in compiled code.

    Raises:
        ValueError: see `make_player`; or it does not play in compiled code.
    """
    policy = policy_in(make_player(word))
    if policy is None:
        raise ValueError(f"{word} does not play in compiled code; greedy, monster and quick do")
    return policy


def policy_in(player: Player) -> Policy | None:
    """Returns how a player plays a fight in compiled code, None where it does not."""
    policy = getattr(player, "policy", None)
    return policy if isinstance(policy, Policy) else None
