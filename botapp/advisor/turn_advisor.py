"""What every advisor does, with a model or without one: it searches, keeps to its time and plans the turn.

The rest of a turn after the action advised is found once the decision is out, by applying the rules and
asking again. Dice fall on their means there: it is what happens when nothing comes as a surprise.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from math import inf
from time import perf_counter

import numpy as np

from botapp.advisor.decision import Decision, Planned, Prospect, ScoredAction, Withheld, reading
from botapp.advisor.expectations import compared, expectations
from botapp.advisor.placing import decide_place
from botapp.advisor.search_stage import TimeReserve, search_state
from botapp.advisor.wording import assumptions, label, spell_name
from botapp.fight.actions import Action, Cast, EndTurn
from botapp.fight.rules import apply_expected, observation, winner
from botapp.fight.state import FightState
from botapp.host.message import error_text
from botapp.search.desk import Baseline
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult
from botapp.search.simplest import Turn, least_worth, turns

_LEVELLED = 2
"""For how many rollouts time is set aside, so that what is shown is known at one depth (`levelling`)."""
_MOST_LEVELLING = 0.15  # The share of a decision's time that these may take
_LEARNING = 0.1
_FAR = 0.1  # How much less chance of winning makes a choice a poor one


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
        self._rollout_ms = 0.0
        self._baseline: tuple[tuple[int, int], Baseline] | None = None

    plays_on = True  # Whether all rollouts are run before anything is chosen

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises the current actor of a state, the other side's traps left out.

        Args:
            planned: what was thought best before for the rest of this turn; it is looked at in any case.

        Raises:
            Withheld: there is nothing to decide, or no advice to stand by; the text says why.
        """
        begun = perf_counter()
        if state.placing:
            return decide_place(observation(state, state.actor.team))
        return self._timed(observation(state, state.actor.team), begun, planned)

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn, as far as its time budget has room for.

        Args:
            decision: what was decided, without a plan.
        """
        if state.placing:
            return decision
        cost = decision.effort.first_ms
        begun = perf_counter() - cost / 1000
        line = decision.best.line

        def ask(expected_state: FightState) -> Planned | None:
            nonlocal line
            if 0 < self.budget_ms < since(begun) + cost:
                return None
            try:
                choice = self._timed(expected_state, begun, line[1:]).best
            except Withheld:
                return None
            line = choice.line
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
            self._reserve.record(stages["decode"])
        search_ms = (searched - started) * 1000 + stages.pop("level", 0.0)
        if search.rollouts:
            spent = (search_ms + stages.get("think", 0.0)) / search.rollouts
            self._rollout_ms += _LEARNING * (spent - self._rollout_ms)
        return replace(
            compared(decision, state),
            effort=replace(
                decision.effort,
                timings_ms=(("search", search_ms), *stages.items()),
                nodes=search.nodes,
                rollouts=search.rollouts,
                first_steps=len(decision.trace),
            ),
            planned_chance=search.planned_chance,
            assumed=assumptions(state),
        )

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        """Returns the decision on a searched state, and what its stages took in milliseconds, by name."""
        raise NotImplementedError

    def _deadline(self, begun: float) -> float:
        """Returns when a decision begun then must come to words, in seconds of `time.perf_counter`."""
        if self.budget_ms <= 0:
            return inf
        return begun + (self.budget_ms - self._reserve.of(self.budget_ms)) / 1000

    def _searching_until(self, begun: float) -> float:
        """Returns the same for the search: what it shows is brought to one depth after it."""
        if self.budget_ms <= 0:
            return inf
        aside = min(_MOST_LEVELLING * self.budget_ms, _LEVELLED * self._rollout_ms)
        return self._deadline(begun) - aside / 1000

    def _search(self, state: FightState, begun: float, planned: Sequence[Action]) -> SearchResult:
        options, deadline = self.options, inf
        if self.budget_ms > 0:
            options, deadline = self.timed_options, self._searching_until(begun)
        if not self.plays_on:
            options = replace(options, rollout_actions=0)
        baseline = self.baseline(state) if planned else None
        try:
            searched = search_state(state, options, deadline, planned, baseline)
        except ValueError as error:
            raise Withheld(error_text(error)) from error
        self._baseline = _turn_of(state), searched.tree.baseline
        return searched

    def baseline(self, state: FightState) -> Baseline | None:
        """Returns what the last decision has valued ends of turn by, None where it was of another turn.

        A turn that was planned is valued by that again at each of its actions, so that its chance of winning
        changes by what happened and by nothing else.
        """
        return (
            self._baseline[1] if self._baseline is not None and self._baseline[0] == _turn_of(state) else None
        )


def _turn_of(state: FightState) -> tuple[int, int]:
    return state.turn, state.actor.id


def since(begun: float) -> float:
    """Returns the milliseconds since a time in seconds of `time.perf_counter`."""
    return (perf_counter() - begun) * 1000


def heat(choices: Sequence[ScoredAction]) -> tuple[tuple[int, float], ...]:
    """Returns how near each target cell comes to the best choice, 0..1, those too far from it left out."""
    cells: dict[int, float] = {}
    for choice in choices:
        near = min(1.0, 1 - (choices[0].chance - choice.chance) / _FAR)
        if choice.action.target is not None and near > 0:
            cells.setdefault(choice.action.target, near)
    return tuple(cells.items())


def scored_actions(
    state: FightState, search: SearchResult, shares: Sequence[float], simple: Collection[int] = ()
) -> list[ScoredAction]:
    """Returns a search's candidates, in their order, with what the search found of each.

    Args:
        shares: the confidence in each candidate, 0..1.
        simple: the candidates, by their places, whose turn is the simplest that is worth the same.
    """
    found_turns = turns(search, simple)
    return [
        ScoredAction(
            action=candidate.action,
            confidence=share,
            label=label(state, candidate.action),
            spell_name=spell_name(state, candidate.action),
            visits=turn.visits,
            value=search.chance_of(turn.value),
            line=turn.line,
            prospect=prospect,
        )
        for candidate, share, turn, prospect in zip(
            search.candidates, shares, found_turns, prospects(search, found_turns), strict=True
        )
    ]


def simplest(search: SearchResult, scored: Sequence[ScoredAction], best: int) -> int:
    """Returns the place of the candidate to advise: of those worth as much as the best one, and that read as
    likely to win, the one whose turn has fewest actions.

    Args:
        best: the place of the best one.
    """
    top, highest = (
        scored[best],
        max(choice.chance for choice in scored if choice.visits or choice is scored[best]),
    )
    if top.prospect is None or not top.visits:
        return best
    least = least_worth(search, top.prospect.lead)
    pool = [
        place
        for place, choice in enumerate(scored)
        if place == best
        or (
            choice.visits
            and choice.prospect is not None
            and choice.prospect.lead >= least
            and reading(choice.chance) >= reading(highest)
        )
    ]
    return min(pool, key=lambda place: (_actions(scored[place]), place != best, -scored[place].chance))


def _actions(choice: ScoredAction) -> int:
    return sum(not isinstance(action, EndTurn) for action in choice.line)


FURTHER = 4  # Actions looked ahead at most


def rest_of_turn(
    state: FightState, action: Action, ask: Callable[[FightState], Planned | None]
) -> tuple[Planned, ...]:
    """Returns what the actor would do after `action` until its turn ends, `FURTHER` actions at most.

    Args:
        state: the state in which the action is taken; traps of the other side are not looked at.
        action: the first action of the turn.
        ask: says what to do in an expected state, None where there is no time left.
    """
    known = observation(state, state.actor.team)
    following: list[Planned] = []
    while len(following) < FURTHER:
        known = apply_expected(known, action)
        if winner(known) is not None or (known.turn, known.actor.id) != (state.turn, state.actor.id):
            break
        planned = ask(known)
        if planned is None:
            break
        following.append(planned)
        action = planned.choice.action
    return tuple(following)


def prospects(search: SearchResult, turns: Sequence[Turn]) -> list[Prospect]:
    """Returns what the turn that begins with each of a search's candidates leaves.

    Args:
        turns: the candidates', in their order.
    """
    tree = search.tree
    state = tree.root.state
    own, fighters = state.actor, state.fighters
    actor = next(n for n, fighter in enumerate(fighters) if fighter.id == own.id)
    foes = [n for n, f in enumerate(fighters) if f.team != own.team and f.hp > 0 and f.summoner is None]
    powers = tree.powers(tree.root)
    power = sum(powers[f.id] for f in fighters if f.team == own.team and f.hp > 0)
    cooldowns = {spell.key: spell.cooldown for spell in own.spells}
    ends = np.array([turn.end for turn in turns])
    states = tree.fighters(ends, len(fighters), ("ap", "hp", "shield")).tolist()
    made = []
    for turn, left in zip(turns, states, strict=True):
        standing = [max(0, hp) + shield for _, hp, shield in (left[foe] for foe in foes)]
        kills = sum(left[foe][1] <= 0 for foe in foes)
        health = sum(standing) if kills < len(foes) else 0
        further = math.ceil(health / power) if power > 0 else None
        made.append(
            Prospect(
                lead=turn.value,
                kills=kills,
                turns=None if further is None and health else 1 + (further or 0),
                ap=left[actor][0],
                cooldown=sum(
                    cooldowns.get(action.spell, 0) for action in turn.line if isinstance(action, Cast)
                ),
            )
        )
    return made
