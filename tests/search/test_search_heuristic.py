"""What the heuristic evaluation keeps of one state of a turn changes nothing of its value of another."""

import random

import pytest

from botapp.arena.fixtures import begin
from botapp.arena.players import GreedyPlayer
from botapp.fight.actions import EndTurn
from botapp.fight.paths import reach
from botapp.fight.rules import apply, observation, winner
from botapp.search.budget import Budget
from botapp.search.heuristic import HeuristicEvaluation, estimate
from botapp.search.tree import TurnSearch


def searched(seed, size, actions):
    """Returns the search of a turn that begins in the middle of a fight, its nodes expanded."""
    state, rng = begin("team", seed, (size,)), random.Random(seed)
    for _ in range(actions):
        action = GreedyPlayer().choose(state, rng)
        if winner(after := apply(state, action, rng)) is not None:
            break
        state = after
    state = apply(state, EndTurn(), rng)
    search = TurnSearch(observation(state, state.actor.team), Budget(states=0))
    search.expand_turn(60)
    return search


@pytest.mark.parametrize(("seed", "size", "actions"), [(1, 1, 3), (2, 2, 14), (3, 3, 30), (4, 4, 24)])
def test_a_state_is_worth_the_same_whatever_was_looked_at_before(seed, size, actions):
    search = searched(seed, size, actions)
    nodes = search._in_order()
    assert len(nodes) > 10
    for node in nodes:
        assert node.terms == pytest.approx(HeuristicEvaluation(search.root.state).terms(node.state))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "size", "actions"), [(1, 1, 3), (2, 2, 14), (3, 3, 30), (4, 4, 24)])
def test_a_place_is_worth_what_the_state_is_with_the_actor_there(seed, size, actions):
    search = searched(seed, size, actions)
    looked_at = 0
    for node in search._in_order():
        state = node.state
        cells = list(reach(state, state.actor).ways)
        if winner(state) is not None or state.actor.id != search.root.state.actor.id:
            continue
        for cell, heuristic_value in zip(cells, search.heuristic.heuristic_values(state, cells), strict=True):
            moved = state.actor.changed(cell=cell)
            there = state.changed(fighters=tuple(moved if f is state.actor else f for f in state.fighters))
            assert heuristic_value == pytest.approx(
                estimate(HeuristicEvaluation(search.root.state).terms(there))
            )
            looked_at += 1
    assert looked_at > 5
