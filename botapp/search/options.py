"""How much a search does, and how broadly: what may be set of it."""

from dataclasses import dataclass

from botapp.fight.core.compiler import HURRIED
from botapp.search.learned import LearnedEvaluation
from botapp.search.tree import ENDS, ROUNDS, WALKS

NODE_BUDGET = 40 if HURRIED else 240
"""States evaluated beside those of the first actions and of the greedy turn, divided by the fighters alive:
the more fighters there are, the longer each evaluation takes. Plain Python would take too long for more."""


REPLY_LOOKS = 0 if HURRIED else 15
"""States evaluated for a turn of each of the others where a decision has a time budget (docs/log)."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a search of one turn may do; how long it may take comes with each state."""

    rollout_actions: float = 0  # Actions of the others that rollouts may take in all, 0 for no rollouts
    nodes: int = NODE_BUDGET  # The node budget, see `NODE_BUDGET`
    rounds: int = ROUNDS  # How many rounds of the actor's a rollout goes on for at most
    ends: int = ENDS  # How many ends of turn the first cycle of rollouts begins with
    walks: int = WALKS  # How many walks are tried of those that open up the same casts
    growing: float = 1.0  # The share of the time until the deadline that expanding the turn may take
    # What judges the ends of rollouts in place of the heuristic evaluation
    learned: LearnedEvaluation | None = None
    # States evaluated for the turn of each of the others in a rollout; 0 where the default policy plays it
    replies: int = 0
    # How many of them run rollouts; without a deadline the result is the same for any number
    threads: int = 1


NO_ROLLOUTS = SearchOptions()  # The turn itself alone
