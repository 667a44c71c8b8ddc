"""Journeys 1 to 5 as a player takes them, on a virtual screen of their own, with a picture of each step.

`python first.py FOLDER LANGUAGE WIDTH HEIGHT [JOURNEY...]`, with QT_SCALE_FACTOR and BOTAPP_CONFIG_DIR set as
a desktop would: the first start, another class, advice that is withheld, the overlay through a fight, the
review of a lost fight. App, worker and arena are the real ones. FOLDER gets what `later.py` says.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import psutil
from later import Journey
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from botapp.demo.arena_process import ArenaProcess, Forwarder
from botapp.demo.display import display
from botapp.review.form import to_bytes
from botapp.review.shelf import FightShelf
from botapp.runtime.autopilot import Autopilot
from botapp.ui.translation import tr
from vision.synthetic import screen

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_fights import BEGUN, fight

GAME = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QLabel
app = QApplication(sys.argv)
shown = QLabel()
picture = QPixmap(sys.argv[1])
picture.setDevicePixelRatio(shown.devicePixelRatio())
shown.setPixmap(picture)
shown.setWindowTitle("Dofus")
shown.setWindowFlag(Qt.WindowType.FramelessWindowHint)
shown.setFixedSize(shown.sizeHint())
shown.move(0, 0)
shown.show()
app.exec()
"""
"""A window that shows a picture of a game, called as the game calls its own."""


def pressed(way, page, words):
    """Clicks the button that says something."""
    found = [button for button in page.findChildren(QPushButton) if button.text() == tr(words)]
    way.click(found[0])


@contextmanager
def arenas_closed():
    """Ends the arenas that the app's button opens."""
    before = {child.pid for child in psutil.process_iter()}
    yield
    for one in psutil.process_iter():
        try:
            mine = one.environ().get("DISPLAY") == os.environ["DISPLAY"] and "arena" in one.cmdline()
        except psutil.Error:
            continue
        if one.pid not in before and mine:
            one.terminate()
            one.wait(10)


def first_start(way):
    """The welcome, page by page; the arena from where it is offered; the first advice."""
    with arenas_closed(), way.running() as app:
        app.pages.open_welcome()
        page = app.pages.welcome
        way.shoot("welcome", page)
        way.click(page.next)
        way.shoot("your-game", page)
        pressed(way, page, "Open the practice arena")
        way.click(page.next)
        way.shoot("who-advises", page)
        way.click(page.next)
        way.until(lambda: app.bridge.latest is not None and app.bridge.latest.window, "the arena")
        way.until(way.advised, "first advice")
        way.shoot("first-advice-overlay")
        app.bring_up()
        way.shoot("first-advice", app.window)


def another_class(way, size):
    """The arena with another class, and where the class is chosen."""
    arena = ("--scenario", "duel", "--seed", "4", "--class", "leech", "--turn-seconds", "900")
    with way.running(*arena, "--size", size, ui__theme="light") as app:
        way.until(way.advised, "advice for the class")
        app.bring_up()
        way.shoot("class-advice", app.window)
        app.window.game_action.trigger()
        page = app.pages.game
        way.shoot("my-game", page)
        for tab in range(page.tabs.count()):
            page.tabs.setCurrentIndex(tab)
            way.shoot(f"my-game-tab-{tab}", page)
        page.close()
        app.pages.open_settings("advisor")
        way.shoot("settings-class", app.pages.settings)
        app.pages.settings.close()


def withheld(way, folder):
    """No window, then a picture whose class is not told; each with the button that mends it."""
    with way.running(capture__target="dofus-unity", advisor__player_class="") as app:
        way.until(
            lambda: app.bridge.latest is not None and app.window.decision.remedy.isVisible(), "a remedy"
        )
        way.shoot("no-window", app.window)
        picture = folder / "game.png"
        cv2.imwrite(str(picture), screen.draw(12, "dofus-unity")[0])
        game = subprocess.Popen([sys.executable, "-c", GAME, str(picture)])
        try:
            way.until(
                lambda: (
                    app.bridge.latest.advice == "withheld"
                    and app.window.decision.remedy.isVisible()
                    and app.window.decision.remedy.isEnabled()
                ),
                "withheld advice",
            )
            QTest.qWait(2500)
            way.shoot("withheld-overlay")
            app.bring_up()
            way.shoot("withheld", app.window)
            way.click(app.window.decision.remedy)
            way.shoot("withheld-remedy", app.pages.settings or app.pages.game or app.window)
        finally:
            game.terminate()
            game.wait()


def fresh(app):
    """Tells whether the newest picture is advised on; the panels of a window that is out of sight wait."""
    return app.bridge.latest is not None and app.bridge.latest.advice == "fresh"


def overlay(way, size):
    """The overlay in both presets, on a turn and while others play."""
    arena = ("--scenario", "adventure", "--seed", "3", "--autopilot", "--size", size)
    with way.running() as app:
        game = ArenaProcess(arena)
        forwarder = Forwarder(game)
        app.bridge._worker.tap = forwarder.confirm
        app.window.showMinimized()
        try:
            way.until(lambda: fresh(app), "advice")
            way.shoot("overlay-full")
            app.window.overlay_action.trigger()
            way.shoot("overlay-minimal")
            app.window.overlay_action.trigger()
            way.shoot("overlay-off")
            app.window.overlay_action.trigger()
            app.autopilot = Autopilot(forwarder.play, on=True)
            way.until(lambda: len(app.bridge.history.course.moments) >= 2, "two actions")
            way.shoot("overlay-after-two")
            way.until(lambda: app.bridge.latest.advice == "not-my-turn", "another's turn")
            way.shoot("overlay-others-turn")
            way.until(lambda: fresh(app), "the next turn")
            way.shoot("overlay-next-turn")
        finally:
            forwarder.stop()
            game.stop()


def review(way):
    """A lost fight is opened, stepped through, and its worst mistake looked at."""
    shelf = FightShelf()
    shelf.folder.mkdir(parents=True, exist_ok=True)
    shelf.clear()
    lost = replace(fight(6), summary=replace(fight(6).summary, result="lost"))
    shelf.free_path(BEGUN).write_bytes(to_bytes(lost))
    with way.running(ui__theme="light") as app:
        app.window.review_action.trigger()
        page = app.pages.review
        way.until(lambda: page.fights.table.rowCount() > 0, "a kept fight")
        way.shoot("review-list", page)
        way.click(page.fights.open)
        way.shoot("review-opened", page)
        QTest.keyClick(page.viewer.slider, Qt.Key.Key_Right)
        way.shoot("review-mistake", page)
        QTest.keyClick(page.viewer.slider, Qt.Key.Key_End)
        way.shoot("review-end", page)
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
            "first": lambda: first_start(way),
            "class": lambda: another_class(way, size),
            "withheld": lambda: withheld(way, folder),
            "overlay": lambda: overlay(way, size),
            "review": lambda: review(way),
        }
        try:
            for name, journey in journeys.items():
                if not only or name in only:
                    began = time.monotonic()
                    journey()
                    print(name, f"{time.monotonic() - began:.0f} s", flush=True)
        finally:
            (folder / "seen.json").write_text(json.dumps(way.seen, indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
