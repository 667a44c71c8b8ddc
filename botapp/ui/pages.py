"""The app's other pages: settings, the person's game, the picker of windows, and those of the first start.

Each is open once at most. Next hop: `botapp.ui.app` takes over what was changed on them, and the worker what
it has to know.
"""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from botapp.arena.options import LANGUAGES
from botapp.content.knowledge.base import knowledge
from botapp.host.settings import Settings
from botapp.host.translation import ENGLISH
from botapp.runtime.messages import AskFrame, DeviceStatus, Relearn, WatchWindow
from botapp.ui.bridge import Bridge
from botapp.ui.game.page import GamePage
from botapp.ui.picker import WindowPicker
from botapp.ui.remedies import RemedyKind
from botapp.ui.settings.editors import CHOICES
from botapp.ui.settings.page import SettingsPage
from botapp.ui.settings.probe import BackendProbe
from botapp.ui.translation import language, tr
from botapp.ui.welcome import Welcome
from botapp.ui.window import MainWindow
from vision import profiles
from vision.profiles import Profile


class Pages(QObject):
    """Opens the pages over the main window and closes them.

    Signals:
        changed: the new `Settings`.
        restart_asked: the person wants the worker started anew.
    """

    changed = Signal(object)
    restart_asked = Signal()

    def __init__(
        self,
        window: Callable[[], MainWindow],
        settings: Callable[[], Settings],
        bridge: Bridge,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.settings: SettingsPage | None = None
        self.game: GamePage | None = None
        self.welcome: Welcome | None = None
        self.probe = BackendProbe(parent=self)
        self._window = window
        self._values = settings
        self._bridge = bridge

    @Slot()
    def open_settings(self, group: str = "engine") -> None:
        """Opens the settings page at a group, or brings it to the front."""
        if self.settings is None:
            page = SettingsPage(self._values(), self._window())
            page.changed.connect(self.changed)
            page.restart_asked.connect(self.restart_asked)
            page.check_asked.connect(self.probe.ask)
            page.finished.connect(partial(self._closed, "settings"))
            self.probe.answered.connect(page.show_backends)
            self.probe.failed.connect(page.show_probe_trouble)
            self.settings = page
            self.probe.ask()
        self.settings.show_group(group)
        if self._bridge.latest is not None:
            self.settings.show_device(self._bridge.latest.device)
        self.settings.show()
        self.settings.raise_()

    @Slot()
    def open_game(self) -> None:
        """Opens the page of the person's game, or brings it to the front."""
        if self.game is None:
            page = GamePage(self._values(), knowledge(), self._window())
            page.changed.connect(self.changed)
            page.learnt.connect(self._relearn)
            page.frame_asked.connect(self._ask_frame)
            page.finished.connect(partial(self._closed, "game"))
            self._bridge.framed.connect(page.show_frame)
            self.game = page
            self._ask_frame()
        self.game.show()
        self.game.raise_()

    @Slot(str)
    def open_remedy(self, kind: RemedyKind) -> None:
        """Opens what a person can do about there being no advice."""
        if kind == "arena":
            self.open_arena()
        elif kind == "pick":
            self.pick_window()
        elif kind == "class":
            self.open_settings("advisor")
        else:
            self.open_game()
            assert self.game is not None
            self.game.tabs.setCurrentWidget(self.game.board)

    @Slot()
    def open_arena(self) -> None:
        """Opens the practice arena's window, in a process of its own that goes on without the app."""
        spoken = language() if language() in LANGUAGES else ENGLISH
        QProcess.startDetached(sys.executable, ["-m", "botapp", "arena", "--language", spoken])

    def open_welcome(self, number: int = 0) -> None:
        """Opens the pages of the first start at one of them."""
        page = Welcome(self._values, self._window())
        page.changed.connect(self.changed)
        page.pick_asked.connect(self.pick_window)
        page.arena_asked.connect(self.open_arena)
        page.restart_asked.connect(self.restart_asked)
        page.finished.connect(partial(self._closed, "welcome"))
        self.welcome = page
        page.show_page(number)
        if self._bridge.latest is not None:
            page.show_device(self._bridge.latest.device)
        page.show()

    @Slot()
    def pick_window(self) -> None:
        """Lets the person pick the window to watch."""
        picker = WindowPicker(_windows(), self._window())
        picker.picked.connect(self._watch)
        picker.picked_window.connect(self._hold_against_client)
        picker.open()

    def show_settings(self, settings: Settings) -> None:
        """Shows settings that were changed elsewhere."""
        if self.settings is not None:
            self.settings.show_settings(settings)

    def show_device(self, device: DeviceStatus | None) -> None:
        """Shows where the model runs."""
        for page in (self.settings, self.welcome):
            if page is not None:
                page.show_device(device)

    def close(self) -> Callable[[], None]:
        """Closes the pages; returns what opens those of them again that were being worked on."""
        again: list[Callable[[], None]] = []
        if self.settings is not None:
            again.append(partial(self.open_settings, self.settings.current_group()))
        if self.welcome is not None:
            again.append(partial(self.open_welcome, self.welcome.pages.currentIndex()))
            self.welcome.changed.disconnect(self.changed)
        for page in (self.settings, self.game, self.welcome):
            if page is not None:
                page.close()

        def reopen() -> None:
            for opens in again:
                opens()

        return reopen

    def _closed(self, page: Literal["settings", "game", "welcome"], result: int) -> None:
        getattr(self, page).deleteLater()
        setattr(self, page, None)

    @Slot()
    def _ask_frame(self) -> None:
        self._bridge.send(AskFrame())

    @Slot()
    def _relearn(self) -> None:
        self._bridge.send(Relearn())

    @Slot(str, str)
    def _hold_against_client(self, title: str, process: str) -> None:
        """Says at once that a picked window is not that of the client in the settings."""
        target = self._values().capture.target
        notice = self._window().notice
        notice.settle("window")
        if self._values().capture.title or fits(profiles.load(target), title, process):
            return
        notice.say(
            tr(
                'The window "{title}" does not look like {client}. If it is another game client, choose it.',
                title=title,
                client=tr(CHOICES[target]),
            ),
            action=(tr("Choose the client"), partial(self.open_settings, "capture")),
            cause="window",
        )

    @Slot(object)
    def _watch(self, handle: int | None) -> None:
        self._bridge.send(WatchWindow(handle))


def fits(profile: Profile, title: str, process: str) -> bool:
    """Tells whether a window may be a client's, by its title and its program's name."""
    told = ((profile.title, title), (profile.process, process))
    return any(part and part.lower() in whole.lower() for part, whole in told)


def _windows() -> Callable[[], Iterable[Any]]:
    from vision.window import list_windows  # noqa: PLC0415

    return list_windows
