"""Finds the fighters of a real client by the borders drawn on the floor under their feet.

A border is a thin line of its side's colour: at each point of the outline its pixel must lie towards that
colour from the floor inside as well as outside of it. So a red roof, blue water or a painted cell is no
border, and a dark, snowy or compressed floor changes little. Next hop: `vision.extract.real.reader`.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.screen import ScreenRules
from vision.view import CELLS, Lattice, Team

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]

_POINTS = 48
_WOBBLE = (-0.03, 0.0, 0.03)
_MARK_WOBBLE = (-0.08, -0.04, 0.0, 0.04)
_BESIDE = 0.11
_MIN_MIX = 0.22
_FULL_MIX = 0.5
_LIKE = 0.72
_HINT = 0.26
_SHIFTS = np.arange(-0.12, 0.121, 0.03)


@dataclass(frozen=True, slots=True)
class Found:
    """A border: whose it is, its cell's centre in pixels of the frame, and how much of it shows (0..1)."""

    team: Team
    px: tuple[float, float]
    cell: int
    share: float
    front: float


class BorderReader:
    """Finds the borders of one client's profile."""

    def __init__(self, rules: ScreenRules) -> None:
        """Prepares the points to look at."""
        self._rules = rules
        self._outline = _outline(rules)
        self._front = self._outline[:, 1] > 0.05
        self._corner = np.abs((np.arange(_POINTS) + 0.5) / _POINTS * 4 % 1 - 0.5) > 0.2

    def find(self, bgr: Picture, lattice: Lattice, area: Rect) -> list[Found]:
        """Returns the borders on cells of the lattice.

        Args:
            bgr: the picture, uint8, shape (height, width, 3).
            lattice: where the board's cells lie.
            area: the part of the picture in which cells' centres may lie.
        """
        centres = np.array([lattice.centre(cell) for cell in range(CELLS)], np.float32)
        x, y = centres.T
        inside = (x > area.x) & (x < area.right) & (y > area.y) & (y < area.bottom)
        cells = np.nonzero(inside)[0]
        if not len(cells):
            return []
        size = (lattice.cell_w, lattice.cell_h)
        found = []
        for team in self._rules.sides:
            hits = self._hits(bgr, centres[cells], size, team)
            for index in np.nonzero(hits.mean(axis=1) > _HINT)[0].tolist():
                found.append(self._settle(bgr, centres[cells[index]], size, team, int(cells[index])))
        return found

    def _settle(
        self, bgr: Picture, centre: Numbers, size: tuple[float, float], team: Team, cell: int
    ) -> Found:
        """Returns the border near a cell's centre, moved to where most of it shows."""
        dx, dy = (shift.reshape(-1) for shift in np.meshgrid(_SHIFTS, _SHIFTS))
        tried = centre + np.stack([dx * size[0], dy * size[1]], axis=1).astype(np.float32)
        hits = self._hits(bgr, tried, size, team)
        shares = hits.mean(axis=1)
        best = shares >= shares.max() - 0.02
        x, y = tried[best].mean(axis=0)
        top = int(shares.argmax())
        return Found(
            team, (float(x), float(y)), cell, float(shares[top]), float(hits[top, self._front].mean())
        )

    def _hits(self, bgr: Picture, centres: Numbers, size: tuple[float, float], team: Team) -> Numbers:
        """Returns how much of the line shows at each place and point, 0..1, shape (places, points)."""
        rules = self._rules
        tone = np.array(rules.sides[team], np.float32)
        inner = self._sample(bgr, centres, size, rules.size - _BESIDE)
        outer = self._sample(bgr, centres, size, rules.size + _BESIDE)
        best = np.zeros(inner.shape[:2], np.float32)
        for wobble in _WOBBLE:
            line = self._sample(bgr, centres, size, rules.size + wobble)
            for shade in set(rules.shades):
                best = np.maximum(
                    best, np.minimum(_mix(line, inner, tone * shade), _mix(line, outer, tone * shade))
                )
        if team == "own" and rules.mark is not None:
            best = np.maximum(best, self._marks(bgr, centres, size))
        return best

    def _marks(self, bgr: Picture, centres: Numbers, size: tuple[float, float]) -> Numbers:
        """Returns how much of the corner marks shows at each point of the outline, shape (places, points)."""
        rules = self._rules
        tone = np.array(rules.mark, np.float32)
        inner = self._sample(bgr, centres, size, rules.mark_size - 2 * _BESIDE)
        outer = self._sample(bgr, centres, size, rules.size + _BESIDE)
        best = np.zeros(inner.shape[:2], np.float32)
        for wobble in _MARK_WOBBLE:
            line = self._sample(bgr, centres, size, rules.mark_size + wobble)
            best = np.maximum(best, np.minimum(_mix(line, inner, tone), _mix(line, outer, tone)))
        return np.where(self._corner, best, np.float32(0))

    def marked(self, bgr: Picture, found: Found, lattice: Lattice) -> float:
        """Returns how much of the own fighter's corner marks shows inside a border (0..1)."""
        if self._rules.mark is None:
            return 0.0
        centre = np.array([found.px], np.float32)
        marks = self._marks(bgr, centre, (lattice.cell_w, lattice.cell_h))
        return float(marks[0, self._corner & (self._outline[:, 1] > -0.2)].mean())

    def _sample(self, bgr: Picture, centres: Numbers, size: tuple[float, float], scale: float) -> Numbers:
        """Returns the colours (RGB) at the outline's points around places, shape (places, points, 3)."""
        at = centres[:, None] + (self._outline * np.array(size, np.float32) * scale)[None]
        x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        seen = cv2.remap(bgr, x - 0.5, y - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen[..., ::-1], np.float32)


def _mix(line: Numbers, beside: Numbers, wanted: Numbers) -> Numbers:
    """Returns how much of a colour is mixed into what is beside the line, 0..1, 0 for another colour."""
    step, whole = line - beside, wanted - beside
    dot = (step * whole).sum(axis=2)
    length = np.linalg.norm(step, axis=2) * np.linalg.norm(whole, axis=2)
    share = dot / np.maximum((whole**2).sum(axis=2), 900.0)
    like = dot > _LIKE * np.maximum(length, 1e-3)
    return np.asarray(
        np.where(like & (share > _MIN_MIX), np.minimum(share / _FULL_MIX, 1.0), 0.0), np.float32
    )


def _outline(rules: ScreenRules) -> Numbers:
    """Returns points on a border as wide as a cell, clockwise from its top, in cell widths and heights."""
    turn = (np.arange(_POINTS) + 0.5) / _POINTS
    if rules.border == "oval":
        points = np.stack([np.sin(2 * np.pi * turn), -np.cos(2 * np.pi * turn)], axis=1) * 0.5
    else:
        corners = np.array([(0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0), (0, -0.5)])
        edge, along = np.divmod(turn * 4, 1)
        first, second = corners[edge.astype(int)], corners[edge.astype(int) + 1]
        points = first + (second - first) * along[:, None]
    return points.astype(np.float32)
