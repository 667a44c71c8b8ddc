"""Finds what only a fight's board shows, wherever it lies and however large: start cells and rings.

A board that is cut off above its HUD has another size than the client area tells, and before the first turn
Retro's HUD says nothing of a fight. So before a screen is said to show none, it is searched for shapes in the
colours of both sides' start cells (red and blue in the game) whose edges run as those of cells do, and for
flat rings of these colours. (Where the board should lie the network for rings is asked besides: see the
reader.)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import blobs
from vision.profiles.board import ScreenRules
from vision.profiles.fields import Corners
from vision.view import Highlight, Lattice

Picture = npt.NDArray[np.uint8]
Colour = Literal["red", "blue"]

_STARTS: dict[Colour, Highlight] = {"red": "red_start", "blue": "blue_start"}
_TALLEST = 720
"""Larger pictures are searched at this height, where a cell is 60 pixels wide and a ring's line 2."""
_PURE: dict[Colour, int] = {"red": 60, "blue": 45}
"""Levels by which a paint's strongest channel exceeds the others at least: half opaque blue over yellow
floor: 45."""
_WIDE, _SMALLEST = (0.03, 0.9), 14
"""How wide a shape is in heights of the picture, and in pixels at least: icons are smaller, and below 14
pixels an outline's steps have no direction. A row of start cells reaches over most of a board."""
_ALIKE, _BOTH = 8.0, 0.2
"""Degrees by which an edge may be off a cell's (one pixel in 7), and the share of an outline in each of the
two directions at least: start cells of two real placements have 0.39 to 0.5, a panel's slanted edge 0.05."""
_ALIGNED, _ROUGH = 0.78, 1.6
"""The share of an outline along cells' edges at least, and its roughness in pixels. Start cells of two real
placements have 0.83 to 1.0 (less where a figure stands on them), what is red or blue on real screens without
a fight 0.67 at most but for one panel, a circle 0.2."""
_FULL = 0.62
"""The share of its box that a shape fills at most: real start cells 0.51 to 0.58, a row of several less."""
_ON_LINE, _MOSTLY = 0.13, 0.75
"""How far from a line between cells an edge of start cells may be, in cells, as they do not fill theirs to
the end; and the share of their outline that is there, as figures stand over the rest. By chance a quarter
of what runs like cells is as near a line."""
_FEW_FILLED = 1.5
"""The areas of cells that the start cells of a side fill at least: a glyph fills one; of a side's five or
more cells fighters hide some. Start cells fill their cell but for a rim."""
_BAND, _IN_BAND = (0.7, 1.1), 0.8
"""Where a ring's pixels lie, in radii, and the share of them that do: 0.88 of one of which a figure hides a
part; 0.46 at most of what else is flat, red or blue on real screens without a fight, 0.55 on drawn ones."""
_THICK = 1.06
"""How much higher a ring is for its width than a cell: its line is as thick above as at its sides."""
_BINS, _LOWER = 24, 9
"""Parts of a ring's turn, and how many of the lower twelve are seen: a figure hides the upper ones, and JPEG
or a lit cell's rim some of the lower."""
_MOST = 80
"""Shapes of a colour that are looked at, the widest first: more than both sides' cells and rings, and few
enough that a picture of red leaves takes no longer than the 35 ms of others."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What a picture shows of a fight."""

    starts: frozenset[Colour] = frozenset()  # The colours of shapes whose edges run like cells'
    # Those among them that lie on the cells of the board where it is expected, and how many cells they fill
    # together
    on_board: Mapping[Colour, float] = field(default_factory=dict)
    rings: int = 0  # How many rings are seen

    @property
    def placing(self) -> bool:
        """Whether both sides' start cells lie on the board's cells."""
        return len(self.on_board) == len(_PURE)

    @property
    def several(self) -> bool:
        """Whether several of each side do, which no glyph beside an area in red looks like."""
        return all(self.on_board.get(colour, 0.0) >= _FEW_FILLED for colour in _PURE)

    @property
    def any(self) -> bool:
        """Whether a fight may be on: start cells of both sides, of one on the board's cells, or rings.

        Panels may hide one side's. A carpet runs like cells as well, but not on the board's lines.
        """
        return len(self.starts) == len(_PURE) or bool(self.on_board) or self.rings > 0


