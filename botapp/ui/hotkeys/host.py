"""What the hotkeys do, and when they are taken: not while a field records keys, nor without an engine."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence

from botapp.host.settings import HotkeySettings
from botapp.runtime.messages import WorkerFault
from botapp.ui.hotkeys.combo import ComboError, KeyCombo, parse
from botapp.ui.hotkeys.keys import Hotkeys, OwnKey
from botapp.ui.pages import Pages
from botapp.ui.translation import tr
from botapp.ui.window import MainWindow


class HotkeyHost(QObject):
    """Owns the hotkeys of a run."""

    def __init__(
        self,
        actions: Mapping[str, Callable[[], object]],
        window: Callable[[], MainWindow],
        pages: Pages,
        parent: QObject | None = None,
    ) -> None:
        """Takes no key yet.

        Args:
            actions: what each setting of the group "hotkeys" stands for.
            pages: whose settings page shows what is wrong, and records keys.
        """
        super().__init__(parent)
        self.keys = Hotkeys(parent=self)
        self._actions, self._window, self._pages = actions, window, pages
        self.keys.pressed.connect(self._do)
        self.keys.problems_found.connect(pages.show_key_problems)
        pages.recording.connect(self.keys.record)

    def start(self, settings: HotkeySettings) -> None:
        """Takes the keys, and says in the window if one cannot be had."""
        self.keys.own = _own_keys(self._window())
        self.keys.apply(settings)
        if problems := list(self.keys.problems.values()):
            self._window().notice.say(
                tr("A hotkey cannot be used: {why}.", why=problems[0]),
                action=(tr("Settings"), partial(self._pages.open_settings, "hotkeys")),
                cause="hotkeys",
            )

    @Slot(object)
    def worker_fault(self, fault: WorkerFault) -> None:
        """Gives the keys back where the worker is not started again."""
        if not fault.restarting:
            self.keys.release()

    @Slot(str)
    def _do(self, name: str) -> None:
        self._actions[name]()


def _own_keys(window: MainWindow) -> dict[KeyCombo, OwnKey]:
    same = {
        window.pause_action: "pause",
        window.overlay_action: "overlay_next",
        window.compact_action: "compact",
    }
    found = {}
    for action in window.findChildren(QAction):
        try:
            combo = parse(action.shortcut().toString(QKeySequence.SequenceFormat.PortableText))
        except ComboError:
            continue
        found[combo] = OwnKey(same.get(action, ""), action.text())
    return found
