"""The advisor without a model: it takes the candidate that the search values highest.

It is what a model is measured against: the same search with the best settings there are, the hand-made
evaluation, no learnt weight, and no torch. Next hop: the player `bare` of `botapp.arena.player_spec`.
"""

from time import perf_counter

from botapp.advisor.decision import Decision, StopReason
from botapp.advisor.expectations import alternative, expectations
from botapp.advisor.time_reserve import TimeReserve
from botapp.advisor.turn_advisor import TurnAdvisor, scored_action, since
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.state import FightState
from botapp.search.result import NODE_BUDGET, SearchResult
from botapp.search.tree import ENDS, ROUNDS, WALKS

ROLLOUT_ACTIONS = 96
"""Actions of the others that rollouts take without a time budget, as many as for the model `full`."""

_TOP = 5
_UNLIMITED = 10**9
_MOST_NODES = NODE_BUDGET if INTERPRETED else 40_000
_GROWING = 0.4
"""The share of the time that goes into the turn itself; rollouts have the rest."""
_BREADTHS = ((6000, 64, 8), (300, 32, 4), (0, ENDS, WALKS))
"""How broadly it searches: from so many rollout actions on, with so many ends and walks; see LOG.md."""
_TIMED_ACTIONS = 300
_RESERVED = 0.1
"""The share of the time that is kept for words and numbers after the search."""


class BareAdvisor(TurnAdvisor):
    """Advises by the search alone.

    A decision's `confidence` is the candidate's value, the share of fights won from there by the evaluation:
    the candidates' confidences do not add up to one. There is no trace and no heat, and the reflex is the
    advice itself.

    Args:
        budget_ms: wall time for a whole decision, which rollouts fill; 0 for no limit.
        rollout_actions: actions of the others that rollouts may take; None for `ROLLOUT_ACTIONS` without a
            time budget and for no limit with one.
        nodes: the node budget of the search; None for `NODE_BUDGET` without a time budget and for what there
            is time for with one.
        rounds: how many rounds rollouts go on for.
        ends: from how many ends of turn they begin; None for more of them the larger the budget is.
        walks: how many walks are tried of those that open up the same casts; None likewise.

    Raises:
        ValueError: a number is negative.
    """

    def __init__(
        self,
        budget_ms: float = 0.0,
        rollout_actions: int | None = None,
        nodes: int | None = None,
        rounds: int = ROUNDS,
        ends: int | None = None,
        walks: int | None = None,
    ) -> None:
        if (nodes or 0) < 0 or (rollout_actions or 0) < 0:
            raise ValueError("nodes and rollout_actions are 0 or more")
        if rollout_actions is None:
            super().__init__(budget_ms, ROLLOUT_ACTIONS, _UNLIMITED)
        else:
            super().__init__(budget_ms, rollout_actions, rollout_actions)
        self.nodes = NODE_BUDGET if nodes is None else nodes
        self.timed_nodes = _MOST_NODES if nodes is None else nodes
        self.growing = _GROWING
        self._reserve = TimeReserve(_RESERVED)
        self.rounds = rounds
        self._ends, self._walks = ends, walks

    def _search(self, state: FightState, begun: float) -> SearchResult:
        actions = _TIMED_ACTIONS if self.budget_ms > 0 else self.rollout_actions
        ends, walks = next((ends, walks) for least, ends, walks in _BREADTHS if actions >= least)
        self.ends = ends if self._ends is None else self._ends
        self.walks = walks if self._walks is None else self._walks
        return super()._search(state, begun)

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        started = perf_counter()
        return by_value(state, search), {"decode": since(started)}


def by_value(state: FightState, search: SearchResult, stop: StopReason = "searched") -> Decision:
    """Returns the decision for the candidate that a search values highest.

    Args:
        state: what was searched.
        search: what was found.
        stop: what the decision says of how it came about, where there was a choice.
    """
    order = sorted(search.candidates, key=lambda one: -search.value(one))
    candidates = tuple(scored_action(state, search, one, search.share(one)) for one in order)
    best = candidates[0]
    only = len(candidates) == 1
    return Decision(
        choices=candidates[:_TOP],
        reflex=best,
        value=2 * best.confidence - 1,
        trace=(),
        stop="only-choice" if only else stop,
        expected=expectations(state, best.action),
        alternative=None if only else alternative(state, *candidates[:2]),
        candidates=candidates,
    )
