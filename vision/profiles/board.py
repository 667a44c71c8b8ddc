"""How the board of a real client looks, as data: its lattice's shape and the borders under the fighters.

A profile with a `[screen]` table is read by `vision.extract.dofus`, which finds the client and the lattice in
the picture itself and takes the profile's lengths only as a start. Next hop: `vision.profiles`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from vision.profiles.tables import RGB, Table
from vision.view import Highlight, Team

Border = Literal["diamond", "oval"]

SIDES: tuple[Team, ...] = ("own", "enemy")


@dataclass(frozen=True, slots=True)
class HighlightRule:
    """A highlight: the colours its paint may have, how opaque it lies over the floor, from and to (0..1)."""

    colours: tuple[RGB, ...]
    opacity: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ScreenRules:
    """How to read the board of a client that is not our own.

    Attributes:
        letterbox: width over height of the picture inside black borders, 0 where the client fills its window.
        border: the shape of the border under a fighter.
        size: how wide that border is, in cell widths (the middle of its line).
        line: how wide its line is, in cell widths.
        sides: the colour of the border's line, by side.
        shades: how dark the line may be, 1 for as bright as its colour.
        mark: the colour of the corner marks inside the border of the player's fighter, None for none.
        mark_size: how wide the marks stand, in cell widths.
        highlights: the paints over cells, by meaning.
        rows_sure: whether the profile's place of row 0 is known, not inferred.
    """

    letterbox: float
    border: Border
    size: float
    line: float
    sides: Mapping[Team, RGB]
    shades: tuple[float, float]
    mark: RGB | None
    mark_size: float
    highlights: Mapping[Highlight, HighlightRule]
    rows_sure: bool


def parse(table: Table) -> ScreenRules:
    """Reads the rules from a profile's table.

    Raises:
        vision.profiles.tables.ProfileError: a field is missing or wrong.
    """
    border = table.table("border")
    return ScreenRules(
        letterbox=table.number("letterbox", 0, 4),
        border=cast(Border, border.choice("shape", ("diamond", "oval"))),
        size=border.number("size", 0.2, 1.2),
        line=border.number("line", 0.01, 0.3),
        sides={side: border.colour(side) for side in SIDES if side in border},
        shades=border.pair("shades", 0.1, 1),
        mark=border.colour("mark") if "mark" in border else None,
        mark_size=border.number("mark_size", 0.2, 1.2) if "mark" in border else 0.0,
        highlights=_highlights(table.table("highlights")) if "highlights" in table else {},
        rows_sure="rows_sure" in table and bool(table.number("rows_sure", 0, 1)),
    )


def _highlights(table: Table) -> dict[Highlight, HighlightRule]:
    paints = table.tables()
    return {
        key: HighlightRule(paints[key].colours("colours"), paints[key].pair("opacity", 0.05, 1))
        for key in get_args(Highlight)
        if key in paints
    }
