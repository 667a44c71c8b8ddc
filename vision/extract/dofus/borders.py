"""Finds the fighters of a real client by the borders drawn on the floor under their feet.

A border is a thin line of its side's colour: at each point of the outline the pixel must differ towards
that colour from the floor inside and outside. This rejects red roofs, blue water and painted cells, and is
robust to dark, snowy or compressed floors. A cell whose pixels are unchanged since the previous frame is
not measured again.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import bodies
from vision.extract.dofus.outline import (
    EXACT,
    POINTS,
    ROUGH,
    VOTES,
    WIDE,
    WIDE_WOBBLE,
    Probes,
    around,
    edges,
    least_tint,
    outline,
)
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.fields import RGB
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
_HINT = 1.5
_PROBABLE = 4.0
"""Votes of a border of which a good part is seen; with fewer it may be one that is nearly all hidden."""
_MOST = 16
_SEEN = 0.08
_COARSE = np.array([-0.075, -0.025, 0.025, 0.075], np.float32)
_FINE = np.array([-0.06, -0.03, 0.0, 0.03, 0.06], np.float32)
_NEAR = np.array([-0.03, 0.0, 0.03], np.float32)
_LINE, _WIDE, _MARK = slice(0, 5), slice(5, 10), slice(10, 16)


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
        votes: the contrast of its whole outline, see `outline.Probes.votes`.
        body: how much what is above the cell's middle differs from what is below, see `bodies.contrast`; None
            where that is not measured.
    """

    team: Team
    px: tuple[float, float]
    cell: int
    share: float
    front: float
    clear: tuple[float, float, float, float]
    mark: float
    votes: float
    body: float | None = None

    @property
    def is_probable(self) -> bool:
        """Whether a good part of it is seen; with less it may be one that is nearly all hidden."""
        return self.votes > _PROBABLE


@dataclass(slots=True)
class _Memory:
    """The previous frame on a lattice: the watched pixels, the votes, the borders by cell."""

    lattice: Lattice
    area: Rect
    size: tuple[int, int]
    probes: Probes
    seen: npt.NDArray[np.uint32] | None
    votes: dict[Team, Numbers]
    found: dict[tuple[Team, int], FoundBorder | None]


