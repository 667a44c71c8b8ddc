"""What of a spell of the game is not judged, and why."""

from typing import NamedTuple

from botapp.content.game.wanted import MISLEADING
from botapp.host.message import say


class LeftOut(NamedTuple):
    """What of a spell is not judged.

    Attributes:
        why: in words, a message.
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
