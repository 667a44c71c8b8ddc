"""The board of a real client as data: its letterbox, highlights, and the borders under the fighters.

A profile with a `[screen]` table is read by `vision.extract.dofus`, which finds the client and the lattice
in the picture itself and takes the profile's lengths only as a start.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from vision.profiles.fields import Colour, Colours, Corners, complete, gather, within
from vision.view import Highlight, Team

Ring = Literal["player", "ally", "enemy", "red", "blue"]
"""What the network tells from each other under a cell, see `vision.extract.dofus.rings_seen`."""


@dataclass(frozen=True, slots=True)
class HighlightRule:
    """A highlight: the colours its paint may have, how opaque it lies over the floor, from and to (0..1)."""

    colours: Colours
    opacity: Annotated[tuple[float, float], within(0.05, 1)]


@dataclass(frozen=True, slots=True)
class BorderRule:
    """The border under a fighter."""

    # What the network calls the ring of the player, of its allies and of enemies. It was taught to with
    # drawings of this client: any border may be "player", "ally" and "enemy", or "red" and "blue" where
    # allies have the player's
    rings: Annotated[Mapping[Team, Ring], complete("own", "ally", "enemy")]
    sides: Mapping[Team, Colour]  # The line's colour, by side
    # Of its line, clockwise from the top, in widths and heights of a cell for one as wide and high as a cell;
    # none for an oval
    corners: Annotated[Corners, within(-0.5, 0.5)] = ()

    @property
    def marks_player(self) -> bool:
        """Whether the player's fighter has another ring than its allies'."""
        return self.rings["own"] != self.rings["ally"]


@dataclass(frozen=True, slots=True)
class ScreenRules:
    """How to read the board of a client that is not our own."""

    # Width over height of the picture inside black borders, 0 where the client fills its window
    letterbox: Annotated[float, within(0, 4)]
    border: Annotated[BorderRule, gather("sides", "own", "enemy")]  # The border under a fighter
    highlights: Mapping[Highlight, HighlightRule]  # The paints over cells, by meaning
    rows_sure: bool = False  # Whether the place of row 0 in the profile was measured, not inferred
