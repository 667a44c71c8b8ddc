"""A board that would be too small to read shows the part where the fight is, larger, with all of it."""

import pytest
from ui_factories import PLAYER, fighter, state, turn

from botapp.fight.state import FightMap
from botapp.ui.widgets import board as board_module
from botapp.ui.widgets.board import BoardView

WHOLE = FightMap("whole", bytes([3] * 560))


@pytest.fixture
def board(qtbot):
    made = BoardView()
    qtbot.addWidget(made)
    return made


def shown(board, width, height, standing=(PLAYER, 272), aims=frozenset(), line=None):
    fighters = tuple(fighter(number, "Olm", number % 2, cell) for number, cell in enumerate(standing))
    board.resize(width, height)
    board.show_turn(state(map=WHOLE, fighters=fighters, order=tuple(range(len(fighters)))), line, aims)
    return board.lattice


def inside(board, cell):
    x, y = board.lattice.centre(cell)
    half_w, half_h = board.lattice.cell_w / 2, board.lattice.cell_h / 2
    return half_w <= x <= board.width() - half_w and half_h <= y <= board.height() - half_h


def test_cells_are_larger_where_the_whole_board_would_be_too_small(board, monkeypatch):
    part = shown(board, 600, 150)
    assert inside(board, PLAYER) and inside(board, 272)
    monkeypatch.setattr(board_module, "_SMALL", 0.0)
    board._fit()
    assert part.cell_h > 1.5 * board.lattice.cell_h and part.cell_h <= 20


def test_a_board_with_room_is_shown_whole(board):
    lattice = shown(board, 1400, 900)
    assert lattice.cell_h > 20
    assert all(inside(board, cell) for cell in (0, 13, 546, 559))


@pytest.mark.parametrize("standing", [(0, 13), (546, 559), (0, 559), (280, 281)])
def test_every_fighter_and_what_can_be_picked_stay_in_sight(board, standing):
    aims = frozenset({standing[0] + 28 if standing[0] < 500 else standing[0] - 28})
    shown(board, 600, 150, standing, aims)
    assert all(inside(board, cell) for cell in (*standing, *aims))


def test_the_turn_that_is_drawn_stays_in_sight(board):
    line = turn().lines[0]
    shown(board, 600, 150, (PLAYER, 230), line=line)
    assert all(inside(board, step.action.target) for step in line.steps)
    assert shown(board, 600, 150, (PLAYER, 230)).cell_h >= board.lattice.cell_h
