"""What a decision says will come of it agrees with the rules: expectations, alternative, the turn's rest."""

import random
from dataclasses import replace

import pytest
from advisor_cases import state_after
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botapp.advisor.decision import Decision, Expectation, ScoredAction
from botapp.advisor.expectations import alternative, expectations, second_choice
from botapp.advisor.groups import grouped
from botapp.advisor.turn_advisor import FURTHER
from botapp.advisor.wording import cost, expectation
from botapp.arena.scenarios import adventure, duel, outcome, team
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.rules import apply, apply_expected, expected, legal_actions, observation
from botapp.fight.spells import Buff, Effect, EffectKind, Spell, State
from botapp.fight.state import FightState

relaxed = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
HIT = Spell("hit", "Hit", 3, 1, 60, (Effect(EffectKind.DAMAGE, 10, 12),), needs_sight=False)
SLOW = Spell("slow", "Slow", 3, 1, 60, (Effect(EffectKind.REMOVE_AP, 2, 2),), needs_sight=False)


def met(scenario, seed: int, actions: int, condition: State | None) -> FightState:
    """A state of a fight played at random under the full rules, its actor in `condition`."""
    rng = random.Random(seed)
    state = scenario(seed)
    for _ in range(actions):
        following = apply(state, rng.choice(legal_actions(state)), rng)
        if outcome(following) is not None:
            break
        state = following
    if condition is None:
        return state
    actor = state.actor
    held = actor.changed(buffs=(*actor.buffs, Buff(actor.id, 2, state=condition)))
    return state.changed(fighters=tuple(held if f is actor else f for f in state.fighters))


@pytest.mark.slow
@relaxed
@given(
    st.sampled_from([team, duel, adventure]),
    st.integers(0, 40),
    st.integers(0, 60),
    st.sampled_from([None, *State]),
    st.integers(0, 9),
)
def test_whatever_is_shown_may_be_done(make_advisor, scenario, seed, actions, condition, dice):
    state = met(scenario, seed, actions, condition)
    decision = make_advisor(max_steps=1).decide(state)
    allowed = set(legal_actions(observation(state, state.actor.team)))
    shown = {choice.action for choice in decision.choices}
    shown |= {decision.reflex.action, *(step.best.action for step in decision.trace)}
    assert shown <= allowed
    for action in shown:
        apply(state, action, random.Random(dice))


@pytest.mark.slow
@relaxed
@given(st.sampled_from([team, adventure]), st.integers(0, 30), st.integers(0, 40))
def test_the_rest_of_the_turn_is_one_that_the_rules_allow(make_advisor, scenario, seed, actions):
    state = met(scenario, seed, actions, None)
    advisor = make_advisor(max_steps=1)
    decision = advisor.decide(state)
    planned = advisor.plan(state, decision)
    assert planned == decision
    assert len(planned.plan) <= FURTHER
    assert (planned.plan == ()) or decision.action != EndTurn()
    known, action = observation(state, state.actor.team), decision.action
    for step in planned.plan:
        known = apply_expected(known, action)
        assert step.state == known
        assert known.actor.id == state.actor.id
        action = step.choice.action
        assert action in legal_actions(known)
        assert step.expected == expectations(known, action)
    if len(planned.plan) < FURTHER and action != EndTurn():
        after = apply_expected(known, action)
        assert outcome(after) is not None or after.actor.id != state.actor.id


def test_a_plan_costs_no_more_than_what_the_decision_left(make_advisor):
    state = state_after(1, 0)
    advisor = make_advisor(max_steps=1)
    step = next(action for action in legal_actions(state) if isinstance(action, Move))
    decision = replace(advisor.decide(state), choices=(ScoredAction(step, 1.0, "a step"),))
    advisor.budget_ms = sum(spent for _, spent in decision.effort.timings_ms)
    assert advisor.plan(state, decision).plan == ()
    advisor.budget_ms = 0.0
    assert advisor.plan(state, decision).plan != ()


def close_duel() -> FightState:
    state = duel(1)
    return state.changed(
        fighters=tuple(
            f.changed(spells=(HIT, SLOW), hp=8 if f.id != state.actor.id else f.hp) for f in state.fighters
        )
    )


def test_expected_damage_stops_at_the_hp_left_and_says_who_falls():
    state = close_duel()
    enemy = next(f for f in state.fighters if f.id != state.actor.id)
    (told,) = expectations(state, Cast("hit", enemy.cell))
    assert told == Expectation(enemy.id, enemy.name, True, damage=8, kills=True)
    assert expectation(told) == f"{enemy.name}: 8 damage, killed"
    (slowed,) = expectations(state, Cast("slow", enemy.cell))
    assert slowed.ap == pytest.approx(expected(state, Cast("slow", enemy.cell))[enemy.id].ap)
    assert "AP removed" in expectation(slowed)
    assert expectations(state, EndTurn()) == ()


def test_the_alternatives_cost_is_in_chances_damage_and_falls():
    state = close_duel()
    enemy = next(f for f in state.fighters if f.id != state.actor.id)
    best = ScoredAction(Cast("hit", enemy.cell), 0.7, "Hit", value=0.55)
    second = ScoredAction(Cast("slow", enemy.cell), 0.2, "Slow", value=0.5)
    told = alternative(state, best, second)
    assert (told.choice, told.kills_lost) == (second, 1)
    assert (told.chance_lost, told.damage_lost) == (pytest.approx(0.05), pytest.approx(8))
    assert cost(told) == "5 points less chance of winning, 8 less damage, 1 enemy fewer killed"
    other = cost(alternative(state, second, best))
    assert other == "5 points more chance of winning, 8 more damage, 1 enemy more killed"


def test_the_second_choice_is_the_second_one_of_the_list():
    state = close_duel()
    cells = (state.actor.cell + 1, state.actor.cell + 14, state.actor.cell - 14)
    walks = tuple(ScoredAction(Move((cell,)), 0.25, "", value=0.9) for cell in cells)
    other = ScoredAction(EndTurn(), 0.25, "", value=0.5)
    made = Decision((*walks, other), walks[0], 0.9, (), "searched", candidates=(*walks, other))
    told = second_choice(made, state)
    assert told is not None and told.choice == other
    assert told.chance_lost == pytest.approx(walks[0].chance - other.chance)
    alone = replace(made, choices=walks[:1], candidates=walks[:1])
    assert second_choice(alone, state) is None


def test_a_decision_carries_them(make_advisor):
    state = state_after(1, 0)
    decision = make_advisor(max_steps=1).decide(state)
    assert decision.expected == expectations(state, decision.action)
    second = grouped(decision, state)[1].best
    assert decision.alternative == alternative(state, decision.best, second)
