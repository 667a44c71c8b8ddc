"""Journeys 6 to 10 as a player takes them, on a virtual screen of their own, with a picture of each step.

`python later.py FOLDER LANGUAGE WIDTH HEIGHT [JOURNEY...]`, with QT_SCALE_FACTOR and BOTAPP_CONFIG_DIR set as
a desktop would: what if, placement, record and replay and export, a crash and safe mode, what is left behind.
The app, its worker and the practice arena are the real ones. FOLDER gets NN-step.png and `seen.json`: by step
the words on the screen and those that were cut off.
"""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QScrollArea, QWidget

from botapp.demo.arena_process import ArenaProcess, Forwarder
from botapp.demo.display import display
from botapp.host import settings_file
from botapp.runtime.app_options import AppOptions
from botapp.runtime.autopilot import Autopilot
from botapp.ui.app import App

PATIENCE_S = 60.0


class Journey:
    """One person's way through the app: clicks, waits and pictures."""

    def __init__(self, folder):
        self.folder, self.seen, self.taken = folder, {}, 0
        self.qt = QApplication.instance() or QApplication(["botapp"])
        self.qt.setApplicationName("botapp")
        self.qt.setQuitOnLastWindowClosed(False)
        self.app = None

    @contextmanager
    def running(self, *arena, **settings):
        """The app beside an arena's window."""
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

    def until(self, done, what):
        """Waits for something to be so."""
        for _ in range(int(PATIENCE_S * 20)):
            if done():
                return
            QTest.qWait(50)
        self.shoot(f"waiting-{what}")
        raise AssertionError(f"{what}: not within {PATIENCE_S:.0f} s")

    def shoot(self, step, window=None):
        """Takes a picture of the whole screen and notes the words of a window."""
        QTest.qWait(500)
        self.taken += 1
        name = f"{self.taken:02}-{step}"
        QGuiApplication.primaryScreen().grabWindow(0).save(str(self.folder / f"{name}.png"))
        if window is not None:
            self.seen[step] = words_of(window)
            self.seen[f"{step}: cut off"] = cut_off(window)

    def click(self, widget):
        """Clicks in the middle of a widget, which has to be there to be clicked."""
        assert widget.isVisible() and widget.isEnabled(), f"{widget.text()} cannot be clicked"
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())

    def advised(self):
        """Tells whether there is fresh advice with its turns on the panel."""
        latest = self.app.bridge.latest
        return latest is not None and latest.advice == "fresh" and bool(self.app.window.turns.outlook.lines)


def words_of(window):
    """Returns the words that can be read in a window's labels and buttons."""
    return [
        text
        for part in window.findChildren(QWidget)
        if not part.visibleRegion().isEmpty() and (text := text_of(part))
    ]


def text_of(part):
    """Returns the words on a label or a button, "" for anything else."""
    return part.text() if isinstance(part, QLabel | QAbstractButton) else ""


def cut_off(window):
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


