"""Reads the cells of a DOFUS board frame by frame: the ground is cached, highlights are read in each.

A few pixels of each cell are compared with the previous frame; only cells that changed are read again. The
ground is read at the start, and again when the cells no longer match it (another map) or some of those that
are UNKNOWN have changed, with growing intervals while nothing new is found. Such a survey of a ground that is
known is done over some pictures, so that none of them takes long.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import paint, terrain
from vision.extract.dofus.grounds_seen import GROUND, GROUNDS, GroundReader
from vision.extract.dofus.scored import Careful
from vision.extract.dofus.terrain import Ground
from vision.frame import Rect
from vision.profiles.board import HighlightRule, ScreenRules
from vision.view import CELLS, CellKind, Highlight, Lattice

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_POINTS = grid.diamond(5, 0.66)  # The grid's lines and the neighbours' bodies lie further out
_OUTLINE = grid.diamond(3, 0.8)  # A cell is looked at if these points of it are in view
_MIDDLE = len(_POINTS) // 2
_SHARE = 0.6  # Of a cell's points; the others may show a foot, a plant or a letter
_AGAIN = 12  # Pictures between surveys while the ground does not fit: a second and a fifth at ten a second
_FRESH, _LONGEST = 15, 480
"""Pictures until a new ground is surveyed again, doubled while that tells nothing new: a window that lay over
the placement is gone by then mostly, and for the rest of a fight a survey is a waste."""
_MANY_UNEXPLAINED, _MANY_LIT = 0.2, 0.7
"""Shares of the floor, from which on the map may be another: figures, plants and effects hide less of it, and
6 MP light 84 cells at most."""
_LOST = 0.6  # A share of the floor from which on the ground known is wrong: a window is left out of it
_SAME_MAP, _SAME_PIXELS = 0.85, 0.4
"""The share of floor that two surveys of a map share, and the share that looks exactly the same where windows
hid other parts in each: 55 of 150 cells differed in a film, all on one map."""
_SAME_COLOUR = 10.0
"""Levels between the colours of one floor in two surveys: at most 2 on one map, 34 and 67 on two maps."""
_UNCOVERED = 5
"""So many cells that were no floor and look otherwise by now tell that a window lay over them."""
_MOST_AMBIGUOUS = 0.25  # Of a highlight's cells: those beside unread ones, which may be lit too
_UNEXPLAINED = -2  # What `paint.painted` says of neither floor nor paint
_COVERED = GROUNDS.index("covered")
_SEEN = 0.5  # From this probability on a cell is taken to be under a window
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
            rules: the client's highlights.
            lattice: where the cells lie.
            area: the part of the frame that shows the board.
            size: the frame's height and width.
        """
        paints = rules.highlights
        self._sets: tuple[dict[Highlight, HighlightRule], ...] = (
            {name: rule for name, rule in paints.items() if name not in STARTS},
            {name: rule for name, rule in paints.items() if name in STARTS},
        )
        self._lattice = lattice
        self._network = Careful(GroundReader)
        self._samples = grid.sample(lattice, _POINTS, size[1], size[0])
        self._places = grid.centres(lattice)[:, None] + _OUTLINE * (lattice.cell_w, lattice.cell_h)
        picture = Rect(0, 0, size[1], size[0])
        self._inside: Flags = np.asarray(
            (_within(area, self._places) & _within(picture, self._places)).all(axis=1)
        )
        self._seen: npt.NDArray[np.uint32] | None = None
        self._surveyed: npt.NDArray[np.uint32] | None = None
        self._state = np.full((len(self._sets), CELLS), _UNEXPLAINED, np.int64)
        self._colour = np.zeros((CELLS, 3), np.int16)
        self._even = np.zeros(CELLS, bool)
        self._covered = np.zeros(CELLS, bool)
        self._looked: tuple[Indices, npt.NDArray[np.int64]] | None = None
        self._ground: Ground | None = None
        self._last: tuple[tuple[list[int], bool], CellsSeen] | None = None
        self._survey: Iterator[None] | None = None
        self._age = 0
        self._wait = _FRESH
        self._is_back = False
        self.has_another_map = False

    @property
    def is_surveying(self) -> bool:
        """Whether a survey of the ground goes on, so that the same frame read again tells more."""
        return self._survey is not None

    def survey_again(self) -> None:
        """Has the next frame's ground surveyed, after frames without a fighter: the map may be another one.

        What was known of the one before is kept only if much of the floor looks exactly the same.
        """
        self._is_back, self._age, self._survey = True, 0, None

    def look(self, bgra: Picture) -> Look:
        """Returns what a frame shows of the known ground, before `read` for those who need it then.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
        """
        changed = self._changed(bgra)
        if self._looked is not None:  # the frame before was not read on
            changed = np.union1d(changed, self._looked[0])
        if self._ground is None:
            self._looked = changed, self._state[:, changed]
            none = self._covered = np.zeros(CELLS, bool)
            return Look(none, none)
        states = self._painted(changed, self._ground)
        self._looked = changed, states
        state = self._state.copy()
        state[:, changed] = states
        floored = self._ground.is_floor
        unexplained = state.max(axis=0) == _UNEXPLAINED
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
        self._age += 1
        if self._survey is None and self._is_survey_due():
            self._survey, self._age = self._find_ground(bgra, standing, panel), 1
        if self._survey is not None and self._ends(self._survey):
            changed, self._last, self._survey = np.arange(CELLS), None, None
            states = self._painted(changed, self._ground) if self._ground is not None else states
        if self._ground is None:
            return NOTHING
        about = (standing, waiting)
        if self._last is None or self._last[0] != about or (states != self._state[:, changed]).any():
            self._state[:, changed] = states
            self._last = (about, self._summary(self._ground, standing, waiting))
        return self._last[1]

    def _changed(self, bgra: Picture) -> Indices:
        """Returns the cells whose pixels have changed since the previous frame."""
        seen = bgra.view(np.uint32).reshape(-1).take(self._samples.index)
        before, self._seen = self._seen, seen
        if before is None:
            return np.arange(CELLS)
        return np.flatnonzero((seen != before).any(axis=1))

    def _is_survey_due(self) -> bool:
        """Returns whether the ground is to be surveyed again."""
        if self._ground is None or self._is_back:
            return self._age % _AGAIN == 1
        floor = self._ground.is_floor
        lit = _share(floor, self._state[0] >= 0)  # nearly all of it looks lit where another map has come
        if self._age >= _AGAIN and (self._unexplained_share(floor) > _MANY_UNEXPLAINED or lit > _MANY_LIT):
            return True
        return self._age >= self._wait and self._may_tell_more(self._ground)

    def _may_tell_more(self, ground: Ground) -> bool:
        """Returns whether a visible cell of unknown kind, or several that are no floor, look unlike before.

        A window that lay over the floor as the ground was surveyed is taken for what is not floor.
        """
        assert self._seen is not None and self._surveyed is not None
        changed = (self._seen != self._surveyed).any(axis=1) & ground.usable
        unknown = ground.cells == CellKind.UNKNOWN
        closed = ~unknown & (ground.cells != CellKind.WALKABLE)
        return bool((changed & unknown).any() or np.count_nonzero(changed & closed) >= _UNCOVERED)

    def _unexplained_share(self, cells: Flags) -> float:
        """Returns the share (0..1) of some cells that is neither bare floor nor a highlight."""
        return _share(cells, self._state.max(axis=0) == _UNEXPLAINED)

    def _ends(self, survey: Iterator[None]) -> bool:
        """Goes on with a survey, to its end if no ground of this map is known; returns whether it ended."""
        at_once = self._ground is None or self._is_back
        return all(at_once for _ in survey)

    def _find_ground(self, bgra: Picture, standing: list[int], panel: Rect | None) -> Iterator[None]:
        """Surveys the ground as it is in this frame, and merges it with earlier surveys of the same map.

        Yields after each step.
        """
        reader = self._network.opened()
        if reader is None:
            return
        pixels, covered = self._seen, self._covered
        middle, even = self._looks(np.arange(CELLS))
        scores = yield from reader.steps(bgra, self._lattice)
        yield
        usable = self._inside & (scores[:, GROUND][:, _COVERED] < _SEEN)
        if panel is not None:
            usable[_within(panel, self._places).any(axis=1)] = False
        seen = middle.astype(np.float32)
        found = terrain.survey(scores, seen, even, usable & ~covered, standing, self._sets)
        if found is None and covered.any():  # tiles of another map's even floor may look like a window
            found = terrain.survey(scores, seen, even, usable, standing, self._sets)
        before = self._ground
        if found is None:
            if before is not None and self._unexplained_share(before.is_floor & ~covered) > _LOST:
                self._ground = None  # not where a window hides it
        else:
            same = before is not None and self._same_pixels(pixels, before)
            if before is None or (self._is_back and not same):
                self._ground = found
            else:
                self._ground = merged(before, found, same)
            self._is_back = False
            self.has_another_map = before is not None and self._ground is found
            self._wait = _FRESH if self._ground is found else min(_LONGEST, 2 * self._wait)
        self._surveyed = pixels

    def _same_pixels(self, seen: npt.NDArray[np.uint32] | None, ground: Ground) -> bool:
        """Returns whether much of the floor looks exactly as in the last survey: it is the same map then.

        Windows hide parts of it, so what two surveys took for floor may differ.
        """
        floor = ground.cells == CellKind.WALKABLE
        if seen is None or self._surveyed is None or not floor.any():
            return False
        return bool((seen == self._surveyed)[floor].all(axis=1).mean() >= _SAME_PIXELS)

    def _painted(self, cells: Indices, ground: Ground) -> npt.NDArray[np.int64]:
        """Returns the highlight of cells in each set of highlights, see `paint.painted`, (sets, cells)."""
        middle, even = self._looks(cells)
        self._colour[cells], self._even[cells] = middle, even
        states = np.full((len(self._sets), len(cells)), _UNEXPLAINED, np.int64)
        if even.any():
            seen, under = (
                middle[even].astype(np.float32) / ground.light[cells[even], None],
                ground.floor[cells[even]],
            )
            states[:, even] = paint.painted(seen, under, self._sets)
        return states

    def _looks(self, cells: Indices) -> tuple[npt.NDArray[np.uint8], Flags]:
        """Returns the middle colour (RGB) of cells, shape (cells, 3), and which have it nearly all over."""
        assert self._seen is not None
        pixels = np.ascontiguousarray(
            self._seen[cells, :, None].view(np.uint8)[..., 2::-1].transpose(0, 2, 1), np.int16
        )
        middle = np.partition(pixels, _MIDDLE, axis=2)[..., _MIDDLE]
        apart = np.abs(pixels - middle[..., None]).max(axis=1)
        return middle.astype(np.uint8), np.asarray((apart < paint.LIKE).mean(axis=1) >= _SHARE)

    def _lit(self, which: int, cells: Flags) -> dict[Highlight, Flags]:
        """Returns which of some cells each highlight of a set is painted on."""
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
        unexplained = floored & (unread == _UNEXPLAINED)
        beside_unexplained = grid.at_neighbours(unexplained)
        highlights: dict[Highlight, frozenset[int]] = {}
        for name, cells in (starts if which else in_turns).items():
            ambiguous = np.unique(grid.NEIGHBOURS[cells][beside_unexplained[cells]])
            if cells.any() and len(ambiguous) <= max(2.0, _MOST_AMBIGUOUS * np.count_nonzero(cells)):
                highlights[name] = frozenset(np.flatnonzero(cells).tolist())
        share = np.count_nonzero(unexplained & ~self._covered) / max(1, int(np.count_nonzero(floored)))
        return CellsSeen(kinds, ground.confidence * (1.0 - share), highlights)


