"""Hop 4: the search of a state that the advisor decides on. Next hop: `botapp.advisor.tokens` encodes it."""

from math import inf

from botapp.advisor.tokens import room
from botapp.fight.state import FightState
from botapp.search.options import NO_ROLLOUTS, SearchOptions
from botapp.search.result import SearchResult, search_turn


def search_state(
    state: FightState, options: SearchOptions = NO_ROLLOUTS, deadline: float = inf
) -> SearchResult:
    """Searches the current actor's turn for as many candidates as the model has tokens for.

    Args:
        state: the fight, enemies' traps taken out.
        options: how much is searched, and how broadly.
        deadline: when to stop, in seconds of `time.perf_counter`; without one the result does not depend on
            time.

    Raises:
        ValueError: there is nothing to decide, because no enemy is alive, or too many fighters are on the
            board.
    """
    return search_turn(state, room(state), options, deadline)
