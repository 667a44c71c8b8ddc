"""Finds the player's fighter among its allies by the highlighted cells around it: its reach, a spell's range.

Needed where borders show the side only, or where the player's corner marks are hidden.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.view import CELLS

Flags = npt.NDArray[np.bool_]

MOST_STEPS = 12  # No fighter has more MP; down to 6 steps 56 pictures are read alike
FITS = 0.75  # So much of the lit cells has to fit a fighter's cell; 0.56 to 0.82 are alike
CLEARLY = 0.8
"""So much of what is lit has to fit a cell out of sight; any other cell at most so much of what it fits."""
FEWEST = 3  # Fewer lit cells than these tell nothing: a tuft of grass is as green
_MANY, _EXACTLY, _APART = 10, 0.9, 0.05
"""So many lit cells that fit one fighter so well tell the player where others fit so much worse, and by what
it lacks to a perfect fit: allies beside it, or cells where one may stand whose border is hidden."""

_FEWEST_IN_RANGE = 8  # Up to 13 lit cells 56 pictures are read alike
_FARTHER = 0.15
"""A range tells who casts it unseen if every other cell fits so much worse: what fitted so was the player's
cell in all of 550 drawn screens with the player left out."""
_FARTHEST = 40  # Steps across the whole board


def owner(lit: Flags, free: Flags, starts: Sequence[int], unknown: Flags | None = None) -> int | None:
    """Returns the fighter's cell from which the highlighted cells are reachable, None where ambiguous.

    The way of one fighter may lead over cells that were not read, so each is judged with and without them.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        starts: the fighters' cells.
        unknown: cells that may be walkable, shape (560,); none if not given.
    """
    if np.count_nonzero(lit) < FEWEST:
        return None
    over = np.zeros(CELLS, bool) if unknown is None else unknown & ~free
    ways = (over, np.zeros(CELLS, bool)) if over.any() else (over,)
    overlaps = sorted(
        ((max(overlap(lit, free, start, way) for way in ways), start) for start in starts), reverse=True
    )
    best, start = overlaps[0]
    second = overlaps[1][0] if len(overlaps) > 1 else 0.0
    exact = np.count_nonzero(lit) >= _MANY and best >= _EXACTLY and second <= _well_below(best)
    if best < FITS or (second > CLEARLY * best and not exact):
        return None
    return start


def _well_below(best: float) -> float:
    return best - max(_APART, 1 - best)


def only_owner(lit: Flags, free: Flags, starts: Sequence[int], unknown: Flags) -> int | None:
    """Returns the fighter's cell that the highlighted cells are reachable from, and from no other cell.

    A fighter whose border is hidden may stand on any cell beside them that is not lit.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        starts: the fighters' cells.
        unknown: cells that may be walkable, shape (560,).
    """
    if np.count_nonzero(lit) < _MANY:
        return None
    start = owner(lit, free, starts, unknown)
    ways = (unknown & ~free, np.zeros(CELLS, bool))
    least = max(overlap(lit, free, start, way) for way in ways) if start is not None else 0.0
    if start is None or least < _EXACTLY:
        return None
    beside = np.flatnonzero(grid.beside(lit) & ~lit).tolist()
    others = (max(overlap(lit, free, cell, way) for way in ways) for cell in beside if cell != start)
    return start if all(other <= _well_below(least) for other in others) else None


def overlap(
    lit: Flags, free: Flags, start: int, over: Flags | None = None, exactly: int | None = None
) -> float:
    """Returns the intersection over union of lit cells and a fighter's reach, at the best number of steps.

    It may lead over the cells `over`, which count for neither. If `exactly` so many steps are given, only
    those count.
    """
    walks = list(_walks(free if over is None else free | over, start, exactly or MOST_STEPS))
    best = 0.0
    for reached in walks if exactly is None else walks[-1:]:
        walked = reached.copy()
        walked[start] = False
        if over is not None:
            walked &= ~over
        best = max(best, np.count_nonzero(walked & lit) / np.count_nonzero(walked | lit))
    return float(best)


def _walks(free: Flags, start: int, most: int) -> Iterator[Flags]:
    """Yields the cells reached in each number of steps up to `most`, until one more reaches no other."""
    reached = np.zeros(CELLS, bool)
    reached[start] = True
    for _ in range(most):
        grown = reached | (free & grid.beside(reached))
        if (grown == reached).all():
            return
        reached = grown
        yield reached


def is_of_another(lit: Flags, free: Flags, cell: int, unknown: Flags) -> bool:
    """Returns whether the highlighted cells are reached from a cell near a fighter, not from its own.

    A fighter whose border is hidden may stand there. Its own way may lead over cells that were not read.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        unknown: cells that may be walkable, shape (560,).
    """
    if np.count_nonzero(lit) < _FEWEST_IN_RANGE:
        return False
    own = max(overlap(lit, free, cell), overlap(lit, free, cell, unknown & ~free))
    if own >= CLEARLY:
        return False
    near = np.zeros(CELLS, bool)
    near[cell] = True
    near |= grid.beside(near)
    near |= grid.beside(near)
    others = np.flatnonzero(near & ~lit).tolist()
    best = max(overlap(lit, free, other) for other in others if other != cell) if len(others) > 1 else 0.0
    return best >= CLEARLY and own <= CLEARLY * best


def hidden_owner(
    lit: Flags, mp: int, free: Flags, unknown: Flags, standing: Sequence[int], hidden: Flags
) -> int | None:
    """Returns the cell of a fighter out of sight from which the highlighted cells are reached with its MP.

    None where they fit another cell about as well, whether its floor is in sight or a fighter stands there.
    Beside an enemy, which locks, fewer cells are lit than the MP tell, and mostly no cell fits.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        unknown: cells that may be walkable, shape (560,).
        standing: the cells of the fighters in sight.
        hidden: cells on which a fighter may stand unseen, shape (560,).
    """
    if np.count_nonzero(lit) < _MANY:
        return None
    ways = (unknown & ~free, np.zeros(CELLS, bool))
    beside = np.flatnonzero(grid.beside(lit) & ~lit).tolist()
    fits = [(max(overlap(lit, free, cell, way, mp) for way in ways), cell) for cell in {*beside, *standing}]
    best, start = max(fits, default=(0.0, -1))
    second = max((fit for fit, cell in fits if cell != start), default=0.0)
    return start if hidden[start] and best >= _EXACTLY and second <= _well_below(best) else None


def hidden_caster(
    lit: Flags, open_cells: Flags, standing: Sequence[int], hidden: Flags, whole: bool = True
) -> int | None:
    """Returns the cell of a fighter out of sight about which the cells of a spell's range lie.

    None where they lie about another hidden cell or a fighter in sight nearly as well.

    Args:
        lit: the cells highlighted as in range, in sight or not, or as the area aimed at, shape (560,).
        open_cells: the cells that a range is shown on, shape (560,).
        standing: the cells of the fighters in sight.
        hidden: cells on which a fighter may stand unseen, shape (560,).
        whole: whether the whole range is in sight; the caster stands in the middle of it then.
    """
    if np.count_nonzero(lit) < _FEWEST_IN_RANGE:
        return None
    low, high = grid.DIAGONALS[lit].min(axis=0), grid.DIAGONALS[lit].max(axis=0)
    inside = ((low <= grid.DIAGONALS) & (high >= grid.DIAGONALS)).all(axis=1)
    within = hidden & inside if whole else hidden
    fits = [
        (_whole_fit(lit, open_cells | lit, cell), cell)
        for cell in {*np.flatnonzero(within).tolist(), *standing}
    ]
    best, start = max(fits, default=(0.0, -1))
    second = max((fit for fit, cell in fits if cell != start), default=0.0)
    return start if best >= CLEARLY and hidden[start] and second <= best - _FARTHER else None


def _whole_fit(lit: Flags, shown: Flags, start: int) -> float:
    """Returns the share of a range about a cell, from the nearest lit cell to the farthest, that is lit."""
    across, down = (grid.DIAGONALS - grid.DIAGONALS[start]).T
    steps = np.abs(across) + np.abs(down)
    inside = shown & (steps >= steps[lit].min()) & (steps <= steps[lit].max())
    straight = (across == 0) | (down == 0)
    if straight[lit].all():
        inside &= straight
    return int(lit.sum()) / max(1, int(inside.sum()))


def caster(lit: Flags, open_cells: Flags, starts: Sequence[int]) -> int | None:
    """Returns the fighter's cell about which the cells of a spell's range lie, None where ambiguous.

    A range is all open cells from one distance to another, or of these those in straight lines.

    Args:
        lit: the cells highlighted as in range, in sight or not, or as the area aimed at, shape (560,).
        open_cells: the cells that a range is shown on, shape (560,).
        starts: the fighters' cells.
    """
    if np.count_nonzero(lit) < _FEWEST_IN_RANGE:
        return None
    fits = sorted(((_fit(lit, open_cells, start), start) for start in starts), reverse=True)
    best, start = fits[0]
    if best < FITS or (len(fits) > 1 and fits[1][0] > CLEARLY * best):
        return None
    return start


def _fit(lit: Flags, open_cells: Flags, start: int) -> float:
    """Returns the intersection over union of lit cells and the range about a cell that fits them best."""
    across, down = (grid.DIAGONALS - grid.DIAGONALS[start]).T
    steps = np.abs(across) + np.abs(down)
    shown = open_cells | lit
    shown[start] = lit[start]
    best = 0.0
    for shape in (steps > 0, (across == 0) | (down == 0)):
        inside = shape & shown
        within = np.bincount(steps[inside], minlength=_FARTHEST + 1)[: _FARTHEST + 1]
        both = np.bincount(steps[inside & lit], minlength=_FARTHEST + 1)[: _FARTHEST + 1]
        outside = np.count_nonzero(lit)
        for nearest in range(1, _FARTHEST + 1):
            hits, all_cells = np.cumsum(both[nearest:]), np.cumsum(within[nearest:])
            best = max(best, float((hits / np.maximum(1, all_cells + outside - hits)).max()))
    return best
