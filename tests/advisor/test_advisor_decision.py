import copy
import math
from dataclasses import replace

import pytest
import torch
from advisor_cases import state_after
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botapp.advisor.calibration import Calibration
from botapp.advisor.deliberating import Thinking
from botapp.advisor.embedding import Embedding
from botapp.advisor.evidence import Deliberated
from botapp.advisor.network import answer_of
from botapp.advisor.search_stage import TimeReserve, search_state
from botapp.advisor.wording import assumptions, label, spoken
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.rules import apply_expected, legal_actions

THOROUGH = {"halt_threshold": math.inf}
situations = st.builds(state_after, st.integers(0, 20), st.integers(0, 40))
relaxed = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.slow
@relaxed
@given(situations)
def test_a_decision_is_legal_sure_to_a_share_and_in_order(make_advisor, state):
    decision = make_advisor(max_steps=3, simplest=False, **THOROUGH).decide(state)
    shares = [choice.confidence for choice in decision.choices]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1 + 1e-9
    assert len(decision.choices) <= 5
    assert decision.best is decision.choices[0]
    assert {choice.action for choice in decision.choices} <= set(legal_actions(state))
    assert -1 <= decision.value <= 1
    assert all(0 < near <= 1 for _, near in decision.heat)
    assert decision.chance == pytest.approx(decision.best.chance)
    assert [share for _, share in decision.heat] == sorted((s for _, s in decision.heat), reverse=True)
    stages = ["search"] if decision.stop == "only-choice" else ["search", "encode", "think", "decode"]
    assert [name for name, _ in decision.effort.timings_ms] == stages
    for step in decision.trace:
        assert 0 <= step.q_halt <= 1


def thinking_state():
    return next(s for s in (state_after(n, 3) for n in range(9)) if len(search_state(s).candidates) > 3)


@pytest.mark.slow
@relaxed
@given(situations)
def test_the_reflex_is_the_first_steps_answer_and_the_advice_the_last_ones(make_advisor, state):
    decision = make_advisor(max_steps=4, **THOROUGH).decide(state)
    if decision.stop == "only-choice":
        return
    assert decision.stop in ("step-limit", "exhausted")
    steps = 4 if decision.stop == "step-limit" else len(decision.trace)
    assert [step.index for step in decision.trace] == [1, 2, 3, 4][:steps]
    assert decision.reflex.action == decision.trace[0].best.action
    assert decision.best == decision.trace[-1].best
    assert decision.chance == pytest.approx(decision.trace[-1].chance)
    told = {one.action: one.chance for one in decision.candidates}
    assert all(step.chance == told[step.best.action] for step in decision.trace)


def test_thinking_ends_at_the_limit_of_slices_or_where_the_q_head_says_so(make_advisor, small_model):
    state = thinking_state()
    limited = make_advisor(max_steps=3, **THOROUGH).decide(state)
    assert (limited.stop, len(limited.trace)) == ("step-limit", 3)
    glance = make_advisor(max_steps=1, **THOROUGH).decide(state)
    assert (glance.stop, len(glance.trace)) == ("step-limit", 1)
    assert all(one.visits for one in glance.choices)
    eager = copy.deepcopy(small_model)
    with torch.no_grad():
        eager.core.q_head.weight.zero_()
        eager.core.q_head.bias.copy_(torch.tensor([1.0, 0.0]))
    halted = make_advisor(model=eager, max_steps=3).decide(state)
    assert (halted.stop, len(halted.trace)) == ("halted", 2)
    doubting = make_advisor(model=eager, max_steps=3, halt_threshold=1.0).decide(state)
    assert len(doubting.trace) == 3


@pytest.mark.parametrize(("sure", "steps"), [(0.0, 2), (0.3, 2), (0.5, 3), (0.7, 3)])
def test_the_threshold_says_how_sure_it_must_be_that_going_on_does_not_pay(
    make_advisor, small_model, sure, steps
):
    even = copy.deepcopy(small_model)
    with torch.no_grad():
        even.core.q_head.weight.zero_()
        even.core.q_head.bias.zero_()
    assert (
        len(make_advisor(model=even, max_steps=3, halt_threshold=sure).decide(thinking_state()).trace)
        == steps
    )


def test_the_first_answer_is_told_before_anything_is_played_out(make_advisor):
    state, told = thinking_state(), []
    advisor = make_advisor(max_steps=4, **THOROUGH)
    advisor.on_reflex = told.append
    decision = advisor.decide(state)
    assert [one.action for one in told] == [decision.reflex.action]
    assert told == [decision.reflex] and not told[0].visits
    advisor.thinking = Thinking(1)
    advisor.decide(state)
    assert len(told) == 1


def test_habits_can_be_changed_between_two_decisions(make_advisor):
    advisor, state = make_advisor(max_steps=2, **THOROUGH), thinking_state()
    assert len(advisor.decide(state).trace) == 2
    advisor.thinking = Thinking(5, **THOROUGH)
    assert len(advisor.decide(state).trace) == 5


def test_the_first_actions_are_there_however_late_it_is(make_advisor):
    state = thinking_state()
    late = make_advisor(budget_ms=1e-6).decide(state)
    whole = make_advisor(max_steps=1).decide(state)
    assert late.effort.rollouts == 1 and late.best.visits == 1
    assert {one.action for one in late.candidates} >= {one.action for one in whole.candidates}


