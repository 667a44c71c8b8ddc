"""The search of a state that the advisor decides on, and how much time it leaves to the stages after it."""

from collections.abc import Sequence
from math import inf

from botapp.fight.actions import Action
from botapp.fight.core.fight import MOST_FIGHTERS
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.desk import Baseline
from botapp.search.options import NO_ROLLOUTS, SearchOptions
from botapp.search.result import SearchResult, search_turn

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


_LEAST_SHARE, _LEAST_MS = 0.4, 40.0
"""The share of the budget that is kept at least, and how much of it at most. A search that used all the rest
made the slowest advice of the demo 7 ms later (p95 of capture to overlay)."""

_MOST_SHARE = 0.6  # The share of the budget that is kept at most, however slow the later stages are

_MEAN_GAIN, _DEVIATION_GAIN = 0.125, 0.25
_DEVIATIONS = 2.0


class TimeReserve:
    """A running estimate of what the stages after the search take.

    Mean and mean deviation are updated as TCP estimates its timeout (V. Jacobson, 1988), so that the reserve
    grows on a busy machine, where the costs scatter, and shrinks on an idle one.

    Args:
        least_share: the share of a budget that is kept at least.
    """

    def __init__(self, least_share: float = _LEAST_SHARE) -> None:
        self._least_share = least_share
        self._mean: float | None = None
        self._deviation = 0.0

    def record(self, cost_ms: float) -> None:
        """Records how long the stages after a search took, in milliseconds."""
        if self._mean is None:
            self._mean, self._deviation = cost_ms, cost_ms / 2
            return
        off = cost_ms - self._mean
        self._deviation += _DEVIATION_GAIN * (abs(off) - self._deviation)
        self._mean += _MEAN_GAIN * off

    def of(self, budget_ms: float) -> float:
        """Returns how much of a decision's time budget to keep, in milliseconds."""
        least = min(self._least_share * budget_ms, _LEAST_MS)
        estimate = 0.0 if self._mean is None else self._mean + _DEVIATIONS * self._deviation
        return max(least, min(estimate, _MOST_SHARE * budget_ms))