def find(bgr: Picture, place: Lattice, rules: ScreenRules) -> Signs:
    """Returns the signs of a fight in a picture.

    Args:
        bgr: the client area without its HUD, or what is seen of it, uint8, shape (height, width, 3).
        place: where the board's cells should lie, in pixels of it.
        rules: the colours of start cells and the form of the line under fighters.
    """
    share = min(1.0, _TALLEST / max(1, bgr.shape[0]))
    small = cv2.resize(bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else bgr
    origin = (place.origin_px[0] * share, place.origin_px[1] * share)
    cells = Lattice(origin, place.cell_w * share, place.cell_h * share)
    starts: set[Colour] = set()
    on_board: dict[Colour, float] = {}
    area_of_cell = cells.cell_w * cells.cell_h / 2
    rings = 0
    channels = cv2.split(small)[::-1]
    for name, start in _STARTS.items():
        if start not in rules.highlights:
            continue
        paint = rules.highlights[start].colours[0]
        main = paint.index(max(paint))
        beside, other = (channels[index] for index in range(3) if index != main)
        more = cv2.subtract(channels[main], cv2.max(beside, other))
        mask = np.asarray(cv2.threshold(more, _PURE[name] - 1, 255, cv2.THRESH_BINARY)[1], np.uint8)
        for left, top, patch in _shapes(mask):
            rings += _is_ring(patch, place.cell_h / place.cell_w, rules.border.corners)
            edges = _edges(patch, place.cell_h / place.cell_w)
            if edges is None:
                continue
            starts.add(name)
            if _is_on_lines(edges + np.array((left, top, left, top)), cells):
                filled = float(np.count_nonzero(patch) / area_of_cell)
                on_board[name] = on_board.get(name, 0.0) + filled
    return Signs(frozenset(starts), on_board, rings)


def _shapes(mask: Picture) -> Iterator[tuple[int, int, Picture]]:
    """Yields the shapes of a colour: left, top, and the mask (0 or 1) in their box."""
    least = max(_SMALLEST, round(_WIDE[0] * mask.shape[0]))
    shapes = blobs.find(mask, least, least / 4)
    wide, tall = shapes.stats[:, 2], shapes.stats[:, 3]
    good = (wide >= least) & (wide <= _WIDE[1] * mask.shape[0]) & (4 * tall >= least) & (tall <= wide)
    for index in sorted(np.flatnonzero(good).tolist(), key=lambda place: -int(wide[place]))[:_MOST]:
        yield int(shapes.stats[index, 0]), int(shapes.stats[index, 1]), shapes.patch(index)


def _edges(patch: Picture, ratio: float) -> npt.NDArray[np.float64] | None:
    """Returns the edges (x, y, x, y) of a shape that run as those of cells do; None if it has others."""
    area = int(np.count_nonzero(patch))
    closed = cv2.copyMakeBorder(patch, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    inside = cv2.contourArea(outline)
    if area < 0.8 * inside or inside > _FULL * patch.size or inside < _SMALLEST**2 * ratio / 2:
        return None
    corners = cv2.approxPolyDP(outline, _ROUGH, closed=True)[:, 0].astype(np.float64) - 1
    steps = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*steps.T)
    angles = np.degrees(np.arctan2(steps[:, 1], steps[:, 0])) % 180
    slope = np.degrees(np.arctan(ratio))
    ways = [np.abs(angles - way) <= _ALIKE for way in (slope, 180 - slope)]
    shares = [float(lengths[way].sum() / lengths.sum()) for way in ways]
    if sum(shares) < _ALIGNED or min(shares) < _BOTH:
        return None
    along = ways[0] | ways[1]
    return np.asarray(np.hstack([corners, corners + steps])[along], np.float64)


def _is_on_lines(edges: npt.NDArray[np.float64], cells: Lattice) -> bool:
    x, y = (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2
    lengths = np.hypot(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
    across, down = (x - cells.origin_px[0]) / cells.cell_w, (y - cells.origin_px[1]) / cells.cell_h
    falls = (edges[:, 3] - edges[:, 1]) * (edges[:, 2] - edges[:, 0]) > 0
    line = np.where(falls, across - down, across + down) - 0.5
    near = np.abs(line - np.round(line)) <= _ON_LINE
    return bool(lengths[near].sum() >= _MOSTLY * lengths.sum())


def _is_ring(patch: Picture, ratio: float, corners: Corners) -> bool:
    """Returns whether a shape is the ring under a fighter, of which a figure may hide the upper part.

    Args:
        patch: its mask (0 or 1) in its box.
        ratio: a cell's height for its width.
        corners: of the ring's line, none for an oval.
    """
    y, x = np.nonzero(patch)
    half = patch.shape[1] / 2
    ratio *= _THICK
    if len(x) > 0.5 * patch.size or patch.shape[0] > 1.2 * ratio * patch.shape[1]:
        return False
    across = (x + 0.5 - half) / half
    down = (y + 0.5 - patch.shape[0]) / (half * ratio) + 1
    radius = _radius(across, down, corners) if corners else np.hypot(across, down)
    if ((radius >= _BAND[0]) & (radius <= _BAND[1])).mean() < _IN_BAND:
        return False
    turns = np.arctan2(down, across)[down > 0] / np.pi * (_BINS // 2)
    return len(set(np.floor(turns).astype(int).tolist())) >= _LOWER


def _radius(
    across: npt.NDArray[np.float64], down: npt.NDArray[np.float64], corners: Corners
) -> npt.NDArray[np.float64]:
    """Returns how far out places lie in a shape of straight edges without dents, 1 for on its line.

    Args:
        across: from its middle, in halves of its width.
        down: the same in halves of its height.
        corners: of the shape as wide and high as 1, clockwise.
    """
    radius = np.zeros(across.shape)
    for (x, y), (to_x, to_y) in pairwise([*corners, corners[0]]):
        out = ((to_y - y) * across - (to_x - x) * down) / (2 * (x * to_y - y * to_x))
        radius = np.maximum(radius, out)
    return radius
