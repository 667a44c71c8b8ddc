"""Physical pixels of the game land on the right logical pixels of the overlay, on every screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.ui.overlay.geometry import OverlayGeometry, ScreenArea, place
from vision.frame import Rect
from vision.view import Lattice

PLAIN = ScreenArea(0, 0, 1920, 1080)
DOUBLE = ScreenArea(1920, 0, 1280, 720, 2.0)


@pytest.mark.parametrize(
    ("window", "screens", "found"),
    [
        (Rect(100, 60, 1280, 720), [PLAIN], (100, 60, 1280, 720, 1.0)),
        (Rect(1920 + 200, 100, 1280, 720), [PLAIN, DOUBLE], (1920 + 100, 50, 640, 360, 2.0)),
        (Rect(-1500, 40, 800, 600), [PLAIN, ScreenArea(-1600, 0, 1600, 900)], (-1500, 40, 800, 600, 1.0)),
        (Rect(1, 2, 3, 4), [], (1, 2, 3, 4, 1.0)),
    ],
    ids=["plain", "dense", "left of the first screen", "no screen"],
)
def test_a_window_is_placed_in_the_pixels_of_its_screen(window, screens, found):
    assert place(window, screens) == OverlayGeometry(*found)


@pytest.mark.parametrize(("left", "ratio"), [(1800, 2.0), (1200, 1.0)])
def test_a_window_between_screens_goes_by_its_centre(left, ratio):
    assert place(Rect(left, 0, 1000, 600), [PLAIN, DOUBLE]).ratio == ratio


@given(st.integers(0, 559), st.sampled_from([1.0, 1.25, 1.5, 2.0]))
def test_a_cell_lies_where_the_frame_shows_it(cell, ratio):
    lattice = Lattice((104.0, 40.0), 74.0, 37.0)
    placement = OverlayGeometry(0, 0, 640, 360, ratio)
    x, y = placement.centre(lattice, cell)
    assert (x * ratio, y * ratio) == pytest.approx(lattice.centre(cell))
    right, bottom, left, top = placement.diamond(lattice, cell)
    assert (right[0] - left[0]) * ratio == pytest.approx(lattice.cell_w)
    assert (bottom[1] - top[1]) * ratio == pytest.approx(lattice.cell_h)


@given(
    st.integers(0, 400), st.integers(0, 300), st.integers(0, 559), st.sampled_from([1.25, 1.5, 1.75, 2.25])
)
def test_marks_lie_where_the_game_does_wherever_its_window_is(x, y, cell, ratio):
    lattice = Lattice((104.0, 40.0), 74.0, 37.0)
    placement = place(Rect(x, y, 800, 600), [ScreenArea(0, 0, 1920, 1080, ratio)])
    across, down = placement.centre(lattice, cell)
    wanted = lattice.centre(cell)
    assert (placement.x + across) * ratio == pytest.approx(x + wanted[0])
    assert (placement.y + down) * ratio == pytest.approx(y + wanted[1])
