"""A turn planned before is looked at again as far as it is legal: a short search is no worse than it."""

import pytest
from advisor_cases import state_after

from botapp.arena.scenarios import adventure, team
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import CELLS, distance
from botapp.fight.rules import apply_expected, legal_actions, observation
from botapp.fight.state import Mark, MarkKind
from botapp.search.candidates import candidates
from botapp.search.learned import load
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn
from botapp.search.tree import TurnSearch, turns_within

BROAD = SearchOptions(rollout_actions=2000, nodes=20_000, ends=32, walks=4, replies=15)
NARROW = SearchOptions(rollout_actions=20, nodes=0, replies=15)


def long_line(seed):
    """Returns a state, and the longest of the turns that a broad search of it thinks of."""
    state = team(seed, 3)
    found = search_turn(state, 60, BROAD)
    return state, max((found.line(one) for one in found.candidates), key=len)


@pytest.mark.slow
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


def test_of_casts_that_hit_the_same_the_planned_one_is_named():
    """A person who was shown a cast at one cell is not shown it at another afterwards."""
    state = adventure(1)
    for _ in range(6):
        usual = [action for action, _ in TurnSearch(state, 400).root.children]
        state = apply_expected(state, (*usual, EndTurn())[0])
    twins = []
    for action in (one for one in legal_actions(state) if isinstance(one, Cast)):
        tree = TurnSearch(state, 400)
        tree.follow((action, EndTurn()))
        tree.grow(400)
        after = tree.after(tree.root, action)
        if tree.matters(after):
            twins += [other for other, node in tree.root.children if node == after and other != action]
            assert action in [one.action for one in candidates(tree, 80)]
    assert twins


def behind_a_trap(state):
    """Returns the state with 2 MP and an own trap on a neighbouring cell, and the way over it."""
    actor = state.actor
    for move in legal_actions(state):
        if isinstance(move, Move) and len(move.path) == 2:
            ends = actor.cell, move.target
            between = tuple(cell for cell in range(CELLS) if {distance(cell, end) for end in ends} == {1})
            if len(between) == 1:
                trap = Mark(MarkKind.TRAP, actor.id, between[0], between, 0, ())
                fighters = tuple(one.changed(mp=2) if one is actor else one for one in state.fighters)
                return state.changed(fighters=fighters, marks=(trap,)), move
    raise AssertionError("no cell has a single way of two steps")


def test_a_planned_walk_that_the_search_does_not_know_is_left_out():
    """The rules let one walk over an own trap, as far as to it; no walk of a search leads there."""
    state, walk = behind_a_trap(team(3, 3))
    assert apply_expected(state, walk).actor.cell == walk.path[0]
    assert walk.target not in [one.target for one in legal_actions(state) if isinstance(one, Move)]
    tree = TurnSearch(state, 50)
    assert tree.after(tree.root, walk).index == -1
    tree.follow((walk, EndTurn()))
    assert tree.planned is None and tree.planned_end == 0
    assert tree.root.index not in [child.index for _, child in tree.root.children]


def test_the_search_is_not_asked_about_what_is_not_there():
    tree = TurnSearch(team(3, 3), 50)
    for ask in (tree.desk.load_node, tree.desk.load_end, tree.desk.matters):
        for node in (-1, tree.desk.graph.nodes):
            with pytest.raises(IndexError):
                ask(int(node))
    for team_number in (-1, 2):
        with pytest.raises(IndexError):
            tree.desk.log_odds(team_number)
    tree.desk.load_node(0)
    assert tree.desk.path(-1) == tree.desk.path(1023) == ()


def second_turn(seed):
    """Returns a state in which the person's fighter may plant a sapling, or erode with a meteor."""
    state = adventure(seed)
    while state.actor.id != state.fighters[0].id or state.turn < 2:
        state = apply_expected(state, EndTurn())
    return observation(state, state.actor.team)


@pytest.mark.slow
def test_an_end_is_worth_the_same_before_an_action_of_its_turn_and_after_it():
    """Also where the action calls a fighter, kills or strengthens: that changes what is prepared for."""
    options = SearchOptions(rollout_actions=96, nodes=240, replies=15, learned=load())
    seen = 0
    for state in (*(state_after(seed, 7) for seed in range(12)), *map(second_turn, (12, 13, 30, 36))):
        found = search_turn(state, 60, options)
        for candidate in found.candidates:
            end, line = found.end(candidate), found.line(candidate)
            after = apply_expected(state, line[0])
            if not end.rollouts[1] or (after.turn, after.actor.id) != (state.turn, state.actor.id):
                continue
            then = search_turn(after, 60, options, planned=line[1:], baseline=found.tree.baseline).tree
            planned = then.planned
            assert planned is not None
            if not planned.rollouts[1]:  # to end the turn at once is nothing that the schedule begins with
                assert planned is then.root
                then.name([planned])
                then.look(0, then.played_actions + 1, turns=turns_within(96))
            assert planned.rollouts[0] == pytest.approx(end.rollouts[0], abs=1e-6), line
            seen += 1
    assert seen > 25


@pytest.mark.slow
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


def idle_casts(state):
    """Returns the legal casts that change nothing but the AP of the one who casts."""
    tree = TurnSearch(state, 50)
    found = []
    for action in legal_actions(state):
        node = tree.after(tree.root, action)
        if isinstance(action, Cast) and node.index > 0 and not tree.matters(node):
            found.append(action)
    return found


def test_an_action_without_effect_is_a_candidate_only_where_a_turn_planned_before_goes_on_with_it():
    states = [state_after(seed, actions) for seed in range(12) for actions in (2, 5, 9)]
    state, idle = next((one, casts[0]) for one in states if (casts := idle_casts(one)))
    for planned, there in (((), False), ((idle, EndTurn()), True)):
        found = search_turn(state, 60, NARROW, planned=planned)
        assert (idle in [one.action for one in found.candidates]) is there
