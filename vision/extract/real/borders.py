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
from vision.tables import RGB
from vision.view import CELLS, Lattice, Team

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]

_POINTS = 48
_WOBBLE = (-0.03, 0.0, 0.03)
_MARK_WOBBLE = (-0.08, -0.04, 0.0, 0.04)
_BESIDE = 0.11
_WIDE = 0.24
_WIDE_WOBBLE = (-0.05, 0.0, 0.05)
_MIN_MIX = 0.2
_FULL_MIX = 0.4
_LIKE = 0.6
_DULL = 0.5
_EXACT = np.array([-0.02, 0.02], np.float32)
_ROUGH = np.array([-0.06, 0.0, 0.06], np.float32)
_VOTES = (-2.0, 4.0)
_LEAST = 0.47
_HINT = 0.0
_MOST = 20
_SEEN = 0.08
_COARSE = np.array([-0.075, -0.025, 0.025, 0.075], np.float32)
_FINE = np.array([-0.06, -0.03, 0.0, 0.03, 0.06], np.float32)


@dataclass(frozen=True, slots=True)
class Found:
    """A border: whose it is, its cell's centre in pixels of the frame, and how much of it shows.

    Attributes:
        team: whose side's colour it has.
        px: its middle, in pixels of the frame.
        cell: the cell it is nearest to.
        share: how much of its line shows (0..1).
        front: how much of its lower half shows (0..1); bodies hide the upper half.
        clear: how much more of the side's tint than their surroundings the four edges are, clockwise from the
            upper right, in standard errors.
        mark: how much of the corner marks of the player's own fighter shows (0..1).
    """

    team: Team
    px: tuple[float, float]
    cell: int
    share: float
    front: float
    clear: tuple[float, float, float, float]
    mark: float


