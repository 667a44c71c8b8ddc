"""Finds the fighters by the HP bars over their heads, then classifies their rings and bodies.

The bar is drawn over everything else, so it is always whole; it locates the fighter to a pixel, so that one
that walks (off every cell's centre) gets no cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.extract.arena import paints
from vision.extract.arena.palette import ColourTable, majority
from vision.frame import Rect
from vision.profiles.arena import TEAMS, FightRules
from vision.profiles.profile import Profile
from vision.view import Lattice, Seen, Team

Packed = npt.NDArray[np.uint32]
Place = tuple[float, float]  # Across and down, in pixels

_PER_EDGE = 10
_MIN_RING = 4
_MIN_BODY = 12
_MIN_INSIDE = 4
_SOME_SHIELD = 0.5
_SAME = 3  # Two fighters' bars are further apart than so many pixels: a figure stands a cell from the next
_WIDE, _HIGH = 0.18, 0.55  # Half of the room that a body may take, for a figure of height 1


@dataclass(frozen=True, slots=True)
class HpBar:
    """An HP bar: the frame's left, top, width and height in pixels, and the fraction that is full.

    `fraction` is None where something covers an end. `shield` is that of the shield's bar below it, 0 without
    one, None where ambiguous.
    """

    left: int
    top: int
    width: int
    height: int
    fraction: float | None
    shield: float | None


@dataclass(frozen=True, slots=True)
class RingSighting:
    """A fighter as found by its bar, ring and body."""

    px: tuple[float, float]  # Where its feet are, in pixels of the frame
    cell: int | None  # The cell it stands on, None while it walks
    team: Team | None  # The side of its ring, None where the ring is hidden
    certainty: float  # The confidence of the team (0..1)
    kind: Seen[str]  # Its kind by the colours of its body
    hp_fraction: float | None  # The filled share of its bar, None where an end of it is covered
    ground: str | None  # The highlight inside the ring, None where ambiguous
    shield: Seen[float] = field(default_factory=Seen)  # The filled share of its shield's bar


@dataclass(frozen=True, slots=True)
class _Scale:
    """The sizes of one lattice in pixels."""

    bar_w: int
    bar_h: int
    rise: float
    shield_h: int


class FighterReader:
    """Reads fighters of one profile."""

    def __init__(self, profile: Profile, fight: FightRules, board: ColourTable) -> None:
        self._fight = fight
        self._board = board
        bar = fight.bar
        self._bars = paints.bars(bar.full, bar.empty)
        self._blend = self._bars.ids("edge")[0]
        self._shields = paints.bars(bar.shield.full, bar.shield.empty)
        self._bodies = paints.bodies(profile, fight)
        self._bands = board.ids(*TEAMS)
        self._lines = board.ids(*(f"{team} line" for team in TEAMS))
        self._band_points = _perimeter(fight.rings.band)
        self._line_points = _perimeter(fight.rings.line)
        self._body_points = _body(fight)
        self._inside_points = np.array(fight.rings.inside)

    def read(self, pixels: Packed, lattice: Lattice, area: Rect) -> list[RingSighting]:
        """Returns the fighters on the board.

        Args:
            pixels: the frame, packed as 0xAARRGGBB, shape (height, width).
        """
        scale = self._scale(lattice)
        bars = self._find_bars(pixels, scale, area)
        feet = [(bar.left + bar.width / 2, bar.top + bar.height / 2 + scale.rise) for bar in bars]
        return [self._sighting(pixels, lattice, at, bar, feet) for at, bar in zip(feet, bars, strict=True)]

    def _scale(self, lattice: Lattice) -> _Scale:
        rule = self._fight.bar
        height = max(4, round(rule.height * lattice.cell_h))
        shield = max(3, round(rule.shield.height * lattice.cell_h))
        return _Scale(round(rule.width * lattice.cell_w), height, rule.rise * lattice.cell_h, shield)

    def _find_bars(self, pixels: Packed, scale: _Scale, area: Rect) -> list[HpBar]:
        """Finds the bars on a coarse grid of pixels, then measures each hit."""
        down, across = scale.bar_h - 2, max(2, scale.bar_w // 6)
        coarse = self._bars.read_packed(pixels[area.y : area.bottom : down, area.x : area.right : across])
        rows, columns = np.nonzero((coarse[:, :-1] > 0) & (coarse[:, 1:] > 0))
        bars: list[HpBar] = []
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            x, y = area.x + column * across, area.y + row * down
            if any(b.left <= x < b.left + b.width and b.top <= y < b.top + b.height for b in bars):
                continue
            bar = self._measure(pixels, x, y, scale)
            if bar is not None and not any(_same(bar, known) for known in bars):
                bars.append(bar)
        return bars

    def _measure(self, pixels: Packed, x: int, y: int, scale: _Scale) -> HpBar | None:
        """Returns the bar around a pixel, None where the size or pattern there is not a bar's."""
        reach_x, reach_y = scale.bar_w + 2, scale.bar_h + 2
        left, top = max(0, x - reach_x), max(0, y - reach_y)
        seen = self._bars.read_packed(pixels[top : y + reach_y + 1, left : x + reach_x + 1])
        first, last = self._ends(seen[y - top], x - left, scale.bar_w + 2)
        highest, lowest = self._ends(seen[:, x - left], y - top, scale.bar_h + 1)
        width, height = last - first + 1, lowest - highest + 1
        if abs(width - scale.bar_w) > 2 or abs(height - scale.bar_h) > 1:
            return None
        inner = pixels[top + highest + 1 : top + lowest, left + first + 1 : left + last]
        rule = self._fight.bar
        fraction = _filled(self._bars, inner, (rule.full[0], rule.empty[0]))
        if fraction is None:
            return None
        under = pixels[top + lowest + 1 : top + lowest + scale.shield_h, left + first + 1 : left + last]
        whole = fraction if width >= scale.bar_w else None
        return HpBar(left + first, top + highest, width, height, whole, self._shield(under))

    def _ends(self, line: npt.NDArray[np.uint8], at: int, longest: int) -> tuple[int, int]:
        """Returns where a bar begins and ends in a line through it; red ground beside it looks blended."""
        first, last = _run(line > 0, at)
        if last - first < longest:
            return first, last
        pure = np.flatnonzero(line[first : last + 1] != self._blend)
        return (first + int(pure[0]), first + int(pure[-1])) if pure.size else (first, last)

    def _shield(self, under: Packed) -> float | None:
        """Returns the filled share of the shield's bar below an HP bar, 0 without one, None where covered."""
        meaning = self._shields.read_packed(under)
        if (meaning > 0).mean() < _SOME_SHIELD:
            return None if meaning.size and (meaning[:, 0] == 1).all() else 0.0
        rule = self._fight.bar
        return _filled(self._shields, under, (rule.shield.full[0], rule.shield.empty[0]))

    def _sighting(
        self, pixels: Packed, lattice: Lattice, at: Place, bar: HpBar, feet: Sequence[Place]
    ) -> RingSighting:
        in_front = [(x, y) for x, y in feet if y > at[1] + 1]
        cell = lattice.cell_at(*at)
        if cell is not None:
            centre = lattice.centre(cell)
            slack = max(1.6, 0.03 * lattice.cell_w)
            if max(abs(at[0] - centre[0]), abs(at[1] - centre[1])) <= slack:
                at = centre
            else:
                cell = None
        team, certainty = self._team(pixels, lattice, at)
        ground = self._ground(pixels, lattice, at, team) if cell is not None and team is not None else None
        kind = self._kind(pixels, lattice, at, in_front)
        shield: Seen[float] = Seen() if bar.shield is None else Seen(bar.shield, 0.95)
        return RingSighting(at, cell, team, certainty, kind, bar.fraction, ground, shield)

    def _team(self, pixels: Packed, lattice: Lattice, at: tuple[float, float]) -> tuple[Team | None, float]:
        """Returns the side of the ring around a point: the one with most pixels of its band and line."""
        band = self._board.read_packed(_gather(pixels, lattice, at, self._band_points))
        line = self._board.read_packed(_gather(pixels, lattice, at, self._line_points))
        bands = [int((band == number).sum()) for number in self._bands]
        lines = [int((line == number).sum()) for number in self._lines]
        votes = [b + min(b, n) for b, n in zip(bands, lines, strict=True)]
        best = int(np.argmax(votes))
        if votes[best] < _MIN_RING or sorted(votes)[-2] * 3 > votes[best]:
            return None, 0.0
        return TEAMS[best], min(1.0, 0.8 + votes[best] / (8 * _PER_EDGE))

    def _ground(self, pixels: Packed, lattice: Lattice, at: tuple[float, float], team: Team) -> str | None:
        """Returns the highlight inside a ring, None where too little of it is visible."""
        inside = self._board.read_packed(_gather(pixels, lattice, at, self._inside_points))
        names = [name for name in self._board.names if name.startswith(f"{team}:")]
        votes = [int((inside == self._board.id(name)).sum()) for name in names]
        best = int(np.argmax(votes))
        if votes[best] < _MIN_INSIDE or votes[best] < 0.75 * sum(votes):
            return None
        return names[best].split(":")[1]

    def _kind(self, pixels: Packed, lattice: Lattice, at: Place, in_front: Sequence[Place]) -> Seen[str]:
        """Returns the kind with most pixels of its colours on the body, where no body in front covers it."""
        points = self._body_points
        for x, y in in_front:
            offset = (x - at[0]) / lattice.cell_w, (y - at[1]) / lattice.cell_h
            points = points[~_on_body(points - offset, self._fight)]
        body = self._bodies.read_packed(_gather(pixels, lattice, at, points))
        return majority(self._bodies, len(self._fight.kinds), body, _MIN_BODY)


