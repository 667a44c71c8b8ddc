"""The advisor without a model takes the best value of its search, and needs no torch."""

import random
import subprocess
import sys
import time

import pytest
from advisor_cases import state_after

from botapp.advisor.bare import BareAdvisor
from botapp.advisor.decision import Withheld
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import team
from botapp.fight.rules import apply, legal_actions
from botapp.search import places


def test_it_takes_the_candidate_of_the_highest_value():
    state = state_after(5, 12)
    decision = BareAdvisor(simplest=False).decide(state)
    values = [one.value for one in decision.candidates]
    assert decision.action in legal_actions(state)
    assert values == sorted(values, reverse=True)
    assert decision.confidence == decision.best.value == (decision.value + 1) / 2
    assert decision.stop == "searched"
    assert decision.reflex == decision.best
    assert decision.effort.rollouts > 0
    assert [name for name, _ in decision.effort.timings_ms] == ["search", "decode"]
    assert (decision.adviser, decision.trace) == ("search", ())


def test_cells_are_the_warmer_the_nearer_their_choice_comes_to_the_best():
    decision = BareAdvisor().decide(state_after(5, 12))
    chances = {}
    for one in decision.choices:
        if one.action.target is not None:
            chances.setdefault(one.action.target, one.confidence)
    for cell, share in decision.heat:
        assert share == pytest.approx(min(1, 1 - (decision.confidence - chances[cell]) / 0.1))
    near = {cell for cell, chance in chances.items() if decision.confidence - chance < 0.1}
    assert {cell for cell, _ in decision.heat} == near != set()


def test_the_same_state_gets_the_same_advice_without_a_time_budget():
    state = state_after(3, 8)
    assert BareAdvisor().decide(state).candidates == BareAdvisor().decide(state).candidates


@pytest.mark.slow
def test_its_rollouts_fill_a_time_budget():
    state, dice = team(3, 3), random.Random(1)
    for _ in range(30):
        state = apply(state, GreedyPlayer().choose(state, dice), dice)
    few = BareAdvisor(rollout_actions=24).decide(state)
    begun = time.perf_counter()
    many = BareAdvisor(budget_ms=1500).decide(state)
    assert time.perf_counter() - begun > 0.4
    assert many.effort.rollouts > 3 * few.effort.rollouts


def test_it_answers_before_its_time_is_over_once_every_end_is_played_on_from():
    state = state_after(5, 12)
    begun = time.perf_counter()
    assert BareAdvisor(budget_ms=300_000).decide(state).effort.rollouts > 0
    assert time.perf_counter() - begun < 120


def test_the_rest_of_the_turn_is_planned():
    state = state_after(5, 12)
    advisor = BareAdvisor()
    decision = advisor.decide(state)
    plan = advisor.plan(state, decision).plan
    assert all(step.choice.action in legal_actions(step.state) for step in plan)


def test_before_the_fight_it_advises_on_the_place():
    state = state_after(1, 0).changed(placing=True)
    decision = BareAdvisor().decide(state)
    assert decision.action_type == "place"
    assert {one.action for one in decision.candidates} <= set(legal_actions(state))
    assert len(decision.candidates) == len({one.action for one in decision.candidates}) > 1
    assert decision.chance == pytest.approx(decision.best.confidence)
    assert BareAdvisor().plan(state, decision) == decision


def test_without_what_judges_places_their_advice_is_withheld(monkeypatch):
    def unreadable():
        raise ValueError("evaluation.safetensors cannot be read.")

    monkeypatch.setattr(places, "load", unreadable)
    with pytest.raises(Withheld, match="cannot be read"):
        BareAdvisor().decide(state_after(1, 0).changed(placing=True))


@pytest.mark.parametrize("wrong", [{"nodes": -1}, {"rollout_actions": -1}])
def test_negative_numbers_are_refused(wrong):
    with pytest.raises(ValueError, match="0 or more"):
        BareAdvisor(**wrong)


@pytest.mark.slow
def test_it_needs_no_torch():
    code = "import sys, botapp.advisor.bare; raise SystemExit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
