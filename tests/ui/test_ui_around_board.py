"""The first questions show the board large: the picture around it, everything at its place there."""

from dataclasses import replace

import numpy as np
import pytest
from ui_factories import LATTICE, PLAYER, view

from botapp.ui.game.start import around_board
from vision.view import CellKind, Seen


@pytest.fixture
def picture():
    """A picture in which each pixel says where it is."""
    made = np.zeros((720, 1280, 3), np.uint8)
    made[..., 0], made[..., 1] = np.arange(720)[:, None] % 251, np.arange(1280) % 251
    return made


def test_a_cell_and_a_fighter_lie_on_the_same_pixels_as_before(picture):
    seen = view()
    pixels, shown = around_board(picture, seen)
    assert pixels.shape[0] < 720 or pixels.shape[1] < 1280
    for before, after in (
        (LATTICE.centre(PLAYER), shown.lattice.value.centre(PLAYER)),
        (seen.player.px, shown.player.px),
        (seen.enemies[0].px, shown.enemies[0].px),
    ):
        (x, y), (left, top) = map(int, before), map(int, after)
        assert list(pixels[top, left]) == list(picture[y, x])


def test_all_cells_of_the_board_are_in_the_part(picture):
    pixels, shown = around_board(picture, view())
    height, width = pixels.shape[:2]
    for cell in np.flatnonzero(shown.cells != CellKind.OUTSIDE):
        x, y = LATTICE.centre(int(cell))
        inside = 0 <= x < 1280 and 0 <= y < 720
        left, top = shown.lattice.value.centre(int(cell))
        assert not inside or (0 <= left < width and 0 <= top < height)


@pytest.mark.parametrize(
    "changes", [{"lattice": Seen()}, {"cells": np.full(560, CellKind.OUTSIDE, np.uint8)}]
)
def test_without_a_board_it_is_the_whole_picture(picture, changes):
    pixels, shown = around_board(picture, replace(view(), **changes))
    assert pixels.shape == picture.shape and shown.player.px == view().player.px
