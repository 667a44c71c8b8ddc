"""The board's numbering keeps the known values, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.arena.scenarios import duel
from botapp.fight.board import (
    CELLS,
    centre_in_cells,
    distance,
    in_line,
    neighbours,
    on_diagonal,
    to_cell,
    to_xy,
)

cells = st.integers(0, CELLS - 1)


@pytest.mark.parametrize(("cell", "place"), [(100, (6, -1)), (300, (17, -4)), (559, (33, -6)), (0, (0, 0))])
def test_known_places(cell, place):
    assert to_xy(cell) == place
    assert to_cell(*place) == cell


def test_the_longest_way():
    assert distance(0, 559) == 39


@given(cells)
def test_a_place_leads_back_to_its_cell(cell):
    assert to_cell(*to_xy(cell)) == cell


@given(cells)
def test_neighbours_are_one_step_away_and_mutual(cell):
    assert 1 <= len(neighbours(cell)) <= 4
    for near in neighbours(cell):
        assert distance(cell, near) == 1
        assert cell in neighbours(near)
        assert in_line(cell, near)
        assert not on_diagonal(cell, near)


@pytest.mark.parametrize("cell", [-1, CELLS])
def test_off_the_board_is_said(cell):
    with pytest.raises(ValueError, match="is off the board"):
        to_xy(cell)


def test_places_off_the_board_have_no_cell():
    assert to_cell(-1, 0) is None
    assert to_cell(40, -13) is None


def test_odd_rows_are_shifted_by_half_a_cell_on_screen():
    assert centre_in_cells(0) == (0, 0)
    assert centre_in_cells(14) == (0.5, 0.5)
    assert centre_in_cells(28) == (0, 1)


def test_a_fighter_nobody_has_is_named():
    with pytest.raises(KeyError, match="no fighter 9"):
        duel(1).fighter(9)
