"""Classifies the cells of a DOFUS board: floor, obstacle, hole, or outside the board.

Other cells inside the board or at its edge are classified by occlusion: an obstacle covers part of the
floor behind it, a hole does not, and things that stand in a black hole are recognised by their brightness.
Ambiguous cells are UNKNOWN. The ground does not change during a fight, so it is classified only occasionally.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import floor, paint
from vision.extract.dofus.floor import CellColours
from vision.extract.dofus.paint import Paints
from vision.extract.dofus.tiles import Edges
from vision.view import CELLS, ROW_LENGTH, CellKind

Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_CLEAN = 0.6
_COVERED = 0.35
_FOREIGN = 30.0
_ENDED = 0.5
_ALIKE = 8.0
_WHOLE, _SHOWN, _SHOWN_BETWEEN_EDGES = 0.8, 0.54, 0.3
_LITTLE, _HALF, _PLAIN = 0.15, 0.45, 0.85
_DEEP = 0.7
_EVEN = 24.0
_BLACK, _EVENLY, _LIGHT = 14.0, 0.8, 26.0
_STEPS = 9
_REACH = 0.8

POINTS = grid.diamond(_STEPS, _REACH)
"""The sample points of each cell, in cell widths and heights from its centre."""

_RIGHT_BELOW = (POINTS[:, 0] + POINTS[:, 1]) > 0.18
_LEFT_BELOW = (POINTS[:, 1] - POINTS[:, 0]) > 0.18
_BELOW = POINTS[:, 1] > 0.14
_QUARTERS = tuple(
    np.flatnonzero(np.abs(POINTS - middle).sum(axis=1) <= _REACH / 4 + 1e-9)
    for middle in ((0, -_REACH / 4), (-_REACH / 4, 0), (_REACH / 4, 0))
)


@dataclass(frozen=True, slots=True)
class Ground:
    """The board without fighters and highlights.

    Attributes:
        cells: `CellKind` by cell id, uint8, shape (560,).
        whole: which cells show the whole floor, shape (560,).
        usable: which cells are visible, shape (560,).
        floor: the expected colour (RGB) of bare floor at each cell in full light, shape (560, 3).
        light: the light on each cell, 1 for full, shape (560,).
    """

    cells: npt.NDArray[np.uint8]
    whole: Flags
    usable: Flags
    floor: Numbers
    light: Numbers

    @property
    def confidence(self) -> float:
        """The classified share of the visible board (0..1)."""
        board = int(np.count_nonzero(self.usable & (self.cells != CellKind.OUTSIDE)))
        unknown = int(np.count_nonzero(self.usable & (self.cells == CellKind.UNKNOWN)))
        return 1.0 - unknown / board if board else 0.0


def appearance(samples: Numbers, edges: Edges) -> tuple[CellColours, Numbers]:
    """Returns the cells' colours, and each sample's distance from its cell's colour, shape (560, points)."""
    by_channel = np.ascontiguousarray(samples.transpose(0, 2, 1))
    seen, apart = _middles(by_channel)
    even = np.asarray((apart < _EVEN).mean(axis=1), np.float32)
    quarters = [_middles(by_channel[..., quarter]) for quarter in _QUARTERS]
    corners = np.stack([middle for middle, _ in quarters], axis=1)
    plain = np.stack([(away < _EVEN).mean(axis=1) for _, away in quarters], axis=1)
    return CellColours(seen, even, edges, corners, plain.astype(np.float32)), apart


def _middles(samples: Numbers) -> tuple[Numbers, Numbers]:
    """Returns the median colours of samples, an odd number of each cell, and each sample's distance from it.

    Args:
        samples: shape (560, 3, points).

    Returns:
        Shapes (560, 3) and (560, points).
    """
    middle = samples.shape[2] // 2
    seen = np.partition(samples, middle, axis=2)[..., middle]
    step = samples - seen[..., None]
    step *= step
    return seen, np.sqrt(step[:, 0] + step[:, 1] + step[:, 2])


def survey(
    samples: Numbers,
    edges: Edges,
    usable: Flags,
    standing: list[int],
    sets: Paints,
) -> Generator[None, None, Ground | None]:
    """Surveys the ground in parts of a few milliseconds; returns None where no floor is found.

    Args:
        samples: the colours (RGB) at `POINTS` of each cell, shape (560, points, 3).
        edges: the cells' edges.
        usable: which cells lie within the frame and under no panel.
        standing: the cells that fighters stand on.
    """
    colours, apart = appearance(samples, edges)
    yield
    found = yield from floor.find(colours, usable, standing, sets)
    if found is None:
        return None
    yield
    clean = _clean_behind(apart < _EVEN, found.cells, standing)
    bare = _bare_share(samples, found, sets)
    littered = _littered(bare, edges.clear, found.cells, usable, clean)
    walkable = found.cells | littered
    clean = _clean_behind(apart < _EVEN, walkable, standing) if littered.any() else clean
    outside = grid.flooded(~walkable)
    foreign = usable & (paint.colour_distance(colours.seen, found.colours) > _FOREIGN)
    foreign &= paint.best_painted(colours.seen, found.colours, sets) < 0
    dark = colours.seen.sum(axis=1) < _DEEP * found.colours.sum(axis=1)
    foreign &= dark | (bare < _LITTLE) | (colours.even >= _HALF)
    block = ~walkable & (clean >= 0) & (clean <= _COVERED) & (~outside | _beside(walkable, 2))
    hole = foreign & ~walkable & ~outside & ~block & (clean >= _CLEAN)
    hole &= _ends_in_front(edges.clear, walkable)
    cells = np.full(CELLS, CellKind.UNKNOWN, np.uint8)
    doubtful = _may_be_inside(bare, edges.clear, walkable, colours.even) | found.ambiguous
    cells[outside & ~doubtful & ~_out_of_sight(walkable, usable)] = CellKind.OUTSIDE
    cells[walkable] = CellKind.WALKABLE
    cells[block] = CellKind.OBSTACLE
    possible = foreign & ~walkable & ~outside & ~block
    cells[pits_among(spread_holes(hole, possible, colours.seen), possible, walkable, colours)] = CellKind.HOLE
    return Ground(cells, walkable & ~found.partly & ~littered, usable, found.colours, found.light)


