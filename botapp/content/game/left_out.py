"""What of a spell of the game is not judged, and why. Next hop: `botapp.content.game.effects`."""

from typing import NamedTuple


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
