"""The search of a state that the advisor decides on."""

from collections.abc import Sequence
from math import inf

from botapp.fight.actions import Action
from botapp.fight.core.fight import MOST_FIGHTERS
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.options import NO_ROLLOUTS, SearchOptions
from botapp.search.result import SearchResult, search_turn
from botapp.search.tree import Baseline

FIGHTER_SLOTS = (4, 8, 16, 32)
"""Room for so many fighters is kept free, beyond the last for all that the rules hold."""
_PLACES = 124  # Candidates and slots for fighters in all


def room(state: FightState) -> int:
    """Returns how many candidates have room beside the fighters of a state.

    Raises:
        ValueError: there is nothing to decide, because no enemy is alive.
    """
    actor = state.actor
    living = [f for f in state.fighters if f.hp > 0]
    if actor.hp <= 0 or all(f.team == actor.team for f in living):
        raise ValueError(say("There is nothing to decide: the fight is over."))
    return _PLACES - next((slots for slots in FIGHTER_SLOTS if slots >= len(living)), MOST_FIGHTERS)


def search_state(
    state: FightState,
    options: SearchOptions = NO_ROLLOUTS,
    deadline: float = inf,
    planned: Sequence[Action] = (),
    baseline: Baseline | None = None,
    shown: Sequence[Action] = (),
) -> SearchResult:
    """Searches the current actor's turn for as many candidates as have `room`.

    Args:
        state: the fight, enemies' traps taken out.
        options: how much is searched, and how broadly.
        deadline: when to stop, in seconds of `time.perf_counter`; without one the result does not depend on
            time.
        planned: a turn thought of before, see `search_turn`.
        baseline: what the search that thought of it has valued ends by, None for what this state says.
        shown: actions that a person has been shown already; they stay candidates.

    Raises:
        ValueError: there is nothing to decide, because no enemy is alive.
        CapacityError: there is more in the state than the rules have room for.
    """
    return search_turn(state, room(state), options, deadline, planned=planned, baseline=baseline, shown=shown)
