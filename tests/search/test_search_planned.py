"""A turn planned before is looked at again as far as it is legal: a short search is no worse than it."""

from botapp.arena.scenarios import team
from botapp.fight.actions import Cast, EndTurn
from botapp.fight.rules import apply_expected
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn
from botapp.search.tree import TurnSearch

BROAD = SearchOptions(rollout_actions=2000, nodes=20_000, ends=32, walks=4, replies=15)
NARROW = SearchOptions(rollout_actions=20, nodes=0, replies=15)


def long_line(seed):
    """Returns a state, and the longest of the turns that a broad search of it thinks of."""
    state = team(seed, 3)
    found = search_turn(state, 60, BROAD)
    return state, max((found.line(one) for one in found.candidates), key=len)


def test_the_end_of_a_planned_turn_is_played_on_from_first():
    for seed in (3, 4, 5):
        state, line = long_line(seed)
        assert len(line) > 2
        expected = apply_expected(state, line[0])
        for planned in (line[1:], ()):
            tree = search_turn(expected, 60, NARROW, planned=planned).tree
            end = tree.planned_end
            assert (end > 0) == bool(planned)
            assert tree.node(end).rollouts[1] == (1 if planned else 0)


def test_a_plan_that_is_not_legal_any_more_is_followed_as_far_as_it_is():
    state, line = long_line(3)
    far = Cast(state.actor.spells[0].key, 0)
    tree = TurnSearch(state, 50)
    tree.follow((far, EndTurn()))
    assert tree.planned_end == 0
    tree.follow((line[0], far, EndTurn()))
    assert tree.planned_end == tree.after(tree.root, line[0]).index


def test_no_plan_changes_nothing():
    state = team(6, 2)
    one, other = (search_turn(state, 60, NARROW, planned=plan) for plan in ((), (EndTurn(),)))
    assert [one.value(c) for c in one.candidates] == [other.value(c) for c in other.candidates]


def test_with_time_for_one_rollout_the_best_end_by_the_evaluation_is_played_on_from():
    state = team(4, 3)
    tree = search_turn(state, 60, SearchOptions(nodes=2000, replies=15)).tree
    best = tree.root.pv_end.index
    tree.play_on(1, turns=99)
    assert tree.rollouts == 1 and tree.node(best).rollouts[1] == 1
    assert tree.root.pv_end.index == best
