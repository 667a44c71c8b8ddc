"""A window's state: what a person can see of it, from rectangles alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.frame import Rect
from vision.window import model
from vision.window.model import CLOSED, describe

SCREEN = Rect(0, 0, 1920, 1080)
WINDOW = Rect(100, 100, 1000, 600)


def test_a_window_in_full_view_is_ok():
    state = describe(WINDOW, SCREEN, [], shown=True)
    assert (state.status, state.on_screen, state.covered) == ("ok", 1.0, 0.0)
    assert "1000x600" in state.text
    half = describe(WINDOW, SCREEN, [Rect(100, 100, 500, 600)], shown=True)
    assert half.text.startswith("50%") and "closed" in CLOSED.text


@pytest.mark.parametrize(
    ("rect", "above", "shown", "status"),
    [
        (WINDOW, [Rect(100, 100, 500, 600)], True, "covered"),
        (WINDOW, [Rect(1100, 100, 500, 600)], True, "ok"),
        (Rect(1500, 100, 1000, 600), [], True, "off-screen"),
        (Rect(3000, 100, 1000, 600), [], True, "off-screen"),
        (Rect(100, 100, 300, 200), [], True, "too-small"),
        (WINDOW, [], False, "minimised"),
    ],
)
def test_what_is_in_the_way_is_named(rect, above, shown, status):
    state = describe(rect, SCREEN, above, shown)
    assert state.status == status
    assert state.text


rects = st.builds(Rect, st.integers(-50, 50), st.integers(-50, 50), st.integers(0, 60), st.integers(0, 60))


@given(st.lists(rects, max_size=6))
def test_the_covered_fraction_is_that_of_the_pixels(above):
    window, screen = Rect(-3, -4, 40, 30), Rect(-10, -10, 45, 35)
    state = describe(window, screen, above, shown=True)
    pixels = {
        (x, y)
        for r in (model.intersect(model.intersect(window, screen), other) for other in above)
        for x in range(r.x, r.right)
        for y in range(r.y, r.bottom)
    }
    assert state.covered == pytest.approx(len(pixels) / 1200)
    assert state.on_screen == pytest.approx(38 * 29 / 1200)
