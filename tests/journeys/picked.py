"""From the client's window being picked to the first advice, the game's data brought before.

A drawn Unity screen stands in a window titled as the client titles its own. The data are made up, and were
imported by the app's own importer; the app has been started before, so there is no welcome. Counted is what
comes after the window was picked (`picked`), or after the app has found it by its title (`found`), until the
advice is in sight with the board and the level confirmed.
"""

import os
from functools import partial

import cv2
import madeup_game
from journey import cut_off, game_window, take, words_of
from person import Person, shown
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton

from botapp.commands.answers import load_settings
from botapp.content.knowledge.base import knowledge
from botapp.host import settings_file
from botapp.runtime.app_options import AppOptions
from botapp.ui import app as app_module
from botapp.ui.game.page import GamePage
from botapp.ui.picking.picker import WindowPicker
from botapp.ui.window import MainWindow
from vision.synthetic import moving

_GAME_CLASS = {"en": "Locksmith", "fr": "Serrurier"}
_SEED = 2
"""Of a moment in which the drawn MP are those that the drawn reach shows."""


def walk(way, clicks):
    """Brings the data, opens the game's window and the app, and has a person click."""
    language = os.environ["BOTAPP_UI__LANGUAGE"]
    knowledge().import_game([madeup_game.write(way.folder / "data", madeup_game.small())])
    settings_file.save(settings_file.load().settings)
    picture = way.folder / "game.png"
    moment = moving.moments("dofus-unity", 1, seed=_SEED, size=(1280, 720))[0]
    cv2.imwrite(str(picture), moment.picture[..., :3])
    person = Person()

    def end():
        way.seen["trouble"] = person.trouble
        way.seen["clicks"] = list(person.clicks)
        way.picture("end")
        QTimer.singleShot(0, way.qt.quit)

    person.done.connect(end)
    person.go(clicks(way, person))
    with game_window(f"Ab - {_GAME_CLASS[language]} - 3.3.18.17 - Release", picture, 0, 0):
        app_module.main(AppOptions(*load_settings()))


def picked(way, person):
    """The window is picked by hand, which opens the questions."""
    yield from _before(way, person)
    shown(MainWindow).controls.pick.trigger()
    yield from person.click(_watch, "Watch")
    person.clicks.clear()
    yield from _answers(way, person)


def found(way, person):
    """The window is found by its title; the questions are where the advice says what is not confirmed."""
    yield from _before(way, person)
    decision = shown(MainWindow).decision
    yield from person.click(lambda: decision.confirm, decision.confirm.text())
    yield from _answers(way, person)
    window = shown(MainWindow)
    way.seen["said then"] = window.notice.text.text()
    yield from person.click(lambda: window.notice.action, window.notice.action.text())
    person.clicks.pop()  # not on the way to the advice: the list of what is not sure
    yield from person.see(lambda: shown(GamePage))
    page = shown(GamePage)
    yield lambda: page.start.unsure.doubts
    yield from _look(way, person, "list", page)
    way.seen["costs"] = [[str(doubt.what), str(doubt.cost)] for doubt in page.start.unsure.doubts]


def _before(way, person):
    """The advice that there is before anything was confirmed, in the window and over the game."""
    yield lambda: shown(MainWindow) is not None and _advised()
    window = shown(MainWindow)
    yield from _look(way, person, "unconfirmed", window)
    window.showMinimized()
    yield from person.wait(2)
    way.picture("unconfirmed-overlay")
    window.showNormal()
    window.activateWindow()
    yield window.isActiveWindow
    yield from person.wait(1)


def _answers(way, person):
    yield from person.see(lambda: shown(GamePage))
    page = shown(GamePage)
    yield lambda: page.start.in_fight and page.start.yes_board.isEnabled()
    yield from _look(way, person, "questions", page)
    yield from person.click(lambda: page.start.yes_board, page.start.yes_board.text())
    yield from person.click(lambda: page.start.who.yes, page.start.who.yes.text())
    yield lambda: shown(GamePage) is None and _advised() and not shown(MainWindow).decision.unconfirmed.text()
    yield from person.see(lambda: shown(MainWindow).decision.headline)
    yield from _look(way, person, "first-advice", shown(MainWindow))
    way.seen["advice"] = shown(MainWindow).decision.headline.text()


def _advised():
    decision = shown(MainWindow).decision
    return decision.advised.isVisible() and decision.headline.isEnabled()


def _look(way, person, step, window):
    yield from person.wait(2)
    way.picture(step)
    way.seen[step] = words_of(window)
    way.seen[f"{step}: cut off"] = cut_off(window)


def _watch():
    """Returns the picker's button, None while there is none."""
    picker = shown(WindowPicker)
    return shown(QPushButton, lambda one: one.objectName() == "primary" and one.window() is picker)


if __name__ == "__main__":
    take({clicks.__name__: partial(walk, clicks=clicks) for clicks in (picked, found)})
