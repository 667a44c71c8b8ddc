"""Finds borders under fighters where a board is searched: they confirm its place, and shift it to fit.

A border is a thin line of its side's colour: at each point of the outline the pixel must differ towards
that colour from the floor inside and outside. This rejects red roofs, blue water and painted cells, and is
robust to dark, snowy or compressed floors. Which fighters stand there the network tells (`scored`), once the
place is known to a part of a cell.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus.outline import (
    POINTS,
    VOTES,
    WIDE,
    WIDE_WOBBLE,
    around,
    edges,
    least_tint,
    outline,
    tint,
    votes,
)
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.view import Lattice, Team

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]
Cells = npt.NDArray[np.int64]

_WOBBLE = (-0.03, 0.0, 0.03)
_MARK_WOBBLE = (-0.08, -0.04, 0.0, 0.04)
_BESIDE = 0.11
_MIN_MIX = 0.2
_FULL_MIX = 0.4
_LIKE = 0.6
_DULL = 0.5
_PROBABLE = 4.0
"""Votes of a border of which a good part is seen."""
_MOST = 16
_SEEN = 0.08
_COARSE = np.array([-0.075, -0.025, 0.025, 0.075], np.float32)
_FINE = np.array([-0.06, -0.03, 0.0, 0.03, 0.06], np.float32)
_LINE, _WIDE, _MARK = slice(0, 5), slice(5, 10), slice(10, 16)
_SHARE, _HALF, _HALF_SHARE = 0.52, 0.5, 0.38
"""The visible share of a border that is enough, with this share of its lower half; of one with clear
edges."""
_WELL_MARKED = 0.55
_PALE_VOTES, _BROKEN_LINE, _LEAST_EDGE = 8.5, -1.9, 0.5
"""Pale floor in the shape of the player's marks, without an edge, had 5 to 10 votes and no edge below -1.7;
marks break the player's border, so that an edge is below -2.1."""
_OUTSTANDING, _CORNER_EDGE = 14.0, 2.7
_FAINT_SHARE, _FAINT_EDGE, _FAINT_UPPER, _FAINT_EDGES = 0.12, 3.5, 1.2, 9.0
_TINTED_EDGE, _TINTED_VOTES = 3.0, 20.0


@dataclass(frozen=True, slots=True)
class FoundBorder:
    """A border: its side, its place, and how much of it is visible.

    Attributes:
        team: the side of its colour.
        px: its middle, in pixels of the frame.
        cell: the cell it is nearest to.
        share: the visible share of its line (0..1).
        front: the visible share of its lower half (0..1); bodies hide the upper half.
        clear: how much more of the side's tint than their surroundings the four edges are, clockwise from the
            upper right, in standard errors.
        mark: the visible share of the corner marks of the player's fighter (0..1).
        votes: the contrast of its whole outline, see `outline.votes`.
    """

    team: Team
    px: tuple[float, float]
    cell: int
    share: float
    front: float
    clear: tuple[float, float, float, float]
    mark: float
    votes: float


