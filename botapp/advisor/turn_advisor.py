"""What every advisor does, with a model or without one: it searches, keeps to its time and plans the turn.

Next hop: `botapp.advisor.advisor` lets the model choose, `botapp.advisor.bare` takes the best value.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from time import perf_counter

from botapp.advisor.continuation import rest_of_turn
from botapp.advisor.decision import Decision, Planned, ScoredAction, Withheld
from botapp.advisor.expectations import expectations
from botapp.advisor.placing import decide_place
from botapp.advisor.search_stage import search_state
from botapp.advisor.time_reserve import TimeReserve
from botapp.advisor.wording import assumptions, label, spell_name
from botapp.fight.actions import Action
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.host.message import error_text
from botapp.search.candidates import Candidate
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult


class TurnAdvisor:
    """Advises the current actor of a state; a subclass chooses among what the search found.

    Attributes:
        budget_ms: wall time for a whole decision, 0 for no limit: then time has no part in it.
        options: how much it searches without a time budget.
        timed_options: how much with one, as far as there is time.
    """

    def __init__(self, budget_ms: float, options: SearchOptions, timed_options: SearchOptions) -> None:
        self.budget_ms = budget_ms
        self.options = options
        self.timed_options = timed_options
        self._reserve = TimeReserve()

    plays_on = True
    """Whether all rollouts are run before anything is chosen."""

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises the current actor of a state, the other side's traps left out.

        Args:
            state: the fight.
            planned: what was thought best before for the rest of this turn; it is looked at in any case.

        Raises:
            Withheld: there is nothing to decide, or no advice to stand by; the text says why.
        """
        begun = perf_counter()
        if state.placing:
            return decide_place(observation(state, state.actor.team))
        return self._timed(observation(state, state.actor.team), begun, planned)

    decide_action = decide

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn, as far as its time budget has room for.

        Args:
            state: what was decided about.
            decision: what was decided, without a plan.
        """
        if state.placing:
            return decision
        cost = sum(spent for _, spent in decision.timings_ms)
        begun = perf_counter() - cost / 1000

        def ask(expected_state: FightState) -> Planned | None:
            if 0 < self.budget_ms < since(begun) + cost:
                return None
            try:
                choice = self._timed(expected_state, begun).best
            except Withheld:
                return None
            return Planned(choice, expected_state, expectations(expected_state, choice.action))

        return replace(decision, plan=rest_of_turn(state, decision.action, ask))

    def close(self) -> None:
        """Gives back what the advisor holds; it cannot be used any more."""

    def _timed(self, state: FightState, begun: float, planned: Sequence[Action] = ()) -> Decision:
        """Decides within what is left of a budget that began to run at `begun`, in seconds."""
        started = perf_counter()
        search = self._search(state, begun, planned)
        searched = perf_counter()
        decision, stages = self._choose(state, search, begun)
        if decision.stop != "only-choice":
            self._reserve.record(since(searched) if self.plays_on else stages["decode"])
        search_ms = (searched - started) * 1000
        return replace(
            decision,
            timings_ms=(("search", search_ms), *stages.items()),
            nodes=search.nodes,
            rollouts=search.rollouts,
            assumed=assumptions(state),
        )

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        """Returns the decision on a searched state, and what its stages took in milliseconds, by name."""
        raise NotImplementedError

    def _search(self, state: FightState, begun: float, planned: Sequence[Action]) -> SearchResult:
        options, deadline = self.options, inf
        if self.budget_ms > 0:
            options = self.timed_options
            deadline = begun + (self.budget_ms - self._reserve.of(self.budget_ms)) / 1000
        try:
            return search_state(
                state, options if self.plays_on else replace(options, rollout_actions=0), deadline, planned
            )
        except ValueError as error:
            raise Withheld(error_text(error)) from error


def since(begun: float) -> float:
    """Returns the milliseconds since a time in seconds of `time.perf_counter`."""
    return (perf_counter() - begun) * 1000


def heat(found: Sequence[ScoredAction]) -> tuple[tuple[int, float], ...]:
    """Sums the confidences by target cell, the warmest cell first."""
    cells: dict[int, float] = {}
    for one in found:
        if one.action.target is not None:
            cells[one.action.target] = cells.get(one.action.target, 0.0) + one.confidence
    return tuple(sorted(cells.items(), key=lambda item: -item[1]))


def scored_action(
    state: FightState, search: SearchResult, candidate: Candidate, share: float
) -> ScoredAction:
    """Returns a candidate of a search with the confidence in it, 0..1, and what the search found of it."""
    return ScoredAction(
        action=candidate.action,
        confidence=float(share),
        label=label(state, candidate.action),
        spell_name=spell_name(state, candidate.action),
        visits=search.visits(candidate),
        value=search.chance(candidate),
        line=search.line(candidate),
    )
