"""Thinking goes on after the first answer: deeper each time, on the same scale, and never past its time."""

import math
from dataclasses import replace
from time import perf_counter

import pytest
import torch
from advisor_cases import state_after

from botapp.advisor.bare import BareAdvisor, by_value
from botapp.advisor.calibration import Calibration
from botapp.advisor.decision import reading
from botapp.advisor.deliberating import DeliberatingAdvisor, Thinking
from botapp.advisor.networks.hrm import HrmNetwork
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinker import fresh
from botapp.advisor.thinking_on import ThinkingOn
from botapp.arena.scenarios import duel
from botapp.fight.rules import apply_expected, observation
from botapp.search.options import SearchOptions
from hrm.backends import choose
from hrm.backends.errors import PrecisionError

OPTIONS = SearchOptions(nodes=60, rollout_actions=10**9, replies=4)
STATE = duel(3)


@pytest.fixture(scope="module")
def first():
    return BareAdvisor(rollout_actions=8, nodes=40).decide(STATE)


def advisor(model=None, **how):
    """Returns a model's advisor with little to search."""
    torch.set_num_threads(1)
    plan = choose("cpu", "cpu", "fp32")
    made = DeliberatingAdvisor(HrmNetwork(model or fresh(), Calibration(), plan), 0, Thinking(**how))
    made.timed_options = replace(made.timed_options, nodes=240, replies=4)
    return made


def beside(one):
    return ThinkingOn(one.timed_options, one.baseline, one.judge)


def opinionated():
    torch.manual_seed(1)
    model = fresh()
    torch.nn.init.normal_(model.heads.token.weight, std=20.0)
    return model


def all_of(thinking, state, first, slice_s=0.05, most_s=60.0):
    found, shown, end = [], first, perf_counter() + most_s
    while not thinking.done and perf_counter() < end:
        deeper = thinking.think(state, shown, perf_counter() + slice_s)
        if deeper is not None:
            found.append(deeper)
            shown = deeper
    assert thinking.done
    return found


def test_each_answer_is_deeper_and_says_so_until_every_end_was_played_on_from(first):
    found = all_of(ThinkingOn(OPTIONS), STATE, first, slice_s=0.02)
    assert [one.effort.depth for one in found] == list(range(2, len(found) + 2))
    assert all(one.effort.timings_ms == first.effort.timings_ms for one in found)
    assert sorted(one.effort.thought_s for one in found) == [one.effort.thought_s for one in found]
    assert sorted(one.effort.rollouts for one in found) == [one.effort.rollouts for one in found]
    assert all(one.effort.rollouts >= 1 and one.candidates[0].visits for one in found)
    assert found[-1].effort.rollouts > first.effort.rollouts


def test_the_chance_never_falls_by_searching_on(first):
    """The turn that is advised is worth the same at each depth, and another takes its place for more only."""
    shown = first
    planned = None
    for one in all_of(ThinkingOn(OPTIONS), STATE, first, slice_s=0.01):
        planned = one.planned_chance if planned is None else planned
        assert one.planned_chance == pytest.approx(planned)
        assert one.chance >= (shown.chance if shown.effort.depth > 1 else planned) - 1e-9
        shown = one


def test_another_state_begins_anew_and_so_does_a_first_answer(first):
    thinking = ThinkingOn(OPTIONS)
    deepest = all_of(thinking, STATE, first)[-1]
    assert thinking.think(STATE, deepest, perf_counter() + 0.05) is None
    thinking.think(duel(4), BareAdvisor(rollout_actions=8, nodes=40).decide(duel(4)), perf_counter())
    assert not thinking.done
    all_of(thinking, STATE, first)
    thinking.think(STATE, first, perf_counter())
    assert not thinking.done


def test_a_slice_ends_about_when_it_should(first):
    thinking = ThinkingOn(replace(OPTIONS, nodes=30_000, replies=400))
    thinking.think(STATE, first, perf_counter() + 0.05)
    begun = perf_counter()
    assert thinking.think(STATE, first, begun) is None
    assert not thinking.done