class BorderReader:
    """Finds the borders of one client."""

    def __init__(self, rules: ScreenRules) -> None:
        """Prepares the sample points."""
        self._rules = rules
        self._outline = outline(rules)
        self._front = self._outline[:, 1] > 0.05
        self._corner = np.abs((np.arange(POINTS) + 0.5) / POINTS * 4 % 1 - 0.5) > 0.2

    def find(self, bgra: Picture, lattice: Lattice, area: Rect) -> list[FoundBorder]:
        """Returns the borders near cells of a lattice of which enough is seen, one a cell, ordered by cell.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
            lattice: where the board's cells lie.
            area: the part of the picture in which cells' centres may lie.
        """
        cells, votes_of = votes(self._rules, lattice, area, bgra.view(np.uint32)[..., 0])
        found: list[FoundBorder] = []
        for team, values in votes_of.items():
            best = np.argsort(-values, kind="stable")[:_MOST]
            best = best[values[best] > _PROBABLE]
            found += self._refine(bgra, cells[best], values[best], lattice, team)
        return _accepted(found)

    def _refine(
        self, bgra: Picture, cells: Cells, standing_out: Numbers, lattice: Lattice, team: Team
    ) -> Iterable[FoundBorder]:
        """Yields the border near each cell's centre, at its best position, where there is one."""
        if not len(cells):
            return
        size = (lattice.cell_w, lattice.cell_h)
        starts = grid.centres(lattice)[cells].astype(np.float32)
        tried = starts[:, None] + around(_COARSE) * np.array(size, np.float32)
        rings = self._rings(bgra, tried.reshape(-1, 2), size, team, every=2)
        shares = self._hits(rings, team, every=2).mean(axis=1)
        shares = shares.reshape(tried.shape[:2])
        starts = _middles(tried, shares)
        visible = shares.max(axis=1) >= _SEEN
        cells, standing_out, starts = cells[visible], standing_out[visible], starts[visible]
        if not len(cells):
            return
        near = starts[:, None] + around(_FINE) * np.array(size, np.float32)
        rings = self._rings(bgra, near.reshape(-1, 2), size, team)
        hits, clear = self._hits(rings, team), self._clear(rings, team)
        share = hits.mean(axis=1)
        scores = (share + clear.clip(*VOTES).sum(axis=1) / VOTES[1] / 8).reshape(near.shape[:2])
        middles = _middles(near, scores)
        best = scores.argmax(axis=1) + np.arange(len(cells)) * near.shape[1]
        marks = self._marked(bgra, middles, size, team)
        for index, (cell, top) in enumerate(zip(cells.tolist(), best.tolist(), strict=True)):
            if share[top] < _SEEN:
                continue
            first, second, third, fourth = clear[top].tolist()
            yield FoundBorder(
                team,
                px=(float(middles[index, 0]), float(middles[index, 1])),
                cell=cell,
                share=float(share[top]),
                front=float(hits[top, self._front].mean()),
                clear=(first, second, third, fourth),
                mark=float(marks[index]),
                votes=float(standing_out[index]),
            )

    def _clear(self, rings: Numbers, team: Team) -> Numbers:
        """Returns the contrast in tint of each of the four edges to its surroundings, in standard errors."""
        colour = self._rules.border.sides[team]
        red, green, blue = rings[:, _WIDE]
        seen = tint(red, green, blue, colour)
        line, beside = seen[2:].max(axis=0), np.maximum(seen[0], seen[1])
        return edges(line, beside, least_tint(self._rules, colour))

    def _hits(self, rings: Numbers, team: Team, every: int = 1) -> Numbers:
        """Returns the strength of the line at each place and point, 0..1, shape (places, points)."""
        seen = _toned(rings[:, _LINE])
        tone = np.array(self._rules.border.sides[team], np.float32)
        best = np.asarray(
            np.maximum.reduce([_shown(seen, tone * each) for each in set(self._rules.border.shades)])
        )
        if self._is_marked(team):
            np.maximum(best, self._marks(rings, every), out=best)
        return best

    def _marks(self, rings: Numbers, every: int = 1) -> Numbers:
        """Returns the strength of the corner marks at each point of the outline, shape (places, points)."""
        best = _shown(_toned(rings[:, _MARK]), np.array(self._rules.border.mark, np.float32))
        return np.where(self._corner[::every], best, np.float32(0))

    def _marked(self, bgra: Picture, places: Numbers, size: tuple[float, float], team: Team) -> Numbers:
        """Returns the visible share of the player's corner marks inside borders, 0..1, shape (places,)."""
        if not self._is_marked(team):
            return np.zeros(len(places), np.float32)
        corners = self._corner & (self._outline[:, 1] > -0.2)
        seen = self._marks(self._rings(bgra, places, size, team))[:, corners]
        return np.asarray(seen.mean(axis=1), np.float32)

    def _is_marked(self, team: Team) -> bool:
        return team == "own" and self._rules.border.mark is not None

    def _scales(self, team: Team) -> Numbers:
        """Returns the sizes of the sampled rings: those of `_LINE`, of `_WIDE` and of `_MARK`."""
        size, mark = self._rules.border.size, self._rules.border.mark_size
        scales = [size + to for to in (-_BESIDE, _BESIDE, *_WOBBLE, -WIDE, WIDE, *WIDE_WOBBLE)]
        if self._is_marked(team):
            scales += [mark - 2 * _BESIDE, size + _BESIDE, *(mark + wobble for wobble in _MARK_WOBBLE)]
        return np.array(scales, np.float32)

    def _rings(
        self, bgra: Picture, places: Numbers, size: tuple[float, float], team: Team, every: int = 1
    ) -> Numbers:
        """Returns the colours (RGB) at the outline's points around places, in each of a side's scales.

        Returns:
            Shape (3, scales, places, points).
        """
        outline, scales = self._outline[::every] * np.array(size, np.float32), self._scales(team)
        points = (outline * scales[:, None, None] - np.float32(0.5)).reshape(-1, 2)
        x, y = (np.add.outer(places[:, axis], points[:, axis]) for axis in (0, 1))
        seen = cv2.remap(bgra, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        rings = seen.reshape(len(places), len(scales), len(outline), 4)
        return np.ascontiguousarray(rings.transpose(3, 1, 0, 2)[2::-1], np.float32)


def _middles(places: Numbers, scores: Numbers) -> Numbers:
    """Returns the mean of each cell's best places, shape (cells, 2)."""
    good = (scores >= scores.max(axis=1, keepdims=True) - 0.02).astype(np.float32)
    return np.asarray((places * good[..., None]).sum(axis=1) / good.sum(axis=1)[:, None], np.float32)


def _shown(toned: Numbers, colour: Numbers) -> Numbers:
    """Returns how much of a colour is mixed into lines, compared with the inside and the outside.

    Args:
        toned: the inside, the outside and the lines by `_toned`, shape (3, 2 + lines, places, points).
        colour: the lines' colour.

    Returns:
        The largest share over the lines, 0..1, 0 for another colour, shape (places, points).
    """
    beside, lines = toned[:, :2, None], toned[:, None, 2:]
    step, whole = lines - beside, _toned(colour[:, None, None, None, None]) - beside
    far = whole[0] ** 2 + whole[1] ** 2 + whole[2] ** 2
    dot = step[0] * whole[0] + step[1] * whole[1] + step[2] * whole[2]
    length = np.sqrt((step[0] ** 2 + step[1] ** 2 + step[2] ** 2) * far)
    share = dot / np.maximum(far, 900.0)
    like = (dot > _LIKE * np.maximum(length, 1e-3)) & (share > _MIN_MIX)
    mixed = np.where(like, np.minimum(share / _FULL_MIX, 1.0), 0.0)
    return np.asarray(mixed.min(axis=0).max(axis=0), np.float32)


def _toned(colours: Numbers) -> Numbers:
    """Returns colours with reduced brightness, so that the tint dominates."""
    return np.asarray(colours - (_DULL / 3) * (colours[0] + colours[1] + colours[2]), np.float32)


def _accepted(found: Iterable[FoundBorder]) -> list[FoundBorder]:
    best: dict[int, FoundBorder] = {}
    for border in found:
        enough = _is_clear(border) or _is_faint(border) or _is_tinted(border)
        if enough and (border.cell not in best or best[border.cell].share < border.share):
            best[border.cell] = border
    return [best[cell] for cell in sorted(best)]


def aligned(lattice: Lattice, borders: Iterable[FoundBorder]) -> Lattice:
    """Returns the lattice moved so that cells' centres lie in the middle of the borders."""
    shifts = []
    for border in borders:
        x, y = lattice.centre(border.cell)
        shifts.append((border.px[0] - x, border.px[1] - y))
    if not shifts:
        return lattice
    dx, dy = (sum(values) / len(shifts) for values in zip(*shifts, strict=True))
    origin = (lattice.origin_px[0] + dx, lattice.origin_px[1] + dy)
    return Lattice(origin, lattice.cell_w, lattice.cell_h)


def _is_clear(border: FoundBorder) -> bool:
    """Returns whether most of a border is visible, or a clear half."""
    if border.share >= _SHARE and border.front >= _HALF:
        return True
    edged = max(border.clear) >= _LEAST_EDGE
    pale = not edged and (border.votes < _PALE_VOTES or min(border.clear) > _BROKEN_LINE)
    marked = border.front >= _HALF and border.mark >= _WELL_MARKED and not pale
    outstanding = border.votes >= _OUTSTANDING and _best_corner(border) >= _CORNER_EDGE
    return border.share >= _HALF_SHARE and (marked or outstanding)


def _best_corner(border: FoundBorder) -> float:
    """Returns the contrast of the clearest two edges that meet, the upper ones, behind the body, aside.

    The edge of a disc or a glow follows none of them for long.
    """
    upper_right, lower_right, lower_left, upper_left = border.clear
    return max(min(upper_right, lower_right), min(lower_left, upper_left), min(lower_right, lower_left))


def _is_faint(border: FoundBorder) -> bool:
    """Returns whether all edges of a border are visible, if faintly."""
    lower = min(border.clear[1], border.clear[2])
    strength = sum(min(VOTES[1], max(VOTES[0], edge)) for edge in border.clear)
    upper = border.clear[0] + border.clear[3]
    faint = border.share >= _FAINT_SHARE and lower >= _FAINT_EDGE and upper >= _FAINT_UPPER
    return faint and strength >= _FAINT_EDGES


def _is_tinted(border: FoundBorder) -> bool:
    """Returns whether all four edges of a border are clear though a flash has changed its colour."""
    return min(border.clear) >= _TINTED_EDGE and border.votes >= _TINTED_VOTES
