import math
import time
from dataclasses import replace

import pytest
import torch
from advisor_cases import state_after, tokens_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botapp.advisor.calibration import Calibration
from botapp.advisor.search_stage import search_state
from botapp.advisor.time_reserve import TimeReserve
from botapp.advisor.wording import assumptions, label
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.rules import apply_expected, legal_actions

situations = st.builds(state_after, st.integers(0, 20), st.integers(0, 40))
relaxed = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@relaxed
@given(situations)
def test_a_decision_is_legal_sure_to_a_share_and_in_order(make_advisor, state):
    decision = make_advisor(max_steps=3, halt_threshold=1.1).decide(state)
    shares = [choice.confidence for choice in decision.choices]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1 + 1e-9
    assert len(decision.choices) <= 5
    assert decision.best is decision.choices[0]
    assert {choice.action for choice in decision.choices} <= set(legal_actions(state))
    assert -1 <= decision.value <= 1
    assert sum(share for _, share in decision.heat) <= 1 + 1e-9
    assert [share for _, share in decision.heat] == sorted((s for _, s in decision.heat), reverse=True)
    assert [name for name, _ in decision.timings_ms] == ["search", "encode", "think", "decode"]
    for step in decision.trace:
        assert 0 <= step.q_halt <= 1
        assert 0 <= step.q_continue <= 1


@relaxed
@given(situations)
def test_the_reflex_is_the_first_steps_answer_and_the_advice_the_last_ones(make_advisor, state):
    advisor = make_advisor(max_steps=4, halt_threshold=1.1)
    decision = advisor.decide(state)
    if decision.stop == "only-choice":
        return
    assert [step.index for step in decision.trace] == [1, 2, 3, 4]
    assert decision.reflex == decision.trace[0].best
    assert decision.best == decision.trace[-1].best
    assert decision.value == decision.trace[-1].value
    assert decision.changed_mind == (decision.reflex.action != decision.action)
    alone = make_advisor(max_steps=1).decide(state)
    assert alone.action == decision.reflex.action
    assert alone.confidence == pytest.approx(decision.reflex.confidence)


def thinking_state():
    return next(s for s in (state_after(n, 3) for n in range(9)) if len(tokens_of(s).candidates) > 3)


def test_thinking_ends_at_the_threshold_at_the_limit_or_at_the_budget(make_advisor):
    state = thinking_state()
    limited = make_advisor(max_steps=3, halt_threshold=1.1).decide(state)
    assert (limited.stop, len(limited.trace)) == ("step-limit", 3)
    halted = make_advisor(max_steps=3, halt_threshold=0.0).decide(state)
    assert (halted.stop, len(halted.trace)) == ("halted", 1)
    late = make_advisor(max_steps=3, halt_threshold=1.1, budget_ms=1e-6).decide(state)
    assert (late.stop, len(late.trace)) == ("budget", 1)


def test_the_budget_covers_all_that_comes_before_the_first_step(make_advisor, small_model, monkeypatch):
    embed = small_model.embed

    def slow(*inputs):
        time.sleep(0.3)
        return embed(*inputs)

    monkeypatch.setattr(small_model, "embed", slow)
    decision = make_advisor(max_steps=3, halt_threshold=1.1, budget_ms=300).decide(thinking_state())
    assert (decision.stop, len(decision.trace)) == ("budget", 1)


@pytest.mark.parametrize(
    ("rollout_actions", "budget_ms", "asked"), [(12, 0.0, 12), (12, 2000.0, 128), (0, 0.0, 0), (0, 2000.0, 0)]
)
def test_rollouts_are_the_weights_own_number_or_as_many_as_the_budget_has_room_for(
    make_advisor, monkeypatch, rollout_actions, budget_ms, asked
):
    seen = []

    def searching(state, options, deadline):
        seen.append((options.rollout_actions, deadline))
        return search_state(state)

    monkeypatch.setattr("botapp.advisor.turn_advisor.search_state", searching)
    begun = time.perf_counter()
    make_advisor(calibration=Calibration(rollout_actions=rollout_actions), budget_ms=budget_ms).decide(
        thinking_state()
    )
    [(found, deadline)] = seen
    assert found == asked
    assert (deadline == math.inf) == (budget_ms == 0)
    if budget_ms:
        assert begun < deadline < time.perf_counter() + budget_ms / 1000


