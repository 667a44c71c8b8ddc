"""Fights come from their seed, on equal start cells; what is unseen stays out unless asked for."""

import random
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.arena.drawn_spells import written_spells
from botapp.arena.fixtures import begin
from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import (
    FIRST_TRAINING_SEED,
    LARGEST_TEAM,
    ROUND_LIMIT,
    adventure,
    duel,
    outcome,
    team,
)
from botapp.content.library import classes, maps, monsters, unseen_content
from botapp.content.state_json import state_from_json, state_to_json
from botapp.fight.rules import apply
from botapp.fight.state import FightState

few = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 100_000)
SEEN = [kind for kind, one in classes().items() if not one.unseen]


def opposite_cells(state, one, other):
    board = state.map
    return board.red_starts.index(one.cell) == board.blue_starts.index(other.cell)


@pytest.mark.slow
@few
@given(seeds)
def test_a_duel_is_the_same_from_its_seed_and_mirrored(seed):
    state = duel(seed)
    assert state == duel(seed)
    red, blue = state.fighters
    assert (red.team, blue.team) == (0, 1)
    assert opposite_cells(state, red, blue)
    assert {red.kind, blue.kind} <= set(SEEN)
    assert not maps()[state.map.key].unseen


@pytest.mark.slow
def test_every_seen_map_and_class_is_met_and_no_other():
    fights = [duel(seed) for seed in range(400)]
    assert {state.map.key for state in fights} == {key for key, one in maps().items() if not one.unseen}
    assert {fighter.kind for state in fights for fighter in state.fighters} == set(SEEN)


def test_a_duel_takes_the_classes_asked_for():
    assert [f.kind for f in duel(1, "warden", "leech").fighters] == ["warden", "leech"]
    assert duel(1, "warden").fighters[0].kind == "warden"
    with pytest.raises(KeyError, match="no class 'golem'"):
        duel(1, "golem")


@few
@given(seeds, st.integers(1, LARGEST_TEAM))
def test_teams_are_equal_in_number_and_opposite_each_other(seed, size):
    state = team(seed, size)
    assert state == team(seed, size)
    red, blue = state.fighters[:size], state.fighters[size:]
    assert len(blue) == size
    assert {f.team for f in red} == {0} and {f.team for f in blue} == {1}
    assert all(opposite_cells(state, a, b) for a, b in zip(red, blue, strict=True))
    assert sorted(state.order) == [f.id for f in state.fighters]
    assert len({f.cell for f in state.fighters}) == 2 * size
    for side in (red, blue):
        assert len({f.name for f in side}) == size
        assert {f.kind for f in side} <= set(SEEN)


def test_teams_may_be_of_unequal_size():
    state = team(3, 1, 4)
    assert [f.team for f in state.fighters] == [0, 1, 1, 1, 1]
    assert opposite_cells(state, state.fighters[0], state.fighters[1])


def test_teams_of_every_size_are_met_and_others_refused():
    assert {len(team(seed).fighters) for seed in range(40)} == {4, 6, 8}
    for size in (0, 5):
        with pytest.raises(ValueError, match=f"1 to 4 fighters, got {size}"):
            team(1, size)


@few
@given(seeds, st.sampled_from(["warden", "ranger", "ember", "leech"]))
def test_an_adventure_is_one_against_up_to_three_monsters(seed, kind):
    state = adventure(seed, kind)
    assert state == adventure(seed, kind)
    player, *group = state.fighters
    assert (player.id, player.team, player.kind) == (0, 0, kind)
    assert 1 <= len(group) <= 3
    assert all(f.team == 1 and f.kind in monsters() for f in group)
    assert len({f.name for f in group}) == len(group)
    assert len({f.cell for f in state.fighters}) == len(state.fighters)
    assert sorted(state.order) == [f.id for f in state.fighters]


@pytest.mark.slow
def test_an_adventure_without_a_class_takes_one_that_is_trained_on():
    assert {adventure(seed).fighters[0].kind for seed in range(80)} == set(SEEN)


