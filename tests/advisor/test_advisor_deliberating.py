"""Thinking while searching begins as the search alone, looks where it is told to, and halts when it pays."""

import math
from itertools import pairwise

import pytest
import torch
from advisor_cases import state_after

from botapp.advisor.advisor import create_advisor
from botapp.advisor.bare import BareAdvisor
from botapp.advisor.calibration import Calibration
from botapp.advisor.course import DECIDED
from botapp.advisor.decision import reading
from botapp.advisor.deliberating import DeliberatingAdvisor, Thinking
from botapp.advisor.evidence import EVIDENCE, MOST, PROGRESS, Deliberated
from botapp.advisor.facts import CANDIDATE, CONTEXT, FIGHTER
from botapp.advisor.networks.hrm import HrmNetwork
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinker import fresh, save_thinker
from botapp.arena.scenarios import team
from botapp.fight.rules import apply_expected, winner
from botapp.search.options import REPLY_LOOKS
from hrm.backends import choose

STATES = [(5, 12), (3, 8), (2, 4), (9, 20)]
MANY_TURNS = 3, 8
"""A state with more ends of turn than eight slices play on from."""


def advisor(model=None, calibration=None, *, simplest=True, **how):
    torch.set_num_threads(1)
    network = HrmNetwork(model or fresh(), calibration or Calibration(), choose("cpu", "cpu", "fp32"))
    return DeliberatingAdvisor(network, 0, Thinking(**how), simplest=simplest)


