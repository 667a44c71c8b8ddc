"""Journeys 1 to 5: the first start, another class, advice that is withheld, the overlay, a review."""

import os
from contextlib import contextmanager
from dataclasses import replace

import cv2
import psutil
from journey import game_window, take
from kept_fights import BEGUN, fight
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from botapp.review.form import to_bytes
from botapp.review.shelf import FightShelf
from botapp.ui.translation import tr
from vision.synthetic import screen


def pressed(way, page, words):
    found = [button for button in page.findChildren(QPushButton) if button.text() == tr(words)]
    way.click(found[0])


@contextmanager
def arenas_closed():
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
        way.shoot("keys", page)
        way.click(page.next)
        way.shoot("who-advises", page)
        way.click(page.next)
        way.until(lambda: app.bridge.latest is not None and app.bridge.latest.window, "the arena")
        way.until(way.advised, "first advice")
        way.shoot("first-advice-overlay")
        app.desktop.bring_up()
        way.shoot("first-advice", app.window)


def another_class(way):
    """The arena with another class, and where the class is chosen."""
    arena = ("--scenario", "duel", "--seed", "4", "--class", "leech", "--turn-seconds", "900")
    with way.running(*arena, "--size", way.size, ui__theme="light") as app:
        way.until(way.advised, "advice for the class")
        app.desktop.bring_up()
        way.shoot("class-advice", app.window)
        app.window.controls.game.trigger()
        page = app.pages.game
        way.shoot("my-game", page)
        for tab in range(page.tabs.count()):
            page.tabs.setCurrentIndex(tab)
            way.shoot(f"my-game-tab-{tab}", page)
        page.close()
        app.pages.open_settings("advisor")
        way.shoot("settings-class", app.pages.settings)
        app.pages.settings.close()


def withheld(way):
    """No window, then a picture whose class is not told; each with the button that mends it."""
    with way.running(capture__target="dofus-unity", advisor__player_class="") as app:
        remedy = app.window.decision.remedy
        way.until(lambda: app.bridge.latest is not None and remedy.isVisible(), "a remedy")
        way.shoot("no-window", app.window)
        picture = way.folder / "game.png"
        cv2.imwrite(str(picture), screen.draw(12, "dofus-unity")[0])
        with game_window("Dofus", picture, 0, 0):
            way.until(
                lambda: app.bridge.latest.advice == "withheld" and remedy.isVisible() and remedy.isEnabled(),
                "withheld advice",
            )
            QTest.qWait(2500)
            way.shoot("withheld-overlay")
            app.desktop.bring_up()
            way.shoot("withheld", app.window)
            way.click(remedy)
            way.shoot("withheld-remedy", app.pages.settings or app.pages.game or app.window)


def overlay(way):
    """The overlay in both presets, on a turn and while others play."""
    arena = ("--scenario", "adventure", "--seed", "3", "--autopilot", "--size", way.size)
    with way.running() as app, way.game(*arena) as play:
        app.window.showMinimized()
        way.until(way.fresh, "advice")
        way.shoot("overlay-full")
        app.window.controls.overlay.trigger()
        way.shoot("overlay-minimal")
        app.window.controls.overlay.trigger()
        way.shoot("overlay-off")
        app.window.controls.overlay.trigger()
        play()
        way.until(lambda: len(app.bridge.history.course.moments) >= 2, "two actions")
        way.shoot("overlay-after-two")
        way.until(lambda: app.bridge.latest.advice == "not-my-turn", "another's turn")
        way.shoot("overlay-others-turn")
        way.until(way.fresh, "the next turn")
        way.shoot("overlay-next-turn")


def review(way):
    """A lost fight is opened, stepped through, and its worst mistake looked at."""
    shelf = FightShelf()
    shelf.folder.mkdir(parents=True, exist_ok=True)
    shelf.clear()
    lost = replace(fight(6), summary=replace(fight(6).summary, result="lost"))
    shelf.free_path(BEGUN).write_bytes(to_bytes(lost))
    with way.running(ui__theme="light") as app:
        app.window.controls.review.trigger()
        page = app.pages.review
        way.until(lambda: page.fights.table.rowCount() > 0, "a kept fight")
        way.shoot("review-list", page)
        way.click(page.fights.open)
        way.shoot("review-opened", page)
        QTest.keyClick(page.viewer.transport.slider, Qt.Key.Key_Right)
        way.shoot("review-mistake", page)
        QTest.keyClick(page.viewer.transport.slider, Qt.Key.Key_End)
        way.shoot("review-end", page)
        page.close()


if __name__ == "__main__":
    take(
        {
            "first": first_start,
            "class": another_class,
            "withheld": withheld,
            "overlay": overlay,
            "review": review,
        }
    )
