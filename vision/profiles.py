"""What a game client looks like, as data: where its board and its numbers stand, and in which colours.

Profiles are TOML files in `resources/profiles/`; lengths are fractions of one unit, S = min(height,
width / aspect), measured from the bottom centre of the client area (or the top centre where a table says
so). `load` checks every value and names the file and the field that is wrong.
Next hop: `vision.extract.Reader` reads frames with a profile.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, NoReturn

from vision.frame import Rect
from vision.view import Lattice

RGB = tuple[int, int, int]
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


class ProfileError(ValueError):
    """A profile is missing or broken; the text names the file and the field."""


class Region(NamedTuple):
    """A box by its centre, in units of S from the bottom centre: x to the right, y upwards."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class BoardRule:
    """Where the lattice lies, in units of S or of cells."""

    cell_w: float
    ratio: float
    columns: float
    rows: float
    bottom: float


@dataclass(frozen=True, slots=True)
class TimelineRule:
    """Where the timeline's cards stand: sizes in units of S, `left` and `top` from the top centre."""

    left: float
    top: float
    card: tuple[float, float]
    current: tuple[float, float]
    gap: float
    bar_w: float
    margin: float


@dataclass(frozen=True, slots=True)
class SpellBarRule:
    """The spell bar: square slots in a row, centred."""

    slots: int
    size: float
    pitch: float
    y: float


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
        timeline: where the timeline's cards stand; None for a client that is not read yet, as all below.
        regions: places of the HUD by name.
        spell_bar: the spell slots.
        tolerance: how far (0..255, per channel) a colour may be from one of its palette.
        palette: colours by what they mean.
        kinds: the body colour of each kind of fighter.
    """

    name: str
    title: str
    process: str
    unreadable: str
    aspect: float
    board: BoardRule
    timeline: TimelineRule | None
    regions: Mapping[str, Region]
    spell_bar: SpellBarRule | None
    tolerance: float
    palette: Mapping[str, tuple[RGB, ...]]
    kinds: Mapping[str, RGB]

    def unit(self, width: float, height: float) -> float:
        """Returns S in pixels for a client area of this size."""
        return min(height, width / self.aspect)

    def lattice(self, client: Rect) -> Lattice:
        """Returns where the board lies in a client area, by the profile alone."""
        s = self.unit(client.width, client.height)
        cell_w = self.board.cell_w * s
        cell_h = cell_w * self.board.ratio
        x = client.x + client.width / 2 - (self.board.columns - 1) / 2 * cell_w
        y = client.y + client.height - self.board.bottom * s - (self.board.rows - 0.5) * cell_h
        return Lattice((x, y), cell_w, cell_h)

    def box(self, region: Region, client: Rect) -> tuple[float, float, float, float]:
        """Returns a region's left, top, width and height in pixels of the frame."""
        s = self.unit(client.width, client.height)
        x = client.x + client.width / 2 + (region.x - region.w / 2) * s
        y = client.y + client.height - (region.y + region.h / 2) * s
        return x, y, region.w * s, region.h * s