class BorderReader:
    """Finds the borders of one client; caches the cells of the previous frame."""

    def __init__(self, rules: ScreenRules) -> None:
        """Prepares the sample points."""
        self._rules = rules
        self._outline = outline(rules)
        self._front = self._outline[:, 1] > 0.05
        self._corner = np.abs((np.arange(POINTS) + 0.5) / POINTS * 4 % 1 - 0.5) > 0.2
        self._memory: _Memory | None = None

    def find(self, bgra: Picture, lattice: Lattice, area: Rect, aligned: bool = False) -> list[FoundBorder]:
        """Returns the borders on cells of the lattice; where that is aligned, also such as are hardly seen.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
            lattice: where the board's cells lie.
            area: the part of the picture in which cells' centres may lie.
            aligned: whether the lattice is already aligned with borders.
        """
        size = (bgra.shape[0], bgra.shape[1])
        if not aligned:
            self._memory = None
            probes = Probes(self._rules, lattice, area, size, ROUGH)
            votes = probes.votes(_packed(bgra)) if len(probes.cells) else {}
            candidates = self._candidates(probes.cells, votes, _PROBABLE)
            refined = (
                self._refine(bgra, *candidates[team], lattice, team, exact=False) for team in candidates
            )
            return [border for found in refined for border in found.values() if border is not None]
        memory = self._remembered(lattice, area, size)
        self._update(bgra, memory)
        candidates = self._candidates(memory.probes.cells, memory.votes, _HINT)
        found = []
        for team, (cells, scores) in candidates.items():
            new = np.array([(team, cell) not in memory.found for cell in cells.tolist()], bool)
            for cell, border in self._refine(
                bgra, cells[new], scores[new], lattice, team, exact=True
            ).items():
                memory.found[team, cell] = border
            known = (memory.found[team, cell] for cell in cells.tolist())
            found += [border for border in known if border is not None]
        if not found:
            return []
        middles = grid.centres(lattice)[[border.cell for border in found]]
        measured = bodies.contrast(bgra, middles, lattice).tolist()
        return [replace(border, body=body) for border, body in zip(found, measured, strict=True)]

    def _remembered(self, lattice: Lattice, area: Rect, size: tuple[int, int]) -> _Memory:
        memory = self._memory
        if memory is None or (memory.lattice, memory.area, memory.size) != (lattice, area, size):
            probes = Probes(self._rules, lattice, area, size, EXACT)
            memory = _Memory(lattice, area, size, probes, None, {}, {})
            self._memory = memory
        return memory

    def _update(self, bgra: Picture, memory: _Memory) -> None:
        """Updates the votes, and drops the borders of cells whose pixels have changed."""
        packed = _packed(bgra)
        seen = memory.probes.watched(packed)
        if memory.seen is None:
            memory.votes = memory.probes.votes(packed) if len(memory.probes.cells) else {}
        else:
            changed = memory.probes.changed(seen, memory.seen)
            if len(changed):
                for team, values in memory.probes.votes(packed, changed).items():
                    memory.votes[team][changed] = values
                gone = set(memory.probes.cells[changed].tolist())
                memory.found = {key: border for key, border in memory.found.items() if key[1] not in gone}
        memory.seen = seen

    def _candidates(
        self, cells: Cells, votes: dict[Team, Numbers], least: float
    ) -> dict[Team, tuple[Cells, Numbers]]:
        """Returns the cells that most probably hold a border, and their votes, by side."""
        candidates = {}
        for team, values in votes.items():
            best = np.argsort(-values, kind="stable")[:_MOST]
            best = best[values[best] > least]
            candidates[team] = (cells[best], values[best])
        return candidates

    def _refine(
        self, bgra: Picture, cells: Cells, votes: Numbers, lattice: Lattice, team: Team, exact: bool
    ) -> dict[int, FoundBorder | None]:
        """Returns the border near each cell's centre, at its best position; None where there is none."""
        answer: dict[int, FoundBorder | None] = dict.fromkeys(cells.tolist())
        if not len(cells):
            return answer
        size = (lattice.cell_w, lattice.cell_h)
        starts = grid.centres(lattice)[cells].astype(np.float32)
        if not exact:
            tried = starts[:, None] + around(_COARSE) * np.array(size, np.float32)
            rings = self._rings(bgra, tried.reshape(-1, 2), size, team, every=2)
            shares = self._hits(rings, team, every=2).mean(axis=1)
            shares = shares.reshape(tried.shape[:2])
            starts = _middles(tried, shares)
            visible = shares.max(axis=1) >= _SEEN
            cells, votes, starts = cells[visible], votes[visible], starts[visible]
            if not len(cells):
                return answer
        near = starts[:, None] + around(_NEAR if exact else _FINE) * np.array(size, np.float32)
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
            answer[cell] = FoundBorder(
                team,
                px=(float(middles[index, 0]), float(middles[index, 1])),
                cell=cell,
                share=float(share[top]),
                front=float(hits[top, self._front].mean()),
                clear=(first, second, third, fourth),
                mark=float(marks[index]),
                votes=float(votes[index]),
            )
        return answer

    def _clear(self, rings: Numbers, team: Team) -> Numbers:
        """Returns the contrast in tint of each of the four edges to its surroundings, in standard errors."""
        colour = self._rules.border.sides[team]
        seen = _tint(rings[:, _WIDE], colour)
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


def _packed(bgra: Picture) -> npt.NDArray[np.uint32]:
    return bgra.view(np.uint32)[..., 0]


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


def _tint(colours: Numbers, colour: RGB) -> Numbers:
    """Returns how much stronger the colour's main channel is than the others, in half levels."""
    main, other = (0, 2) if colour[0] > colour[2] else (2, 0)
    return np.asarray(2 * colours[main] - colours[1] - colours[other], np.float32)
