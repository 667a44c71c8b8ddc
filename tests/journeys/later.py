"""Two later journeys: what if, record and export."""

import subprocess
import sys

from journey import take
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog


def what_if(way):
    """A spell and a cell of one's own choice, and what comes of it."""
    arena = ("--scenario", "duel", "--seed", "3", "--turn-seconds", "900", "--size", way.size)
    with way.running(*arena) as app:
        way.until(way.advised, "advice")
        turns = app.window.turns
        app.desktop.bring_up()
        way.shoot("what-if-before", app.window)
        button = next(button for key, button in turns.spells.items() if key and button.isEnabled())
        way.click(button)
        way.shoot("what-if-spell", app.window)
        cells = sorted(turns.board.aims)
        x, y = turns.board.lattice.centre(cells[-1])
        QTest.mouseClick(turns.board, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
        way.until(turns.answer.isVisible, "the answer")
        way.shoot("what-if-answer", app.window)
        shown = turns.board.visibleRegion().boundingRect().height()
        way.seen["board seen"] = [round(shown / turns.board.height(), 2)]


def record_and_export(way):
    """A fight that is watched is kept, opened, exported, and replayed from a terminal."""
    arena = ("--scenario", "duel", "--seed", "3", "--autopilot", "--size", way.size, "--speed", "4")
    with way.running() as app:
        with way.game(*arena) as play:
            play()
            way.until(lambda: len(app.bridge.history.course.moments) >= 5, "five own actions")
        way.until(lambda: app.bridge.latest.capture == "no-window", "the game's end")
        way.shoot("game-closed", app.window)
        app.window.controls.review.trigger()
        page = app.pages.review
        way.until(lambda: page.fights.table.rowCount() > 0, "a kept fight")
        way.shoot("fights", page)
        way.click(page.fights.open)
        way.until(lambda: page.stack.currentIndex() == 1, "the fight")
        way.shoot("fight-opened", page)
        kept = page.fights.shelf.paths()[0]
        for suffix, button in ((".webp", page.save_picture), (".fight", page.save_file)):
            file = way.folder / f"mine{suffix}"
            QFileDialog.getSaveFileName = staticmethod(lambda *_, to=file: (str(to), ""))
            way.click(button)
            way.shoot(f"saved{suffix}", page)
        replayed = subprocess.run(
            [sys.executable, "-m", "botapp", "replay", str(kept)], capture_output=True, text=True, check=False
        )
        way.seen["replay"] = [replayed.returncode, replayed.stdout, replayed.stderr]
        page.close()


if __name__ == "__main__":
    take({"what_if": what_if, "record": record_and_export})
