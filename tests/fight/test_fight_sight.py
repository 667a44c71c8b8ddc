"""Line of sight keeps the test values of the rules' description and is the same both ways."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.fight.board import CELLS, distance
from botapp.fight.sight import between, cells_of, mask_of, sees, shadow, terrain
from botapp.fight.state import CellFlag

cells = st.integers(0, CELLS - 1)
maps = st.integers(0, 999).map(lambda seed: bytes(random.Random(seed).choices([0, 2, 3], [1, 1, 6], k=CELLS)))
open_floor = bytes([CellFlag.FLOOR]) * CELLS


def test_the_walk_between_two_cells_keeps_the_known_values():
    assert between(215, 300) == (230, 243, 258, 272, 286)
    assert between(129, 213) == (157, 185)


@given(cells, cells)
def test_the_way_back_tests_the_same_cells(a, b):
    assert between(a, b) == between(b, a)[::-1]


@given(cells, cells)
def test_the_walk_leaves_both_ends_out_and_comes_steadily_closer(a, b):
    walk = between(a, b)
    assert a not in walk
    assert b not in walk
    away = [distance(a, cell) for cell in walk]
    assert away == sorted(set(away))


@given(maps, st.sets(cells, max_size=8), cells, cells)
def test_sight_is_the_same_both_ways_between_cells_that_let_it_through(flags, taken, a, b):
    if flags[a] & CellFlag.SIGHT and flags[b] & CellFlag.SIGHT:
        assert sees(flags, taken, a, b) == sees(flags, taken, b, a)


@settings(max_examples=30, deadline=None)
@given(maps, st.sets(cells, max_size=8), cells)
def test_the_set_of_visible_cells_is_what_single_looks_say(flags, taken, origin):
    seen = terrain(flags).visible(origin, taken - {origin})
    sample = [*range(0, CELLS, 37), origin]
    assert [bool(seen >> c & 1) for c in sample] == [sees(flags, taken, origin, c) for c in sample]


@given(cells, cells, cells)
def test_a_cell_hides_what_lies_behind_it_and_nothing_else(origin, cell, target):
    assert shadow(origin, cell) >> target & 1 == (cell in between(origin, target))


def test_a_fighter_hides_what_is_behind_it_but_not_itself():
    behind, middle = 300, 286
    assert sees(open_floor, [], 215, behind)
    assert not sees(open_floor, [middle], 215, behind)
    assert sees(open_floor, [middle], 215, middle)


def test_a_hole_lets_sight_through_and_a_wall_does_not():
    flags = bytearray(open_floor)
    flags[258] = CellFlag.SIGHT
    assert sees(bytes(flags), [], 215, 300)
    flags[258] = CellFlag.NONE
    assert not sees(bytes(flags), [], 215, 300)


@given(st.sets(cells))
def test_sets_of_cells_survive_the_way_through_bits(chosen):
    assert set(cells_of(mask_of(chosen))) == chosen