class BorderReader:
    """Finds the borders of one client's profile."""

    def __init__(self, rules: ScreenRules) -> None:
        """Prepares the points to look at."""
        self._rules = rules
        self._outline = _outline(rules)
        self._front = self._outline[:, 1] > 0.05
        self._corner = np.abs((np.arange(_POINTS) + 0.5) / _POINTS * 4 % 1 - 0.5) > 0.2

    def find(self, bgr: Picture, lattice: Lattice, area: Rect, aligned: bool = False) -> list[Found]:
        """Returns the borders on cells of the lattice.

        Args:
            bgr: the picture, uint8, shape (height, width, 3).
            lattice: where the board's cells lie.
            area: the part of the picture in which cells' centres may lie.
            aligned: whether the lattice was moved onto borders before.
        """
        centres = np.array([lattice.centre(cell) for cell in range(CELLS)], np.float32)
        x, y = centres.T
        cells = np.nonzero((x > area.x) & (x < area.right) & (y > area.y) & (y < area.bottom))[0]
        size = (lattice.cell_w, lattice.cell_h)
        found = []
        for team in self._rules.sides if len(cells) else ():
            hints = self._hints(bgr, centres[cells], size, team, area, _EXACT if aligned else _ROUGH)
            likely = cells[np.argsort(-hints)[:_MOST]]
            likely = likely[np.sort(hints)[::-1][:_MOST] > _HINT]
            if len(likely):
                found += self._settle(bgr, likely, centres[likely], size, team)
        return found

    def _hints(
        self,
        bgr: Picture,
        centres: Numbers,
        size: tuple[float, float],
        team: Team,
        area: Rect,
        shifts: Numbers,
    ) -> Numbers:
        """Returns how surely each place's outline differs from what is beside it, in standard errors."""
        part = bgr[area.y : area.bottom, area.x : area.right]
        tried = (
            (centres[:, None] + _around(shifts) * size - (area.x, area.y)).astype(np.float32).reshape(-1, 2)
        )
        rules = self._rules
        colour = rules.sides[team]
        radii = (rules.size, rules.size - _WIDE)
        hints = self._stand_out(_tint(part, colour), self._least(colour), tried, size, radii)
        if team == "own" and rules.mark is not None:
            white = part.min(axis=2).astype(np.float32)
            radii = (rules.mark_size, rules.mark_size - _WIDE)
            marks = self._stand_out(white, _LEAST * min(rules.mark), tried, size, radii)
            hints = np.maximum(hints, marks)
        return np.asarray(hints.reshape(len(centres), -1).max(axis=1), np.float32)

    def _stand_out(
        self,
        values: Numbers,
        least: float,
        centres: Numbers,
        size: tuple[float, float],
        radii: tuple[float, float],
    ) -> Numbers:
        """Returns how surely an outline has more of a value than what is beside it, shape (places,)."""
        outline = self._outline[::2]

        def seen(scale: float) -> Numbers:
            at = centres[:, None] + outline * np.array(size, np.float32) * scale - 0.5
            x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
            found = cv2.remap(values, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(found, np.float32)

        beside = np.maximum(seen(radii[1]), seen(self._rules.size + _WIDE))
        line = np.max([seen(radii[0] + wobble) for wobble in _WIDE_WOBBLE], axis=0)
        return np.asarray(_edges(line, beside, least).clip(*_VOTES).sum(axis=1), np.float32)

    def _settle(
        self,
        bgr: Picture,
        cells: npt.NDArray[np.int64],
        centres: Numbers,
        size: tuple[float, float],
        team: Team,
    ) -> list[Found]:
        """Returns the borders near cells' centres, each moved to where most of it shows."""
        tried = (centres[:, None] + _around(_COARSE) * size).astype(np.float32)
        shares = self._hits(bgr, tried.reshape(-1, 2), size, team, 2).mean(axis=1).reshape(tried.shape[:2])
        found = []
        for cell, places, share in zip(cells.tolist(), tried, shares, strict=True):
            if share.max() < _SEEN:
                continue
            start = places[share >= share.max() - 0.02].mean(axis=0)
            near = (start + _around(_FINE) * size).astype(np.float32)
            hits = self._hits(bgr, near, size, team)
            edges = self._clear(bgr, near, size, team)
            shown = hits.mean(axis=1)
            worth = shown + edges.clip(*_VOTES).sum(axis=1) / _VOTES[1] / 8
            x, y = near[worth >= worth.max() - 0.02].mean(axis=0)
            top = int(worth.argmax())
            first, second, third, fourth = edges[top].tolist()
            place = (float(x), float(y))
            found.append(
                Found(
                    team,
                    px=place,
                    cell=cell,
                    share=float(shown[top]),
                    front=float(hits[top, self._front].mean()),
                    clear=(first, second, third, fourth),
                    mark=self._marked(bgr, place, size) if team == "own" else 0.0,
                )
            )
        return found

    def _clear(self, bgr: Picture, places: Numbers, size: tuple[float, float], team: Team) -> Numbers:
        """Returns how surely the tint of each of the four edges differs from what is beside it."""
        colour = self._rules.sides[team]
        around = (-_WIDE, _WIDE, *_WIDE_WOBBLE)
        seen = [_tinted(self._sample(bgr, places, size, self._rules.size + to, 1), colour) for to in around]
        return _edges(np.max(seen[2:], axis=0), np.maximum(seen[0], seen[1]), self._least(colour))

    def _least(self, colour: RGB) -> float:
        """Returns the tint that a line of a colour has at least."""
        return _LEAST * min(self._rules.shades) * float(_tinted(np.array(colour, np.float32), colour))

    def _hits(
        self, bgr: Picture, centres: Numbers, size: tuple[float, float], team: Team, every: int = 1
    ) -> Numbers:
        """Returns how much of the line shows at each place and point, 0..1, shape (places, points)."""
        rules = self._rules
        tone = np.array(rules.sides[team], np.float32)
        inner = self._sample(bgr, centres, size, rules.size - _BESIDE, every)
        outer = self._sample(bgr, centres, size, rules.size + _BESIDE, every)
        best = np.zeros(inner.shape[:2], np.float32)
        for wobble in _WOBBLE:
            line = self._sample(bgr, centres, size, rules.size + wobble, every)
            for shade in set(rules.shades):
                shown = np.minimum(_mix(line, inner, tone * shade), _mix(line, outer, tone * shade))
                best = np.maximum(best, shown)
        if team == "own" and rules.mark is not None:
            best = np.maximum(best, self._marks(bgr, centres, size, every))
        return best

    def _marks(self, bgr: Picture, centres: Numbers, size: tuple[float, float], every: int = 1) -> Numbers:
        """Returns how much of the corner marks shows at each point of the outline, shape (places, points)."""
        rules = self._rules
        tone = np.array(rules.mark, np.float32)
        inner = self._sample(bgr, centres, size, rules.mark_size - 2 * _BESIDE, every)
        outer = self._sample(bgr, centres, size, rules.size + _BESIDE, every)
        best = np.zeros(inner.shape[:2], np.float32)
        for wobble in _MARK_WOBBLE:
            line = self._sample(bgr, centres, size, rules.mark_size + wobble, every)
            best = np.maximum(best, np.minimum(_mix(line, inner, tone), _mix(line, outer, tone)))
        return np.where(self._corner[::every], best, np.float32(0))

    def _marked(self, bgr: Picture, place: tuple[float, float], size: tuple[float, float]) -> float:
        """Returns how much of the own fighter's corner marks shows inside a border (0..1)."""
        if self._rules.mark is None:
            return 0.0
        marks = self._marks(bgr, np.array([place], np.float32), size)
        return float(marks[0, self._corner & (self._outline[:, 1] > -0.2)].mean())

    def _sample(
        self, bgr: Picture, centres: Numbers, size: tuple[float, float], scale: float, every: int
    ) -> Numbers:
        """Returns the colours (RGB) at the outline's points around places, shape (places, points, 3)."""
        at = centres[:, None] + (self._outline[::every] * np.array(size, np.float32) * scale)[None]
        x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        seen = cv2.remap(bgr, x - 0.5, y - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen[..., ::-1], np.float32)


def _mix(line: Numbers, beside: Numbers, wanted: Numbers) -> Numbers:
    """Returns how much of a colour is mixed into what is beside the line, 0..1, 0 for another colour."""
    step, whole = _toned(line - beside), _toned(wanted - beside)
    dot = (step * whole).sum(axis=2)
    length = np.linalg.norm(step, axis=2) * np.linalg.norm(whole, axis=2)
    share = dot / np.maximum((whole**2).sum(axis=2), 900.0)
    like = dot > _LIKE * np.maximum(length, 1e-3)
    return np.asarray(
        np.where(like & (share > _MIN_MIX), np.minimum(share / _FULL_MIX, 1.0), 0.0), np.float32
    )


def _toned(colours: Numbers) -> Numbers:
    """Returns colours with less of their brightness, so that the tint counts."""
    return np.asarray(colours - _DULL * colours.mean(axis=2, keepdims=True), np.float32)


def _tint(bgr: Picture, colour: RGB) -> Numbers:
    """Returns how much stronger the colour's main channel is than the others, per pixel."""
    main, other = (2, 0) if colour[0] > colour[2] else (0, 2)
    weights = np.zeros((1, 3), np.float32)
    weights[0, main], weights[0, 1], weights[0, other] = 1.0, -0.5, -0.5
    return np.asarray(cv2.transform(bgr.astype(np.float32), weights), np.float32)


def _tinted(colours: Numbers, colour: RGB) -> Numbers:
    """Returns how much stronger the colour's main channel is than the others, for colours as RGB."""
    main, other = (0, 2) if colour[0] > colour[2] else (2, 0)
    return np.asarray(colours[..., main] - (colours[..., 1] + colours[..., other]) / 2, np.float32)


def _edges(line: Numbers, beside: Numbers, least: float) -> Numbers:
    """Returns how far four edges are above what is beside them, in standard errors, shape (places, 4)."""
    steps = np.where(line >= least, line - beside, np.minimum(line - beside, 0)).reshape(len(line), 4, -1)
    errors = steps.std(axis=2) / np.sqrt(steps.shape[2]) + 1.0
    return np.asarray(steps.mean(axis=2) / errors, np.float32)


def _around(shifts: Numbers) -> Numbers:
    """Returns the shifts along both axes, each with each, in cells, shape (shifts squared, 2)."""
    across, down = np.meshgrid(shifts, shifts)
    return np.stack([across.reshape(-1), down.reshape(-1)], axis=1)


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
