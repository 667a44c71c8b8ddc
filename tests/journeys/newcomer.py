"""The way of a new user to the first advice on a Unity screen: `python newcomer.py LANGUAGE FOLDER`.

Draws a Unity screen and shows it in a window titled as the client titles its own, writes made-up data of a
game, starts the app with nothing set, and clicks. FOLDER gets the pictures; what was done and seen comes out
as JSON.
"""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import madeup_game

_GAME_CLASS = {"en": "Locksmith", "fr": "Serrurier"}
_SEED = 2
"""Of a moment in which the drawn MP are those that the drawn reach shows."""


def main() -> None:
    language, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)
    os.environ |= {"QT_QPA_PLATFORM": "xcb", "BOTAPP_CONFIG_DIR": str(folder / "config")}
    from botapp.demo.display import display

    data = madeup_game.write(folder / "data", madeup_game.small())
    with display(1920, 1080), ExitStack() as stack:
        stack.enter_context(_game(language, folder))
        print(json.dumps(_use(language, folder, data)))


def _game(language: str, folder: Path) -> "subprocess.Popen[str]":
    """Opens the game's window."""
    import cv2

    from vision.synthetic import moving

    picture = folder / "game.png"
    moment = moving.moments("dofus-unity", 1, seed=_SEED, size=(1280, 720))[0]
    cv2.imwrite(str(picture), moment.picture[..., :3])
    title = f"Ab - {_GAME_CLASS[language]} - 3.3.18.17 - Release"
    script = Path(__file__).with_name("gamewindow.py")
    game = subprocess.Popen(
        [sys.executable, script, title, picture, "600", "340"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert game.stdout is not None
    game.stdout.readline()
    return game


def _use(language: str, folder: Path, data: Path) -> dict[str, object]:
    """Runs the app with a person at it; returns what that person did and saw."""
    from journeys.person import Journey, Person, shown
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

    from botapp.commands.answers import load_settings
    from botapp.host.settings_file import override
    from botapp.runtime.app_options import AppOptions
    from botapp.ui import app as app_module
    from botapp.ui.game.page import GamePage
    from botapp.ui.welcome import Welcome
    from botapp.ui.window import MainWindow

    qt = QApplication(sys.argv[:1])
    person = Person()
    seen: dict[str, object] = {}
    asked = app_module.wanted
    app_module.wanted = lambda options, file, *_: asked(options, file, "xcb", "a real screen")

    def window() -> MainWindow:
        return shown(MainWindow)

    def picture(name: str) -> None:
        number = len(list(folder.glob("*.png")))
        qt.primaryScreen().grabWindow(0).save(str(folder / f"{number:02}-{name}.png"))

    def advised() -> bool:
        return window() is not None and window().decision.advised.isVisible()

    def way() -> Journey:
        for name in ("welcome", "game", "adviser"):
            yield from person.see(lambda: shown(Welcome))
            yield from person.wait(1)
            picture(name)
            yield from person.click(lambda: shown(Welcome).next, shown(Welcome).next.text())
        yield window().decision.remedy.isVisible
        yield from person.wait(1)
        picture("no-class")
        yield from person.click(lambda: window().decision.remedy, window().decision.remedy.text())
        yield from person.see(lambda: shown(GamePage))
        picture("my-game")
        folder_button = shown(GamePage).character.data.folder
        yield from person.click(lambda: folder_button, folder_button.text())
        yield from person.see(lambda: shown(QFileDialog))
        yield from person.type(str(data))
        picture("folder")
        yield from person.type("\n")
        person.clicks.append("Choose")  # the list of names in the way is shut by a key, and that chooses
        yield shown(GamePage).character.play.isVisible
        yield from person.wait(1)
        picture("brought")
        yield from person.click(lambda: shown(QPushButton, _closes(shown(GamePage))), "Close")
        yield advised
        yield from person.wait(2)
        picture("first-advice")
        seen["clicks"] = list(person.clicks)
        seen["advice"] = window().decision.headline.text()
        seen["notice"] = window().notice.text.text()
        yield from person.click(lambda: window().notice.action, window().notice.action.text())
        yield from person.see(lambda: shown(GamePage))
        page = shown(GamePage)
        yield from person.click(lambda: page.character.play, page.character.play.text())
        picture("character")
        tabs = page.tabs.tabBar()
        place = page.tabs.indexOf(page.board)
        yield from person.click(
            lambda: tabs, page.tabs.tabText(place), at=lambda: tabs.tabRect(place).center()
        )
        yield from person.wait(1)
        picture("board")
        yield from person.click(lambda: page.board.accept, page.board.accept.text())
        yield from person.click(lambda: shown(QPushButton, _closes(page)), "Close")
        yield advised
        yield from person.wait(2)
        seen["all_clicks"] = list(person.clicks)

    def end() -> None:
        seen["trouble"] = person.trouble
        picture("end")
        QTimer.singleShot(0, qt.quit)

    person.done.connect(end)
    person.go(way())
    override("ui.language", language)
    settings, messages = load_settings()
    app_module.main(AppOptions(settings, messages))
    return seen


def _closes(page):
    return lambda one: one.isDefault() and one.window() is page


if __name__ == "__main__":
    main()
