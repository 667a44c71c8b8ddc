"""The arena's screen as data: where its board and its numbers are, and in which colours.

Lengths are fractions of one unit, S = min(height, width / aspect).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from vision.frame import Rect
from vision.profiles.fields import Colour, Colours, complete, gather, within
from vision.profiles.hud import FieldRule
from vision.view import Highlight, Sign, Team

SIGNS: tuple[Sign, ...] = ("own_glyph", "enemy_glyph", "trap")
NUMBERS = ("hp", "max_hp", "ap", "mp", "timer_s", "turn_number")
TEAMS: tuple[Team, ...] = ("own", "ally", "enemy")


@dataclass(frozen=True, slots=True)
class ScreenRegion:
    """A box by its centre, in units of S from the bottom centre, y upwards."""

    x: Annotated[float, within(-2, 2)]
    y: Annotated[float, within(-1, 2)]
    w: Annotated[float, within(0.001, 2)]
    h: Annotated[float, within(0.001, 2)]

    def box(self, client: Rect, unit: float) -> tuple[float, float, float, float]:
        """Returns left, top, width and height in pixels of the frame."""
        x = client.x + client.width / 2 + self.x * unit
        y = client.bottom - self.y * unit
        return x - self.w * unit / 2, y - self.h * unit / 2, self.w * unit, self.h * unit

    def pixels(self, client: Rect, unit: float) -> Rect:
        """Returns the whole pixels that the box covers, in the frame."""
        x, y, w, h = self.box(client, unit)
        left, top = round(x), round(y)
        return Rect(left, top, round(x + w) - left, round(y + h) - top)


_IN_REGION = gather("region")


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour painted over the floor with an opacity (0..1)."""

    colour: Colour
    opacity: Annotated[float, within(0, 1)]


@dataclass(frozen=True, slots=True)
class RingSide:
    """The colours of one side's rings."""

    band: Colour
    line: Colour


@dataclass(frozen=True, slots=True)
class RingRule:
    """A fighter's ring: places as shares of the cell's diamond, colours by side.

    `inside` holds points where the floor shows between ring, body and shadow, in cell widths and heights.
    """

    band: Annotated[float, within(0.1, 1)]
    line: Annotated[float, within(0.1, 1.2)]
    inside: Annotated[tuple[tuple[float, float], ...], Field(min_length=1), within(-2, 2)]
    opacity: Annotated[float, within(0, 1)]
    sides: Annotated[Mapping[Team, RingSide], complete(*TEAMS)]


@dataclass(frozen=True, slots=True)
class ShieldBarRule:
    """The shield's bar, right below the HP bar and as wide: its height in cell heights."""

    height: Annotated[float, within(0.01, 1)]
    full: Colour
    empty: Colour


@dataclass(frozen=True, slots=True)
class BarRule:
    """The HP bar over a fighter: its `place` is rise, width and height."""

    place: Annotated[tuple[float, float, float], within(0, 4)]
    full: Colour
    empty: Colour
    shield: ShieldBarRule

    @property
    def rise(self) -> float:
        """How far above the cell's point it lies, in cell heights."""
        return self.place[0]

    @property
    def width(self) -> float:
        """Its width in cell widths."""
        return self.place[1]

    @property
    def height(self) -> float:
        """Its height in cell heights."""
        return self.place[2]


@dataclass(frozen=True, slots=True)
class FigureRule:
    """A fighter's body: its height and how far its feet stand below the cell's point, in cell heights.

    `struck` is the share that its colour goes to a warm white while it is struck.
    """

    tall: Annotated[float, within(0.2, 5)]
    drop: Annotated[float, within(-1, 1)]
    struck: Annotated[float, within(0, 1)]


@dataclass(frozen=True, slots=True)
class CardRowRule:
    """The timeline's cards: sizes in units of S, `left` and `top` from the top centre."""

    left: Annotated[float, within(-2, 2)]
    top: Annotated[float, within(0, 1)]
    card: Annotated[tuple[float, float], within(0.005, 0.5)]
    current: Annotated[tuple[float, float], within(0.005, 0.5)]
    gap: Annotated[float, within(0, 0.2)]
    bar_w: Annotated[float, within(0.001, 0.1)]
    line: Annotated[float, within(0, 0.1)]
    frame: Colour
    sides: Annotated[Mapping[Team, Colour], complete(*TEAMS)]


@dataclass(frozen=True, slots=True)
class PlateRule:
    """A number on a plate that is shown only where there is one, else the `bare` colours behind it."""

    region: ScreenRegion
    number: FieldRule
    plate: Colour
    bare: Colours


@dataclass(frozen=True, slots=True)
class LogRule:
    """The chronicle of casts: `mark` and `chips` are middles from its left edge, in units of S.

    The first line's mark has the colour `words` where the log is written in words, elsewhere on the screen.
    The first chip of a line has the colour `taken_back` where an action of the player was taken back.
    """

    region: ScreenRegion
    lines: Annotated[int, within(1, 20)]
    mark: Annotated[float, within(0, 1)]
    chips: Annotated[tuple[float, float, float], within(0, 1)]
    even: Colour
    odd: Colour
    words: Colour
    taken_back: Colour


@dataclass(frozen=True, slots=True)
class SpellBarRule:
    """The spell bar: square slots in a row, centred; `badge` is (offset from the corner, radius).

    `cooldown` is the number of turns to wait, about a slot's middle in units of S.
    """

    slots: Annotated[int, within(1, 40)]
    size: Annotated[float, within(0.01, 0.3)]
    pitch: Annotated[float, within(0.01, 0.3)]
    y: Annotated[float, within(-1, 1)]
    badge: Annotated[tuple[float, float], within(0.001, 0.1)]
    usable: Colour
    greyed: Colour
    empty: Colour
    cooldown: FieldRule

    def slot(self, index: int) -> ScreenRegion:
        """Returns the box of a slot, counted from 0."""
        return ScreenRegion((index - (self.slots - 1) / 2) * self.pitch, self.y, self.size, self.size)


@dataclass(frozen=True, slots=True)
class AnchorRule:
    """A box that is mostly of some colours whenever a fight is shown."""

    region: ScreenRegion
    colours: Colours


@dataclass(frozen=True, slots=True)
class ButtonRule:
    """The end-turn button, which differs in the player's turn and in others'."""

    region: ScreenRegion
    mine: Colours
    other: Colours


@dataclass(frozen=True, slots=True)
class FightRules:
    """The rules for reading the arena's fights; `veil` darkens the window when the fight is over.

    Numbers are read as real clients' are (`vision.extract.dofus.numbers`), in units of S from the bottom
    centre, y downwards; those whose y is above 0 stand below the top centre.
    """

    highlights: Mapping[Highlight, Paint]
    signs: Annotated[Mapping[Sign, Colour], complete(*SIGNS)]
    rings: Annotated[RingRule, gather("sides", *TEAMS)]
    bar: BarRule
    figure: FigureRule
    kinds: Mapping[str, Colour]
    timeline: Annotated[CardRowRule, gather("sides", *TEAMS)]
    spell_bar: SpellBarRule
    numbers: Annotated[Mapping[str, FieldRule], complete(*NUMBERS)]
    shield: Annotated[PlateRule, _IN_REGION]
    log: Annotated[LogRule, _IN_REGION]
    spells: Mapping[str, Colour]
    anchors: Mapping[str, Annotated[AnchorRule, _IN_REGION]]
    veil: Paint
    button: Annotated[ButtonRule, _IN_REGION]
