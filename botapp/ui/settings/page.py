"""The settings page: every option, group by group, applied as soon as it is changed."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from botapp.host.message import error_text
from botapp.host.settings import SettingOption, Settings, Value, options
from botapp.runtime.messages import DeviceStatus
from botapp.ui.settings.about import AboutPage
from botapp.ui.settings.device import DeviceCard, ProbedBackend
from botapp.ui.settings.editors import CHOICES, ChoiceEditor, Editor, KeysEditor
from botapp.ui.settings.health import HealthPage
from botapp.ui.settings.rows import option_row, problem_text
from botapp.ui.settings.trials import Trials
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, flow_of, row_of
from botapp.ui.widgets.labels import (
    Note,
    button,
    card,
    card_of,
    close_button,
    fitting,
    label,
    put_page,
    scrolled,
)
from botapp.ui.widgets.undo import UndoLine

GROUPS = {
    "engine": mark("Thinking"),
    "capture": mark("Game window"),
    "advisor": mark("Your character"),
    "overlay": mark("Overlay"),
    "hotkeys": mark("Hotkeys"),
    "review": mark("Kept fights"),
    "ui": mark("Appearance"),
}

ABOUT_HOTKEYS = mark(
    "These keys work while the game has the focus. botapp only listens to them: it never sends a key, and "
    "the game does not get those chosen here. Click a field and press the keys."
)
OF_MODEL = mark(
    "The search alone advises now and runs on the processor. Backend, device and precision are the model's: "
    "choose them at any time, they hold as soon as it advises."
)


class PageList(QWidget):
    """Pages with a list of their titles; each is made when it is first turned to, as all at once would hold
    up the window.

    Args:
        makers: what makes each page, by its title.

    Signals:
        made: a page was made.
    """

    made = Signal()

    def __init__(self, makers: Mapping[str, Callable[[], QWidget]], parent: QWidget) -> None:
        super().__init__(parent)  # a tree that changes its parent is styled anew
        self.list = QListWidget()
        self.list.setFixedWidth(190)
        self.stack = QStackedWidget(self)
        for title in makers:
            item = QListWidgetItem(title)
            item.setSizeHint(QSize(0, 38))
            self.list.addItem(item)
            self.stack.addWidget(QWidget())
        self._makers = dict(enumerate(makers.values()))
        self.list.currentRowChanged.connect(self._show)
        row_of(self.list, (self.stack, 1), into=self, margins=(0, 0, 0, 0), spacing=12)

    def turn_to(self, row: int) -> None:
        self.list.setCurrentRow(row)

    def make(self, row: int) -> None:
        """Makes a page in place of the empty one, unless it is there already."""
        if row in self._makers:
            put_page(self.stack, row, self._makers.pop(row)())
            self.made.emit()

    @Slot(int)
    def _show(self, row: int) -> None:
        self.make(row)
        self.stack.setCurrentIndex(row)


class SettingsPage(QDialog):
    """All settings, with what was asked for, what is in use and why.

    Signals:
        changed: the new `Settings`, after each edit that is valid.
        restart_asked: the person wants the worker started anew.
        reset_asked: the person wants everything back to its defaults.
        check_asked: the person wants the backends checked again.
        recording: whether keys that are pressed are for a field of the page.
        pick_asked: the person wants to pick the window to watch.
    """

    changed = Signal(object)
    restart_asked = Signal()
    reset_asked = Signal()
    check_asked = Signal()
    recording = Signal(bool)
    pick_asked = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Settings"))
        self.settings = settings
        self.editors: dict[str, Editor] = {}
        self.advanced: dict[str, QPushButton] = {}
        self._backends: tuple[ProbedBackend, ...] = ()
        self.device = DeviceCard()
        self.device.check_asked.connect(self.check_asked)
        self.of_model = label(tr(OF_MODEL), "muted", wrap=True)
        self.backend_notes = label(tr("Checking what works here…"), "muted", wrap=True, copied=True)
        self.key_notes = Note("warn")
        self.key_notes.setParent(self)
        self.trials = Trials()
        self.trials.found.connect(self.restart_asked)
        self.restart_row = self._restart_row()
        self.undo = UndoLine()
        self.trouble = Note("bad")
        self.health = HealthPage()
        makers: dict[str, Callable[[], QWidget]] = {
            tr(title): partial(self._page, group) for group, title in GROUPS.items()
        }
        makers[tr("Diagnosis")] = lambda: self.health
        makers[tr("About botapp")] = self._about_page
        self.pages = PageList(makers, self)
        self.pages.list.setAccessibleName(tr("Settings"))
        self.pages.turn_to(0)
        self.pages.made.connect(self._fill_in)
        self._lay_out()
        self.show_settings(settings)

    def editor(self, key: str) -> Editor:
        """Returns the editor of an option; its page is made if it was not shown yet."""
        if key not in self.editors:
            self.pages.make(list(GROUPS).index(key.partition(".")[0]))
        return self.editors[key]

    def show_settings(self, settings: Settings) -> None:
        """Shows these settings' values, and that a restart is needed where they need one."""
        if any(o.restart and settings.value(o.key) != self.settings.value(o.key) for o in options()):
            self.restart_row.show()
        self.settings = settings
        self._fill_in()
        self._show_adviser()

    @Slot()
    def _fill_in(self) -> None:
        for key, editor in self.editors.items():
            editor.set_value(self.settings.value(key))

    def show_group(self, group: str) -> None:
        self.pages.turn_to(list(GROUPS).index(group))

    def current_group(self) -> str:
        """Returns the group that is open; the first one where that is a page without settings."""
        row = self.pages.list.currentRow()
        return list(GROUPS)[row if row < len(GROUPS) else 0]

    def show_device(self, device: DeviceStatus | None) -> None:
        """Shows where the model runs: asked, in use, why, and what is done for speed."""
        self.device.show_device(device)

    @Slot(object)
    def show_backends(self, backends: tuple[ProbedBackend, ...]) -> None:
        self._backends = backends
        editor = self.editor("engine.backend")
        assert isinstance(editor, ChoiceEditor)
        notes = []
        for backend in backends:
            reason = tr(backend.reason)
            editor.mark_choice(backend.name, reason, usable=backend.usable)
            if not backend.usable:
                notes.append(f"{tr(CHOICES.get(backend.name, backend.name))} – {reason}")
        self.backend_notes.setText("\n".join(notes) or tr("Everything works here."))
        self._offer_devices()

    @Slot(object)
    def show_key_problems(self, problems: Mapping[str, str]) -> None:
        if problems:
            self.pages.make(list(GROUPS).index("hotkeys"))
        self.key_notes.setText(problem_text(problems))

    @Slot(str)
    def show_probe_trouble(self, text: str) -> None:
        self.backend_notes.setText(tr(text))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Takes over a line that is still being edited, and ends what still runs."""
        self.setFocus()
        self.trials.close_child()
        self.health.close_child()
        super().closeEvent(event)

    def _edited(self, value: Value) -> None:
        editor = self.sender()
        if isinstance(editor, Editor):
            self._change(editor.option, value)

    def _change(self, option: SettingOption, value: Value) -> None:
        try:
            settings = self.settings.changed(option.key, value)
        except ValueError as error:
            self.trouble.setText(tr(error_text(error)))
            return
        self.trouble.setText("")
        if settings == self.settings:
            return
        self.undo.put_away()
        self.settings = settings
        if option.restart:
            self.restart_row.show()
        if option.key == "engine.backend":
            self._offer_devices()
        self._show_adviser()
        self.changed.emit(settings)

    @Slot()
    def _restart(self) -> None:
        self.restart_row.hide()
        self.restart_asked.emit()

    def _show_adviser(self) -> None:
        self.of_model.setVisible(self.settings.engine.adviser == "search")

    def _offer_devices(self) -> None:
        editor = self.editor("engine.device")
        assert isinstance(editor, ChoiceEditor)
        wanted = self.settings.engine.backend
        devices = {
            name: title
            for backend in self._backends
            if backend.usable and wanted in ("auto", backend.name)
            for name, title in backend.devices
        }
        automatic = CHOICES["auto"]
        editor.set_choices(
            [("auto", tr(automatic)), *((name, f"{name} – {tr(title)}") for name, title in devices.items())]
        )
        editor.set_value(self.settings.engine.device)

    def _about_page(self) -> AboutPage:
        page = AboutPage(lambda: self.settings.ui.releases)
        page.report_asked.connect(partial(self.pages.turn_to, len(GROUPS)))
        return page

    def _page(self, group: str) -> QWidget:
        inner = QWidget()
        room = scrolled(inner)
        parts: list[QWidget] = []
        if group == "engine":
            parts = [self.device, self.restart_row, self.trials]
        elif group == "capture":
            pick = button(tr("Pick the window to watch"), self.pick_asked, icon="target")
            parts = [flow_of(pick)]
        elif group == "hotkeys":
            keys = label("\n".join(self._own_keys()), wrap=True)
            own = card_of(label(tr("Keys while botapp itself has the focus"), "caption"), keys)
            if not keys.text():
                own.hide()
            parts = [label(tr(ABOUT_HOTKEYS), "muted", wrap=True), own, self.key_notes]
        of_group = [option for option in options() if option.group == group]
        parts.append(self._card([option for option in of_group if not option.advanced]))
        if advanced := [option for option in of_group if option.advanced]:
            rest = self._card(advanced)
            rest.hide()
            more = button(tr("Advanced settings"), icon="down", role="flat", checkable=True)
            more.toggled.connect(rest.setVisible)
            self.advanced[group] = more
            parts += [flow_of(more), rest]
        column_of(*parts, None, into=inner, margins=(4, 0, 12, 4), spacing=10)
        return room

    def _card(self, shown: Sequence[SettingOption]) -> QWidget:
        frame, rows = card(spacing=0)
        for option in shown:
            if rows.count():
                rule = QFrame()
                rule.setObjectName("rule")
                rule.setFixedHeight(1)
                rows.addWidget(rule)
            row, editor = option_row(option)
            editor.edited.connect(self._edited)
            if isinstance(editor, KeysEditor):
                editor.recording.connect(self.recording)
            self.editors[option.key] = editor
            rows.addWidget(row)
            if option.key == "engine.adviser":
                rows.addWidget(self.of_model)
                rows.addSpacing(8)
            if option.key == "engine.backend":
                rows.addWidget(self.backend_notes)
                rows.addSpacing(8)
        return frame

    def _own_keys(self) -> list[str]:
        window = self.parent()
        actions = window.findChildren(QAction) if window is not None else []
        native = QKeySequence.SequenceFormat.NativeText
        own_keys = {
            action.shortcut().toString(native): action.whatsThis() or action.text()
            for action in actions
            if action.text() and not action.shortcut().isEmpty()
        }
        return [tr("{key}: {problem}", key=key, problem=text) for key, text in sorted(own_keys.items())]

    def _restart_row(self) -> QWidget:
        text = label(tr("This change needs an engine restart."), "warn", wrap=True)
        frame = card_of(row_of((text, 1), button(tr("Restart the engine"), self._restart)))
        frame.hide()
        return frame

    def _lay_out(self) -> None:
        reset = button(tr("Reset to defaults"), self.reset_asked, role="flat")
        note = label(
            tr("Changes apply at once; where it is said, after an engine restart."), "muted", wrap=True
        )
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bottom = row_of(reset, (note, 1), 10, close_button(self))
        parts = (self.pages, 1), self.undo, self.trouble, bottom
        column_of(*parts, into=self, margins=(14, 14, 14, 12), spacing=10)
        self.resize(fitting(860, 620))
