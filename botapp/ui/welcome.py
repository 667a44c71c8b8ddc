"""The first start: language and theme, which game is watched, keys for it, who advises; all can be skipped.

It changes settings as the settings page does, and is not shown in a demo, in a timed run or on a
virtual screen.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QStackedWidget,
    QWidget,
)

from botapp.host.settings import Settings, Value, options
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import DeviceStatus
from botapp.ui.settings.device import DeviceCard, GraphicsCards
from botapp.ui.settings.editors import Editor
from botapp.ui.settings.rows import FirstKeys, option_row
from botapp.ui.settings.trials import Trials
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, card, fitting, label, scrolled

_VIRTUAL_PLATFORMS = ("offscreen", "minimal", "vnc")
_XVFB_SCREEN = "screen"
"""What Xvfb calls its only output; a real one is called after its socket, such as HDMI-1."""
DUE_FILE = "welcome-due"  # Lies beside settings that a demo or a timed run was the first to write
_TITLES = (mark("Welcome"), mark("Your game"), mark("Keys while you play"), mark("Who advises"))


def watched(asked: AppOptions) -> bool:
    """Tells whether a person is expected to look on: not in a demo or a timed run."""
    return asked.play is None and asked.seconds is None and asked.screenshots is None


def wanted(asked: AppOptions, settings_file: Path, platform: str, screen: str) -> bool:
    """Tells whether this is a person's first start, which is when the pages are shown.

    `platform` is Qt's, such as "xcb", `screen` the name of the first screen.
    """
    virtual = platform in _VIRTUAL_PLATFORMS or screen == _XVFB_SCREEN
    first = not settings_file.exists() or _due(settings_file).exists()
    return watched(asked) and not virtual and first


def put_off(asked: AppOptions, settings_file: Path) -> None:
    """Notes, before settings are written for the first time, that no person was shown the pages.

    A demo or a timed run keeps what is changed in it: the file that comes of it is no sign of a first start.
    """
    if not watched(asked) and not settings_file.exists():
        with suppress(OSError):
            settings_file.parent.mkdir(parents=True, exist_ok=True)
            _due(settings_file).touch()


def greeted(settings_file: Path) -> None:
    with suppress(OSError):
        _due(settings_file).unlink(missing_ok=True)


def _due(settings_file: Path) -> Path:
    return settings_file.with_name(DUE_FILE)


class Welcome(QDialog):
    """Four short pages.

    Signals:
        recording: whether keys that are pressed are for a field.
        changed: the new `Settings`, after each edit, and once more at the end, lest it be asked again.
        pick_asked: the person wants to pick the game's window.
        arena_asked: the person wants to try the practice arena.
        restart_asked: a probe found something that the engine goes by when it starts.
    """

    changed = Signal(object)
    pick_asked = Signal()
    arena_asked = Signal()
    restart_asked = Signal()
    recording = Signal(bool)

    def __init__(
        self, settings: Callable[[], Settings], parent: QWidget | None = None, found: str = ""
    ) -> None:
        """Makes the pages; `found` is the game's window that is open and was chosen, in words."""
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Welcome"))
        self._settings = settings
        self.found = found
        self.editors: dict[str, Editor] = {}
        self.device = DeviceCard(can_check=False)
        self.cards = GraphicsCards()
        self.keys = FirstKeys(settings())
        self.keys.changed.connect(self._keys_changed)
        self.keys.recording.connect(self.recording)
        self.trials = Trials()
        self.trials.bench.hide()
        self.trials.note.setText(tr("The test tries each device in a separate process."))
        self.trials.found.connect(self.restart_asked)
        self.title = label("", "accent", scale=1.4)
        self.pages = QStackedWidget()
        for page in (self._look(), self._game(), _page(self.keys), self._card()):
            self.pages.addWidget(page)
        self.skip = button(tr("Skip all"), self.close, role="flat")
        self.back = button(tr("Back"), self._go_back)
        self.next = button("", self._go_on, role="primary")
        self.next.setDefault(True)
        self.finished.connect(self._finished)
        self._lay_out()
        self.show_page(0)

    def show_page(self, number: int) -> None:
        self.pages.setCurrentIndex(number)
        last = number == self.pages.count() - 1
        if last:
            self.cards.ask()
        step = tr("{number} of {count}", number=number + 1, count=self.pages.count())
        self.title.setText(f"{tr(_TITLES[number])}  ·  {step}")
        self.back.setEnabled(number > 0)
        self.skip.setVisible(not last)
        self.next.setText(tr("Done") if last else tr("Next"))

    def show_device(self, device: DeviceStatus | None) -> None:
        self.device.show_device(device)

    @Slot(object)
    def _keys_changed(self, chosen: Settings) -> None:
        """Puts the keys into the settings as they are now: other pages have changed them meanwhile."""
        self.changed.emit(self._settings().model_copy(update={"hotkeys": chosen.hotkeys}))

    @Slot()
    def _go_back(self) -> None:
        self.show_page(self.pages.currentIndex() - 1)

    @Slot()
    def _go_on(self) -> None:
        if self.pages.currentIndex() == self.pages.count() - 1:
            self.close()
        else:
            self.show_page(self.pages.currentIndex() + 1)

    @Slot()
    def _finished(self) -> None:
        self.trials.close_child()
        self.cards.close_child()
        self.changed.emit(self._settings())

    @Slot(object)
    def _edited(self, value: Value) -> None:
        editor = self.sender()
        if isinstance(editor, Editor):
            settings = self._settings().changed(editor.option.key, value)
            self.trials.setVisible(settings.engine.adviser == "model")
            self.changed.emit(settings)

    def _look(self) -> QWidget:
        words = tr(
            "botapp watches a DOFUS fight and says what it would do. You play: it never clicks in the game."
        )
        return _page(label(words, wrap=True), self._rows(("ui.language", "ui.theme")))

    def _game(self) -> QWidget:
        words = tr(
            "For a DOFUS client, bring the game's data once under My game (F7), and confirm there "
            "during your first fight where the board is."
        )
        arena = button(tr("Open the practice arena"), self.arena_asked)
        pick = button(tr("Pick the window to watch"), self.pick_asked)
        buttons = QWidget()
        row_of(pick, arena, None, into=buttons, margins=(0, 0, 0, 0))
        rows = self._rows(("capture.target", "advisor.player_class"))
        if self.found:
            open_now = label(tr("Found open and chosen: {window}.", window=self.found), "good", wrap=True)
        else:
            text = tr(
                "No game is open. DOFUS is found by itself when you start it. The practice arena can be "
                "tried at once: it is a small game of our own and needs no setup."
            )
            open_now = label(text, wrap=True)
        parts = (open_now, buttons, rows) if not self.found else (open_now, rows, buttons)
        return _page(*parts, label(words, "muted", wrap=True))

    def _card(self) -> QWidget:
        rows = self._rows(("engine.adviser",))
        self.trials.setVisible(self._settings().engine.adviser == "model")
        return _page(rows, self.cards, self.device, self.trials)

    def _rows(self, keys: Sequence[str]) -> QWidget:
        frame, box = card(spacing=0)
        for option in (option for option in options() if option.key in keys):
            row, editor = option_row(option)
            editor.set_value(self._settings().value(option.key))
            editor.edited.connect(self._edited)
            self.editors[option.key] = editor
            box.addWidget(row)
        return frame

    def _lay_out(self) -> None:
        bottom = row_of(self.skip, None, self.back, self.next)
        column_of(self.title, (self.pages, 1), bottom, into=self, margins=(20, 18, 20, 14), spacing=12)
        self.resize(fitting(680, 460))


def _page(*parts: QWidget) -> QWidget:
    inner = QWidget()
    column_of(*parts, None, into=inner, margins=(0, 0, 8, 0), spacing=12)
    return scrolled(inner)
