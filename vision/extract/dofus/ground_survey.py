"""Surveys the ground of a board: what each cell is, with the floor's colours, by the network for grounds.

It is surveyed at the start, and again when the cells no longer match it (another map) or some of those that
are UNKNOWN have changed, with growing intervals while nothing new is found. Such a survey of a ground that is
known is done over some pictures, so that none of them takes long.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import paint, terrain
from vision.extract.dofus.grounds_seen import GROUND, GROUNDS, GroundReader
from vision.extract.dofus.scored import Careful
from vision.extract.dofus.terrain import Ground
from vision.frame import Rect
from vision.profiles.board import HighlightRule
from vision.view import CellKind, Highlight, Lattice

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint32]  # Those of cells' points, BGRA as one number, shape (cells, points)
States = npt.NDArray[np.int64]  # What `paint.painted` says, shape (sets of highlights, 560)

UNEXPLAINED = -2  # What `paint.painted` says of neither floor nor paint
_OUTLINE = grid.diamond(3, 0.8)  # A cell is looked at if these points of it are in view
_SHARE = 0.6  # Of a cell's points; the others may show a foot, a plant or a letter
_COVERED = GROUNDS.index("covered")
_SEEN = 0.5  # From this probability on a cell is taken to be under a window
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


class GroundSurvey:
    """The ground of one lattice in frames of one size.

    Attributes:
        ground: what is known of it, None until it has been found.
        has_another_map: whether the last survey has found another map.
    """

    def __init__(
        self,
        lattice: Lattice,
        area: Rect,
        size: tuple[int, int],
        paints: Sequence[Mapping[Highlight, HighlightRule]],
    ) -> None:
        """Prepares the sample points.

        Args:
            area: the part of the frame that shows the board.
            size: the frame's height and width.
        """
        self._lattice, self._paints = lattice, paints
        self._network = Careful(GroundReader)
        self._places = grid.centres(lattice)[:, None] + _OUTLINE * (lattice.cell_w, lattice.cell_h)
        picture = Rect(0, 0, size[1], size[0])
        self._inside: Flags = np.asarray(
            (_within(area, self._places) & _within(picture, self._places)).all(axis=1)
        )
        self.ground: Ground | None = None
        self.has_another_map = False
        self._surveyed: Pixels | None = None
        self._steps: Iterator[None] | None = None
        self._age, self._wait = 0, _FRESH
        self._is_back = False

    @property
    def goes_on(self) -> bool:
        """Whether a survey goes on, so that the same frame read again tells more."""
        return self._steps is not None

    def again(self) -> None:
        """Has the next frame's ground surveyed, after frames without a fighter: the map may be another one.

        What was known of the one before is kept only if much of the floor looks exactly the same.
        """
        self._is_back, self._age, self._steps = True, 0, None

    def follow(
        self,
        bgra: npt.NDArray[np.uint8],
        seen: Pixels,
        covered: Flags,
        states: States,
        standing: list[int],
        panel: Rect | None,
    ) -> bool:
        """Takes in a frame; returns whether a survey has ended with it.

        Args:
            states: what was painted on the cells in the last frame that was read; kept up to date.
            standing: the cells that fighters stand on.
            panel: a part of the frame that covers the board.
        """
        self._age += 1
        if self._steps is None and self._is_due(seen, states):
            self._steps, self._age = self._find(bgra, seen, covered, states, standing, panel), 1
        if self._steps is None:
            return False
        at_once = self.ground is None or self._is_back  # to its end if no ground of this map is known
        if not all(at_once for _ in self._steps):
            return False
        self._steps = None
        return True

    def _is_due(self, seen: Pixels, states: States) -> bool:
        if self.ground is None or self._is_back:
            return self._age % _AGAIN == 1
        floor = self.ground.is_floor
        lit = _share(floor, states[0] >= 0)  # nearly all of it looks lit where another map has come
        if self._age >= _AGAIN and (_unexplained(floor, states) > _MANY_UNEXPLAINED or lit > _MANY_LIT):
            return True
        return self._age >= self._wait and self._may_tell_more(seen, self.ground)

    def _may_tell_more(self, seen: Pixels, ground: Ground) -> bool:
        """Returns whether a visible cell of unknown kind, or several that are no floor, look unlike before.

        A window that lay over the floor as the ground was surveyed is taken for what is not floor.
        """
        assert self._surveyed is not None
        changed = (seen != self._surveyed).any(axis=1) & ground.usable
        unknown = ground.cells == CellKind.UNKNOWN
        closed = ~unknown & (ground.cells != CellKind.WALKABLE)
        return bool((changed & unknown).any() or np.count_nonzero(changed & closed) >= _UNCOVERED)

    def _find(
        self,
        bgra: npt.NDArray[np.uint8],
        pixels: Pixels,
        covered: Flags,
        states: States,
        standing: list[int],
        panel: Rect | None,
    ) -> Iterator[None]:
        """Surveys the ground as it is in this frame, and merges it with earlier surveys of the same map.

        Yields after each step.
        """
        reader = self._network.opened()
        if reader is None:
            return
        middle, even = looks(pixels)
        scores = yield from reader.steps(bgra, self._lattice)
        yield
        usable = self._inside & (scores[:, GROUND][:, _COVERED] < _SEEN)
        if panel is not None:
            usable[_within(panel, self._places).any(axis=1)] = False
        seen = middle.astype(np.float32)
        surveyed = terrain.survey(scores, seen, even, usable & ~covered, standing, self._paints)
        if surveyed is None and covered.any():  # tiles of another map's even floor may look like a window
            surveyed = terrain.survey(scores, seen, even, usable, standing, self._paints)
        before = self.ground
        if surveyed is None:
            if before is not None and _unexplained(before.is_floor & ~covered, states) > _LOST:
                self.ground = None  # not where a window hides it
        else:
            same = before is not None and self._same_pixels(pixels, before)
            if before is None or (self._is_back and not same):
                self.ground = surveyed
            else:
                self.ground = merged(before, surveyed, same)
            self._is_back = False
            self.has_another_map = before is not None and self.ground is surveyed
            self._wait = _FRESH if self.ground is surveyed else min(_LONGEST, 2 * self._wait)
        self._surveyed = pixels

    def _same_pixels(self, seen: Pixels, ground: Ground) -> bool:
        """Returns whether much of the floor looks exactly as in the last survey: it is the same map then.

        Windows hide parts of it, so what two surveys took for floor may differ.
        """
        floor = ground.cells == CellKind.WALKABLE
        if self._surveyed is None or not floor.any():
            return False
        return bool((seen == self._surveyed)[floor].all(axis=1).mean() >= _SAME_PIXELS)


def looks(pixels: Pixels) -> tuple[npt.NDArray[np.uint8], Flags]:
    """Returns the middle colour (RGB) of cells, shape (cells, 3), and which have it nearly all over."""
    points = np.ascontiguousarray(pixels[:, :, None].view(np.uint8)[..., 2::-1].transpose(0, 2, 1), np.int16)
    place = points.shape[2] // 2
    middle = np.partition(points, place, axis=2)[..., place]
    apart = np.abs(points - middle[..., None]).max(axis=1)
    return middle.astype(np.uint8), np.asarray((apart < paint.LIKE).mean(axis=1) >= _SHARE)


def _unexplained(cells: Flags, states: States) -> float:
    """Returns the share (0..1) of some cells that is neither bare floor nor a highlight."""
    return _share(cells, states.max(axis=0) == UNEXPLAINED)


def _share(cells: Flags, flags: Flags) -> float:
    """Returns the share (0..1) of some cells that have a flag, 0 without cells."""
    return int(np.count_nonzero(cells & flags)) / max(1, int(np.count_nonzero(cells)))


def _within(box: Rect, places: Places) -> Flags:
    x, y = places[..., 0], places[..., 1]
    return np.asarray((x > box.x) & (x < box.right) & (y > box.y) & (y < box.bottom))


def _same_colours(old: Ground, new: Ground, cells: Flags) -> bool:
    """Returns whether the floor of most of some cells has the same colour in two surveys."""
    apart = np.abs(old.floor * old.light[:, None] - new.floor * new.light[:, None]).max(axis=1)
    return bool(cells.any() and np.median(apart[cells]) <= _SAME_COLOUR)


def merged(old: Ground, new: Ground, same: bool = False) -> Ground:
    """Merges two surveys of the ground if they are of the same map; else returns the new one.

    Cells unknown in one are taken from the other; floor seen once may have been hidden since. The floor of
    another map may lie within that of this one, but has other colours.

    Args:
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
