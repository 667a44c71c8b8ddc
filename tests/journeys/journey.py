"""A person's way through the app on a virtual screen, with a picture of each step.

`first.py`, `later.py` and `newcomer.py` are scripts that hand their journeys to `take`:

    PYTHONPATH=.:tests python tests/journeys/first.py FOLDER LANGUAGE WIDTH HEIGHT [JOURNEY...]

with QT_SCALE_FACTOR and the folders of a home set as a desktop would. App, worker and arena are the real
ones. FOLDER gets NN-step.png and `seen.json`: by step the words on the screen and those that were cut off.
The tests start the scripts through the fixture `walked`.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from botapp.demo.arena_process import ArenaProcess, Forwarder
from botapp.demo.display import display
from botapp.host import settings_file
from botapp.runtime.app_options import AppOptions
from botapp.runtime.autopilot import Autopilot
from botapp.ui.app import App

PATIENCE_S = 60.0


class Journey:
    """One person's way through the app: clicks, waits and pictures.

    Attributes:
        size: an arena's window that fills the screen, as its option `--size` takes it.
        seen: by step, what was there.
    """

    def __init__(self, folder: Path, width: int, height: int) -> None:
        self.folder, self.seen, self._taken = folder, {}, 0
        self.size = f"{min(width, 2560)}x{min(height, 1440) - 30}"
        self.qt = QApplication.instance() or QApplication(["botapp"])
        self.qt.setApplicationName("botapp")
        self.qt.setQuitOnLastWindowClosed(False)
        self.app = None

    @contextmanager
    def running(self, *arena: str, **settings: object) -> Iterator[App]:
        game = ArenaProcess(arena) if arena else None
        chosen = settings_file.load().settings.changed("capture.target", "arena")
        for key, value in settings.items():
            chosen = chosen.changed(key.replace("__", "."), value)
        self.app = App(self.qt, AppOptions(settings=chosen))
        self.app.start()
        try:
            yield self.app
        finally:
            self.app.stop()
            self.qt.processEvents()
            self.app = None
            if game is not None:
                game.stop()

    @contextmanager
    def game(self, *arena: str) -> Iterator[Callable[[], None]]:
        """An arena's window beside the running app; yields what has the advice played in it from then on."""
        game = ArenaProcess(arena)
        forwarder = Forwarder(game)
        self.app.bridge.worker.tap = forwarder.confirm

        def play() -> None:
            self.app.autopilot = Autopilot(forwarder.play, on=True)

        try:
            yield play
        finally:
            forwarder.stop()
            game.stop()

    def until(self, done: Callable[[], object], what: str) -> None:
        for _ in range(int(PATIENCE_S * 20)):
            if done():
                return
            QTest.qWait(50)
        self.shoot(f"waiting-{what}")
        raise AssertionError(f"{what}: not within {PATIENCE_S:.0f} s")

    def shoot(self, step: str, window: QWidget | None = None) -> None:
        """Takes a picture of the whole screen once it is still, and notes the words of a window."""
        QTest.qWait(500)
        self.picture(step)
        if window is not None:
            self.seen[step] = words_of(window)
            self.seen[f"{step}: cut off"] = cut_off(window)

    def picture(self, step: str) -> None:
        self._taken += 1
        screen = QGuiApplication.primaryScreen()
        screen.grabWindow(0).save(str(self.folder / f"{self._taken:02}-{step}.png"))

    def click(self, widget: QWidget) -> None:
        """Clicks in the middle of a widget, which has to be there to be clicked."""
        assert widget.isVisible() and widget.isEnabled(), f"{widget.text()} cannot be clicked"
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())

    def advised(self) -> bool:
        """Tells whether there is fresh advice, with its turns where their panel is not behind another."""
        turns = self.app.window.turns
        return self.fresh() and (turns.visibleRegion().isEmpty() or bool(turns.outlook.lines))

    def fresh(self) -> bool:
        """Tells whether the newest picture is advised on; panels that are out of sight wait."""
        latest = self.app.bridge.latest
        return latest is not None and latest.advice == "fresh"


@contextmanager
def game_window(title: str, picture: Path, x: int, y: int) -> Iterator[None]:
    """A picture of a game in a window of its own."""
    command = [sys.executable, str(Path(__file__).with_name("gamewindow.py")), title, str(picture)]
    with subprocess.Popen(
        [*command, str(x), str(y)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as game:
        game.stdout.readline()
        yield


def words_of(window: QWidget) -> list[str]:
    """Returns the words that can be read in a window's labels and buttons."""
    return [
        text
        for part in window.findChildren(QWidget)
        if not part.visibleRegion().isEmpty() and (text := text_of(part))
    ]


def text_of(part: QWidget) -> str:
    """Returns the words on a label or a button, "" for anything else."""
    return part.text() if isinstance(part, QLabel | QAbstractButton) else ""


def cut_off(window: QWidget) -> list[str]:
    """Returns the labels and buttons that have less room than their words need."""
    found = []
    for part in window.findChildren(QWidget):
        if part.visibleRegion().isEmpty() or not text_of(part):
            continue
        wanted = part.sizeHint()
        if isinstance(part, QLabel) and part.wordWrap():
            short = part.height() + 2 < part.heightForWidth(part.width())
        elif type(part).__name__ in ("Elided", "Figure"):
            short = False
        else:
            short = part.width() + 2 < wanted.width()
        if short:
            found.append(part.text())
    return found


def take(journeys: Mapping[str, Callable[[Journey], None]]) -> None:
    """Takes the journeys that the command line asks for, one after the other."""
    folder, language, width, height = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:5])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["BOTAPP_UI__LANGUAGE"] = language
    with display(width, height):
        way = Journey(folder, width, height)
        try:
            for name in sys.argv[5:] or journeys:
                began = time.monotonic()
                journeys[name](way)
                print(name, f"{time.monotonic() - began:.0f} s", flush=True)
        finally:
            (folder / "seen.json").write_text(json.dumps(way.seen, indent=1, ensure_ascii=False), "utf-8")
