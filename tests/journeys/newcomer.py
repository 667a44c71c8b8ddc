"""The way of a new user to the first advice on a Unity screen.

Draws a Unity screen and shows it in a window titled as the client titles its own, writes made-up data of a
game, starts the app as `botapp run` does with nothing set, and has a `Person` click.
"""

import os

import cv2
import madeup_game
from journey import game_window, take
from person import Person, shown
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QPushButton

from botapp.commands.answers import load_settings
from botapp.runtime.app_options import AppOptions
from botapp.ui import app as app_module
from botapp.ui.game.page import GamePage
from botapp.ui.remedies import DATA
from botapp.ui.translation import tr
from botapp.ui.welcome import Welcome
from botapp.ui.window import MainWindow
from vision.synthetic import moving

_GAME_CLASS = {"en": "Locksmith", "fr": "Serrurier"}
_SEED = 2
"""Of a moment in which the drawn MP are those that the drawn reach shows."""


def newcomer(way):
    """From the welcome to the first advice, then to an own character on a confirmed board."""
    data = madeup_game.write(way.folder / "data", madeup_game.small())
    picture = way.folder / "game.png"
    moment = moving.moments("dofus-unity", 1, seed=_SEED, size=(1280, 720))[0]
    cv2.imwrite(str(picture), moment.picture[..., :3])
    title = f"Ab - {_GAME_CLASS[os.environ['BOTAPP_UI__LANGUAGE']]} - 3.3.18.17 - Release"
    asked = app_module.wanted
    app_module.wanted = lambda options, file, *_: asked(options, file, "xcb", "a real screen")
    person = Person()

    def end():
        way.seen["trouble"] = person.trouble
        way.picture("end")
        QTimer.singleShot(0, way.qt.quit)

    person.done.connect(end)
    person.go(clicks(way, person, data))
    with game_window(title, picture, 600, 340):
        app_module.main(AppOptions(*load_settings()))


def clicks(way, person, data):
    def window():
        return shown(MainWindow)

    def advised():
        return window() is not None and window().decision.advised.isVisible()

    for name in ("welcome", "game", "keys", "adviser"):
        yield from person.see(lambda: shown(Welcome))
        yield from person.wait(1)
        way.picture(name)
        yield from person.click(lambda: shown(Welcome).next, shown(Welcome).next.text())
    yield lambda: window().decision.remedy.isVisible() and window().decision.remedy.text() == tr(DATA.words)
    yield from person.wait(1)
    way.picture("no-class")
    yield from person.click(lambda: window().decision.remedy, window().decision.remedy.text())
    yield from person.see(lambda: shown(GamePage))
    way.picture("my-game")
    folder_button = shown(GamePage).character.data.folder
    yield from person.click(lambda: folder_button, folder_button.text())
    yield from person.see(lambda: shown(QFileDialog))
    yield from person.type(str(data))
    way.picture("folder")
    yield from person.type("\n")
    person.clicks.append("Choose")  # the list of names in the way is shut by a key, and that chooses
    yield shown(GamePage).character.play.isVisible
    yield from person.wait(1)
    way.picture("brought")
    yield from person.click(lambda: shown(QPushButton, _closes(shown(GamePage))), "Close")
    yield advised
    yield from person.wait(2)
    way.picture("first-advice")
    way.seen["clicks"] = list(person.clicks)
    way.seen["advice"] = window().decision.headline.text()
    way.seen["notice"] = window().notice.text.text()
    yield from person.click(lambda: window().notice.action, window().notice.action.text())
    yield from person.see(lambda: shown(GamePage))
    page = shown(GamePage)
    yield from person.wait(1)
    way.picture("first-questions")
    yield from person.click(lambda: page.start.yes_board, page.start.yes_board.text())
    yield from person.click(lambda: page.start.who.yes, page.start.who.yes.text())
    yield lambda: shown(GamePage) is None and advised()
    yield from person.wait(2)
    way.picture("answered")
    way.seen["all_clicks"] = list(person.clicks)


def _closes(page):
    return lambda one: one.isDefault() and one.window() is page


if __name__ == "__main__":
    take({"newcomer": newcomer})