def _bare_share(samples: Numbers, found: floor.Floor, sets: Paints) -> Numbers:
    """Returns the share of each cell beside the floor that shows bare floor (0..1), 0 for the others."""
    beside = np.flatnonzero(grid.beside(found.cells) & ~found.cells)
    under = np.broadcast_to(found.colours[beside, None], samples[beside].shape)
    bare = paint.colour_distance(samples[beside], under) <= paint.LIKE
    bare[bare] = paint.best_painted(samples[beside][bare], under[bare], sets) == -1
    share = np.zeros(CELLS, np.float32)
    share[beside] = bare.mean(axis=1)
    return share


def _littered(bare: Numbers, clear: Numbers, walkable: Flags, usable: Flags, clean: Numbers) -> Flags:
    """Returns cells within the floor that show it between flowers, shadows or what stands in front of them.

    An obstacle hides the floor behind it, a hole and the ground outside have other colours.
    """
    ended, whole = (clear >= _ENDED).sum(axis=1) >= 2, (clear >= _WHOLE).all(axis=1)
    possible = usable & ~walkable & _beside(walkable, 2) & ((clean < 0) | (clean >= _CLEAN))
    possible &= ended & (whole | ~grid.flooded(~walkable))
    return np.asarray(possible & (bare >= np.where(whole, _SHOWN_BETWEEN_EDGES, _SHOWN)))


def _may_be_inside(bare: Numbers, clear: Numbers, walkable: Flags, even: Numbers) -> Flags:
    """Returns which cells may be floor or a hole although no floor lies between them and the outside."""
    ended = clear >= _ENDED
    beyond = (ended & ~grid.at_neighbours(walkable)).any(axis=1)
    littered = beyond & (bare >= _LITTLE) & (even < _PLAIN)
    return np.asarray((grid.beside(walkable) & (ended.sum(axis=1) >= 3)) | littered | ended.all(axis=1))


def _out_of_sight(walkable: Flags, usable: Flags) -> Flags:
    """Returns the invisible cells that may be floor: connected to it over invisible cells."""
    return np.asarray(grid.connected(walkable, ~usable) & ~usable)


def _ends_in_front(clear: Numbers, walkable: Flags) -> Flags:
    front = grid.at_neighbours(walkable)[:, 2:]
    return np.asarray(front.any(axis=1) & (~front | (clear[:, 2:] >= _ENDED)).all(axis=1))


def spread_holes(holes: Flags, possible: Flags, seen: Numbers) -> Flags:
    """Returns the holes grown over neighbours of the same colour in any light, unlike blocks beside them."""
    colours = np.concatenate([seen, np.zeros((1, 3), np.float32)])[grid.NEIGHBOURS]
    own = np.broadcast_to(seen[:, None], colours.shape)
    apart = np.minimum(paint.colour_distance(own, colours), paint.colour_distance(colours, own))
    alike = apart <= _ALIKE
    while True:
        grown = holes | (possible & (alike & grid.at_neighbours(holes)).any(axis=1))
        if (grown == holes).all():
            return holes
        holes = grown


def pits_among(holes: Flags, possible: Flags, walkable: Flags, colours: CellColours) -> Flags:
    """Returns the holes with the black cells they lead to, and without what stands in such a pit.

    Only cells with floor right behind them show the walls of a black pit; another light one is something
    raised, or hidden by it.
    """
    black = possible & (colours.seen.max(axis=1) <= _BLACK) & (colours.even >= _EVENLY)
    black = grid.connected(holes, black) & black
    pit = grid.connected(black, holes) & (holes | black)
    behind = grid.at_neighbours(walkable)[:, :2].any(axis=1)
    raised = pit & ~behind & (colours.seen.mean(axis=1) > _LIGHT)
    return np.asarray((holes | black) & ~raised)


def _clean_behind(floored: Flags, walkable: Flags, standing: list[int]) -> Numbers:
    """Returns the visible share of the floor right behind each cell (0..1), -1 without floor there."""
    behind = np.stack(
        [grid.NEIGHBOURS[:, 0], grid.NEIGHBOURS[:, 1], np.arange(CELLS) - 2 * ROW_LENGTH], axis=1
    )
    free = walkable.copy()
    free[standing] = False
    masks = (_RIGHT_BELOW, _LEFT_BELOW, _BELOW)
    shares = np.stack([floored[:, mask].mean(axis=1) for mask in masks], axis=1)
    there = (behind >= 0) & np.append(free, False)[behind]
    value = np.where(there, shares[behind, np.arange(3)], 0).sum(axis=1)
    count = there.sum(axis=1)
    return np.asarray(np.where(count > 0, value / np.maximum(count, 1), -1), np.float32)


def _beside(cells: Flags, least: int) -> Flags:
    return np.asarray(grid.at_neighbours(cells).sum(axis=1) >= least)
