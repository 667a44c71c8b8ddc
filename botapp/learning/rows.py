"""What the learned evaluation sees of a state, in arrays of one size for training."""

import numpy as np
import numpy.typing as npt

from botapp.search.core.evaluation import INPUT, PAIR
from botapp.search.room import FloatArray

MOST_ROWS = 12  # Fighters of a state that is kept

Rows = npt.NDArray[np.float16]


def padded(rows: FloatArray, pairs: FloatArray) -> tuple[Rows, Rows] | None:
    """Returns a state's rows [`MOST_ROWS`, `INPUT`] and pairs [`MOST_ROWS`, `MOST_ROWS`, `PAIR`].

    A row without a fighter has -1 where the team stands. None where there are too many fighters.
    """
    count = len(rows)
    if count > MOST_ROWS:
        return None
    all_rows = np.full((MOST_ROWS, INPUT), -1, np.float16)
    all_pairs = np.zeros((MOST_ROWS, MOST_ROWS, PAIR), np.float16)
    all_rows[:count], all_pairs[:count, :count] = rows, pairs
    return all_rows, all_pairs