def test_every_monster_that_is_not_summoned_is_met():
    met = {f.kind for seed in range(300) for f in adventure(seed, "ember").fighters[1:]}
    assert met == {kind for kind, one in monsters().items() if one.points}


@pytest.mark.slow
def test_the_unseen_pool_holds_nothing_else():
    kinds = {"hour", "veil", *unseen_content().classes}
    grounds = {key for key, one in maps().items() if one.unseen} | set(unseen_content().maps)
    met, fought_on = set(), set()
    for seed in range(120):
        for state in (duel(seed, pool="unseen"), team(seed, pool="unseen")):
            met |= {f.kind for f in state.fighters}
            fought_on.add(state.map.key)
        state = adventure(seed, pool="unseen")
        assert state.map.key in grounds and state.fighters[0].kind in kinds
    assert (met, fought_on) == (kinds, grounds)
    assert (len(kinds), len(grounds)) == (12, 22)


@pytest.mark.slow
def test_the_two_classes_that_were_all_of_the_unseen_pool_stay_by_themselves():
    for seed in range(40):
        state = team(seed, pool="hour-veil")
        assert {f.kind for f in state.fighters} <= {"hour", "veil"}
        assert maps()[state.map.key].unseen


@pytest.mark.slow
def test_fights_of_unseen_classes_are_played_to_their_end_and_can_be_written_in_their_midst():
    player, ends = make_player("greedy"), set()
    for seed in range(6):
        state, dice = team(seed, 4, pool="unseen"), random.Random(seed)
        for action in count():
            if outcome(state) is not None:
                break
            state = apply(state, player.choose(state, dice), dice)
            if action == 60:
                assert state_from_json(state_to_json(state)) == state
        ends.add(outcome(state))
    assert {0, 1} <= ends


def test_nothing_that_is_trained_on_has_what_is_unseen():
    own = set(unseen_content().spells)
    blows, spells = written_spells()
    assert not own & {spell.key for spell in (*blows, *spells)}
    fights = [team(seed, 4, pool=pool) for seed in range(10) for pool in ("seen", "any", "wild", "drawn")]
    fights += [adventure(seed, pool=pool) for seed in range(10) for pool in ("seen", "any", "wild")]
    for state in fights:
        assert state.map.key not in unseen_content().maps
        assert not {f.kind for f in state.fighters} & {*unseen_content().classes, *unseen_content().monsters}
        assert not own & {spell.key for f in state.fighters for spell in f.spells}


@pytest.mark.slow
def test_the_wild_pool_has_a_map_for_every_seed():
    assert len({duel(seed, pool="wild").map.cells for seed in range(10)}) == 10
    assert all(f.kind in SEEN for seed in range(10) for f in duel(seed, pool="wild").fighters)


def test_any_pool_holds_both():
    keys = {duel(seed, pool="any").map.key for seed in range(400)}
    assert keys == set(maps())


def test_an_adventure_of_no_class_names_those_there_are():
    with pytest.raises(KeyError, match="no class 'golem'; there are warden"):
        adventure(1, "golem")


def test_a_fight_that_does_not_end_is_a_draw():
    state = duel(1)
    assert outcome(state) is None
    assert outcome(FightState(state.map, state.fighters, state.order, 0, ROUND_LIMIT + 1)) == -1


@pytest.mark.slow
def test_drawn_fights_can_be_written_and_read_again():
    for seed in range(12):
        begun = team(seed, 2, pool="drawn")
        assert state_from_json(state_to_json(begun)) == begun


def test_drawn_fights_are_of_the_seeds_own_and_those_for_training_are_refused():
    one, other = team(7, 2, pool="drawn"), team(8, 2, pool="drawn")
    assert one == team(7, 2, pool="drawn") and one != other
    kinds = {spell.key for fighter in one.fighters for spell in fighter.spells}
    assert all(key.startswith("drawn_") for key in kinds)
    assert begin("duel", 3, pool="drawn") == duel(3, pool="drawn")
    with pytest.raises(ValueError, match="are trained on"):
        begin("duel", FIRST_TRAINING_SEED, pool="drawn")