def what_if(way, size):
    """A spell and a cell of one's own choice, and what comes of it."""
    with way.running("--scenario", "duel", "--seed", "3", "--turn-seconds", "900", "--size", size) as app:
        way.until(way.advised, "advice")
        turns = app.window.turns
        app.bring_up()
        way.shoot("what-if-before", app.window)
        button = next(button for key, button in turns.spells.items() if key and button.isEnabled())
        way.click(button)
        way.shoot("what-if-spell", app.window)
        cells = sorted(turns.board.aims)
        x, y = turns.board._lattice.centre(cells[-1])
        QTest.mouseClick(turns.board, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
        way.until(turns.answer.isVisible, "the answer")
        way.shoot("what-if-answer", app.window)
        shown = turns.board.visibleRegion().boundingRect().height()
        way.seen["board seen"] = [round(shown / turns.board.height(), 2)]


def placing(snapshot):
    """Tells whether there is advice on the place."""
    known = snapshot is not None and snapshot.state is not None and snapshot.advice == "fresh"
    return known and snapshot.state.placing


def placement(way, size):
    """The advice on the place before the fight."""
    with way.running("--scenario", "adventure", "--seed", "5", "--placement", "--size", size) as app:
        way.until(
            lambda: (
                (found := app.bridge.latest) is not None
                and found.state is not None
                and found.state.placing
                and found.advice == "fresh"
            ),
            "placement advice",
        )
        way.shoot("placement-overlay")
        app.bring_up()
        way.shoot("placement", app.window)


def record_and_export(way, size, out):
    """A fight that is watched is kept, opened, exported, and replayed from a terminal."""
    arena = ("--scenario", "duel", "--seed", "3", "--autopilot", "--size", size, "--speed", "4")

    with way.running() as app:
        game = ArenaProcess(arena)
        forwarder = Forwarder(game)
        app.bridge._worker.tap = forwarder.confirm
        app.autopilot = Autopilot(forwarder.play, on=True)
        try:
            way.until(lambda: len(app.bridge.history.course.moments) >= 5, "five own actions")
        finally:
            forwarder.stop()
            game.stop()
        way.until(lambda: app.bridge.latest.capture == "no-window", "the game's end")
        way.shoot("game-closed", app.window)
        app.window.review_action.trigger()
        page = app.pages.review
        way.until(lambda: page.fights.table.rowCount() > 0, "a kept fight")
        way.shoot("fights", page)
        way.click(page.fights.open)
        way.until(lambda: page.stack.currentIndex() == 1, "the fight")
        way.shoot("fight-opened", page)
        kept = page.fights.shelf.paths()[0]
        for suffix, button in ((".webp", page.save_picture), (".fight", page.save_file)):
            QFileDialog.getSaveFileName = staticmethod(lambda *_, to=out / f"mine{suffix}": (str(to), ""))
            way.click(button)
            way.shoot(f"saved{suffix}", page)
        replayed = subprocess.run(
            [sys.executable, "-m", "botapp", "replay", str(kept)], capture_output=True, text=True, check=False
        )
        way.seen["replay"] = [replayed.returncode, replayed.stdout, replayed.stderr]
        page.close()


def crash(way):
    """The app is killed; the next start says so and offers safe mode."""
    killed = subprocess.Popen([sys.executable, "-m", "botapp", "run"])
    way.until((settings_file.config_dir() / "running").exists, "the other run")
    QTest.qWait(4000)
    killed.kill()
    killed.wait()
    with way.running() as app:
        dialog = app.report
        way.until(lambda: dialog is not None and dialog.isVisible(), "the report")
        way.shoot("crash-report", dialog)
        way.click(dialog.safe)
        way.until(lambda: app.bridge.latest is not None, "the engine in safe mode")
        way.shoot("safe-mode", app.window)


def left_behind(way):
    """Where what the app has kept lies, as About says it."""
    with way.running() as app:
        way.shoot("started-again", app.window)
        app.pages.open_settings()
        page = app.pages.settings
        page.groups.setCurrentRow(page.groups.count() - 1)
        way.shoot("about", page)
        about = page.pages.currentWidget().findChild(QScrollArea)
        about.verticalScrollBar().setValue(about.verticalScrollBar().maximum() // 3)
        way.shoot("what-is-kept", page)
        page.close()


def main():
    """Takes all of them."""
    folder, language, width, height = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:5])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["BOTAPP_UI__LANGUAGE"] = language
    only = sys.argv[5:]
    with display(width, height):
        way = Journey(folder)
        size = f"{min(width, 2560)}x{min(height, 1440) - 30}"
        journeys = {
            "what_if": lambda: what_if(way, size),
            "placement": lambda: placement(way, size),
            "record": lambda: record_and_export(way, size, folder),
            "crash": lambda: crash(way),
            "left": lambda: left_behind(way),
        }
        try:
            for name, journey in journeys.items():
                if not only or name in only:
                    journey()
        finally:
            (folder / "seen.json").write_text(json.dumps(way.seen, indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
