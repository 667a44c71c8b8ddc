"""Hop 4: the search of a state that the advisor decides on. Next hop: `botapp.advisor.tokens` encodes it."""

from math import inf

from botapp.advisor.tokens import room
from botapp.fight.state import FightState
from botapp.search.learned import LearnedEvaluation
from botapp.search.result import NODE_BUDGET, SearchResult, search_turn
from botapp.search.tree import ENDS, ROUNDS, WALKS


def search_state(
    state: FightState,
    rollout_actions: float = 0,
    deadline: float = inf,
    nodes: int = NODE_BUDGET,
    rounds: int = ROUNDS,
    ends: int = ENDS,
    growing: float = 1.0,
    walks: int = WALKS,
    learned: LearnedEvaluation | None = None,
) -> SearchResult:
    """Searches the current actor's turn for as many candidates as the model has tokens for.

    Args:
        state: the fight, enemies' traps taken out.
        rollout_actions: actions of the others that rollouts may take in all, 0 for no rollouts.
        deadline: when to stop, in seconds of `time.perf_counter`; without one the result does not depend on
            time.
        nodes: the node budget.
        rounds, ends: see `botapp.search.tree.TurnSearch.play_on`.
        growing: the share of the time until the deadline that expanding the turn may take.
        walks: how many walks are tried of those that open up the same casts.
        learned: what judges the ends of rollouts in place of the heuristic evaluation.

    Raises:
        ValueError: there is nothing to decide, because no enemy is alive, or too many fighters are on the
            board.
    """
    return search_turn(
        state,
        room(state),
        rollout_actions,
        nodes,
        deadline,
        rounds=rounds,
        ends=ends,
        growing=growing,
        walks=walks,
        learned=learned,
    )
