"""Hotkeys: which keys may be taken, what is in their way, and that they are given back."""

import sys
import time
from queue import Queue

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from ui_factories import feed, snapshot

from botapp.host.settings import HotkeySettings, Settings
from botapp.host.settings_file import load
from botapp.runtime.messages import Pause, WorkerFault
from botapp.ui import translation
from botapp.ui.hotkeys import keys
from botapp.ui.hotkeys.combo import ComboError, KeyCombo, parse
from botapp.ui.hotkeys.keys import Hotkeys
from botapp.ui.hotkeys.windows import WindowsKeys
from botapp.ui.settings.page import SettingsPage

Key = Qt.Key


@pytest.mark.parametrize(
    ("text", "combo"),
    [
        ("Ctrl+Alt+P", KeyCombo(Key.Key_P, ctrl=True, alt=True)),
        ("F8", KeyCombo(Key.Key_F8)),
        ("Shift+Pause", KeyCombo(Key.Key_Pause, shift=True)),
        ("Meta+1", KeyCombo(Key.Key_1, meta=True)),
        ("Ctrl+Num+5", KeyCombo(Key.Key_5, ctrl=True, keypad=True)),
    ],
)
def test_combinations_are_read(text, combo):
    assert parse(text) == combo


@pytest.mark.parametrize("text", ["A", "Shift+A", "Space", "Return", "1", "Left", "Shift+Home"])
def test_a_key_that_people_type_with_is_not_taken_away(text):
    with pytest.raises(ComboError, match="needs Ctrl or Alt"):
        parse(text)


@pytest.mark.parametrize("text", ["Ctrl", "Ctrl+A, Ctrl+B", "nonsense", "Ctrl+Nonsense"])
def test_what_is_no_combination_is_refused(text):
    with pytest.raises(ComboError, match="no key"):
        parse(text)


class FakeGrabber:
    """A desktop on which other programs have some keys."""

    def __init__(self, pressed, others=()):
        self.press, self.others = pressed, others
        self.taken, self.closed = {}, False

    def grab(self, combos):
        self.taken = {name: combo for name, combo in combos.items() if combo not in self.others}
        return {name: "taken" for name in combos if name not in self.taken}

    def close(self):
        self.taken, self.closed = {}, True


@pytest.fixture
def desktop(monkeypatch):
    """What the app takes keys from; `others` are other programs' keys."""

    class Desktop:
        others: tuple = ()
        made: list = []  # noqa: RUF012

        def make(self, pressed):
            self.made.append(FakeGrabber(pressed, self.others))
            return self.made[-1]

        @property
        def taken(self):
            return set(self.made[-1].taken) if self.made else set()

    found = Desktop()
    found.made = []
    monkeypatch.setattr(keys, "of_this_system", found.make)
    return found


def test_clashes_are_told_in_a_line_each_and_the_others_work(desktop):
    desktop.others = (parse("Ctrl+Alt+P"),)
    hotkeys = Hotkeys()
    hotkeys.apply(
        HotkeySettings(pause="Ctrl+Alt+P", overlay_off="F8", overlay_full="F8", window="A", compact="F6")
    )
    assert desktop.taken == {"overlay_full", "compact"}
    assert hotkeys.problems == {
        "pause": "Ctrl+Alt+P is taken by another program",
        "overlay_off": 'F8 is "Overlay: full" already',
        "window": "A needs Ctrl or Alt with it, or it could not be typed any more",
    }
    translation.use("fr")
    assert "autre programme" in translation.tr(hotkeys.problems["pause"])


def test_without_keys_nothing_is_asked_of_the_system(desktop):
    Hotkeys().apply(HotkeySettings())
    assert desktop.made == []


def test_where_there_are_no_hotkeys_that_is_said(monkeypatch):
    monkeypatch.setattr(keys, "of_this_system", lambda pressed: None)
    hotkeys = Hotkeys()
    hotkeys.apply(HotkeySettings(pause="F9"))
    assert "only X11 and Windows" in hotkeys.problems["pause"]


HOTKEYS = {
    "overlay_next": "F12",
    "overlay_full": "F2",
    "overlay_minimal": "F3",
    "overlay_off": "F4",
    "pause": "F9",
    "compact": "F6",
    "window": "F10",
}


@pytest.mark.slow
def test_each_hotkey_does_what_it_says(start, qtbot, desktop):
    app, (worker,) = start(settings=Settings(hotkeys=HOTKEYS, ui={"language": "en"}))
    feed(qtbot, app, worker, snapshot(1))
    press = desktop.made[-1].press
    assert desktop.taken == set(HOTKEYS)
    shown = []
    for name in ("overlay_minimal", "overlay_off", "overlay_full", "overlay_next"):
        press(name)
        shown.append((app.settings.overlay.enabled, app.settings.overlay.preset))
    assert shown == [(True, "minimal"), (False, "minimal"), (True, "full"), (True, "minimal")]
    press("pause")
    assert worker.sent[-1] == Pause(True) and app.window.controls.pause.text() == "Start"
    press("pause")
    assert worker.sent[-1] == Pause(False)
    press("compact")
    assert app.compact.window.isVisible()
    press("compact")
    assert app.compact.window is None
    app.desktop.bring_up()
    qtbot.waitUntil(app.window.isActiveWindow)
    press("window")
    assert app.window.isMinimized() or not app.window.isVisible()
    press("window")
    assert app.window.isVisible() and not app.window.isMinimized()


