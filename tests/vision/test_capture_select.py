"""Choosing a backend: kept after a first real picture, dropped and replaced when it stops working."""

import itertools

import numpy as np
import pytest

from vision.capture import Capture, CaptureError
from vision.capture.model import GrabError
from vision.frame import Rect
from vision.window.model import CLOSED, describe

SCREEN = Rect(0, 0, 1920, 1080)


class FakeWindows:
    def __init__(self):
        self.now = describe(Rect(10, 20, 800, 500), SCREEN, [], shown=True)
        self.asked_for_covers = []

    def state(self, handle, ignore_pids=frozenset(), *, covers=True):
        self.asked_for_covers.append(covers)
        return self.now


class FakeBackend:
    def __init__(self, name, sees_through=False):
        self.name, self.sees_through = name, sees_through
        self.works, self.is_usable, self.closed = True, True, 0

    def __call__(self):
        return self

    def usable(self):
        return self.is_usable

    def grab(self, state):
        if not self.works:
            raise GrabError(f"{self.name} is broken")
        return np.zeros((state.rect.height, state.rect.width, 4), np.uint8)

    def close(self):
        self.closed += 1


@pytest.fixture
def windows():
    return FakeWindows()


def missing():
    raise GrabError("not on this system")


def test_the_first_backend_that_starts_and_has_a_picture_is_kept(windows):
    broken, good = FakeBackend("broken"), FakeBackend("good")
    broken.works = False
    with Capture(1, windows, [missing, broken, good]) as capture:
        assert capture.backend == ""
        frames = [capture.grab() for _ in range(3)]
        assert capture.backend == "good"
        assert broken.closed == 1
    assert [frame.seq for frame in frames] == [0, 1, 2]
    assert frames[0].rect == Rect(10, 20, 800, 500)
    assert frames[0].pixels is not frames[1].pixels
    assert frames[0].captured_ns <= frames[1].captured_ns
    assert good.closed == 1


def test_another_backend_takes_over_when_the_first_stops_being_usable(windows):
    first, second = FakeBackend("first"), FakeBackend("second")
    capture = Capture(1, windows, [first, second])
    capture.grab()
    first.is_usable = False
    capture.grab()
    assert capture.backend == "second"
    first.is_usable = True
    second.works = False
    capture.grab()
    assert capture.backend == "first"


def test_no_backend_works_is_an_error_in_words_and_tried_again_less_and_less_often(windows):
    broken, now, made = FakeBackend("broken"), [0.0], []
    broken.works = False
    capture = Capture(1, windows, [lambda: made.append(now[0]) or broken], clock=lambda: now[0])
    while now[0] < 60:
        with pytest.raises(CaptureError, match="broken is broken") as error:
            capture.grab()
        assert error.value.status == "failed"
        now[0] += 0.05
    tries = sorted(set(made))
    waits = [after - before for before, after in itertools.pairwise(tries)]
    assert len(made) == broken.closed < 40, "a picture each 50 ms, each with three tries, would be 3600"
    assert waits[:4] == pytest.approx([0.25, 0.5, 1, 2], abs=0.1)
    assert waits[-1] == pytest.approx(10, abs=0.1)
    broken.works = True
    now[0] += 10
    assert capture.grab().pixels.shape == (500, 800, 4)


def test_a_window_that_closes_while_no_backend_works_is_noticed_before_the_next_try(windows):
    broken = FakeBackend("broken")
    broken.works = False
    capture = Capture(1, windows, [broken], clock=lambda: 0.0)
    for status in ("failed", "failed", "closed"):
        windows.now = CLOSED if status == "closed" else windows.now
        with pytest.raises(CaptureError) as error:
            capture.grab()
        assert error.value.status == status
    assert broken.closed == 3, "three attempts of the first try, and no other"


def test_a_window_out_of_sight_is_a_state_and_comes_back(windows):
    capture = Capture(1, windows, [FakeBackend("good")])
    rect = windows.now.rect
    for state, status in [
        (describe(rect, SCREEN, [], shown=False), "minimised"),
        (describe(Rect(0, 0, 50, 50), SCREEN, [], shown=True), "too-small"),
        (CLOSED, "closed"),
    ]:
        windows.now = state
        with pytest.raises(CaptureError) as error:
            capture.grab()
        assert error.value.status == status
        assert error.value.state is state
    windows.now = describe(rect, SCREEN, [], shown=True)
    assert capture.grab().rect == rect


def test_a_window_past_the_edge_is_off_screen(windows):
    windows.now = describe(Rect(4000, 0, 800, 500), SCREEN, [], shown=True)
    broken = FakeBackend("broken")
    broken.works = False
    with pytest.raises(CaptureError) as error:
        Capture(1, windows, [broken]).grab()
    assert error.value.status == "off-screen"


def test_only_a_backend_that_sees_the_screen_minds_a_cover(windows):
    windows.now = describe(Rect(0, 0, 800, 500), SCREEN, [Rect(0, 0, 400, 500)], shown=True)
    for sees_through, text in ((True, ""), (False, "50%")):
        capture = Capture(1, windows, [FakeBackend("good", sees_through)])
        capture.grab()
        assert capture.obstacle().startswith(text) and bool(capture.obstacle()) == bool(text)


def test_what_lies_over_a_window_is_asked_for_only_where_it_can_be_in_the_picture(windows):
    through, screen = FakeBackend("through", sees_through=True), FakeBackend("screen")
    capture = Capture(1, windows, [through, screen])
    for _ in range(3):
        capture.grab()
    assert windows.asked_for_covers == [True, False, False]
    through.is_usable = False
    for _ in range(2):
        capture.grab()
    assert windows.asked_for_covers[3:] == [True, True]