def test_a_turn_with_more_first_actions_than_can_be_named_is_thought_on_about(monkeypatch, first):
    monkeypatch.setattr("botapp.search.tree.MOST_NAMED", 5)
    assert len(first.candidates) > 5
    assert all_of(ThinkingOn(OPTIONS), STATE, first)


def test_the_only_choice_is_not_thought_on_about(first):
    thinking = ThinkingOn(OPTIONS)
    only = replace(first, stop="only-choice")
    assert thinking.think(STATE, only, perf_counter() + 0.1) is None


def test_the_advice_changes_only_for_a_better_one():
    search = search_state(observation(STATE, STATE.actor.team), replace(OPTIONS, rollout_actions=40))
    plain = by_value(STATE, search)
    for one in plain.candidates:
        preferred = by_value(STATE, search, prefer=one.action)
        keeps = plain.chance - one.chance < 0.005
        assert (preferred.action == one.action) is (keeps or one.action == plain.action)
        assert preferred.chance == preferred.best.chance == pytest.approx(preferred.choices[0].chance)
        assert len(preferred.candidates) == len(plain.candidates)


def test_a_fresh_network_thinks_on_as_the_search_alone():
    one = advisor()
    first = one.decide(STATE)
    thought = all_of(beside(one), STATE, first)[-1]
    alone = all_of(ThinkingOn(one.timed_options, one.baseline), STATE, first)[-1]
    assert thought.action == alone.action and thought.chance == pytest.approx(alone.chance)
    assert thought.effort.rollouts == alone.effort.rollouts and thought.stop == "exhausted"
    assert thought.adviser == "model" and alone.adviser == "search"
    assert len(thought.trace) >= 2 and thought.sure == alone.sure
    assert thought.trace[-1].best == thought.best


@pytest.mark.slow
def test_the_models_further_answers_cost_little_and_replace_one_another_for_more_only():
    one = advisor(opinionated())
    overruled = 0
    for state in (STATE, state_after(5, 12), state_after(9, 20), state_after(7, 6), state_after(11, 9)):
        shown = one.decide(state)
        for deeper in all_of(beside(one), state, shown, slice_s=0.02):
            overruled += deeper.search_choice.action != deeper.action
            assert reading(deeper.chance) == reading(deeper.search_choice.chance)
            if shown.effort.depth > 1 and deeper.action != shown.action:
                better = deeper.chance >= shown.chance + 0.005 - 1e-9
                assert better or reading(deeper.chance) > reading(shown.chance)
            assert (
                deeper.chance >= (shown.chance if shown.effort.depth > 1 else deeper.planned_chance) - 0.0011
            )
            assert deeper.reflex.action == shown.reflex.action
            shown = deeper
    assert overruled


def test_what_was_found_by_thinking_on_still_holds_at_the_next_action():
    one = advisor()
    first = one.decide(STATE)
    deepest = all_of(beside(one), STATE, first)[-1]
    after = apply_expected(STATE, deepest.action)
    assert (after.turn, after.actor.id) == (STATE.turn, STATE.actor.id)
    one.options = replace(one.timed_options, rollout_actions=96)
    then = one.decide(after, deepest.best.line[1:])
    assert then.planned_chance == pytest.approx(deepest.chance, abs=0.002)
    assert then.chance >= deepest.chance - 0.002


def test_the_step_limit_holds_while_it_thinks_on(monkeypatch):
    monkeypatch.setattr("botapp.advisor.thinking_on.STEPS_S", (0.0,))
    monkeypatch.setattr("botapp.advisor.thinking_on.EVERY_S", 0.0)
    one = advisor(max_steps=2)
    deepest = all_of(beside(one), STATE, one.decide(STATE), slice_s=0.001)[-1]
    assert deepest.effort.depth > 2 and (len(deepest.trace), deepest.effort.first_steps) == (3, 2)


def test_numbers_that_are_none_are_an_error_of_the_precision():
    one = advisor()
    first = one.decide(STATE)
    step = one.network.step
    one.network.step = lambda *given: (step(*given)[0], torch.tensor([[math.nan, 0.0]]), step(*given)[2])
    with pytest.raises(PrecisionError):
        beside(one).think(STATE, first, perf_counter() + 0.01)
