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
    """What a search of one turn may do; how long it may take comes with each state.

    Attributes:
        rollout_actions: actions of the others that rollouts may take in all, 0 for no rollouts.
        nodes: the node budget, see `NODE_BUDGET`.
        rounds: how many rounds of the actor's a rollout goes on for at most.
        ends: how many ends of turn the first cycle of rollouts begins with.
        walks: how many walks are tried of those that open up the same casts.
        growing: the share of the time until the deadline that expanding the turn may take.
        learned: what judges the ends of rollouts in place of the heuristic evaluation.
        replies: states evaluated for the turn of each of the others in a rollout; 0 where the default policy
            plays it.
        threads: how many of them run rollouts; without a deadline the result is the same for any number.
    """

    rollout_actions: float = 0
    nodes: int = NODE_BUDGET
    rounds: int = ROUNDS
    ends: int = ENDS
    walks: int = WALKS
    growing: float = 1.0
    learned: LearnedEvaluation | None = None
    replies: int = 0
    threads: int = 1


NO_ROLLOUTS = SearchOptions()  # The turn itself alone
