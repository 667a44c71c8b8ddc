"""Finds the player's fighter among its allies by the highlighted reachable cells around it.

Needed where borders show the side only, or where the player's corner marks are hidden.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.extract import grid

Flags = npt.NDArray[np.bool_]

_MOST_STEPS = 12
_LIKE = 0.75
_CLEARLY = 0.8
_FEWEST = 3


def owner(lit: Flags, free: Flags, starts: Sequence[int]) -> int | None:
    """Returns the fighter's cell from which the highlighted cells are reachable, None where ambiguous.

    Args:
        lit: the cells highlighted as reachable, tackled or not, shape (560,).
        free: the walkable cells, shape (560,).
        starts: the fighters' cells.
    """
    if np.count_nonzero(lit) < _FEWEST:
        return None
    overlaps = sorted(((_overlap(lit, free, start), start) for start in starts), reverse=True)
    best, start = overlaps[0]
    if best < _LIKE or (len(overlaps) > 1 and overlaps[1][0] > _CLEARLY * best):
        return None
    return start


def _overlap(lit: Flags, free: Flags, start: int) -> float:
    """Returns the intersection over union of lit cells and a fighter's reach, at the best number of steps."""
    reached = np.zeros(len(lit), bool)
    reached[start] = True
    best = 0.0
    for _ in range(_MOST_STEPS):
        grown = reached | (free & grid.beside(reached))
        if (grown == reached).all():
            break
        reached = grown
        walked = reached.copy()
        walked[start] = False
        best = max(best, np.count_nonzero(walked & lit) / np.count_nonzero(walked | lit))
    return float(best)
