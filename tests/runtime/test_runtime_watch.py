"""Watching a window: each thing that can be in the way has its state and its words, and all of them pass."""

import numpy as np
import pytest

from botapp.host.message import is_message
from botapp.runtime.watch import NO_GAME, NOT_OPEN, OTHER_CLIENT, Wanted, WindowWatch
from vision import profiles
from vision.capture import CaptureError
from vision.frame import Frame, Rect
from vision.window import GameWindow, UnsupportedSession, WindowInfo, WindowState

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
        self.title = INFO.title
        self.others: tuple[GameWindow, ...] = ()
        self.watch = WindowWatch(
            Wanted("botapp arena"),
            {99},
            self.find,
            lambda *_: self.capture,
            lambda: self.now,
            lambda _: self.title,
            lambda *_: self.others,
        )

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
    assert desk.asked == [{"title": "botapp arena", "patterns": (), "character": "", "exclude_pids": {99}}]


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


def test_a_window_that_is_missing_for_long_is_looked_for_more_rarely(desk: Desk) -> None:
    desk.window = None
    for tenth in range(300):
        desk.now = tenth / 10
        desk.watch.look()
    assert 38 <= len(desk.asked) <= 44, "twice a second for ten seconds, then once"
    desk.window = INFO
    desk.now = 31.0
    assert desk.watch.look().capture == "watching"


def test_the_games_own_process_goes_before_others_with_its_title(desk: Desk) -> None:
    desk.watch.wanted.process, desk.watch.wanted.patterns, desk.watch.wanted.character = (
        "dofus",
        ("Dofus",),
        "Ab",
    )
    asked = {"title": "botapp arena", "patterns": ("Dofus",), "character": "Ab", "only_games": True}
    asked |= {"exclude_pids": {99}}
    assert desk.watch.look().capture == "watching"
    assert desk.asked == [asked | {"process": "dofus"}]
    desk.watch.close()
    desk.window = None
    desk.watch.look()
    assert desk.asked[-1] == asked


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


def test_a_partly_covered_window_gives_a_frame_and_says_so_unless_it_is_seen_through(desk: Desk) -> None:
    desk.capture.state = WindowState(RECT, 1.0, (Rect(10, 20, 640, 720),), 0.5, True, True)
    assert desk.watch.look().capture == "watching"
    desk.capture.words = "50% of the window is covered by other windows."
    sight = desk.watch.look()
    assert sight.capture == "covered"
    assert sight.reason == "50% of the window is covered by other windows."
    assert sight.frame is not None


def test_a_picked_window_is_asked_for_by_its_handle(desk: Desk) -> None:
    desk.watch.look()
    desk.watch.pick(42)
    desk.window = None
    sight = desk.watch.look()
    assert {"handle": 42, "exclude_pids": {99}} in desk.asked
    assert "Pick another" in sight.reason
    desk.watch.pick(None)
    desk.watch.look()
    assert desk.asked[-1]["title"] == "botapp arena"


PATTERNS = (r"(?P<character>\S+) - Dofus 2(\.\w+)*", r"Dofus 2(\.\w+)*")


@pytest.mark.parametrize(
    ("character", "title", "capture"),
    [
        ("Ab", "Ab - Dofus 2.66", "watching"),
        ("Ab", "Cd - Dofus 2.66", "no-window"),
        ("Ab", "Dofus 2", "no-window"),
        ("", "Dofus 2", "watching"),
    ],
)
def test_a_picked_window_that_comes_back_is_watched_again_and_no_other_characters(
    desk: Desk, character: str, title: str, capture: str
) -> None:
    desk.watch.wanted.patterns, desk.watch.wanted.character = PATTERNS, character
    desk.watch.pick(42)
    back = WindowInfo(43, title, "dofus", 1, RECT)
    desk.watch._find = lambda **wanted: None if "handle" in wanted else back
    assert desk.watch.look().capture == capture


def test_a_title_that_changes_is_told_for_it_says_who_is_played(desk: Desk) -> None:
    assert desk.watch.look().window.title == "botapp arena"  # type: ignore[union-attr]
    desk.title = "Ab - Dofus 2.66"
    assert desk.watch.look().window.title == "botapp arena"  # type: ignore[union-attr]
    desk.now = 1.5
    assert desk.watch.look().window.title == "Ab - Dofus 2.66"  # type: ignore[union-attr]
    desk.title, desk.now = "", 3.0
    assert desk.watch.look().window.title == "Ab - Dofus 2.66"  # type: ignore[union-attr]


def test_a_window_that_was_taken_of_several_says_so_unless_it_was_chosen(desk: Desk) -> None:
    titles = ("Ab - Dofus 2.66", "Cd - Dofus 2.66", "Ef - Dofus 2.66")
    found = [WindowInfo(number, title, "dofus", 1, RECT) for number, title in enumerate(titles)]
    desk.others = tuple(GameWindow(info, "") for info in found)
    desk.watch.wanted.patterns, desk.window = PATTERNS, found[0]
    assert desk.watch.look().window.rivals == 2  # type: ignore[union-attr]
    desk.watch.wanted.character = "Ab"
    desk.watch.close()
    assert desk.watch.look().window.rivals == 0  # type: ignore[union-attr]
    desk.watch.wanted.character = ""
    desk.watch.pick(0)
    assert desk.watch.look().window.rivals == 0  # type: ignore[union-attr]


def test_where_the_client_is_missing_another_one_that_is_open_is_named(desk: Desk) -> None:
    desk.window, desk.watch.wanted.client = None, "arena"
    desk.others = (GameWindow(WindowInfo(9, "Dofus", "dofus", 1, RECT), "dofus-unity"),)
    sight = desk.watch.look()
    assert sight.capture == "no-window"
    assert is_message(sight.reason)
    assert (sight.reason.template, sight.reason.values) == (
        OTHER_CLIENT,
        {"client": "dofus-unity", "watched": "arena"},
    )


def test_a_window_that_another_client_calls_so_is_not_taken_for_the_watched_one(desk: Desk) -> None:
    info = WindowInfo(9, "Houblon - Dofus 2.68.5.6", "dofus", 1, RECT)
    desk.window, desk.watch.wanted.client = info, "dofus-unity"
    desk.watch.wanted.patterns, desk.watch.wanted.others = profiles.titles()["dofus-unity"], profiles.titles()
    desk.others = (GameWindow(info, "dofus-2"),)
    sight = desk.watch.look()
    assert is_message(sight.reason) and sight.reason.template == OTHER_CLIENT
    assert sight.reason.values["client"] == "dofus-2"
    desk.window = WindowInfo(9, "Dofus of old", "dofus", 1, RECT)
    desk.now += 60
    assert desk.watch.look().capture == "watching", "a title that no client writes may be the watched one's"


@pytest.mark.parametrize(
    ("client", "follow", "told"),
    [("arena", True, NO_GAME), ("dofus-unity", True, NO_GAME), ("dofus-unity", False, NOT_OPEN)],
)
def test_where_nothing_is_open_no_client_is_said_to_be_watched(
    desk: Desk, client: str, follow: bool, told: str
) -> None:
    desk.window, desk.watch.wanted.client, desk.watch.wanted.follow = None, client, follow
    reason = desk.watch.look().reason
    assert is_message(reason) and reason.template == told


def test_a_session_that_cannot_be_watched_says_what_to_do(desk: Desk) -> None:
    desk.unsupported = "This is a Wayland session: enable XWayland."
    sight = desk.watch.look()
    assert (sight.capture, sight.reason) == ("unsupported", "This is a Wayland session: enable XWayland.")
