"""The HUD of a real client as data: the shapes that anchor it and the numbers around them.

Lengths are in units of the anchor: the distance between the middles of the two shapes that hold AP and MP,
the width of the heart where there is one shape only, the end-turn button's width for what stands about
that. So the rules are independent of the window's size and of moved panels.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from vision.profiles.fields import Colour, Corners, gather, within
from vision.view import Team

Outline = Annotated[
    Annotated[Literal["star", "diamond", "heart"], Tag("<named>")]
    | Annotated[Corners, Field(min_length=3), within(-100, 100), Tag("<drawn>")],
    Discriminator(lambda value: "<drawn>" if isinstance(value, list) else "<named>"),
]
Writing = Literal["white", "bright", "dark", "coloured"]
HSV = Annotated[tuple[int, int, int], within(0, 255)]


def _low_to_high(value: Any) -> Any:
    return [value[key] for key in ("low", "high") if key in value] if isinstance(value, dict) else value


Tone = Annotated[tuple[HSV, HSV], BeforeValidator(_low_to_high)]
"""A range of colours in OpenCV's HSV; a lower hue above the upper one wraps around."""


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """A shape of one colour."""

    outline: Outline  # Its outline, by name or by its corners in any unit, y downwards
    low: HSV  # Its colour in OpenCV's HSV, from
    high: HSV  # Its colour, to
    fit: Annotated[float, within(0, 1)]  # How well it must fit its outline (0..1)
    # How wide it is in heights of the client area, from and to; narrow where the HUD has one size
    wide: Annotated[tuple[float, float], within(0, 1)] = field(default=(0.0, 0.14), kw_only=True)


@dataclass(frozen=True, slots=True)
class SecondShapeRule(ShapeRule):
    """The second of two shapes: its offset `step` and `size` relative to the first, in widths of that."""

    step: Annotated[tuple[float, float], within(-4, 4)]
    size: Annotated[float, within(0.2, 5)]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A number about an anchor."""

    # Its middle from the anchor's, in units of the anchor, y downwards
    place: Annotated[tuple[float, float], within(-8, 8)]
    cap: Annotated[float, within(0.01, 2)]  # A digit's height, in units of the anchor
    # How far to its left and right nothing else stands, in digit heights
    reach: Annotated[tuple[float, float], within(0.3, 5)]
    digits: Annotated[int, within(1, 5)]  # How many at most
    writing: Writing = "white"  # What its digits are: white, bright, dark, or coloured on white
    # What of it stands at the place: its middle or its first digit's
    start: Literal["middle", "first"] = "middle"
    # How far left of the place, in digit heights, there is nothing of it but only an icon; 0 without one
    icon: Annotated[float, within(0, 5)] = 0.0
    after: Literal["", "s", "%"] = ""  # What must follow, "" for nothing
    or_percent: bool = False  # Whether a percentage may stand there in its stead
    wide: Annotated[float, within(0.5, 2)] = 1.0  # How much wider the font's digits are than most fonts'

    @property
    def centred(self) -> bool:
        """Whether its middle is the place; else its first digit's is."""
        return self.start == "middle"


@dataclass(frozen=True, slots=True)
class EndTurnRule:
    """The end-turn button when it can be pressed: colour, width over height, width in units of the anchor.

    `numbers` stand about it, in units of its width. `usual` is where its middle is from the anchor, and its
    width, if no panel was moved; None if unknown. `time_low` and `time_high` are the colour of the time left,
    by which the button is found where panels were moved; None where no time is shown.
    """

    low: HSV
    high: HSV
    shape: Annotated[tuple[float, float], within(1, 10)]
    width: Annotated[tuple[float, float], within(0.5, 12)]
    numbers: Mapping[str, FieldRule] = field(default_factory=dict)
    usual: Annotated[tuple[float, float, float], within(-40, 40)] | None = None
    time_low: HSV | None = None
    time_high: HSV | None = None

    @property
    def time(self) -> Tone | None:
        """The colour of the time left, None where none is shown."""
        if self.time_low is None or self.time_high is None:
            return None
        return self.time_low, self.time_high


@dataclass(frozen=True, slots=True)
class FramedRule:
    """A timeline whose life bars stand at the portraits' left and whose current card has a bright frame."""

    bar: Colour  # The life bar's colour
    bar_width: Annotated[float, within(0.02, 0.5)]  # How wide it is, in card heights
    sides: Mapping[Team, Colour]  # The portraits' grounds
    frame_low: HSV  # The frame's colour, from
    frame_high: HSV  # The frame's colour, to
    # How much nearer to each other cards stand than to the current one, in widths of a portrait; layouts
    # differ
    closer: tuple[Annotated[float, within(0, 0.5)], ...] = (0.0,)

    @property
    def frame(self) -> Tone:
        return self.frame_low, self.frame_high


@dataclass(frozen=True, slots=True)
class PointedRule:
    """A timeline whose life bars lie under the portraits and whose current card has a pointer under it.

    Lengths are in widths of a card.
    """

    pointer: Tone  # The pointer's colour
    pointer_width: Annotated[float, within(0.1, 1)]  # How wide it is
    rise: Annotated[float, within(0.5, 2)]  # How far above its upper tip the current card begins
    raised: Annotated[float, within(0, 1)]  # How far above the others the current card stands
    pitch: Annotated[float, within(1, 2)]  # From card to card
    bar: Tone  # The life bar's colour
    bar_gap: Annotated[float, within(0, 0.5)]  # How far below a portrait it begins
    bar_thick: Annotated[float, within(0.02, 0.5)]  # How thick it is
    sides: Mapping[Team, Tone]  # The portraits' grounds


