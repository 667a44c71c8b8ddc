"""How the HUD of a real client looks, as data: the shapes that anchor it and the numbers about them.

Lengths are in units of the anchor: the distance between the middles of the two shapes that tell AP and MP,
the width of the heart where there is one shape only, the end-turn button's width for what stands about that.
So nothing depends on the window's size, nor on where the player moved a panel. Next hop: `vision.profiles`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from vision.profiles.tables import RGB, Table
from vision.view import Team

Outline = Literal["star", "diamond", "heart"]
Writing = Literal["white", "bright", "dark", "coloured"]
HSV = tuple[int, int, int]
Tone = tuple[HSV, HSV]
"""From where to where a colour goes in OpenCV's HSV; a lower hue that is above the upper one goes round."""


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
        wide: how much wider the font's digits are than most fonts'.
    """

    place: tuple[float, float]
    cap: float
    reach: tuple[float, float]
    writing: Writing
    digits: int
    centred: bool
    seconds: bool
    wide: float = 1.0


@dataclass(frozen=True, slots=True)
class EndTurnRule:
    """The end-turn button when it can be pressed: colour, width over height, width in units of the anchor.

    `usual` is where its middle is from the anchor, and its width, if no panel was moved; None if unknown.
    """

    low: HSV
    high: HSV
    shape: tuple[float, float]
    width: tuple[float, float]
    fields: Mapping[str, FieldRule]
    usual: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class FramedRule:
    """A timeline whose life bars stand at the portraits' left and whose current card has a bright frame.

    Life bar's colour and width (in card heights), the portraits' grounds by side, the frame.
    """

    bar: RGB
    bar_width: float
    sides: Mapping[Team, RGB]
    frame: Tone


@dataclass(frozen=True, slots=True)
class PointedRule:
    """A timeline whose life bars lie under the portraits and whose current card has a pointer under it.

    Lengths are in widths of a card.

    Attributes:
        pointer: the pointer's colour.
        pointer_width: how wide it is.
        rise: how far above its upper tip the current card begins.
        raised: how far above the others the current card stands.
        pitch: from card to card.
        bar: the life bar's colour.
        bar_gap: how far below a portrait it begins.
        bar_thick: how thick it is.
        sides: the portraits' grounds.
    """

    pointer: Tone
    pointer_width: float
    rise: float
    raised: float
    pitch: float
    bar: Tone
    bar_gap: float
    bar_thick: float
    sides: Mapping[Team, Tone]


TimelineRule = FramedRule | PointedRule


@dataclass(frozen=True, slots=True)
class SpellsRule:
    """The spell bar: rows of square slots, wherever the bar stands.

    Attributes:
        size: a slot's side, in units of the anchor.
        pitch: from slot to slot across and down, in units of the anchor.
        place: the middle of the first slot from the anchor where the bar cannot be moved, None where it can.
        slots: how many a row has, and how many rows there are, at most.
        greyed: icons whose bright parts are no brighter than this cannot be cast now (0..255).
        bright: icons whose bright parts are at least this bright can be.
        cooldown: the number of turns to wait, about a slot's middle in units of its side; None if not known.
        framed: whether all icons have the same bright frame, which then tells alone; icons are white there.
    """

    size: float
    pitch: tuple[float, float]
    place: tuple[float, float] | None
    slots: tuple[int, int]
    greyed: float
    bright: float
    cooldown: FieldRule | None
    framed: bool = False


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
    spells: SpellsRule | None
    points_tell: bool


def parse(table: Table) -> HudRules:
    """Reads the rules from a profile's table.

    Raises:
        vision.profiles.tables.ProfileError: a field is missing or wrong.
    """
    two = "second" in table
    wide = table.number("wide", 0.5, 2) if "wide" in table else 1.0
    return HudRules(
        first=_shape(table.table("first")),
        second=_shape(table.table("second")) if two else None,
        pair=_pair(table.table("second")) if two else None,
        fields=_fields(table.table("numbers"), wide),
        button=_button(table.table("button"), wide) if "button" in table else None,
        timeline=_timeline(table.table("timeline")) if "timeline" in table else None,
        spells=_spells(table.table("spells"), wide) if "spells" in table else None,
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


def _fields(table: Table, wide: float) -> dict[str, FieldRule]:
    return {key: _field(field, wide) for key, field in table.tables().items()}


def _field(table: Table, wide: float) -> FieldRule:
    return FieldRule(
        place=table.pair("place", -8, 8),
        cap=table.number("cap", 0.01, 2),
        reach=table.pair("reach", 0.3, 5),
        writing=cast(Writing, table.choice("writing", ("white", "bright", "dark", "coloured"))),
        digits=int(table.number("digits", 1, 5)),
        centred=table.choice("start", ("middle", "first")) == "middle",
        seconds=table.text("after") == "s",
        wide=wide,
    )


def _button(table: Table, wide: float) -> EndTurnRule:
    return EndTurnRule(
        low=_hsv(table, "low"),
        high=_hsv(table, "high"),
        shape=table.pair("shape", 1, 10),
        width=table.pair("width", 0.5, 12),
        fields=_fields(table.table("numbers"), wide) if "numbers" in table else {},
        usual=table.numbers("usual", 3, -40, 40) if "usual" in table else None,
    )


def _timeline(table: Table) -> TimelineRule:
    if "frame_low" in table:
        return FramedRule(
            bar=table.colour("bar"),
            bar_width=table.number("bar_width", 0.02, 0.5),
            sides={"own": table.colour("own"), "enemy": table.colour("enemy")},
            frame=(_hsv(table, "frame_low"), _hsv(table, "frame_high")),
        )
    return PointedRule(
        pointer=_tone(table.table("pointer")),
        pointer_width=table.number("pointer_width", 0.1, 1),
        rise=table.number("rise", 0.5, 2),
        raised=table.number("raised", 0, 1),
        pitch=table.number("pitch", 1, 2),
        bar=_tone(table.table("bar")),
        bar_gap=table.number("bar_gap", 0, 0.5),
        bar_thick=table.number("bar_thick", 0.02, 0.5),
        sides={"own": _tone(table.table("own")), "enemy": _tone(table.table("enemy"))},
    )


def _tone(table: Table) -> Tone:
    return _hsv(table, "low"), _hsv(table, "high")


def _spells(table: Table, wide: float) -> SpellsRule:
    most = table.pair("slots", 1, 40)
    return SpellsRule(
        size=table.number("size", 0.1, 4),
        pitch=table.pair("pitch", 0.1, 4),
        place=table.pair("place", -40, 40) if "place" in table else None,
        slots=(int(most[0]), int(most[1])),
        greyed=table.number("greyed", 0, 255),
        bright=table.number("bright", 0, 255),
        cooldown=_field(table.table("cooldown"), wide) if "cooldown" in table else None,
        framed="framed" in table and bool(table.number("framed", 0, 1)),
    )
