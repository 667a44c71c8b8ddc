"""Tells the player's fighter from its allies: the highlighted reachable cells surround it.

It is needed where borders show the side only, or where the player's corner marks are hidden.
Next hop: `vision.extract.dofus.board`.
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


def whose(lit: Flags, free: Flags, starts: Sequence[int]) -> int | None:
    """Returns which of some fighters' cells the lit cells are the reach of, None where that is not clear.

    Args:
        lit: the cells shown as reachable, held by tackle or not, shape (560,).
        free: the cells that can be walked on, shape (560,).
        starts: the fighters' cells.
    """
    if np.count_nonzero(lit) < _FEWEST:
        return None
    likeness = sorted(((_likeness(lit, free, start), start) for start in starts), reverse=True)
    best, start = likeness[0]
    if best < _LIKE or (len(likeness) > 1 and likeness[1][0] > _CLEARLY * best):
        return None
    return start


def _likeness(lit: Flags, free: Flags, start: int) -> float:
    """Returns how much of lit cells and a fighter's reach is common to both, at the best number of steps."""
    reached = np.zeros(len(lit), bool)
    reached[start] = True
    best = 0.0
    for _ in range(_MOST_STEPS):
        grown = reached | (free & np.append(reached, False)[grid.NEIGHBOURS].any(axis=1))
        if (grown == reached).all():
            break
        reached = grown
        walked = reached.copy()
        walked[start] = False
        best = max(best, np.count_nonzero(walked & lit) / np.count_nonzero(walked | lit))
    return float(best)
