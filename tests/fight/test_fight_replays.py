"""A turn played many times with dice on the arrays alone goes as one played by the rules, state by state."""

import random
from dataclasses import replace

import pytest

from botapp.arena.scenarios import duel
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.replays import rolled
from botapp.fight.rules import apply, apply_expected, legal_actions

TIMES = 150


@pytest.fixture(scope="module")
def deaths(state, actions, times):
    """Returns how often each fighter is dead after the actions, by its id."""
    rolls = rolled(state, actions, times)
    return {fighter: sum(roll[fighter] == 0 for roll in rolls) for fighter in rolls[0]}


def scene():
    """A state with an enemy in reach, and a cast that hurts it."""
    state = duel(seed=1)
    own, enemy = sorted(state.fighters, key=lambda one: one.id != state.actor.id)
    near = state.changed(fighters=(own, replace(enemy, cell=own.cell + 28)))
    hurts = {}
    for action in legal_actions(near):
        if isinstance(action, Cast) and action.target == own.cell + 28:
            after = apply_expected(near, action)
            hurts[action] = enemy.hp - next(one.hp for one in after.fighters if one.id == enemy.id)
    best = max(hurts, key=hurts.get)
    return near, enemy.id, best, hurts[best]


def with_hp(state, fighter, hp):
    return state.changed(
        fighters=tuple(replace(one, hp=hp) if one.id == fighter else one for one in state.fighters)
    )


def test_it_dies_as_often_as_by_the_rules(scene):
    state, enemy, cast, damage = scene
    weak = with_hp(state, enemy, damage)
    by_rules = 0
    for seed in range(TIMES):
        after = apply(weak, cast, random.Random(seed))
        by_rules += not next(one.alive for one in after.fighters if one.id == enemy)
    assert 0 < by_rules < TIMES
    assert deaths(weak, [cast], TIMES)[enemy] == pytest.approx(by_rules, abs=0.15 * TIMES)


def test_what_is_sure_is_sure_and_always_comes_to_the_same(scene):
    state, enemy, cast, _ = scene
    assert deaths(with_hp(state, enemy, 1), [cast], 9) == {state.actor.id: 0, enemy: 9}
    assert deaths(state, [EndTurn()], 3) == {state.actor.id: 0, enemy: 0}


def test_what_is_not_possible_is_left_out_and_nothing_is_done_in_anothers_turn(scene):
    state, enemy, cast, damage = scene
    weak = with_hp(state, enemy, 1)
    nowhere = Move((state.actor.cell + 28,))
    assert deaths(weak, [nowhere, cast], 5)[enemy] == 5
    assert deaths(weak, [EndTurn(), cast], 5)[enemy] == 0
    tough = with_hp(state, enemy, 4 * damage)
    assert deaths(tough, [cast] * 40, 5)[enemy] == 0
