"""Replies: the turns of the others are searched as well; they are harder opponents, and no dice fall."""

from time import perf_counter

import numpy as np
import pytest

from botapp.arena.scenarios import team
from botapp.search.candidates import candidates
from botapp.search.tree import TurnSearch

SEEDS = range(3, 9)


def searched(state, replies, actions=300):
    tree = TurnSearch(state, 200, replies=replies)
    tree.grow(200)
    tree.play_on(actions, turns=99)
    return tree


def visits(tree):
    return tree.visits(tree.all_nodes)


def test_an_enemy_that_replies_costs_a_duellist_more_than_one_that_is_greedy():
    greedy, replying = (
        np.mean([searched(team(seed, 1), looks).root.value for seed in SEEDS]) for looks in (0, 15)
    )
    assert replying < greedy


def test_each_end_is_played_on_from_once():
    tree = searched(team(5, 2), 15)
    assert visits(tree).max() == 1
    assert visits(tree).sum() == tree.rollouts > 1


def test_rollouts_end_when_nothing_is_left_to_play_on_from():
    begun = perf_counter()
    tree = TurnSearch(team(4, 1), 0, replies=5)
    tree.play_on(10**9, begun + 300, turns=99)
    assert visits(tree).min() == 1
    assert perf_counter() - begun < 60


@pytest.fixture
def named():
    tree = TurnSearch(team(4, 1), 100, replies=5)
    tree.grow(100)
    found = candidates(tree, 40)
    tree.name([one.node for one in found])
    return tree, found


def test_a_slice_goes_behind_its_candidate_to_ends_not_played_yet(named):
    tree, _ = named
    tree.look(0, 6)
    behind = tree.standings().behind[0]
    assert behind[0] == behind[1] == tree.rollouts > 0


def test_a_slice_behind_a_candidate_that_has_no_end_left_goes_by_the_schedule(named):
    tree, found = named
    ending = len(found) - 1
    tree.look(ending, tree.played_actions + 40)
    assert tree.standings().behind[ending, 0] == 1
    assert tree.rollouts > 1


def test_a_look_tells_whether_anything_is_left_to_play_on_from(named):
    tree, _ = named
    assert tree.look(None, tree.played_actions + 20)
    assert not tree.look(None, 10**9)
    assert not tree.look(0, 10**9)


def test_a_search_without_replies_finds_the_same_after_one_with_them():
    def found():
        return [one.node.value for one in candidates(searched(team(6, 2), 0), 40)]

    before = found()
    searched(team(6, 2), 15)
    assert found() == before


def test_the_same_search_finds_the_same():
    one, other = (searched(team(7, 2), 15) for _ in range(2))
    some = range(9)
    assert [one.node(index).value for index in some] == [other.node(index).value for index in some]
