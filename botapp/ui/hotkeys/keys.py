"""The hotkeys of the settings: taken while the app runs, what they do, and what stands in their way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence

from botapp.host.message import error_text, say
from botapp.host.settings import HotkeySettings, options
from botapp.runtime.messages import WorkerFault
from botapp.ui.hotkeys.combo import ComboError, KeyCombo, KeyGrabber, Refusal, parse, shown
from botapp.ui.pages import Pages
from botapp.ui.translation import mark, tr
from botapp.ui.window import MainWindow

Make = Callable[[Callable[[str], object]], KeyGrabber | None]
_REFUSED: dict[Refusal, str] = {
    "taken": mark("{keys} is taken by another program"),
    "missing": mark("This keyboard has no {keys}"),
}
_NAMES = {
    option.key.removeprefix("hotkeys."): option.title for option in options() if option.group == "hotkeys"
}


@dataclass(frozen=True, slots=True)
class OwnKey:
    """A key that works within the app: the hotkey's setting that does the same, "" for none; its words."""

    name: str
    title: str


class Hotkeys(QObject):
    """Takes the keys of the settings.

    Signals:
        pressed: the name of the setting whose keys were pressed, such as "pause".
        problems_found: what is wrong, by setting: a dict of messages, empty where all is well.

    Attributes:
        problems: what was told last.
        own: the app's own keys, which mean nothing else.
    """

    pressed = Signal(str)
    problems_found = Signal(object)

    def __init__(self, make: Make | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make = make or of_this_system
        self._grabber: KeyGrabber | None = None
        self._settings = HotkeySettings()
        self._recording = False
        self.own: Mapping[KeyCombo, OwnKey] = {}
        self.problems: dict[str, str] = {}

    def apply(self, settings: HotkeySettings) -> None:
        self._settings = settings
        combos, problems = _wanted(settings, self.own)
        try:
            refused = self._grab(combos)
        except OSError as error:
            text = say("Hotkeys cannot be used now ({problem})", problem=error_text(error))
            refused, problems = {}, dict.fromkeys(combos, text)
            self.release()
        for name, why in refused.items():
            problems[name] = say(_REFUSED[why], keys=shown(getattr(settings, name)))
        self.problems = problems
        if self._recording:
            self.release()
        self.problems_found.emit(problems)

    @Slot(bool)
    def record(self, recording: bool) -> None:
        """Leaves all keys alone while some are pressed for a field."""
        self._recording = recording
        if recording:
            self.release()
        else:
            self.resume()

    def resume(self) -> None:
        self.apply(self._settings)

    def release(self) -> None:
        """Gives all keys back, until `resume` or `apply`."""
        if self._grabber is not None:
            self._grabber.close()
            self._grabber = None

    def _grab(self, combos: dict[str, KeyCombo]) -> dict[str, Refusal]:
        if not combos:
            self.release()
            return {}
        if self._grabber is None:
            self._grabber = self._make(self.pressed.emit)
        if self._grabber is None:
            raise OSError(say("only X11 and Windows have them"))
        return self._grabber.grab(combos)


def of_this_system(pressed: Callable[[str], object]) -> KeyGrabber | None:
    """Returns what takes keys on this desktop, None where nothing can.

    Raises:
        OSError: the system does not answer.
    """
    platform = QGuiApplication.platformName()
    if platform == "xcb":
        from botapp.ui.hotkeys.x11 import X11Keys  # noqa: PLC0415

        return X11Keys(pressed)
    if platform == "windows":
        from botapp.ui.hotkeys.windows import WindowsKeys  # noqa: PLC0415

        return WindowsKeys(pressed)
    return None


def _wanted(
    settings: HotkeySettings, own: Mapping[KeyCombo, OwnKey]
) -> tuple[dict[str, KeyCombo], dict[str, str]]:
    combos: dict[str, KeyCombo] = {}
    problems: dict[str, str] = {}
    for name, text in settings.model_dump().items():
        if not text:
            continue
        try:
            combo = parse(text)
        except ComboError as error:
            problems[name] = error_text(error)
            continue
        other = next((before for before, taken in combos.items() if taken == combo), None)
        if other is not None:
            title = _NAMES[other]
            problems[name] = say('{keys} is "{other}" already', keys=shown(text), other=say(title))
        elif combo in own and own[combo].name != name:
            title = _NAMES.get(own[combo].name, own[combo].title)
            problems[name] = say(
                '{keys} is the app\'s own key for "{other}"', keys=shown(text), other=say(title)
            )
        else:
            combos[name] = combo
    return combos, problems


class HotkeyHost(QObject):
    """Owns the hotkeys of a run."""

    def __init__(
        self,
        actions: Mapping[str, Callable[[], object]],
        window: Callable[[], MainWindow],
        pages: Pages,
        parent: QObject | None = None,
    ) -> None:
        """Takes no key yet; `actions` are what each setting of the group "hotkeys" stands for."""
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
    has = window.controls
    same = {has.pause: "pause", has.overlay: "overlay_next", has.compact: "compact"}
    by_combo = {}
    for action in window.findChildren(QAction):
        try:
            combo = parse(action.shortcut().toString(QKeySequence.SequenceFormat.PortableText))
        except ComboError:
            continue
        by_combo[combo] = OwnKey(same.get(action, ""), action.text())
    return by_combo
