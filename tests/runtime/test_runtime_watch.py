"""Watching a window: each thing that can be in the way has its state and its words, and all of them pass."""

import numpy as np
import pytest

from botapp.runtime.watch import WindowWatch
from vision.capture import CaptureError
from vision.frame import Frame, Rect
from vision.window import UnsupportedSession, WindowInfo, WindowState

RECT = Rect(10, 20, 1280, 720)
OK = WindowState(RECT, 1.0, (), 0.0, True, True)
INFO = WindowInfo(7, "botapp arena", "python", 1, RECT)


class FakeCapture:
    def __init__(self) -> None:
        self.state = OK
        self.error: CaptureError | None = None
        self.words = ""
        self.closed = False

    def grab(self) -> Frame:
        if self.error is not None:
            raise self.error
        return Frame(np.zeros((720, 1280, 4), np.uint8), self.state.rect, 5, 0)

    def obstacle(self) -> str:
        return self.words

    def close(self) -> None:
        self.closed = True


class Desk:
    """A desktop with at most one window, and a clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.window: WindowInfo | None = INFO
        self.capture = FakeCapture()
        self.asked: list[dict[str, object]] = []
        self.unsupported = ""
        self.watch = WindowWatch("botapp arena", {99}, self.find, lambda *_: self.capture, lambda: self.now)

    def find(self, **wanted: object) -> WindowInfo | None:
        self.asked.append(wanted)
        if self.unsupported:
            raise UnsupportedSession(self.unsupported)
        return self.window


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_window_in_view_gives_a_frame_and_nothing_to_say(desk: Desk) -> None:
    sight = desk.watch.look()
    assert (sight.capture, sight.reason) == ("watching", "")
    assert sight.frame is not None
    assert sight.window is not None
    assert (sight.window.handle, sight.window.rect) == (7, RECT)
    assert desk.asked == [{"title": "botapp arena", "patterns": (), "exclude_pids": {99}}]


def test_a_missing_window_is_waited_for_without_searching_at_every_frame(desk: Desk) -> None:
    desk.window = None
    sight = desk.watch.look()
    assert sight.capture == "no-window"
    assert "botapp arena" in sight.reason
    desk.window = INFO
    assert desk.watch.look().capture == "no-window"
    assert len(desk.asked) == 1
    desk.now = 1.0
    assert desk.watch.look().capture == "watching"


def test_the_games_own_process_goes_before_others_with_its_title(desk: Desk) -> None:
    desk.watch.process, desk.watch.patterns = "dofus", ("Dofus",)
    assert desk.watch.look().capture == "watching"
    assert desk.asked == [
        {"title": "botapp arena", "process": "dofus", "patterns": ("Dofus",), "exclude_pids": {99}}
    ]
    desk.watch.close()
    desk.window = None
    desk.watch.look()
    assert desk.asked[-1] == {"title": "botapp arena", "patterns": ("Dofus",), "exclude_pids": {99}}


def test_a_closed_window_is_looked_for_again(desk: Desk) -> None:
    desk.watch.look()
    desk.capture.error = CaptureError("closed", "the window was closed", OK)
    sight = desk.watch.look()
    assert sight.capture == "no-window"
    assert "closed" in sight.reason
    assert desk.capture.closed
    desk.capture = FakeCapture()
    assert desk.watch.look().capture == "watching"


@pytest.mark.parametrize(
    ("status", "capture"),
    [
        ("minimised", "minimised"),
        ("too-small", "too-small"),
        ("off-screen", "off-screen"),
        ("failed", "unsupported"),
    ],
)
def test_a_window_that_cannot_be_grabbed_says_why_and_comes_back(
    desk: Desk, status: str, capture: str
) -> None:
    desk.capture.error = CaptureError(status, "Something is in the way.", OK)  # type: ignore[arg-type]
    sight = desk.watch.look()
    assert (sight.capture, sight.reason, sight.frame) == (capture, "Something is in the way.", None)
    assert sight.window is not None
    desk.capture.error = None
    assert desk.watch.look().capture == "watching"


def test_a_partly_covered_window_still_gives_a_frame_and_says_so(desk: Desk) -> None:
    desk.capture.state = WindowState(RECT, 1.0, (Rect(10, 20, 640, 720),), 0.5, True, True)
    desk.capture.words = "50% of the window is covered by other windows."
    sight = desk.watch.look()
    assert sight.capture == "covered"
    assert sight.reason == "50% of the window is covered by other windows."
    assert sight.frame is not None


def test_a_cover_that_the_capture_sees_through_does_not_matter(desk: Desk) -> None:
    desk.capture.state = WindowState(RECT, 1.0, (Rect(10, 20, 640, 720),), 0.5, True, True)
    assert desk.watch.look().capture == "watching"


def test_a_picked_window_is_asked_for_by_its_handle(desk: Desk) -> None:
    desk.watch.look()
    desk.watch.pick(42)
    desk.window = None
    sight = desk.watch.look()
    assert desk.asked[-1] == {"handle": 42, "exclude_pids": {99}}
    assert "Pick another" in sight.reason
    desk.watch.pick(None)
    desk.watch.look()
    assert desk.asked[-1]["title"] == "botapp arena"


def test_a_session_that_cannot_be_watched_says_what_to_do(desk: Desk) -> None:
    desk.unsupported = "This is a Wayland session: enable XWayland."
    sight = desk.watch.look()
    assert (sight.capture, sight.reason) == ("unsupported", "This is a Wayland session: enable XWayland.")