def test_a_decision_says_what_the_search_found_of_each_candidate(make_advisor):
    state = thinking_state()
    decision = make_advisor(calibration=Calibration(rollout_actions=96)).decide(state)
    assert decision.nodes > len(decision.candidates)
    assert decision.rollouts > 0
    assert decision.choices == decision.candidates[:5]
    assert sum(one.visits for one in decision.candidates) > 0
    for one in decision.candidates:
        assert 0 <= one.value <= 1
        assert one.line[0] == one.action
        assert one.visits <= decision.rollouts
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


def test_the_first_actions_are_there_however_late_it_is(make_advisor):
    state = thinking_state()
    late = make_advisor(budget_ms=1e-6, max_steps=1, calibration=Calibration(rollout_actions=96)).decide(
        state
    )
    whole = make_advisor(max_steps=1).decide(state)
    assert late.rollouts == 0
    assert {one.action for one in late.candidates} == {one.action for one in whole.candidates}
    assert late.nodes <= whole.nodes


def test_habits_can_be_changed_between_two_decisions(make_advisor):
    advisor, state = make_advisor(max_steps=2, halt_threshold=1.1), thinking_state()
    assert len(advisor.decide(state).trace) == 2
    advisor.max_steps = 5
    assert len(advisor.decide_action(state).trace) == 5


def test_no_steps_at_all_is_refused(make_advisor):
    with pytest.raises(ValueError, match="at least one step"):
        make_advisor(max_steps=0)


def test_temperatures_flatten_the_shares_without_changing_the_choice(make_advisor):
    state = thinking_state()
    sharp = make_advisor(max_steps=2, halt_threshold=1.1).decide(state)
    flat = make_advisor(max_steps=2, halt_threshold=1.1, calibration=Calibration(policy=(1.0, 50.0))).decide(
        state
    )
    assert flat.action == sharp.action
    assert flat.confidence < sharp.confidence
    assert flat.reflex.confidence == pytest.approx(sharp.reflex.confidence)


def forced_end():
    state = state_after(1, 0)
    stuck = replace(state.actor, ap=0, mp=0)
    return replace(state, fighters=tuple(stuck if f.id == stuck.id else f for f in state.fighters))


def test_the_chance_of_winning_of_an_only_choice_is_the_models_own_like_any_other(make_advisor):
    state, advisor = forced_end(), make_advisor(max_steps=1)
    encoded = tokens_of(state)
    value = advisor._think(encoded, 0.0).history[-1][1]
    decision = advisor.decide(state)
    assert decision.value == pytest.approx(float(value[0]), abs=1e-5)
    assert decision.chance == pytest.approx((decision.value + 1) / 2)


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
    advisor, state = make_advisor(max_steps=2, halt_threshold=1.1), thinking_state()
    first, second = advisor.decide(state), advisor.decide(state)
    assert first.choices == second.choices


def test_padding_does_not_change_what_is_thought(small_model):
    encoded = tokens_of(thinking_state())
    count = len(encoded.candidates)
    inputs = {
        "context": encoded.context,
        "fighters": encoded.fighters,
        "fighter_mask": encoded.fighter_mask,
        "options": encoded.options[:count],
        "option_mask": encoded.option_mask[:count],
    }
    bare = [torch.from_numpy(array)[None] for array in inputs.values()]
    wide = list(bare)
    wide[3] = torch.nn.functional.pad(bare[3], (0, 0, 0, 40), value=3.0)
    wide[4] = torch.nn.functional.pad(bare[4], (0, 40))
    answers = []
    for tokens in (bare, wide):
        x, mask = small_model.embed(*tokens)
        carry, q = small_model.core(small_model.core.start(1, x.shape[1]), x, mask)
        logits, value = small_model.readout(carry.z_H)
        answers.append((logits[:, 4 : 4 + count], value, q))
    for ours, theirs in zip(*answers, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


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
