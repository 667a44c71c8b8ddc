"""The arena's places follow one unit, so that vision finds them at any size."""

import itertools

import pytest

from botapp.arena.window import layout
from botapp.arena.window.layout import ArenaLayout

SIZES = [(1280, 720), (1600, 900), (1920, 1080), (800, 600), (640, 400), (640, 900), (1500, 600)]


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_centred_above_the_band(size):
    places = ArenaLayout(*size)
    lattice, unit = places.lattice, min(size[1], size[0] / 1.6)
    assert lattice.cell_w == pytest.approx(0.0860 * unit)
    assert lattice.cell_h == pytest.approx(lattice.cell_w / 2)
    left = lattice.centre(0)[0] - lattice.cell_w / 2
    right = lattice.centre(14 + 13)[0] + lattice.cell_w / 2
    assert (left + right) / 2 == pytest.approx(size[0] / 2)
    assert right - left == pytest.approx(14.5 * lattice.cell_w)
    assert lattice.centre(559)[1] + lattice.cell_h / 2 == pytest.approx(size[1] - 0.115 * unit)


@pytest.mark.parametrize("size", SIZES)
def test_every_piece_of_the_hud_is_inside_the_window_and_apart_from_the_others(size):
    places = ArenaLayout(*size)
    names = (layout.HEART, layout.STAR, layout.DIAMOND, layout.BUTTON, layout.AUTOPILOT, layout.CHRONICLE)
    boxes = [places.from_bottom(name) for name in names] + [places.slot(i) for i in range(layout.SLOTS)]
    boxes.append(places.opponents())
    for box in boxes:
        assert box.x >= 0 and box.x + box.w <= size[0]
        assert box.y >= 0 and box.y + box.h <= size[1]
    slack = 0.0015 * places.unit
    for i, a in enumerate(box.inset(slack) for box in boxes):
        for b in boxes[i + 1 :]:
            apart = a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y
            assert apart, (a, b)


def test_the_current_card_is_the_larger_one_and_cards_do_not_overlap():
    cards = ArenaLayout(1280, 720).cards(4, 2)
    assert max(range(4), key=lambda i: cards[i].h) == 2
    for left, right in itertools.pairwise(cards):
        assert left.x + left.w < right.x


def test_a_cell_is_found_again_from_its_centre():
    lattice = ArenaLayout(1600, 900).lattice
    assert all(lattice.cell_at(*lattice.centre(cell)) == cell for cell in range(560))
