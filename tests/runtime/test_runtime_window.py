"""Whatever happens to the game's window, the worker says what it is and goes on when it is over."""

import os
import sys
import time
from collections.abc import Iterator

import pytest

from botapp.demo.arena_process import ArenaProcess
from botapp.demo.display import display, missing_packages
from botapp.host.settings import Settings
from botapp.runtime.messages import LogLine, Snapshot, WatchedWindow
from botapp.runtime.process import WorkerProcess

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual display is for Linux"),
    pytest.mark.skipif(bool(missing_packages()), reason="Xvfb, openbox or picom is missing"),
]


class Desk:
    """A virtual screen with the arena on it and a worker that watches it."""

    def __init__(self) -> None:
        self.worker = WorkerProcess(Settings(engine={"adviser": "search", "latency_budget_ms": 20}))
        self.worker.start()
        self.arena = self.open_arena()

    @staticmethod
    def open_arena() -> ArenaProcess:
        return ArenaProcess(["--seed", "1", "--at", "100,80", "--size", "960x600"])

    def until(self, capture: str, beyond: bool = False) -> Snapshot:
        """Waits for a state of the capture, with the window inside the screen's left edge or beyond it."""
        deadline = time.monotonic() + 60
        last = None
        while time.monotonic() < deadline:
            last = self.worker.latest.take(0.2) or last
            if last is None or last.capture != capture:
                continue
            if beyond == (last.window is not None and last.window.rect.x < 0):
                return last
        raise AssertionError(f"never {capture}, but {last and (last.capture, last.reason)}")

    def close(self) -> None:
        self.arena.stop()
        self.worker.stop()


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path) -> Iterator[Desk]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    with display(1300, 900, compositor=False):
        made = Desk()
        yield made
        made.close()


class Mover:
    """Does to a window what a person would."""

    def __init__(self, window: WatchedWindow) -> None:
        from Xlib import display as xdisplay

        self.connection = xdisplay.Display(os.environ["DISPLAY"])
        self.root = self.connection.screen().root
        self.window = self.connection.create_resource_object("window", window.handle)

    def minimise(self) -> None:
        from Xlib import X
        from Xlib.protocol import event

        change = self.connection.intern_atom("WM_CHANGE_STATE")
        message = event.ClientMessage(window=self.window, client_type=change, data=(32, [3, 0, 0, 0, 0]))
        self.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.connection.sync()

    def show(self) -> None:
        self.window.map()
        self.connection.sync()

    def place(self, **changes: int) -> None:
        hints = self.window.get_wm_normal_hints()
        hints.flags = 0
        self.window.set_wm_normal_hints(hints)
        self.window.configure(**changes)
        self.connection.sync()

    def cover(self) -> object:
        depth = self.connection.screen().root_depth
        cover = self.root.create_window(
            100, 80, 600, 600, 0, depth, override_redirect=1, background_pixel=0xFF00FF
        )
        cover.map()
        self.connection.sync()
        return cover

    def uncover(self, cover) -> None:
        cover.destroy()
        self.connection.sync()


@pytest.mark.long
def test_every_state_of_the_window_is_told_and_passes(desk: Desk) -> None:
    seen = desk.until("watching")
    assert seen.view is not None
    assert seen.window is not None
    mover = Mover(seen.window)

    mover.minimise()
    assert "minimised" in desk.until("minimised").reason
    mover.show()
    desk.until("watching")

    mover.place(x=-700, y=40)
    beyond = desk.until("watching", beyond=True)
    assert beyond.reason == ""
    assert beyond.view is not None
    assert len(beyond.view.enemies) == len(seen.view.enemies)
    mover.place(x=100, y=80)
    desk.until("watching")

    mover.place(width=420, height=300)
    assert "420x300" in desk.until("too-small").reason
    mover.place(width=1100, height=700)
    seen = desk.until("watching")
    assert seen.window is not None

    cover = mover.cover()
    for _ in range(5):
        covered = desk.worker.latest.take(5.0)
        assert covered is not None
        assert (covered.capture, covered.reason) == ("watching", "")
    assert covered.view is not None
    assert covered.view.player is not None
    mover.uncover(cover)
    desk.until("watching")

    desk.arena.stop()
    assert "closed" in desk.until("no-window").reason
    desk.arena = desk.open_arena()
    assert desk.until("watching").view is not None

    mover.connection.close()
    bad = [event for event in desk.worker.events if not isinstance(event, LogLine) or event.level >= 30]
    assert bad == []
