"""The overlay over the practice arena on a virtual display, under a window manager; run as a program.

    python tests/ui/over_the_arena.py MANAGER FOLDER

It clicks a spell and an enemy's cell through the overlay, then has the window manager, other windows and the
server hide the overlay or put the game in front of it, and says in JSON what came of it.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

MANAGERS = {
    "openbox": ["openbox", "--sm-disable"],
    "metacity": ["metacity", "--sm-disable"],
    "xfwm4": ["dbus-run-session", "xfwm4", "--sm-client-disable"],
    "kwin_x11": ["dbus-run-session", "kwin_x11"],
    "mutter": ["dbus-run-session", "mutter", "--x11"],
    "i3": ["i3", "-c", "{i3}"],
}
"""How each is started; the name is the program's."""
PACKAGES = {
    "openbox": "openbox picom",
    "metacity": "metacity",
    "xfwm4": "xfwm4 dbus",
    "kwin_x11": "kwin-x11 dbus",
    "mutter": "mutter dbus",
    "i3": "i3-wm picom",
}
I3 = "# i3 config file (v4)\nfont pango:monospace 8\nfor_window [title='botapp arena'] floating enable\n"
ALONE = ("openbox", "i3")
"""Those that do not blend windows themselves; picom does. Where nothing does, the overlay is cut to its
shapes, and a frame around it as well."""
SIZE = (1280, 720)
AT = (100, 60)
PATIENCE_S = 20.0
START_S = 120.0
"""How long the arena may take until it shows a fight, on a machine that is busy with other tests."""


def missing(manager: str) -> list[str]:
    """Returns the programs that are not there of those that are needed."""
    wanted = {"Xvfb", MANAGERS[manager][0], manager} | ({"picom"} if manager in ALONE else set())
    return [name for name in sorted(wanted) if shutil.which(name) is None]


@contextmanager
def managed(manager: str, folder: Path) -> Iterator[None]:
    """Runs a virtual display with a window manager of its own while the block runs."""
    from botapp.demo import display

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)
    (folder / "i3.conf").write_text(I3)
    with ExitStack() as stack:
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        os.environ["DISPLAY"] = display.start_server(stack, 1440, 900)
        display.start_program(stack, [part.format(i3=folder / "i3.conf") for part in MANAGERS[manager]])
        display.wait_for(manager, lambda: display.root_has("_NET_SUPPORTING_WM_CHECK"))
        if manager in ALONE:
            stack.enter_context(display.compositing())
        yield