@pytest.mark.slow
def test_padding_does_not_change_what_is_thought(small_model):
    matter = Deliberated(search_state(thinking_state()), 8, 12, 0.05)
    embedding, reading = Embedding(small_model), matter.read()
    tokens, mask = embedding.tokens(matter.facts)
    padded, count = embedding.with_evidence(tokens, reading), int(mask.sum())
    assert count < padded.shape[1] == mask.shape[1]
    answers = []
    for x, real in ((padded[:, :count], None), (padded, mask)):
        carry, q = small_model.core(small_model.core.start(1, x.shape[1]), x, real)
        told = answer_of(small_model.heads(carry.z_H), len(matter.shown))
        answers.append((told.correction, told.looks, told.trust, q))
    for ours, theirs in zip(*answers, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


def test_a_decision_says_what_the_search_found_of_each_candidate(make_advisor):
    state = thinking_state()
    decision = make_advisor().decide(state)
    assert decision.effort.nodes > len(decision.candidates)
    assert decision.effort.rollouts > 0
    assert decision.choices == decision.candidates[:5]
    assert sum(one.visits for one in decision.candidates) > 0
    for one in decision.candidates:
        assert 0 <= one.value <= 1
        assert one.line[0] == one.action
        assert one.visits <= decision.effort.rollouts
        known = state
        for action in one.line:
            assert action in legal_actions(known)
            known = apply_expected(known, action)


def test_the_search_leaves_two_fifths_of_the_budget_and_more_where_later_stages_take_more():
    reserve = TimeReserve()
    assert reserve.of(50) == 20
    assert reserve.of(2000) == 40
    for _ in range(60):
        reserve.record(5.0)
    assert reserve.of(50) == 20
    assert 5 <= reserve.of(10) < 6
    for cost in (15.0, 25.0) * 30:
        reserve.record(cost)
    assert 20 < reserve.of(50) <= 30
    for _ in range(60):
        reserve.record(500.0)
    assert reserve.of(50) == 30


def test_no_steps_at_all_is_refused(make_advisor):
    with pytest.raises(ValueError, match="at least one step"):
        make_advisor(max_steps=0)


def test_how_sure_it_is_goes_by_the_step_and_changes_no_choice(make_advisor):
    state = thinking_state()
    sure = make_advisor(max_steps=2, **THOROUGH, calibration=Calibration(sureness=((0.0, 3.0),))).decide(
        state
    )
    doubt = Calibration(sureness=((0.0, 3.0), (0.0, 1.0)))
    doubting = make_advisor(max_steps=2, **THOROUGH, calibration=doubt).decide(state)
    assert doubting.action == sure.action
    assert doubting.confidence < sure.confidence == pytest.approx(1 / (1 + math.exp(-3)))


def forced_end():
    state = state_after(1, 0)
    stuck = replace(state.actor, ap=0, mp=0)
    return replace(state, fighters=tuple(stuck if f.id == stuck.id else f for f in state.fighters))


def test_an_only_choice_has_no_steps_to_show(make_advisor):
    decision = make_advisor().decide(forced_end())
    assert decision.stop == "only-choice"
    assert decision.action == EndTurn()
    assert decision.action_type == "end_turn"
    assert decision.target is None
    assert decision.confidence == 1.0
    assert decision.trace == ()
    assert -1 <= decision.value <= 1


def test_the_same_state_gets_the_same_advice(make_advisor):
    advisor, state = make_advisor(max_steps=2, **THOROUGH), thinking_state()
    first, second = advisor.decide(state), advisor.decide(state)
    assert first.choices == second.choices


def test_actions_are_put_in_words():
    state = state_after(1, 0)
    actor = state.actor
    enemy = next(f for f in state.fighters if f.team != actor.team)
    spell = actor.spells[0]
    assert label(state, EndTurn()) == "End the turn"
    assert label(state, Move((300,))) == "Move to cell 300 (1 step)"
    assert label(state, Move((300, 314))) == "Move to cell 314 (2 steps)"
    assert (
        label(state, Cast(spell.key, enemy.cell)) == f"Cast {spell.name} at cell {enemy.cell} ({enemy.name})"
    )
    assert label(state, Cast(spell.key, actor.cell)) == f"Cast {spell.name} on yourself"
    assert label(state, Cast(spell.key, 0)) == f"Cast {spell.name} at cell 0"


def test_actions_are_said_without_the_number_of_a_cell():
    state = state_after(1, 0)
    actor = state.actor
    enemy = next(f for f in state.fighters if f.team != actor.team)
    spell = actor.spells[0]
    below = actor.cell + 28
    assert spoken(state, EndTurn()) == "End the turn"
    assert spoken(state, Move((below,))) == "Walk 1 cell down"
    assert spoken(state, Move((below, actor.cell)), below) == "Walk 2 cells up"
    assert spoken(state, Cast(spell.key, enemy.cell)) == f"Cast {spell.name} on {enemy.name}"
    assert spoken(state, Cast(spell.key, below), below) == f"Cast {spell.name} on yourself"
    far = spoken(state, Cast(spell.key, 0))
    assert far.startswith(f"Cast {spell.name} {distance(actor.cell, 0)} cells up")


def test_assumed_facts_are_named_with_whose_they_are(make_advisor):
    state = state_after(1, 0)
    enemy = next(f for f in state.fighters if f.team != state.actor.team)
    marked = {
        enemy.id: replace(enemy, name="Boar", assumed=frozenset({"spells", "hp", "ap"})),
        state.actor.id: replace(state.actor, assumed=frozenset({"mp"})),
    }
    guessed = replace(state, fighters=tuple(marked[f.id] for f in state.fighters))
    assert set(assumptions(guessed)) == {"Boar: HP, AP and spells", "your MP"}
    assert make_advisor(max_steps=1).decide(guessed).assumed == assumptions(guessed)
    assert assumptions(state) == ()