def _same(first: HpBar, second: HpBar) -> bool:
    """Tells whether two hits are one bar: where a rising figure covers an end, they differ by some pixels."""
    return max(abs(first.left - second.left), abs(first.top - second.top)) <= _SAME


def _filled(palette: ColourTable, inner: Packed, reds: tuple[int, int]) -> float | None:
    """Returns the filled share of a bar from the left; None where it is not a bar.

    The columns where full and empty meet are blends, counted by their shade.

    Args:
        palette: of `paints.bars`.
        reds: the red channel of the full and the empty colour.
    """
    meaning = palette.read_packed(inner)
    full = (meaning == 1).mean(axis=0) > 0.5
    empty = (meaning == 2).mean(axis=0) > 0.5
    count = int(full.sum())
    mixed = int((~full & ~empty).sum())
    if not full[:count].all() or mixed > 1 or count + mixed + int(empty[count:].sum()) != len(full):
        return None
    high, low = reds
    first = max(0, count - 1)
    edge = inner[:, first : count + mixed + 1] >> 16 & 255
    shares = np.clip((edge.mean(axis=0) - low) / (high - low), 0, 1)
    return (first + float(shares.sum())) / len(full)


def _run(line: npt.NDArray[np.bool_], start: int) -> tuple[int, int]:
    """Returns the first and last index of the run of true values around `start`."""
    breaks = np.nonzero(~line)[0]
    before, after = breaks[breaks < start], breaks[breaks > start]
    return int(before[-1]) + 1 if len(before) else 0, int(after[0]) - 1 if len(after) else len(line) - 1


