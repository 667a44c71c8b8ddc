"""What of a spell of the game is not judged, and why."""

from collections.abc import Iterable
from typing import NamedTuple

from botapp.content.game.wanted import MISLEADING
from botapp.host.message import say


class LeftOut(NamedTuple):
    """What of a spell is not judged.

    Attributes:
        misleads: whether the spell must not be judged without it.
    """

    why: str
    misleads: bool = False


class Left(Exception):
    """A line that is left out."""

    def __init__(self, why: str, misleads: bool = False) -> None:
        super().__init__(why)
        self.left_out = LeftOut(why, misleads)


def lacking(name: str) -> LeftOut:
    """Returns that a spell's data lack a field; without most of them it must not be judged."""
    return LeftOut(say("a field that the data lack: {field}", field=name), misleads=name in MISLEADING)


def not_understood(name: str) -> LeftOut:
    """Returns that a field of a spell's data holds what is not understood; see `lacking`."""
    return LeftOut(say("a field that is not understood: {field}", field=name), misleads=name in MISLEADING)


def notes_of(missing: Iterable[str], odd: Iterable[str]) -> list[LeftOut]:
    """Returns what the data of a spell or a monster do not say, field by field."""
    return [*map(lacking, missing), *map(not_understood, odd)]
