"""What is learnt from one state: its tokens, and what each candidate costs against the best action there is.

Next hop: `botapp.learning.fights` labels the states of its fights, `botapp.learning.shards` keeps them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from botapp.advisor.tokens import Encoded
from botapp.fight.actions import Action, Cast, Move
from botapp.search.turn import Scored

PERCENT = 100


@dataclass(frozen=True, slots=True)
class Label:
    """A state's tokens with the search's judgement.

    Attributes:
        encoded: the tokens; as many candidates as there are regrets.
        regrets: percent points of winning lost against the best of all legal actions, (N,); infinite for a
            candidate that the search did not score.
    """

    encoded: Encoded
    regrets: npt.NDArray[np.float32]

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Which candidates the search scored, (N,)."""
        found: npt.NDArray[np.bool_] = np.isfinite(self.regrets)
        return found


def label(encoded: Encoded, scores: Scored) -> Label | None:
    """Gives each candidate of an encoded state its regret.

    Args:
        encoded: the state as the model is to see it.
        scores: the search's score of every legal action, as a share of winning.

    Returns:
        None where there is nothing to learn, because fewer than two candidates have a score.
    """
    by_key = {_key(action): PERCENT * score for action, score in scores}
    best = max(by_key.values())
    costs = [best - by_key.get(_key(candidate.action), -np.inf) for candidate in encoded.candidates]
    found = Label(encoded, np.array(costs, np.float32))
    return found if found.scored.sum() > 1 else None


def _key(action: Action) -> tuple[str, int]:
    """Returns what makes two legal actions of a state the same; two ways to a cell are."""
    if isinstance(action, Move):
        return "move", action.target
    return (action.spell, action.target) if isinstance(action, Cast) else ("end", -1)
