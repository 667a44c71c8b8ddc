"""Finds the player's fighter among its allies by the highlighted cells around it: its reach, a spell's range.

Needed where borders show the side only, or where the player's corner marks are hidden.
"""

from collections.abc import Iterable, Iterator, Sequence

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
_NONE = np.zeros(CELLS, bool)


_Fit = tuple[float, int]
"""How well what is lit fits a cell, 0 to 1, and the cell."""


def _fits(
    lit: Flags, free: Flags, unknown: Flags, cells: Iterable[int], exactly: int | None = None
) -> list[_Fit]:
    """Returns how well the highlighted cells fit a walk from each of some cells, see `overlap`.

    The way of one fighter may lead over cells that were not read, so each is judged with and without them.
    """
    ways = (unknown & ~free, _NONE)
    return [(max(overlap(lit, free, cell, way, exactly) for way in ways), cell) for cell in cells]


def _two_best(fits: list[_Fit]) -> tuple[_Fit, _Fit]:
    best, second, *_ = [*sorted(fits, reverse=True), (0.0, -1), (0.0, -1)]
    return best, second


def _is_exact(lit: Flags, best: float, second: float) -> bool:
    """Returns whether what is lit fits one cell nearly wholly, and the next one clearly worse."""
    fits = best >= _EXACTLY and second <= best - max(_APART, 1 - best)
    return fits and int(np.count_nonzero(lit)) >= _MANY


def owner(lit: Flags, free: Flags, starts: Sequence[int], unknown: Flags = _NONE) -> int | None:
    """Returns the fighter's cell from which the highlighted cells are reachable, None where ambiguous.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        unknown: cells that may be walkable, shape (560,); none if not given.
    """
    if np.count_nonzero(lit) < FEWEST:
        return None
    (best, start), (second, _) = _two_best(_fits(lit, free, unknown, starts))
    is_clear = best >= FITS and (second <= CLEARLY * best or _is_exact(lit, best, second))
    return start if is_clear else None


def only_owner(lit: Flags, free: Flags, starts: Sequence[int], unknown: Flags) -> int | None:
    """Returns the fighter's cell that the highlighted cells are reachable from, and from no other cell.

    A fighter whose border is hidden may stand on any cell beside them that is not lit.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        unknown: cells that may be walkable, shape (560,).
    """
    if np.count_nonzero(lit) < _MANY:
        return None
    start = owner(lit, free, starts, unknown)
    if start is None:
        return None
    beside = np.flatnonzero(grid.beside(lit) & ~lit).tolist()
    (best, cell), (second, _) = _two_best(_fits(lit, free, unknown, {start, *beside}))
    return start if cell == start and _is_exact(lit, best, second) else None


def overlap(lit: Flags, free: Flags, start: int, over: Flags = _NONE, exactly: int | None = None) -> float:
    """Returns the intersection over union of lit cells and a fighter's reach, at the best number of steps.

    It may lead over the cells `over`, which count for neither. If `exactly` so many steps are given, only
    those count.
    """
    ways = list(walks(free | over, start, exactly or MOST_STEPS))
    best = 0.0
    for reached in ways if exactly is None else ways[-1:]:
        walked = reached & ~over
        walked[start] = False
        best = max(best, np.count_nonzero(walked & lit) / np.count_nonzero(walked | lit))
    return float(best)


def walks(free: Flags, start: int, most: int = MOST_STEPS) -> Iterator[Flags]:
    """Yields the cells reached in each number of steps up to `most`, until one more reaches no other."""
    reached = grid.marked([start])
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
    ((own, _),) = _fits(lit, free, unknown, [cell])
    if own >= CLEARLY:
        return False
    near = grid.marked([cell])
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
        hidden: cells on which a fighter may stand unseen, shape (560,).
    """
    if np.count_nonzero(lit) < _MANY:
        return None
    beside = np.flatnonzero(grid.beside(lit) & ~lit).tolist()
    (best, start), (second, _) = _two_best(_fits(lit, free, unknown, {*beside, *standing}, mp))
    return start if hidden[start] and _is_exact(lit, best, second) else None


def hidden_caster(
    lit: Flags, open_cells: Flags, standing: Sequence[int], hidden: Flags, whole: bool = True
) -> int | None:
    """Returns the cell of a fighter out of sight about which the cells of a spell's range lie.

    None where they lie about another hidden cell or a fighter in sight nearly as well.

    Args:
        lit: the cells highlighted as in range, in sight or not, or as the area aimed at, shape (560,).
        open_cells: the cells that a range is shown on, shape (560,).
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
    (best, start), (second, _) = _two_best(fits)
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
    """
    if np.count_nonzero(lit) < _FEWEST_IN_RANGE:
        return None
    (best, start), (second, _) = _two_best([(_fit(lit, open_cells, start), start) for start in starts])
    return start if best >= FITS and second <= CLEARLY * best else None


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
