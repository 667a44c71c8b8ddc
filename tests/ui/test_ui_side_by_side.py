"""Windows that do not cover each other: the app beside a game, the arena beside the app; one arena only."""

import pytest
from PySide6.QtCore import QRect, QSize
from ui_factories import FakeArena, snapshot, state

from botapp.runtime.messages import WatchWindow
from botapp.ui import arenas
from botapp.ui.arenas import APP_LEAST, arena_and_app, beside
from vision.frame import Rect
from vision.window import WindowInfo

SIZES = ((0, 0, 1280, 720), (0, 0, 1366, 728), (0, 0, 1920, 1080), (100, 30, 2560, 1400))
SCREENS = [QRect(*place) for place in SIZES]
ARENA, LEAST = QSize(1280, 720), QSize(640, 400)


@pytest.mark.parametrize("room", SCREENS)
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 1.0])
def test_the_arena_and_the_app_do_not_cover_each_other(room, share):
    app = QRect(0, 0, int(room.width() * share), int(room.height() * 0.9))
    app.moveCenter(room.center())
    arena, moved = arena_and_app(app, room, ARENA, LEAST)
    assert not arena.intersects(moved), (arena, moved)
    assert room.contains(arena) and room.contains(moved)
    assert arena.width() >= LEAST.width() and arena.height() >= LEAST.height()
    assert moved.width() >= APP_LEAST.width()


def test_an_app_that_leaves_room_stays_where_it_is():
    app = QRect(1200, 30, 700, 900)
    arena, moved = arena_and_app(app, SCREENS[2], ARENA, LEAST)
    assert moved == app and arena.right() < app.left() and arena.width() > 1000


@pytest.mark.parametrize("game", [QRect(0, 30, 704, 396), QRect(600, 30, 680, 600), QRect(20, 20, 640, 400)])
def test_the_app_stands_beside_a_game_that_is_open(game):
    found = beside(game, SCREENS[0], QSize(1100, 680))
    assert found is not None and not found.intersects(game) and SCREENS[0].contains(found)
    assert beside(SCREENS[0], SCREENS[0], QSize(1100, 680)) is None


class Ending(FakeArena):
    """An arena that is told apart by its number."""

    def __init__(self, pid):
        super().__init__()
        self.pid = pid


@pytest.mark.slow
def test_one_arena_at_a_time_is_watched_and_gone_with_the_app(start, qtbot, monkeypatch):
    begun = []

    def begin(arguments):
        begun.append(Ending(5_000_000 + len(begun)))
        return begun[-1]

    def windows():
        return [
            WindowInfo(10 + index, "arena", "python", one.pid, Rect(0, 0, 640, 400))
            for index, one in enumerate(begun)
            if one.code is None
        ]

    monkeypatch.setattr(arenas, "begin", begin)
    monkeypatch.setattr(arenas, "list_windows", windows)
    app, (worker,) = start()
    app.pages.open_arena()
    qtbot.waitUntil(lambda: WatchWindow(10) in worker.sent, timeout=3000)
    app.pages.play_position(state())
    assert begun[0].code == 0, "the one that was open makes room"
    qtbot.waitUntil(lambda: WatchWindow(11) in worker.sent, timeout=3000)
    begun[1].code = 0
    qtbot.waitUntil(lambda: worker.sent[-1] == WatchWindow(None), timeout=3000)
    app.pages.open_arena()
    app.stop()
    assert begun[2].code == 0


@pytest.mark.slow
def test_a_position_opened_in_a_demo_is_not_played_into_the_demo_s_arena(start, qtbot, monkeypatch):
    monkeypatch.setattr(arenas, "begin", lambda arguments: FakeArena())
    window = WindowInfo(7, "arena", "python", FakeArena().pid, Rect(0, 0, 640, 400))
    monkeypatch.setattr(arenas, "list_windows", lambda: [window])
    app, (worker,) = start(play=lambda _: None, play_at_start=True)
    assert app.autopilot.on
    app.pages.play_position(state())
    qtbot.waitUntil(lambda: WatchWindow(7) in worker.sent, timeout=3000)
    assert not app.autopilot.on


@pytest.mark.slow
def test_the_notice_of_two_windows_goes_once_there_is_one(start, qtbot):
    from dataclasses import replace

    from ui_factories import feed

    app, (worker,) = start()
    two = snapshot(1)
    two = replace(two, window=replace(two.window, rivals=1))
    feed(qtbot, app, worker, two)
    assert "2 windows of the game are open" in app.window.notice.text.text()
    feed(qtbot, app, worker, replace(two, seq=2, window=replace(two.window, rivals=0)))
    assert "windows of the game" not in app.window.notice.text.text()