class Desk:
    """The arena, the overlay on it, and the pointer."""

    def __init__(self, folder: Path) -> None:
        import ui_factories
        from PySide6.QtWidgets import QApplication
        from Xlib.display import Display

        from botapp.runtime import first_start

        first_start.settle()
        from botapp.arena.scenarios import adventure
        from botapp.host.settings import OverlaySettings
        from botapp.ui.overlay.window import Overlay
        from vision.window import connect

        self.qt = QApplication([])
        self.server = Display()
        self.root = self.server.screen().root
        self.windows = connect()
        self.log = folder / "arena.jsonl"
        seed = next(seed for seed in range(100) if adventure(seed, "ember").actor.id == 0)
        options = ["--seed", str(seed), "--class", "ember", "--log", str(self.log), "--turn-seconds", "600"]
        options += ["--at", f"{AT[0]},{AT[1]}", "--size", f"{SIZE[0]}x{SIZE[1]}"]
        self.arena = subprocess.Popen([sys.executable, "-m", "botapp", "arena", *options])
        self.game = self.started(self._find, "its window")
        self.started(lambda: self.shown().get("turn") == "mine" and self.shown()["settled"], "an own turn")
        self.overlay = Overlay(OverlaySettings(stale_after_ms=20_000))
        self._snapshot = ui_factories.snapshot
        self.show()
        self.wait(1.5)

    def _find(self) -> Any:
        return next((w for w in self.windows.list_windows() if w.title == "botapp arena"), None)

    def show(self) -> None:
        """Shows the overlay a snapshot of the game as it is watched just now."""
        from vision.view import Lattice, Seen

        state = self.windows.state(self.game.handle)
        watched = replace(self._snapshot(1).window, handle=self.game.handle, rect=state.rect)
        places = self.shown()["lattice"]
        lattice = Lattice(tuple(places["origin_px"]), places["cell_w"], places["cell_h"])
        seen = self._snapshot(1)
        capture = "watching" if state.shown else "minimised"
        self.overlay.show_snapshot(
            replace(
                seen,
                captured_ns=time.monotonic_ns(),
                window=watched,
                capture=capture,
                view=replace(seen.view, lattice=Seen(lattice, 1.0)),
            )
        )

    def shown(self) -> dict[str, Any]:
        try:
            lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        except (OSError, ValueError):
            return {}
        return next((line for line in reversed(lines) if line["event"] == "shown"), {})

    def wait(self, seconds: float) -> None:
        from PySide6.QtTest import QTest

        QTest.qWait(round(1000 * seconds))

    def started(self, found: Callable[[], Any], wanted: str) -> Any:
        """Waits for something that the arena shows at its start and returns it.

        Raises:
            TimeoutError: if the arena has ended, or does not show it within `START_S`.
        """
        there = self.until(lambda: found() or self.arena.poll() is not None, START_S)
        if self.arena.poll() is not None or not there:
            raise TimeoutError(f"the arena did not show {wanted} (exit status {self.arena.poll()})")
        return there

    def until(self, found: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
        """Waits for something to be there and returns it; what there is after `patience_s`."""
        end = time.monotonic() + patience_s
        while not (there := found()) and time.monotonic() < end:
            self.wait(0.1)
        return there

    def pointed(self, x: float, y: float) -> int:
        """Puts the pointer somewhere in the game; returns the innermost window that takes its clicks."""
        rect = self.windows.state(self.game.handle).rect
        self.root.warp_pointer(round(rect.x + x), round(rect.y + y))
        self.server.sync()
        self.wait(0.2)
        window = self.root
        while (child := window.query_pointer().child) and child != 0:
            window = child
        return int(window.id)

    def click(self, x: float, y: float) -> int:
        """Clicks somewhere in the game; returns the window that was under the pointer."""
        from Xlib import X
        from Xlib.ext import xtest

        under = self.pointed(x, y)
        for kind in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self.server, kind, 1)
            self.server.sync()
            self.wait(0.1)
        return under

    def play(self) -> dict[str, Any]:
        """Casts the first spell that reaches an enemy, or walks, by clicks through the overlay."""
        from botapp.arena.window.layout import ArenaLayout

        places = ArenaLayout(*self.shown()["client"])
        before = self.shown()
        under = [self.click(*places.slot(0).centre)]
        self.until(lambda: "range" in self.shown().get("highlights", {}))
        selected = "range" in self.shown().get("highlights", {})
        under.append(self.click(*places.slot(0).centre))
        self.until(lambda: "reachable" in self.shown().get("highlights", {}))
        for cell in self.shown().get("highlights", {}).get("reachable", [])[:1]:
            under.append(self.click(*places.lattice.centre(cell)))
        self.until(lambda: self.shown()["mp"] < before["mp"])
        return {
            "under": sorted({self.owner(window) for window in under}),
            "selected": selected,
            "walked": self.shown()["mp"] < before["mp"],
        }

    def owner(self, window: int) -> str:
        """Says whose window it is: the game's, the overlay's, or its number."""
        if window == self.game.handle or self._pid(window) == self.arena.pid:
            return "game"
        return "overlay" if window == int(self.overlay.winId()) else hex(window)

    def _pid(self, window: int) -> int:
        from Xlib import X

        found = self.server.create_resource_object("window", window).get_full_property(
            self.server.intern_atom("_NET_WM_PID"), X.AnyPropertyType
        )
        return int(found.value[0]) if found else 0

    def there(self) -> bool:
        """Tells whether the overlay is seen over the game within some seconds, snapshots coming on."""

        def seen() -> bool:
            self.show()
            standing = self.windows.standing(int(self.overlay.winId()), self.game.handle)
            return self.overlay.isVisible() and standing == "over"

        return bool(self.until(seen))

    def as_the_game(self) -> bool:
        """Tells whether the overlay is seen within some seconds if the game is, and else is not."""

        def seen_as_the_game() -> bool:
            self.show()
            shown = self.windows.state(self.game.handle).shown
            standing = self.windows.standing(int(self.overlay.winId()), self.game.handle)
            return standing == ("over" if shown else "hidden")

        return bool(self.until(seen_as_the_game))

    def tell(self, name: str, window: int, *data: int) -> None:
        from Xlib import X
        from Xlib.protocol.event import ClientMessage

        message = ClientMessage(
            window=self.server.create_resource_object("window", window),
            client_type=self.server.intern_atom(name),
            data=(32, [*data, 0, 0, 0, 0, 0][:5]),
        )
        self.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.server.sync()
        self.wait(0.7)

    def troubles(self) -> Iterator[tuple[str, bool]]:
        """Yields each thing that may hide the overlay, and whether it came back."""
        atom, overlay, game = self.server.intern_atom, int(self.overlay.winId()), self.game.handle
        self.tell("_NET_NUMBER_OF_DESKTOPS", self.root.id, 2)
        for name, there_and_back in {
            "desktop": [("_NET_CURRENT_DESKTOP", self.root.id, n) for n in (1, 0)],
            "showing desktop": [("_NET_SHOWING_DESKTOP", self.root.id, n) for n in (1, 0)],
            "iconified": [("WM_CHANGE_STATE", overlay, 3)],
            "game iconified": [("WM_CHANGE_STATE", game, 3), ("_NET_ACTIVE_WINDOW", game, 2)],
            "game raised": [("_NET_ACTIVE_WINDOW", game, 2)],
            "game full-screen": [
                ("_NET_WM_STATE", game, n, atom("_NET_WM_STATE_FULLSCREEN")) for n in (1, 0)
            ],
        }.items():
            for message in there_and_back:
                self.tell(*message)
                yield f"{name}: as the game {message[2]}", self.as_the_game()
            yield name, self.there()
        self.server.create_resource_object("window", overlay).unmap()
        self.server.sync()
        yield "unmapped", self.there()
        self.server.create_resource_object("window", overlay).configure(stack_mode=1)
        self.server.sync()
        yield "put below", self.there()


def main(manager: str, folder: Path) -> None:
    with managed(manager, folder):
        os.environ["QT_QPA_PLATFORM"] = "xcb"
        desk = Desk(folder)
        try:
            found: dict[str, Any] = {"there": desk.there(), **desk.play()}
            found |= {"troubles": dict(desk.troubles())}
            print(json.dumps(found))
        finally:
            desk.overlay.clear()
            desk.arena.terminate()
            desk.arena.wait()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
