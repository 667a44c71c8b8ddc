"""The ends of one turn, compared by a deep search: what makes one better than another.

Who wins a fight says little of which move was best: all of a fight's states share one end. So the learned
evaluation also learns by how much each end of a turn is better than the others, as rollouts from them have
found it (bootstrapping from the search: J. Veness and others, 2009); all ends' rollouts throw the same
dice.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from botapp.learning.rows import MOST_ROWS, Rows, padded
from botapp.search.core.evaluation import INPUT, PAIR
from botapp.search.result import SearchResult

MOST_ENDS = 10  # Ends of a turn that are compared
_FEWEST_ENDS = 3
_FEWEST_VISITS = 3
"""Rollouts from an end, at least, where they throw dice; without dice one says as much as several."""
_SURE = 4.0  # So many rollouts from an end count half as much as any number of them
_FARTHEST_ODDS = 5.0


@dataclass(frozen=True, slots=True)
class Contrast:
    """The best ends of one turn.

    Attributes:
        rows, pairs: [`MOST_ENDS`, ...], what the network sees after each, see `botapp.learning.rows.padded`.
        odds: [`MOST_ENDS`], the logarithm of team 0's odds by the search.
        weights: [`MOST_ENDS`], how much each is known, 0 where there is no end.
    """

    rows: Rows
    pairs: Rows
    odds: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]


def contrast(result: SearchResult, team: int, thrown: bool = True) -> Contrast | None:
    """Returns what a search has found of the ends of a turn of a team; None where it compared too few.

    Args:
        team: whose turn it is.
    """
    tree = result.tree
    fewest = _FEWEST_VISITS if thrown else 1
    nodes = tree.all_nodes
    visits, means = tree.visits(nodes), tree.means(nodes)
    rows = np.full((MOST_ENDS, MOST_ROWS, INPUT), -1, np.float16)
    pairs = np.zeros((MOST_ENDS, MOST_ROWS, MOST_ROWS, PAIR), np.float16)
    odds, weights = np.zeros(MOST_ENDS, np.float32), np.zeros(MOST_ENDS, np.float32)
    count = 0
    for node in np.argsort(-visits, kind="stable"):
        if visits[node] < fewest or count == MOST_ENDS:
            break
        inputs = tree.inputs_of_end(int(node))
        seen = None if inputs is None else padded(*inputs)
        if seen is None:
            continue
        rows[count], pairs[count] = seen
        own = log_odds(result.chance_of(means[node]))
        odds[count] = own if team == 0 else -own
        weights[count] = visits[node] / (visits[node] + _SURE)
        count += 1
    return Contrast(rows, pairs, odds, weights) if count >= _FEWEST_ENDS else None


def log_odds(chance: float) -> float:
    """Returns the logarithm of the odds of a chance, 0..1, at most `_FARTHEST_ODDS` from 0."""
    least = 1 / (1 + math.exp(_FARTHEST_ODDS))
    chance = min(1 - least, max(least, chance))
    return math.log(chance / (1 - chance))
