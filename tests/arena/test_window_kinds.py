"""Every kind of fighter that the arena draws is told from all others by vision."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pytest
from PySide6.QtGui import QImage

from botapp.arena.window.drawings import drawings
from botapp.arena.window.figures import FIGURES
from botapp.arena.window.icons import SIGNS
from botapp.arena.window.moment import Moment
from botapp.arena.window.scene import render
from botapp.content.library import classes, maps, monsters
from botapp.content.maps import floor_of
from botapp.content.templates import GLYPHS, SHAPES
from botapp.fight.board import distance
from botapp.fight.order import turn_order
from botapp.fight.state import FightState
from vision.extract import Reader
from vision.frame import Frame
from vision.profiles import load

KINDS = {**classes(), **monsters()}
GROUPS = [list(KINDS)[first : first + 7] for first in range(0, len(KINDS), 7)]
SIZE = (1280, 720)


def spread(board, count):
    """Returns cells that are well apart, so that nobody stands before somebody else."""
    cells = []
    for cell in floor_of(board):
        if all(distance(cell, other) >= 5 for other in cells):
            cells.append(cell)
    return cells[:count]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_every_kind_is_named_wherever_it_stands(qapp, group):
    board = maps()["old_quarry"].board
    kinds = [group[0], *group]
    cells = spread(board, len(kinds))
    fighters = tuple(
        KINDS[kind].fighter(index, int(index >= 4), cell)
        for index, (kind, cell) in enumerate(zip(kinds, cells, strict=True))
    )
    state = FightState(board, fighters, turn_order(fighters))
    picture = render(state, SIZE, Moment(0, mine=False)).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(picture.constBits(), np.uint8).reshape(SIZE[1], SIZE[0], 4)
    view = Reader(load("arena")).read(Frame.still(pixels))
    seen = {fighter.cell: fighter.kind.value for fighter in (view.player, *view.allies, *view.enemies)}
    assert seen == {fighter.cell: fighter.kind for fighter in fighters}


def test_every_shape_and_sign_can_be_drawn_and_every_shape_is_somebodys():
    assert set(drawings(FIGURES)) == set(SHAPES) == {template.shape for template in KINDS.values()}
    assert set(drawings(SIGNS)) == set(GLYPHS)