def _perimeter(scale: float) -> npt.NDArray[np.float64]:
    """Returns points along a diamond's four edges, (across, down) in cell widths and heights."""
    along = (np.arange(_PER_EDGE) + 0.5) / _PER_EDGE
    corners = np.array([(0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0)]) * scale
    edges = [a + (b - a) * along[:, None] for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return np.concatenate(edges)


def _body(fight: FightRules) -> npt.NDArray[np.float64]:
    """Returns points inside an upright ellipse over a fighter's body, in cell widths and heights."""
    tall = fight.figure.tall
    x, y = np.meshgrid(np.linspace(-1, 1, 15), np.linspace(-1, 1, 25))
    keep = x**2 + y**2 <= 1
    across = x[keep] * 0.12 * tall
    down = fight.figure.drop - tall * (0.46 + 0.44 * y[keep])
    return np.stack([across, down], axis=1)


def _on_body(points: npt.NDArray[np.float64], fight: FightRules) -> npt.NDArray[np.bool_]:
    """Tells which points a fighter's body may cover, (across, down) in cell widths and heights from its
    feet."""
    tall = fight.figure.tall
    across = points[:, 0] / (_WIDE * tall)
    down = (points[:, 1] - fight.figure.drop + 0.46 * tall) / (_HIGH * tall)
    return across**2 + down**2 <= 1


def _gather(
    pixels: Packed, lattice: Lattice, at: tuple[float, float], points: npt.NDArray[np.float64]
) -> Packed:
    """Returns the pixels at points around a place; those outside the frame come out as 0."""
    spots = np.floor(points * (lattice.cell_w, lattice.cell_h) + at).astype(np.int64)
    x, y = spots[:, 0], spots[:, 1]
    inside = (x >= 0) & (x < pixels.shape[1]) & (y >= 0) & (y < pixels.shape[0])
    return np.where(inside, pixels[np.where(inside, y, 0), np.where(inside, x, 0)], np.uint32(0))
