"""What a game client looks like, as records: where its board and its numbers stand, and in which colours.

Lengths are fractions of one unit, S = min(height, width / aspect). Next hop: `vision.profiles` reads them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.hud import HudRules
from vision.profiles.tables import RGB
from vision.view import Highlight, Lattice, Sign, Team

SIGNS: tuple[Sign, ...] = ("own_glyph", "enemy_glyph", "trap")
NUMBERS = ("hp", "max_hp", "ap", "mp", "timer_s", "turn_number")
TEAMS: tuple[Team, ...] = ("own", "ally", "enemy")
HIGHLIGHTS: tuple[Highlight, ...] = (
    "reachable",
    "tackled",
    "range",
    "no_sight",
    "area",
    "red_start",
    "blue_start",
)


class ScreenRegion(NamedTuple):
    """A box by its centre, in units of S from the bottom centre (y upwards) or the top centre (y down)."""

    x: float
    y: float
    w: float
    h: float
    top: bool = False

    def box(self, client: Rect, unit: float) -> tuple[float, float, float, float]:
        """Returns left, top, width and height in pixels of the frame."""
        x = client.x + client.width / 2 + self.x * unit
        y = client.y + self.y * unit if self.top else client.bottom - self.y * unit
        return x - self.w * unit / 2, y - self.h * unit / 2, self.w * unit, self.h * unit

    def pixels(self, client: Rect, unit: float) -> Rect:
        """Returns the whole pixels that the box covers, in the frame."""
        x, y, w, h = self.box(client, unit)
        left, top = round(x), round(y)
        return Rect(left, top, round(x + w) - left, round(y + h) - top)


class Paint(NamedTuple):
    """A colour painted over the floor with an opacity (0..1)."""

    colour: RGB
    opacity: float


@dataclass(frozen=True, slots=True)
class BoardRule:
    """Where the lattice lies, in units of S or of cells."""

    cell_w: float
    ratio: float
    columns: float
    rows: float
    bottom: float


@dataclass(frozen=True, slots=True)
class RingRule:
    """A fighter's ring: places as shares of the cell's diamond, colours (band, line) by side.

    `inside` holds points where the floor shows between ring, body and shadow, in cell widths and heights.
    """

    band: float
    line: float
    inside: tuple[tuple[float, float], ...]
    opacity: float
    sides: Mapping[Team, tuple[RGB, RGB]]


@dataclass(frozen=True, slots=True)
class BarRule:
    """The HP bar over a fighter: rise and height in cell heights, width in cell widths.

    Right below it is the shield's bar, of the same width.
    """

    rise: float
    width: float
    height: float
    full: RGB
    empty: RGB
    shield_height: float
    shield_full: RGB
    shield_empty: RGB


@dataclass(frozen=True, slots=True)
class FigureRule:
    """A fighter's body: its height and how far its feet stand below the cell's point, in cell heights."""

    tall: float
    drop: float


@dataclass(frozen=True, slots=True)
class CardRowRule:
    """The timeline's cards: sizes in units of S, `left` and `top` from the top centre."""

    left: float
    top: float
    card: tuple[float, float]
    current: tuple[float, float]
    gap: float
    bar_w: float
    line: float
    frame: RGB
    sides: Mapping[Team, RGB]


@dataclass(frozen=True, slots=True)
class NumberRule:
    """A number: where to look, a digit's height in units of S, and the text's colours."""

    region: ScreenRegion
    cap: float
    digits: int
    colours: tuple[RGB, ...]


@dataclass(frozen=True, slots=True)
class PlateRule:
    """A number on a plate that is shown only where there is one, else the `bare` colours behind it."""

    number: NumberRule
    plate: RGB
    bare: tuple[RGB, ...]


@dataclass(frozen=True, slots=True)
class LogRule:
    """The chronicle of casts: `mark` and `chips` are middles from its left edge, in units of S."""

    region: ScreenRegion
    lines: int
    mark: float
    chips: tuple[float, ...]
    even: RGB
    odd: RGB


@dataclass(frozen=True, slots=True)
class SpellBarRule:
    """The spell bar: square slots in a row, centred; `badge` is (offset from the corner, radius)."""

    slots: int
    size: float
    pitch: float
    y: float
    badge: tuple[float, float]
    usable: RGB
    greyed: RGB
    empty: RGB
    cooldown: NumberRule

    def slot(self, index: int) -> ScreenRegion:
        """Returns the box of a slot, counted from 0."""
        return ScreenRegion((index - (self.slots - 1) / 2) * self.pitch, self.y, self.size, self.size)


@dataclass(frozen=True, slots=True)
class AnchorRule:
    """A box that is mostly of some colours whenever a fight is shown."""

    region: ScreenRegion
    colours: tuple[RGB, ...]


@dataclass(frozen=True, slots=True)
class ButtonRule:
    """The end-turn button, by whose turn it is."""

    region: ScreenRegion
    mine: tuple[RGB, ...]
    other: tuple[RGB, ...]


@dataclass(frozen=True, slots=True)
class FightRules:
    """All that is needed to read a fight of a client; `veil` darkens the window when the fight is over."""

    highlights: Mapping[Highlight, Paint]
    signs: Mapping[Sign, RGB]
    rings: RingRule
    bar: BarRule
    figure: FigureRule
    kinds: Mapping[str, RGB]
    timeline: CardRowRule
    spell_bar: SpellBarRule
    numbers: Mapping[str, NumberRule]
    shield: PlateRule
    log: LogRule
    spells: Mapping[str, RGB]
    anchors: Mapping[str, AnchorRule]
    veil: Paint
    button: ButtonRule


@dataclass(frozen=True, slots=True)
class Profile:
    """One client.

    Attributes:
        name: the file's name, as in `--client`.
        title: part of the window's title.
        process: part of the process name.
        unreadable: why fights of this client cannot be read yet, "" when they can.
        aspect: S = min(height, width / aspect).
        board: where the lattice lies.
        tolerance: how far (Euclidean, 0..441) a colour may be from one of its palette.
        palette: colours by what they mean.
        fight: how to read a fight, None for a client whose fights are not read by a fixed layout.
        screen: how to read a real client's board, None for our own arena.
        hud: how to read a real client's HUD, None for our own arena.
    """

    name: str
    title: str
    process: str
    unreadable: str
    aspect: float
    board: BoardRule
    tolerance: float
    palette: Mapping[str, tuple[RGB, ...]]
    fight: FightRules | None
    screen: ScreenRules | None = None
    hud: HudRules | None = None

    def unit(self, client: Rect) -> float:
        """Returns S in pixels for a client area."""
        return min(client.height, client.width / self.aspect)

    def lattice(self, client: Rect) -> Lattice:
        """Returns where the board lies in a client area, by the profile alone."""
        s = self.unit(client)
        cell_w = self.board.cell_w * s
        cell_h = cell_w * self.board.ratio
        x = client.x + client.width / 2 - (self.board.columns - 1) / 2 * cell_w
        y = client.bottom - self.board.bottom * s - (self.board.rows - 0.5) * cell_h
        return Lattice((x, y), cell_w, cell_h)
