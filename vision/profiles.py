"""What a game client looks like, as data: where its board and its numbers stand, and in which colours.

Profiles are TOML files in `resources/profiles/`; lengths are fractions of one unit, S = min(height,
width / aspect). `load` checks every value and names the file and the field that is wrong.
Next hop: `vision.extract.Reader` reads frames with a profile.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from vision import panels, screen
from vision.frame import Rect
from vision.panels import HudRules
from vision.screen import ScreenRules
from vision.tables import RGB, ProfileError, Table
from vision.view import Highlight, Lattice, Sign, Team

__all__ = ["RGB", "Profile", "ProfileError", "load", "names", "parse"]

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


class Region(NamedTuple):
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
class TimelineRule:
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

    region: Region
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

    region: Region
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

    def slot(self, index: int) -> Region:
        """Returns the box of a slot, counted from 0."""
        return Region((index - (self.slots - 1) / 2) * self.pitch, self.y, self.size, self.size)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A box that is mostly of some colours whenever a fight is shown."""

    region: Region
    colours: tuple[RGB, ...]


@dataclass(frozen=True, slots=True)
class ButtonRule:
    """The end-turn button, by whose turn it is."""

    region: Region
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
    timeline: TimelineRule
    spell_bar: SpellBarRule
    numbers: Mapping[str, NumberRule]
    shield: PlateRule
    log: LogRule
    spells: Mapping[str, RGB]
    anchors: Mapping[str, Anchor]
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


def folder() -> Traversable:
    """Returns where the profiles are kept."""
    return files("resources") / "profiles"


def names() -> tuple[str, ...]:
    """Returns the names of the profiles there are."""
    found = (entry.name for entry in folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@lru_cache(maxsize=16)
def load(name: str) -> Profile:
    """Reads a profile by name.

    Raises:
        ProfileError: there is no such profile, or a field of it is wrong.
    """
    if name not in names():
        raise ProfileError(f"there is no profile {name!r}; there are: {', '.join(names())}")
    return parse((folder() / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def parse(text: str, file: str) -> Profile:
    """Reads a profile from TOML text; `file` is what it is called in messages.

    Raises:
        ProfileError: a field is missing or wrong.
    """
    top = Table.parse(text, file)
    unreadable = top.text("unreadable")
    palette = top.table("palette")
    return Profile(
        name=file.removesuffix(".toml"),
        title=top.text("title"),
        process=top.text("process"),
        unreadable=unreadable,
        aspect=top.number("aspect", 0.5, 4),
        board=_board(top.table("board")),
        tolerance=top.number("tolerance", 1, 128),
        palette={key: palette.colours(key) for key in palette.fields()},
        fight=None if unreadable or "screen" in top else _fight(top),
        screen=screen.parse(top.table("screen")) if "screen" in top else None,
        hud=panels.parse(top.table("hud")) if "hud" in top else None,
    )


def _board(table: Table) -> BoardRule:
    return BoardRule(
        table.number("cell_w", 0.01, 0.5),
        table.number("ratio", 0.3, 0.7),
        table.number("columns", 1, 40),
        table.number("rows", 1, 40),
        table.number("bottom", -0.5, 0.5),
    )


def _fight(top: Table) -> FightRules:
    kinds, spells = top.table("kinds"), top.table("spells")
    paints = top.table("highlights").tables()
    signs = top.table("signs")
    bar, figure, numbers = top.table("bar"), top.table("figure"), top.table("numbers")
    rise, width, height = bar.numbers("place", 3, 0, 4)
    shield, plate = bar.table("shield"), top.table("shield")
    return FightRules(
        highlights={key: _paint(paints[key]) for key in HIGHLIGHTS if key in paints},
        signs={key: signs.colour(key) for key in SIGNS},
        rings=_rings(top.table("rings")),
        bar=BarRule(
            rise,
            width,
            height,
            bar.colour("full"),
            bar.colour("empty"),
            shield.number("height", 0.01, 1),
            shield.colour("full"),
            shield.colour("empty"),
        ),
        figure=FigureRule(figure.number("tall", 0.2, 5), figure.number("drop", -1, 1)),
        kinds={key: kinds.colour(key) for key in kinds.fields()},
        timeline=_timeline(top.table("timeline")),
        spell_bar=_spell_bar(top.table("spell_bar")),
        numbers={key: _number(numbers.table(key)) for key in NUMBERS},
        log=_log(top.table("log")),
        spells={key: spells.colour(key) for key in spells.fields()},
        shield=PlateRule(_number(plate), plate.colour("plate"), plate.colours("bare")),
        anchors={
            key: Anchor(_region(table), table.colours("colours"))
            for key, table in top.table("anchors").tables().items()
        },
        veil=_paint(top.table("veil")),
        button=_button(top.table("button")),
    )


def _log(table: Table) -> LogRule:
    return LogRule(
        _region(table),
        int(table.number("lines", 1, 20)),
        table.number("mark", 0, 1),
        table.numbers("chips", 3, 0, 1),
        table.colour("even"),
        table.colour("odd"),
    )


def _region(table: Table) -> Region:
    x, y = table.number("x", -2, 2), table.number("y", -1, 2)
    top = table.choice("anchor", ("bottom", "top")) == "top"
    return Region(x, y, table.number("w", 0.001, 2), table.number("h", 0.001, 2), top)


def _paint(table: Table) -> Paint:
    return Paint(table.colour("colour"), table.number("opacity", 0, 1))


def _rings(table: Table) -> RingRule:
    sides = {team: table.table(team) for team in TEAMS}
    return RingRule(
        table.number("band", 0.1, 1),
        table.number("line", 0.1, 1.2),
        table.points("inside"),
        table.number("opacity", 0, 1),
        {team: (side.colour("band"), side.colour("line")) for team, side in sides.items()},
    )


def _timeline(table: Table) -> TimelineRule:
    return TimelineRule(
        table.number("left", -2, 2),
        table.number("top", 0, 1),
        table.pair("card", 0.005, 0.5),
        table.pair("current", 0.005, 0.5),
        table.number("gap", 0, 0.2),
        table.number("bar_w", 0.001, 0.1),
        table.number("line", 0, 0.1),
        table.colour("frame"),
        {team: table.colour(team) for team in TEAMS},
    )


def _number(table: Table, region: Region | None = None) -> NumberRule:
    return NumberRule(
        region or _region(table),
        table.number("cap", 0.005, 0.2),
        int(table.number("digits", 1, 6)),
        table.colours("colours"),
    )


def _spell_bar(table: Table) -> SpellBarRule:
    cooldown = table.table("cooldown")
    box = Region(0, 0, cooldown.number("w", 0.005, 0.3), cooldown.number("h", 0.005, 0.3))
    return SpellBarRule(
        int(table.number("slots", 1, 40)),
        table.number("size", 0.01, 0.3),
        table.number("pitch", 0.01, 0.3),
        table.number("y", -1, 1),
        table.pair("badge", 0.001, 0.1),
        table.colour("usable"),
        table.colour("greyed"),
        table.colour("empty"),
        _number(cooldown, box),
    )


def _button(table: Table) -> ButtonRule:
    return ButtonRule(_region(table), table.colours("mine"), table.colours("other"))