@dataclass(frozen=True, slots=True)
class BarredRule:
    """A timeline at a fixed place whose life bars stand at the portraits' right, in their side's colour.

    Lengths are in units of the anchor.
    """

    bottom: Annotated[float, within(-8, 8)]  # Where portraits end below the anchor's middle
    width: Annotated[float, within(0.1, 4)]  # A portrait's, its bar included
    height: Annotated[float, within(0.1, 4)]  # A portrait's
    pitch: Annotated[float, within(0.1, 4)]  # From card to card
    bar_width: Annotated[float, within(0.02, 1)]  # A life bar's
    rim: Colour  # The colour of the line about a card
    frame: Tone  # The colour of the frame about the current card
    sides: Mapping[Team, Tone]  # The colours of the life bars


def _kind(table: Any) -> str:
    if isinstance(table, dict) and "rim" in table:
        return "<barred>"
    return "<framed>" if isinstance(table, dict) and "frame_low" in table else "<pointed>"


TimelineRule = Annotated[
    Annotated[FramedRule, Tag("<framed>")]
    | Annotated[PointedRule, Tag("<pointed>")]
    | Annotated[BarredRule, Tag("<barred>")],
    Discriminator(_kind),
    gather("sides", "own", "enemy"),
]


@dataclass(frozen=True, slots=True)
class SpellsRule:
    """The spell bar: rows of square slots, wherever the bar stands."""

    size: Annotated[float, within(0.1, 4)]  # A slot's side, in units of the anchor
    # From slot to slot across and down, in units of the anchor
    pitch: Annotated[tuple[float, float], within(0.1, 4)]
    # How many a row has, and how many rows there are, at most
    slots: Annotated[tuple[int, int], within(1, 40)]
    # Icons whose bright parts are no brighter than this cannot be cast now (0..255)
    greyed: Annotated[float, within(0, 255)]
    bright: Annotated[float, within(0, 255)]  # Icons whose bright parts are at least this bright can be
    # The middle of the first slot from the anchor where the bar cannot be moved, None where it can
    place: Annotated[tuple[float, float], within(-40, 40)] | None = None
    # The number of turns to wait, about a slot's middle in units of its side; None if not known
    cooldown: FieldRule | None = None
    framed: bool = False  # Whether icons are white in a bright frame, whose brightness alone is measured
    # Icons between the two can be if they have at least this share of the bar's brightness
    dull: Annotated[float, within(0.5, 1)] = 0.74
    # How many slots a row has at least if it is away from the anchor's height, where players have other bars
    # of shortcuts
    away: Annotated[int, within(1, 40)] = 1
    # How many spells the bar shows at least if it is the player's and no summon's, 0 if that does not tell;
    # only near the anchor, by `beside`, where no other bar of shortcuts stands
    players: Annotated[int, within(0, 40)] = 0
    # How far from the anchor its first slot's middle stands at most, in units, if no panel was moved
    beside: Annotated[float, within(0, 40)] = 0.0
    # The same of a bar that can be moved where it is if no panel was moved; None if unknown
    usual: Annotated[tuple[float, float], within(-40, 40)] | None = None


@dataclass(frozen=True, slots=True)
class ArrangementRule:
    """Another way in which a client arranges the two shapes and the numbers about them."""

    # The second shape's offset from the first, in widths of that
    step: Annotated[tuple[float, float], within(-4, 4)]
    unit: Annotated[float, within(0.2, 5)]  # The HUD's unit, in distances between the two shapes
    numbers: Mapping[str, FieldRule]  # About the middle between them, in units
    # The end-turn button's place and width, see `EndTurnRule`; None if unknown
    usual: Annotated[tuple[float, float, float], within(-40, 40)] | None = None


@dataclass(frozen=True, slots=True)
class HudRules:
    """The HUD of a client; `second` is None where one shape anchors it.

    `points_tell`: whether AP and MP are shown in fights only, so that they are evidence of one.
    `arrangements`: other ways to arrange the shapes and `numbers`, by name.
    """

    first: ShapeRule
    numbers: Mapping[str, FieldRule]
    points_tell: bool
    second: SecondShapeRule | None = None
    arrangements: Mapping[str, ArrangementRule] = field(default_factory=dict)
    button: EndTurnRule | None = None
    timeline: TimelineRule | None = None
    spells: SpellsRule | None = None

    def numbers_of(self, arrangement: str) -> Mapping[str, FieldRule]:
        """Returns the numbers of an arrangement, "" for the usual one."""
        return self.arrangements[arrangement].numbers if arrangement else self.numbers

    def usual_of(self, arrangement: str) -> tuple[float, float, float] | None:
        """Returns the end-turn button's usual place in an arrangement, "" for the usual one."""
        if arrangement:
            return self.arrangements[arrangement].usual
        return self.button.usual if self.button is not None else None


def widened(table: Any) -> Any:
    """Returns a HUD's table in which every number has the table's `wide`: one font writes them all."""

    def spread(part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        inner = {key: spread(value) for key, value in part.items()}
        return inner | {"wide": wide} if "cap" in part else inner

    wide = table.get("wide", 1.0) if isinstance(table, dict) else 1.0
    return spread(table)
