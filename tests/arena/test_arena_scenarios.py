"""Fights come from their seed, on maps that are connected and fair."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.arena.content import classes, monsters
from botapp.arena.maps import START_CELLS, opposite
from botapp.arena.scenarios import ROUND_LIMIT, adventure, duel, outcome
from botapp.fight.board import distance
from botapp.fight.paths import UNREACHED, walking_distances
from botapp.fight.sight import terrain
from botapp.fight.state import CellFlag, FightState

few = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 100_000)


@few
@given(seeds)
def test_maps_are_connected_fair_and_use_part_of_the_board(seed):
    board = duel(seed).map
    walkable = [cell for cell in range(560) if board.cells[cell] & CellFlag.WALKABLE]
    away = walking_distances(terrain(board.cells), walkable[0])
    assert all(away[cell] < UNREACHED for cell in walkable)
    assert bytes(reversed(board.cells)) == board.cells
    assert 200 <= len(walkable) <= 380
    used = [cell // 14 for cell in range(560) if board.cells[cell]]
    assert min(used) == 6
    assert max(used) == 33
    starts = (*board.red_starts, *board.blue_starts)
    assert len(set(starts)) == 2 * START_CELLS
    assert all(board.cells[cell] & CellFlag.WALKABLE for cell in starts)
    assert min(distance(a, b) for a in board.red_starts for b in board.blue_starts) >= 6


def test_maps_have_walls_and_holes_somewhere():
    boards = [duel(seed).map.cells for seed in range(10)]
    assert all(CellFlag.SIGHT in cells for cells in boards)
    inner_walls = sum(1 for cells in boards for cell in range(14 * 15, 14 * 25) if not cells[cell])
    assert inner_walls > 10


@few
@given(seeds)
def test_a_duel_is_the_same_from_its_seed_and_mirrored(seed):
    state = duel(seed)
    assert state == duel(seed)
    red, blue = state.fighters
    assert (red.team, blue.team) == (0, 1)
    assert blue.cell == opposite(red.cell)
    assert {red.kind, blue.kind} <= set(classes())


def test_a_duel_takes_the_classes_asked_for():
    assert [f.kind for f in duel(1, "warden", "leech").fighters] == ["warden", "leech"]
    assert duel(1, "warden").fighters[0].kind == "warden"
    with pytest.raises(KeyError, match="no class 'golem'"):
        duel(1, "golem")


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


def test_every_monster_is_met():
    met = {f.kind for seed in range(60) for f in adventure(seed, "ember").fighters[1:]}
    assert met == set(monsters())


def test_an_adventure_of_no_class_names_those_there_are():
    with pytest.raises(KeyError, match="no class 'golem'; there are warden"):
        adventure(1, "golem")


def test_a_fight_that_does_not_end_is_a_draw():
    state = duel(1)
    assert outcome(state) is None
    assert outcome(FightState(state.map, state.fighters, state.order, 0, ROUND_LIMIT + 1)) == -1