@pytest.mark.slow
def test_keys_are_given_back_at_the_end_and_when_the_engine_is_not_started_again(start, qtbot, desktop):
    app, (worker,) = start(settings=Settings(hotkeys=HOTKEYS, ui={"language": "en"}))
    with qtbot.waitSignal(app.bridge.faulted):
        worker.deliver(WorkerFault("It crashed.", True))
    assert desktop.taken == set(HOTKEYS), "a worker that is started again changes nothing"
    with qtbot.waitSignal(app.bridge.faulted):
        worker.deliver(WorkerFault("It crashed too often.", False))
    assert desktop.made[-1].closed
    app.restart_worker()
    assert desktop.taken == set(HOTKEYS)
    app.stop()
    assert all(made.closed for made in desktop.made)


@pytest.mark.slow
def test_a_clash_is_told_at_the_start_with_the_way_to_the_settings(start, desktop):
    desktop.others = (parse("F9"),)
    app, _ = start(settings=Settings(hotkeys=HOTKEYS, ui={"language": "en"}))
    assert app.window.notice.text.text() == "A hotkey cannot be used: F9 is taken by another program."
    app.window.notice.action.click()
    page = app.pages.settings
    assert page.current_group() == "hotkeys"
    assert page.key_notes.text() == "Pause or go on: F9 is taken by another program."


@pytest.mark.slow
def test_a_key_of_the_app_itself_may_do_the_same_everywhere_and_nothing_else(start, desktop):
    app, _ = start(settings=Settings(hotkeys={"pause": "F9", "window": "F8"}, ui={"language": "en"}))
    assert desktop.taken == {"pause"}
    assert app.hotkeys.keys.problems == {"window": 'F8 is the app\'s own key for "Overlay: next"'}


@pytest.mark.slow
def test_keys_are_chosen_by_pressing_them_and_are_kept(start, qtbot, desktop):
    app, _ = start(settings=Settings(hotkeys={"window": "F10"}, ui={"language": "en"}))
    app.pages.open_settings("hotkeys")
    page = app.pages.settings
    editor = page.editor("hotkeys.pause")
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    editor.field.setFocus()
    assert desktop.taken == set(), "F10 is for the field now"
    qtbot.keyClick(editor.field, Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert load().settings.hotkeys.pause == "Ctrl+F9"
    assert desktop.taken == set()
    page.pages.list.setFocus()
    assert desktop.taken == {"window", "pause"}
    editor.field.setFocus()
    qtbot.keyClick(editor.field, Key.Key_Escape)
    assert app.settings.hotkeys.pause == "Ctrl+F9" and page.isVisible()
    qtbot.keyClick(editor.field, Key.Key_Backspace)
    assert app.settings.hotkeys.pause == ""
    assert editor.field.findChild(QLineEdit).placeholderText() == "None"
    qtbot.keyClick(editor.field, Key.Key_A)
    assert "needs Ctrl or Alt" in page.key_notes.text()


@pytest.mark.slow
def test_tab_leaves_a_field_for_keys(qtbot):
    page = SettingsPage(Settings())
    qtbot.addWidget(page)
    page.show_group("hotkeys")
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    fields = [page.editor(f"hotkeys.{name}").field for name in ("overlay_next", "overlay_full")]
    fields[0].setFocus()
    qtbot.keyClick(page.focusWidget(), Key.Key_Tab)
    assert fields[1].hasFocus() or fields[1].isAncestorOf(page.focusWidget())
    assert page.settings.hotkeys == HotkeySettings()


class FakeUser32:
    """Windows as far as hotkeys go, with some that are taken."""

    def __init__(self, *taken):
        self.taken, self.registered, self.queue = taken, {}, Queue()

    def begin(self):
        return 77

    def register(self, number, modifiers, key):
        if (modifiers, key) in self.taken:
            return False
        self.registered[number] = modifiers, key
        return True

    def unregister(self, number):
        del self.registered[number]

    def wait(self):
        return self.queue.get(timeout=10)

    def wake(self, thread):
        assert thread == 77
        self.queue.put(-1)

    def scan(self, letter):
        return {",": 0xBC, "&": 0x137}.get(letter, 0)


def test_on_windows_keys_are_registered_heard_and_given_back():
    api, heard = FakeUser32((0x4000, 0x77)), []
    found = WindowsKeys(heard.append, api)
    wanted = {"pause": "Ctrl+Alt+P", "full": "F8", "off": "Shift+F4", "next": "Ctrl+,", "and": "Ctrl+&"}
    wanted["odd"] = "Ctrl+€"
    refused = found.grab({name: parse(text) for name, text in wanted.items()})
    assert refused == {"full": "taken", "odd": "missing"}
    assert list(api.registered.values()) == [(0x4003, 0x50), (0x4004, 0x73), (0x4002, 0xBC), (0x4006, 0x37)]
    api.queue.put(1)
    api.queue.put(99)
    assert found.grab({"pause": parse("F9")}) == {}
    assert heard == ["pause"] and list(api.registered.values()) == [(0x4000, 0x78)]
    found.close()
    assert api.registered == {} and not found._runner.is_alive()
    found.close()


def test_a_windows_that_does_not_answer_is_an_error_and_no_wait_without_end(monkeypatch):
    monkeypatch.setattr("botapp.ui.hotkeys.windows.ANSWER_S", 0.05)
    api = FakeUser32()
    found = WindowsKeys(print, api)
    wake, api.wake = api.wake, lambda thread: None
    begun = time.monotonic()
    with pytest.raises(OSError, match="does not answer"):
        found.grab({})
    assert time.monotonic() - begun < 20
    api.wake = wake
    found.close()


@pytest.mark.skipif(sys.platform == "win32", reason="not on Windows")
def test_user32_is_asked_for_on_windows_only():
    with pytest.raises(OSError, match="Windows only"):
        WindowsKeys(print)