def _share(cells: Flags, flags: Flags) -> float:
    """Returns the share (0..1) of some cells that have a flag, 0 without cells."""
    return int(np.count_nonzero(cells & flags)) / max(1, int(np.count_nonzero(cells)))


def _within(box: Rect, places: Places) -> Flags:
    """Returns which places (x, y) lie in a box."""
    x, y = places[..., 0], places[..., 1]
    return np.asarray((x > box.x) & (x < box.right) & (y > box.y) & (y < box.bottom))


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
        reachable: the cells.
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


def _same_colours(old: Ground, new: Ground, cells: Flags) -> bool:
    """Returns whether the floor of most of some cells has the same colour in two surveys."""
    apart = np.abs(old.floor * old.light[:, None] - new.floor * new.light[:, None]).max(axis=1)
    return bool(cells.any() and np.median(apart[cells]) <= _SAME_COLOUR)


def merged(old: Ground, new: Ground, same: bool = False) -> Ground:
    """Merges two surveys of the ground if they are of the same map; else returns the new one.

    Cells unknown in one are taken from the other; floor seen once may have been hidden since. The floor of
    another map may lie within that of this one, but has other colours.

    Args:
        old: the ground as known before.
        new: the ground as surveyed now.
        same: whether it is the same map for sure.
    """
    before, now = old.cells == CellKind.WALKABLE, new.cells == CellKind.WALKABLE
    both = before & now
    alike = np.count_nonzero(both) >= _SAME_MAP * min(np.count_nonzero(before), np.count_nonzero(now))
    if not (same or (alike and _same_colours(old, new, both))):
        return new
    cells = np.where(new.cells == CellKind.UNKNOWN, old.cells, new.cells)
    cells[before | now] = CellKind.WALKABLE
    colours = np.where(now[:, None] | ~before[:, None], new.floor, old.floor)
    light = np.where(now | ~before, new.light, old.light)
    return Ground(cells.astype(np.uint8), new.usable, colours, light)