class _Table:
    """One TOML table, read with checks; keeps the path to each field for the message."""

    def __init__(self, values: Any, file: str, path: str = "") -> None:
        self._file, self._path = file, path
        if not isinstance(values, dict):
            raise ProfileError(f"{file}: {path.rstrip('.')} must be a table, got {values!r}")
        self._values: dict[str, Any] = values

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def fields(self) -> list[str]:
        return list(self._values)

    def table(self, key: str) -> "_Table":
        return _Table(self._get(key), self._file, f"{self._path}{key}.")

    def text(self, key: str, default: str = "") -> str:
        value = self._values.get(key, default)
        if not isinstance(value, str):
            self._fail(key, "a text", value)
        return str(value)

    def number(self, key: str, low: float, high: float) -> float:
        return self._number(key, self._get(key), low, high)

    def numbers(self, key: str, count: int, low: float, high: float) -> tuple[float, ...]:
        values = self._get(key)
        if not isinstance(values, list) or len(values) != count:
            self._fail(key, f"a list of {count} numbers", values)
        return tuple(self._number(key, value, low, high) for value in values)

    def colour(self, key: str) -> RGB:
        return self._colour(key, self._get(key))

    def colours(self, key: str) -> tuple[RGB, ...]:
        values = self._get(key)
        if not isinstance(values, list) or not values:
            self._fail(key, "a list of colours", values)
        return tuple(self._colour(key, value) for value in values)

    def _get(self, key: str) -> Any:
        if key not in self._values:
            raise ProfileError(f"{self._file}: {self._path}{key} is missing")
        return self._values[key]

    def _number(self, key: str, value: Any, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            self._fail(key, f"a number from {low:g} to {high:g}", value)
        return float(value)

    def _colour(self, key: str, value: Any) -> RGB:
        if not isinstance(value, str) or not _COLOUR.fullmatch(value):
            self._fail(key, "a colour like #2f9a3c", value)
        return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)

    def _fail(self, key: str, wanted: str, value: Any) -> NoReturn:
        raise ProfileError(f"{self._file}: {self._path}{key} must be {wanted}, got {value!r}")


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
    source = folder() / f"{name}.toml"
    if name not in names():
        raise ProfileError(f"there is no profile {name!r}; there are: {', '.join(names())}")
    return parse(source.read_text(encoding="utf-8"), f"{name}.toml")


def parse(text: str, file: str) -> Profile:
    """Reads a profile from TOML text; `file` is what it is called in messages.

    Raises:
        ProfileError: a field is missing or wrong.
    """
    try:
        top = _Table(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{file}: not TOML: {error}") from error
    unreadable = top.text("unreadable")
    return Profile(
        name=file.removesuffix(".toml"),
        title=top.text("title"),
        process=top.text("process"),
        unreadable=unreadable,
        aspect=top.number("aspect", 0.5, 4),
        board=_board(top.table("board")),
        timeline=None if unreadable else _timeline(top.table("timeline")),
        regions=_regions(top.table("regions")) if "regions" in top else {},
        spell_bar=None if unreadable else _spell_bar(top.table("spell_bar")),
        tolerance=top.number("tolerance", 1, 128),
        palette=_palette(top.table("palette")),
        kinds=_kinds(top.table("kinds")) if "kinds" in top else {},
    )


def _board(table: _Table) -> BoardRule:
    return BoardRule(
        table.number("cell_w", 0.01, 0.5),
        table.number("ratio", 0.3, 0.7),
        table.number("columns", 1, 40),
        table.number("rows", 1, 40),
        table.number("bottom", -0.5, 0.5),
    )


def _timeline(table: _Table) -> TimelineRule:
    card, current = table.numbers("card", 2, 0.005, 0.5), table.numbers("current", 2, 0.005, 0.5)
    return TimelineRule(
        table.number("left", -2, 2),
        table.number("top", 0, 1),
        (card[0], card[1]),
        (current[0], current[1]),
        table.number("gap", 0, 0.2),
        table.number("bar_w", 0.001, 0.1),
        table.number("margin", 0, 0.1),
    )


def _spell_bar(table: _Table) -> SpellBarRule:
    slots = int(table.number("slots", 1, 40))
    return SpellBarRule(
        slots, table.number("size", 0.01, 0.3), table.number("pitch", 0.01, 0.3), table.number("y", -1, 1)
    )


def _regions(table: _Table) -> dict[str, Region]:
    return {key: Region(*table.numbers(key, 4, -2, 2)) for key in table.fields()}


def _palette(table: _Table) -> dict[str, tuple[RGB, ...]]:
    return {key: table.colours(key) for key in table.fields()}


def _kinds(table: _Table) -> dict[str, RGB]:
    return {key: table.colour(key) for key in table.fields()}
