"""The first start asks four short pages, once, and only where a person is looking."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel
from ui_factories import feed, offer, snapshot

from botapp.host import settings_file
from botapp.host.settings import Settings
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import WatchWindow
from botapp.ui import app as app_module
from botapp.ui import pages, theme, translation
from botapp.ui.hotkeys import keys
from botapp.ui.settings.device import GraphicsCards
from botapp.ui.settings.rows import OFFERED
from botapp.ui.welcome import Welcome, wanted
from vision.window import UnsupportedSession

FIRST = AppOptions(Settings())


@pytest.mark.parametrize(
    ("asked", "platform", "screen", "shown"),
    [
        (FIRST, "xcb", "HDMI-1", True),
        (FIRST, "windows", "\\\\.\\DISPLAY1", True),
        (FIRST, "xcb", "screen", False),
        (FIRST, "offscreen", "", False),
        (AppOptions(Settings(), seconds=60.0), "xcb", "HDMI-1", False),
        (AppOptions(Settings(), screenshots=Path()), "xcb", "HDMI-1", False),
        (AppOptions(Settings(), play=print), "xcb", "HDMI-1", False),
    ],
)
def test_it_is_shown_to_a_person_alone_whose_settings_are_not_there_yet(
    tmp_path, asked, platform, screen, shown
):
    file = tmp_path / "settings.toml"
    assert wanted(asked, file, platform, screen) is shown
    file.write_text("")
    assert not wanted(asked, file, platform, screen)


@pytest.fixture
def seen(monkeypatch):
    """A real screen, as far as the app can tell."""
    monkeypatch.setattr(app_module, "wanted", lambda asked, file, *_: wanted(asked, file, "xcb", "HDMI-1"))


@pytest.fixture
def first_start(seen, start):
    return start()


@pytest.mark.long
def test_skipping_takes_one_click_and_is_remembered(first_start, start):
    app, _ = first_start
    assert isinstance(app.pages.welcome, Welcome) and app.pages.welcome.isVisible()
    app.pages.welcome.skip.click()
    assert app.pages.welcome is None
    assert settings_file.settings_path().exists()
    assert settings_file.load().settings == Settings()  # nothing was changed, so nothing is written
    app.stop()
    again, _ = start()
    assert again.pages.welcome is None


@pytest.mark.slow
def test_the_client_whose_window_is_open_is_chosen_and_said(seen, start, monkeypatch):
    monkeypatch.setattr(
        pages, "offers", lambda: (offer(3, "Notes"), offer(7, "Ab - Iop - 3.3.18.17 - Release"))
    )
    app, _ = start()
    welcome = app.pages.welcome
    assert app.settings.capture.target == "dofus-unity"
    assert welcome.editors["capture.target"].findChild(QComboBox).currentText() == "DOFUS (Unity)"
    assert any("Ab" in one.text() and "Iop" in one.text() for one in welcome.findChildren(QLabel))


@pytest.mark.slow
def test_where_windows_cannot_be_listed_nothing_is_chosen(seen, start, monkeypatch):
    def fail():
        raise UnsupportedSession("There is no X server.")

    monkeypatch.setattr(pages, "offers", fail)
    app, _ = start()
    assert app.pages.welcome is not None and app.settings.capture.target == "arena"


@pytest.mark.slow
def test_a_headless_start_is_not_disturbed(start):
    app, _ = start()
    assert app.pages.welcome is None
    assert not settings_file.settings_path().exists()


@pytest.mark.slow
def test_the_pages_follow_each_other_to_the_end(first_start):
    welcome = first_start[0].pages.welcome
    assert "1 of 4" in welcome.title.text() and not welcome.back.isEnabled()
    welcome.next.click()
    assert "2 of 4" in welcome.title.text()
    welcome.back.click()
    assert "1 of 4" in welcome.title.text()
    for _ in range(3):
        welcome.next.click()
    assert welcome.next.text() == "Done" and welcome.skip.isHidden()
    welcome.next.click()
    assert first_start[0].pages.welcome is None and settings_file.settings_path().exists()


@pytest.mark.long
def test_another_language_holds_at_once_and_the_page_stays(first_start, qtbot):
    app, _ = first_start
    combo = app.pages.welcome.editors["ui.language"].combo
    combo.setCurrentIndex(combo.findData("fr"))
    qtbot.waitUntil(lambda: app.pages.welcome is not None and "Bienvenue" in app.pages.welcome.title.text())
    assert translation.language() == "fr" and settings_file.load().settings.ui.language == "fr"
    combo = app.pages.welcome.editors["ui.theme"].combo
    combo.setCurrentIndex(combo.findData("light"))
    qtbot.waitUntil(lambda: theme.current() == "light")
    assert settings_file.load().settings.ui.theme == "light"


@pytest.mark.slow
def test_the_game_is_chosen_or_its_window_picked(first_start):
    app, (worker,) = first_start
    welcome = app.pages.welcome
    welcome.next.click()
    combo = welcome.editors["capture.target"].combo
    combo.setCurrentIndex(combo.findData("dofus-unity"))
    assert settings_file.load().settings.capture.target == "dofus-unity"
    welcome.pick_asked.emit()
    app.pages.picker.accept()
    assert worker.sent[-1] == WatchWindow(None)


@pytest.mark.slow
def test_where_the_model_runs_is_shown_with_why(first_start, qtbot):
    app, (worker,) = first_start
    feed(qtbot, app, worker, snapshot(1))
    device = app.pages.welcome.device
    assert "CPU" in device.in_use.text() and "fastest" in device.why.text()
    app.pages.welcome.trials.found.emit()
    assert not worker.running


@pytest.mark.slow
def test_what_was_changed_meanwhile_is_kept(first_start):
    app, _ = first_start
    app.window.controls.overlay.trigger()
    app.pages.welcome.skip.click()
    assert settings_file.load().settings.overlay.preset == "minimal"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_is_cut_off(qtbot, language):
    translation.use(language)
    welcome = Welcome(lambda: Settings(ui={"language": language}))
    qtbot.addWidget(welcome)
    assert welcome.minimumSizeHint().width() <= welcome.width()
    assert welcome.minimumSizeHint().height() <= welcome.height()


@pytest.mark.slow
def test_the_last_page_says_what_the_graphics_card_wants_and_copies_the_line(qtbot):
    said = [{"card": "RX 7800 XT", "words": "It is not used yet.", "command": "pip install torch"}]
    cards = GraphicsCards((sys.executable, "-c", f"import json; print(json.dumps({said!r}))"))
    qtbot.addWidget(cards)
    cards.show()
    cards.ask()
    qtbot.waitUntil(cards.copy.isVisible, timeout=20_000)
    assert (cards.name.text(), cards.words.text(), cards.line.text()) == tuple(said[0].values())
    cards.copy.click()
    assert QGuiApplication.clipboard().text() == "pip install torch"
    none = GraphicsCards((sys.executable, "-c", "print([])"))
    qtbot.addWidget(none)
    none.show()
    none.ask()
    qtbot.waitUntil(none.words.isVisible, timeout=20_000)
    assert not none.copy.isVisible() and none.name.text() == "None was found."


def test_the_cards_are_looked_for_on_the_last_page_and_not_before(qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(GraphicsCards, "ask", lambda self: asked.append(type(self)))
    welcome = Welcome(Settings)
    qtbot.addWidget(welcome)
    for page in (1, 2):
        welcome.show_page(page)
        assert not asked
    welcome.show_page(3)
    assert asked == [GraphicsCards]


@pytest.mark.slow
def test_keys_for_the_game_are_offered_together_and_changed_by_pressing_them(seen, start, qtbot, monkeypatch):
    grabbed = []

    class Grabber:
        def __init__(self, pressed):
            self.pressed = pressed

        def grab(self, combos):
            grabbed.append(dict(combos))
            return {"pause": "taken"} if "pause" in combos else {}

        def close(self):
            grabbed.append({})

    monkeypatch.setattr(keys, "of_this_system", Grabber)
    app, _ = start()
    welcome = app.pages.welcome
    welcome.show_page(2)
    assert (
        "Keys" in welcome.title.text() and welcome.keys.offer.text() == "Use Ctrl+Shift with F6, F8, F9, F10"
    )
    assert "(F8 in botapp)" in app.window.controls.overlay.toolTip()
    welcome.keys.offer.click()
    assert {name: settings_file.load().settings.value(f"hotkeys.{name}") for name in OFFERED} == OFFERED
    assert set(grabbed[-1]) == set(OFFERED)
    assert "Ctrl+Shift+F9 is taken by another program" in welcome.keys.problems.text()
    assert "(F8 in botapp, Ctrl+Shift+F8 everywhere)" in app.window.controls.overlay.toolTip()
    field = welcome.keys.editors["pause"].field
    welcome.activateWindow()
    qtbot.waitUntil(welcome.isActiveWindow)
    field.setFocus()
    assert grabbed[-1] == {}, "what is pressed is for the field"
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    welcome.next.setFocus()
    assert settings_file.load().settings.hotkeys.pause == "" and set(grabbed[-1]) == set(OFFERED) - {"pause"}
    assert welcome.keys.problems.isHidden()


@pytest.mark.long
def test_a_setting_kept_by_a_demo_does_not_take_the_first_steps_away(seen, start):
    demo, _ = start(play=lambda action: None)
    demo.window.controls.overlay.trigger()
    assert settings_file.load().settings.overlay.preset == "minimal" and demo.pages.welcome is None
    (demo.keeper.layout_file.parent / "layout.json").unlink(missing_ok=True)
    demo.stop()
    demo.keeper.forget()  # a demo's panels lie in a folder of its own
    app, _ = start()
    assert app.pages.welcome is not None and app.settings.overlay.preset == "full"
    app.pages.welcome.skip.click()
    app.stop()
    again, _ = start()
    assert again.pages.welcome is None
