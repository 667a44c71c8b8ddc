"""Reads the cells of a DOFUS board frame by frame: the ground is cached, highlights are read in each.

A few pixels of each cell are compared with the previous frame; only cells that changed are read again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import paint
from vision.extract.dofus.ground_survey import UNEXPLAINED, GroundSurvey, looks
from vision.extract.dofus.terrain import Ground
from vision.frame import Rect
from vision.profiles.board import HighlightRule, ScreenRules
from vision.view import CELLS, CellKind, Highlight, Lattice

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_POINTS = grid.diamond(5, 0.66)  # The grid's lines and the neighbours' bodies lie further out
_MOST_AMBIGUOUS = 0.25  # Of a highlight's cells: those beside unread ones, which may be lit too
_FEW_STARTS, _FEW_APART = 3, 2  # Least of a side, and outside of its largest group: start cells lie apart
_ONE_COLOUR, _ALIKE_BESIDE = 6, 2
"""Levels between cells under one window, and how many of its neighbours look like such a cell. Of a window
over a film's board in JPEG 72 cells are known with 5 to 7 levels, 69 with 3, 74 with 9; without JPEG 77 with
two neighbours, 83 with one, 72 with three."""
_WRITTEN, _GROWN = 0.4, 3
"""The share of a cell beside them that has the window's colour where there are letters on it, and how many
cells they go on."""
_STARTS_OF_ONE = 5  # Where one side's alone are seen more of them are asked for
_TOUCHING = 0.25  # The share of one side's start cells beside the other's: an area lies within a range
_FEW_REACHED, _TOGETHER = 3, 0.75
"""Fewer green cells than these prove no walk: tufts of grass look like one or two. The share of reachable
cells in one group: those behind a window stand apart; of greener tiles of four drawn meadows 0.2 to 0.71."""
LIT_IN_TURNS: tuple[Highlight, ...] = ("reachable", "tackled", "range")

STARTS: tuple[Highlight, ...] = ("red_start", "blue_start")
"""The highlights of placement, which occur before a fight only."""


@dataclass(frozen=True, slots=True)
class CellsSeen:
    """The reading of the cells; empty until the ground has been found."""

    kinds: npt.NDArray[np.uint8]  # `CellKind` by cell id, uint8, shape (560,)
    # The share of the board that is classified and consistent (0..1); what a window covers is as it was
    # before
    confidence: float
    # Cells by highlight; one with too many ambiguous cells is missing
    highlights: dict[Highlight, frozenset[int]]

    def shows_same(self, other: "CellsSeen") -> bool:
        """Returns whether kinds and highlights are those of another reading, however sure."""
        return self.highlights == other.highlights and np.array_equal(self.kinds, other.kinds)


@dataclass(frozen=True, slots=True)
class Look:
    """What a frame shows of the known ground; each shape is (560,)."""

    # Cells that a window lies over: several floor cells beside each other have one foreign colour
    covered: Flags
    empty: Flags  # Floor cells that show their floor, bare or painted: no fighter stands there


NOTHING = CellsSeen(np.zeros(CELLS, np.uint8), 0.0, {})


class CellReader:
    """Reads the cells of one lattice in frames of one size."""

    def __init__(
        self,
        rules: ScreenRules,
        lattice: Lattice,
        area: Rect,
        size: tuple[int, int],
    ) -> None:
        """Prepares the sample points.

        Args:
            area: the part of the frame that shows the board.
            size: the frame's height and width.
        """
        paints = rules.highlights
        self._sets: tuple[dict[Highlight, HighlightRule], ...] = (
            {name: rule for name, rule in paints.items() if name not in STARTS},
            {name: rule for name, rule in paints.items() if name in STARTS},
        )
        self._samples = grid.sample(lattice, _POINTS, size[1], size[0])
        self._seen: npt.NDArray[np.uint32] | None = None
        self._state = np.full((len(self._sets), CELLS), UNEXPLAINED, np.int64)
        self._colour = np.zeros((CELLS, 3), np.int16)
        self._even = np.zeros(CELLS, bool)
        self._covered = np.zeros(CELLS, bool)
        self._looked: tuple[Indices, npt.NDArray[np.int64]] | None = None
        self._last: tuple[tuple[list[int], bool], CellsSeen] | None = None
        self.survey = GroundSurvey(lattice, area, size, self._sets)

    def look(self, bgra: Picture) -> Look:
        """Returns what a frame shows of the known ground, before `read` for those who need it then.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
        """
        changed = self._changed(bgra)
        if self._looked is not None:  # the frame before was not read on
            changed = np.union1d(changed, self._looked[0])
        ground = self.survey.ground
        if ground is None:
            self._looked = changed, self._state[:, changed]
            none = self._covered = np.zeros(CELLS, bool)
            return Look(none, none)
        states = self._painted(changed, ground)
        self._looked = changed, states
        state = self._state.copy()
        state[:, changed] = states
        floored = ground.is_floor
        unexplained = state.max(axis=0) == UNEXPLAINED
        foreign = floored & self._even & unexplained
        apart = np.abs(np.append(self._colour, [[0, 0, 0]], axis=0)[grid.NEIGHBOURS] - self._colour[:, None])
        alike = grid.at_neighbours(foreign) & (apart.max(axis=2) <= _ONE_COLOUR)
        covered = self._with_letters(foreign & (alike.sum(axis=1) >= _ALIKE_BESIDE))
        self._covered = covered
        return Look(covered, floored & ~unexplained)

    def _with_letters(self, covered: Flags) -> Flags:
        """Returns the cells under a window with those beside them that have letters on its colour."""
        if self._seen is None:
            return covered
        for _ in range(_GROWN):
            beside = np.flatnonzero(grid.beside(covered) & ~covered)
            if not beside.size:
                break
            pixels = np.ascontiguousarray(self._seen[beside, :, None]).view(np.uint8)[..., 2::-1]
            neighbours = grid.NEIGHBOURS[beside]
            known = (neighbours >= 0) & np.append(covered, False)[neighbours]
            apart = np.abs(pixels[:, None].astype(np.int16) - self._colour[neighbours][:, :, None])
            alike = (apart.max(axis=3) <= _ONE_COLOUR).mean(axis=2) >= _WRITTEN
            covered = covered.copy()
            covered[beside] = (alike & known).any(axis=1)
        return covered

    def read(
        self, bgra: Picture, standing: list[int], panel: Rect | None = None, waiting: bool = False
    ) -> CellsSeen:
        """Reads the cells of a frame.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
            standing: the cells that fighters stand on.
            panel: a part of the frame that covers the board.
            waiting: whether the timeline is seen and marks no fighter as the one at turn.
        """
        if self._looked is None:
            self.look(bgra)
        assert self._looked is not None
        (changed, states), self._looked = self._looked, None
        assert self._seen is not None
        ends = self.survey.follow(bgra, self._seen, self._covered, self._state, standing, panel)
        ground = self.survey.ground
        if ends:
            changed, self._last = np.arange(CELLS), None
            states = self._painted(changed, ground) if ground is not None else states
        if ground is None:
            return NOTHING
        about = (standing, waiting)
        if self._last is None or self._last[0] != about or (states != self._state[:, changed]).any():
            self._state[:, changed] = states
            self._last = (about, self._summary(ground, standing, waiting))
        return self._last[1]

    def _changed(self, bgra: Picture) -> Indices:
        seen = bgra.view(np.uint32).reshape(-1).take(self._samples.index)
        before, self._seen = self._seen, seen
        if before is None:
            return np.arange(CELLS)
        return np.flatnonzero((seen != before).any(axis=1))

    def _painted(self, cells: Indices, ground: Ground) -> npt.NDArray[np.int64]:
        """Returns the highlight of cells in each set of highlights, see `paint.painted`, (sets, cells)."""
        assert self._seen is not None
        middle, even = looks(self._seen[cells])
        self._colour[cells], self._even[cells] = middle, even
        states = np.full((len(self._sets), len(cells)), UNEXPLAINED, np.int64)
        if even.any():
            seen, under = (
                middle[even].astype(np.float32) / ground.light[cells[even], None],
                ground.floor[cells[even]],
            )
            states[:, even] = paint.painted(seen, under, self._sets)
        return states

    def _lit(self, which: int, cells: Flags) -> dict[Highlight, Flags]:
        return {name: cells & (self._state[which] == number) for number, name in enumerate(self._sets[which])}

    def _summary(self, ground: Ground, standing: list[int], waiting: bool) -> CellsSeen:
        kinds = ground.cells.copy()
        kinds[standing] = CellKind.WALKABLE
        floored = kinds == CellKind.WALKABLE
        floored[standing] = False
        perhaps = floored | (ground.usable & (kinds == CellKind.UNKNOWN))
        in_turns, placing, starts = self._lit(0, floored), self._lit(1, floored), self._lit(1, perhaps)
        which = 1 if is_placement(starts, waiting) or _is_own_placement(in_turns, placing) else 0
        unread = self._state.max(axis=0) if which else self._state[which]
        unexplained = floored & (unread == UNEXPLAINED)
        beside_unexplained = grid.at_neighbours(unexplained)
        highlights: dict[Highlight, frozenset[int]] = {}
        for name, cells in (starts if which else in_turns).items():
            ambiguous = np.unique(grid.NEIGHBOURS[cells][beside_unexplained[cells]])
            if cells.any() and len(ambiguous) <= max(2.0, _MOST_AMBIGUOUS * np.count_nonzero(cells)):
                highlights[name] = frozenset(np.flatnonzero(cells).tolist())
        share = np.count_nonzero(unexplained & ~self._covered) / max(1, int(np.count_nonzero(floored)))
        return CellsSeen(kinds, ground.confidence * (1.0 - share), highlights)


def is_placement(lit: Mapping[Highlight, Flags], waiting: bool = False) -> bool:
    """Returns whether both teams have start cells, apart from each other (unlike an area in a range).

    Without a fighter at turn no spell is being aimed, and start cells may touch; many of both sides in groups
    apart may as well.
    """
    red, blue = lit.get("red_start"), lit.get("blue_start")
    if red is None or blue is None or min(np.count_nonzero(red), np.count_nonzero(blue)) < _FEW_STARTS:
        return False
    apart = bool(grid.beside(blue)[red].mean() <= _TOUCHING)
    return waiting or apart or all(is_scattered(np.flatnonzero(side).tolist()) for side in (red, blue))


def is_scattered(cells: Collection[int]) -> bool:
    """Returns whether some cells are many and lie in groups apart, as start cells do and no range or area."""
    return len(cells) >= _STARTS_OF_ONE and len(cells) - len(_largest_group(cells)) >= _FEW_APART


def is_walk(reachable: Collection[int], between: Collection[int]) -> bool:
    """Returns whether cells read as reachable are those of a walk: they lie beside each other.

    Tiles of a meadow that are a little greener than the others lie apart.

    Args:
        between: cells that a walk begins at or that are lit otherwise: fighters' and tackled ones.
    """
    if len(reachable) < _FEW_REACHED:
        return False
    return len(_largest_group({*reachable, *between}, reachable)) >= _TOGETHER * len(reachable)


def _largest_group(cells: Collection[int], counted: Collection[int] | None = None) -> set[int]:
    """Returns the largest group of cells side by side, by how many of those counted it has, all if None."""
    left, largest = grid.marked(cells), set[int]()
    while left.any():
        group = grid.connected(grid.marked([int(np.argmax(left))]), left)
        left &= ~group
        of_it = set(np.flatnonzero(group).tolist())
        if counted is not None:
            of_it.intersection_update(counted)
        largest = max(largest, of_it, key=len)
    return largest


def _is_own_placement(turn: Mapping[Highlight, Flags], placing: Mapping[Highlight, Flags]) -> bool:
    """Returns whether one team's start cells stand in groups apart, and nothing is lit that a turn lights.

    Some clients grey the other team's start cells; an area that a spell strikes is one group in a range.
    """
    if any(cells.any() for name, cells in turn.items() if name in LIT_IN_TURNS):
        return False
    starts = np.logical_or.reduce([placing[name] for name in STARTS if name in placing])
    return is_scattered(np.flatnonzero(starts).tolist())