def search_alone():
    return BareAdvisor(replies=REPLY_LOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("looks", ["model", "schedule", "first"])
def test_a_fresh_network_decides_as_the_search_alone(looks):
    thinking = advisor(looks=looks)
    for seed, actions in STATES:
        state = state_after(seed, actions)
        alone, thought = search_alone().decide(state), thinking.decide(state)
        assert thought.action == alone.action
        if alone.stop == "only-choice":
            assert thought.stop == "only-choice" and thought.chance == alone.chance
            continue
        assert [one.value for one in thought.candidates] == pytest.approx(
            [one.value for one in alone.candidates]
        )
        assert thought.effort.rollouts == alone.effort.rollouts


def test_each_step_says_what_it_held_and_what_was_looked_at():
    model = fresh()
    torch.nn.init.constant_(model.heads.token.bias, 1.0)
    decision = advisor(model).decide(state_after(*MANY_TURNS))
    assert decision.stop == "step-limit" and len(decision.trace) == 9
    assert decision.trace[0].looked is None and decision.trace[0].rollouts == 0
    assert all(step.looked is not None for step in decision.trace[1:])
    assert all(before.rollouts < after.rollouts for before, after in pairwise(decision.trace))
    for step in decision.trace:
        assert step.best == step.turns[0] and 2 <= len(step.turns) <= 3
        assert all(turn.line[0] == turn.action for turn in step.turns)
    first, given = decision.trace[0].best, decision.reflex
    assert given.action == first.action and given.line[0] == first.action and not given.visits
    assert decision.first_known == first
    assert sum(one.confidence for one in decision.candidates) == pytest.approx(1)


def opinionated():
    torch.manual_seed(1)
    model = fresh()
    torch.nn.init.normal_(model.heads.token.weight, std=20.0)
    return model


@pytest.mark.slow
def test_a_network_that_may_not_correct_the_search_answers_as_it_does():
    states = [state_after(seed, actions) for seed, actions in STATES]
    alone = [search_alone().decide(state).action for state in states]
    quiet = advisor(opinionated(), Calibration(correction=0.0), looks="schedule")
    loud = advisor(opinionated(), Calibration(correction=1.0), looks="schedule", simplest=False)
    assert [quiet.decide(state).action for state in states] == alone
    assert [loud.decide(state).action for state in states] != alone


@pytest.mark.slow
def test_what_it_answers_costs_little_by_the_search_and_nothing_beside_what_it_has_promised():
    loud = advisor(opinionated(), Calibration(correction=1.0))
    overruled = 0
    for seed, actions in [*STATES, (7, 6), (11, 9), (4, 3), (6, 10)]:
        state = state_after(seed, actions)
        decision = loud.decide(state)
        overruled += decision.search_choice.action != decision.action
        assert reading(decision.chance) == reading(decision.search_choice.chance)
        assert list(decision.choices[1:]) == sorted(decision.choices[1:], key=lambda one: -one.chance)
        after = apply_expected(state, decision.action)
        if winner(after) is None and (after.turn, after.actor.id) == (state.turn, state.actor.id):
            assert loud.decide(after, decision.best.line[1:]).chance >= decision.chance - 0.002
    assert overruled


@pytest.mark.slow
def test_it_leaves_the_searchs_answer_where_the_fight_is_as_good_as_won():
    loud = advisor(opinionated(), Calibration(correction=1.0), simplest=False)
    for seed, actions in [*STATES, (7, 6), (11, 9), (4, 3), (6, 10)]:
        state = state_after(seed, actions)
        own = state.actor.team
        weak = tuple(f if f.team == own else f.changed(hp=min(f.hp, 3)) for f in state.fighters)
        decision = loud.decide(state.changed(fighters=weak))
        assert decision.search_choice.chance >= DECIDED
        assert decision.chance == pytest.approx(decision.search_choice.chance)


def test_it_halts_once_going_on_does_not_pay():
    model = fresh()
    with torch.no_grad():
        model.core.q_head.bias.copy_(torch.tensor([-0.1, -0.4]))
    state = state_after(*MANY_TURNS)
    halted = advisor(model).decide(state)
    assert halted.stop == "halted" and len(halted.trace) == 2
    assert halted.trace[-1].regret == pytest.approx(0.1) and halted.trace[-1].gain == pytest.approx(-0.3)
    assert halted.trace[-1].q_halt > 0.5
    through = advisor(model, halt_threshold=math.inf).decide(state)
    assert through.stop == "step-limit" and len(through.trace) == 9
    assert through.effort.rollouts > halted.effort.rollouts


def test_it_ends_once_nothing_is_left_to_look_at():
    state = state_after(5, 12)
    decision = advisor().decide(state)
    assert decision.stop == "exhausted" and 2 <= len(decision.trace) < 9
    assert decision.effort.rollouts == search_alone().decide(state).effort.rollouts


@pytest.mark.slow
def test_a_time_budget_is_kept():
    thinking = advisor()
    thinking.decide(state_after(*MANY_TURNS))
    thinking.budget_ms = 400
    decision = thinking.decide(team(3, 4))
    assert sum(spent for _, spent in decision.effort.timings_ms) < 800
    assert len(decision.trace) > 2


@pytest.mark.parametrize("budget_ms", [1, 60])
def test_a_single_step_is_taken_however_little_time_there_is(budget_ms):
    thinking = advisor(max_steps=1)
    thinking.budget_ms = budget_ms
    assert len(thinking.decide(state_after(*MANY_TURNS)).trace) == 1


def test_what_is_read_has_a_column_for_each_name():
    matter = Deliberated(search_state(state_after(9, 20)), 8, 12, 0.05)
    count = len(matter.shown)
    reading = matter.read()
    matter.tree.look(0, 40)
    later = matter.read(0)
    assert matter.facts.context.shape == (len(CONTEXT),)
    assert matter.facts.candidates.shape == (count, len(CANDIDATE)) and count <= MOST
    assert matter.facts.fighters.shape[1] == len(FIGHTER) and matter.facts.fighters[0, 0] == 1
    assert reading.evidence.shape == later.evidence.shape == (count, len(EVIDENCE))
    assert reading.progress.shape == (len(PROGRESS),)
    looks = EVIDENCE.index("looks")
    assert not reading.evidence[:, looks].any() and later.evidence[0, looks] == 0.25
    assert later.progress[0] == 1 / 8


def test_weights_of_a_fresh_network_advise_as_the_search_does(tmp_path):
    path = tmp_path / "thinker.safetensors"
    save_thinker(path, fresh(), Calibration(), {"seed": 1})
    made = create_advisor(path, placement=choose("cpu", "cpu", "fp32"), budget_ms=0, evaluation="none")
    assert made.thinking.max_steps == 9
    assert made.decide(state_after(3, 8)).action == search_alone().decide(state_after(3, 8)).action
