"""How the HUD of a real client looks, as data: the shapes that anchor it and the numbers about them.

Lengths are in units of the anchor: the distance between the middles of the two shapes that tell AP and MP,
the width of the heart where there is one shape only, the end-turn button's width for what stands about that.
So nothing depends on the window's size, nor on where the player moved a panel. Next hop: `vision.profiles`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from vision.tables import RGB, Table
from vision.view import Team

Outline = Literal["star", "diamond", "heart"]
Writing = Literal["white", "bright", "dark", "coloured"]
HSV = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """A shape of one colour: `low` to `high` in OpenCV's HSV, and how well it must fit its outline (0..1)."""

    outline: Outline
    low: HSV
    high: HSV
    fit: float


@dataclass(frozen=True, slots=True)
class PairRule:
    """How the second shape lies from the first: steps and size in widths of the first."""

    step: tuple[float, float]
    size: float


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A number about an anchor.

    Attributes:
        place: its middle from the anchor's, in units of the anchor, y downwards.
        cap: a digit's height, in units of the anchor.
        reach: how far to its left and right nothing else stands, in digit heights.
        writing: what its digits are: white, bright, dark, or coloured on white.
        digits: how many at most.
        centred: whether its middle is the place; else its first digit's is.
        seconds: whether the letter s must follow.
    """

    place: tuple[float, float]
    cap: float
    reach: tuple[float, float]
    writing: Writing
    digits: int
    centred: bool
    seconds: bool


@dataclass(frozen=True, slots=True)
class EndTurnRule:
    """The end-turn button when it can be pressed: colour, width over height, width in units of the anchor."""

    low: HSV
    high: HSV
    shape: tuple[float, float]
    width: tuple[float, float]
    fields: Mapping[str, FieldRule]


@dataclass(frozen=True, slots=True)
class TimelineRule:
    """The timeline's cards: life bar's colour and width (in portrait sizes), portraits by side, frame."""

    bar: RGB
    bar_width: float
    sides: Mapping[Team, RGB]
    frame_low: HSV
    frame_high: HSV


@dataclass(frozen=True, slots=True)
class HudRules:
    """The HUD of a client; `second` and `pair` are None where one shape anchors it.

    `points_tell`: AP and MP are shown in fights only, so that they tell a fight.
    """

    first: ShapeRule
    second: ShapeRule | None
    pair: PairRule | None
    fields: Mapping[str, FieldRule]
    button: EndTurnRule | None
    timeline: TimelineRule | None
    points_tell: bool


def parse(table: Table) -> HudRules:
    """Reads the rules from a profile's table.

    Raises:
        vision.tables.ProfileError: a field is missing or wrong.
    """
    two = "second" in table
    return HudRules(
        first=_shape(table.table("first")),
        second=_shape(table.table("second")) if two else None,
        pair=_pair(table.table("second")) if two else None,
        fields=_fields(table.table("numbers")),
        button=_button(table.table("button")) if "button" in table else None,
        timeline=_timeline(table.table("timeline")) if "timeline" in table else None,
        points_tell=bool(table.number("points_tell", 0, 1)),
    )


def _shape(table: Table) -> ShapeRule:
    outline = cast(Outline, table.choice("outline", ("star", "diamond", "heart")))
    return ShapeRule(outline, _hsv(table, "low"), _hsv(table, "high"), table.number("fit", 0, 1))


def _pair(table: Table) -> PairRule:
    return PairRule(table.pair("step", -4, 4), table.number("size", 0.2, 5))


def _hsv(table: Table, key: str) -> HSV:
    hue, saturation, value = table.numbers(key, 3, 0, 255)
    return int(hue), int(saturation), int(value)


def _fields(table: Table) -> dict[str, FieldRule]:
    return {key: _field(field) for key, field in table.tables().items()}


def _field(table: Table) -> FieldRule:
    return FieldRule(
        place=table.pair("place", -8, 8),
        cap=table.number("cap", 0.01, 2),
        reach=table.pair("reach", 0.3, 5),
        writing=cast(Writing, table.choice("writing", ("white", "bright", "dark", "coloured"))),
        digits=int(table.number("digits", 1, 5)),
        centred=table.choice("start", ("middle", "first")) == "middle",
        seconds=table.text("after") == "s",
    )


def _button(table: Table) -> EndTurnRule:
    return EndTurnRule(
        low=_hsv(table, "low"),
        high=_hsv(table, "high"),
        shape=table.pair("shape", 1, 10),
        width=table.pair("width", 0.5, 12),
        fields=_fields(table.table("numbers")) if "numbers" in table else {},
    )


def _timeline(table: Table) -> TimelineRule:
    return TimelineRule(
        bar=table.colour("bar"),
        bar_width=table.number("bar_width", 0.02, 0.5),
        sides={"own": table.colour("own"), "enemy": table.colour("enemy")},
        frame_low=_hsv(table, "frame_low"),
        frame_high=_hsv(table, "frame_high"),
    )
