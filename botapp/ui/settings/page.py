"""The settings page: every option, group by group, applied as soon as it is changed."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
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
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, card, fitting, label, put_page, scrolled
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
        self.backend_notes = label(tr("Checking what works here…"), "muted", wrap=True)
        self.backend_notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.key_notes = label("", "warn", wrap=True)
        self.key_notes.setParent(self)
        self.key_notes.hide()
        self.trials = Trials()
        self.trials.found.connect(self.restart_asked)
        self.restart_row = self._restart_row()
        self.undo = UndoLine()
        self.trouble = label("", "bad", wrap=True)
        self.trouble.hide()
        self.groups = QListWidget()
        self.groups.setFixedWidth(190)
        self.groups.setAccessibleName(tr("Settings"))
        self.pages = QStackedWidget(self)  # a tree that changes its parent is styled anew
        self.health = HealthPage()
        self._makers: dict[int, Callable[[], QWidget]] = {}
        for group, title in GROUPS.items():
            self._add(tr(title), partial(self._page, group))
        self._add(tr("Diagnosis"), lambda: self.health)
        self._add(tr("About botapp"), self._about_page)
        self.groups.currentRowChanged.connect(self._turn_to)
        self.groups.setCurrentRow(0)
        self._lay_out()
        self.show_settings(settings)

    def editor(self, key: str) -> Editor:
        """Returns the editor of an option; its page is made if it was not shown yet."""
        if key not in self.editors:
            self._make(list(GROUPS).index(key.partition(".")[0]))
        return self.editors[key]

    def show_settings(self, settings: Settings) -> None:
        """Shows these settings' values, and that a restart is needed where they need one."""
        if any(o.restart and settings.value(o.key) != self.settings.value(o.key) for o in options()):
            self.restart_row.show()
        self.settings = settings
        for key, editor in self.editors.items():
            editor.set_value(settings.value(key))
        self._show_adviser()

    def show_group(self, group: str) -> None:
        self.groups.setCurrentRow(list(GROUPS).index(group))

    def current_group(self) -> str:
        """Returns the group that is open; the first one where that is a page without settings."""
        row = self.groups.currentRow()
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
            if backend.usable:
                editor.enable_choice(backend.name, reason)
            else:
                editor.disable_choice(backend.name, reason)
                notes.append(f"{tr(CHOICES.get(backend.name, backend.name))} – {reason}")
        self.backend_notes.setText("\n".join(notes) or tr("Everything works here."))
        self._offer_devices()

    @Slot(object)
    def show_key_problems(self, problems: Mapping[str, str]) -> None:
        """Says which hotkeys cannot be used and why, in a line each."""
        if problems:
            self._make(list(GROUPS).index("hotkeys"))
        self.key_notes.setText(problem_text(problems))
        self.key_notes.setVisible(bool(problems))

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
            self.trouble.show()
            return
        self.trouble.hide()
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
        found = {
            name: title
            for backend in self._backends
            if backend.usable and wanted in ("auto", backend.name)
            for name, title in backend.devices
        }
        automatic = CHOICES["auto"]
        editor.set_choices(
            [("auto", tr(automatic)), *((name, f"{name} – {tr(title)}") for name, title in found.items())]
        )
        editor.set_value(self.settings.engine.device)

    def _add(self, title: str, maker: Callable[[], QWidget]) -> None:
        """Adds a page that is made when it is first turned to: all at once would hold up the window."""
        item = QListWidgetItem(title)
        item.setSizeHint(QSize(0, 38))
        self.groups.addItem(item)
        self._makers[self.pages.addWidget(QWidget())] = maker

    @Slot(int)
    def _turn_to(self, row: int) -> None:
        self._make(row)
        self.pages.setCurrentIndex(row)

    def _make(self, row: int) -> None:
        """Makes a page in place of the empty one, unless it is there already."""
        maker = self._makers.pop(row, None)
        if maker is None:
            return
        before = set(self.editors)
        put_page(self.pages, row, maker())
        for key in self.editors.keys() - before:
            self.editors[key].set_value(self.settings.value(key))

    def _about_page(self) -> AboutPage:
        page = AboutPage(lambda: self.settings.ui.releases)
        page.report_asked.connect(partial(self.groups.setCurrentRow, len(GROUPS)))
        return page

    def _page(self, group: str) -> QWidget:
        inner = QWidget()
        room = scrolled(inner)
        box = column_of(into=inner, margins=(4, 0, 12, 4), spacing=10)
        if group == "engine":
            box.addWidget(self.device)
            box.addWidget(self.restart_row)
            box.addWidget(self.trials)
        elif group == "capture":
            pick = button(tr("Pick the window to watch"), self.pick_asked, icon="target")
            box.addWidget(pick, 0, Qt.AlignmentFlag.AlignLeft)
        elif group == "hotkeys":
            box.addWidget(label(tr(ABOUT_HOTKEYS), "muted", wrap=True))
            if lines := self._own_keys():
                frame, inside = card()
                inside.addWidget(label(tr("Keys while botapp itself has the focus"), "caption"))
                inside.addWidget(label("\n".join(lines), wrap=True))
                box.addWidget(frame)
            box.addWidget(self.key_notes)
        found = [option for option in options() if option.group == group]
        box.addWidget(self._card([option for option in found if not option.advanced]))
        if advanced := [option for option in found if option.advanced]:
            rest = self._card(advanced)
            rest.hide()
            more = button(tr("Advanced settings"), icon="down", role="flat")
            more.setCheckable(True)
            more.toggled.connect(rest.setVisible)
            self.advanced[group] = more
            box.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
            box.addWidget(rest)
        box.addStretch()
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
        found = {
            action.shortcut().toString(native): action.whatsThis() or action.text()
            for action in actions
            if action.text() and not action.shortcut().isEmpty()
        }
        return [tr("{key}: {problem}", key=key, problem=text) for key, text in sorted(found.items())]

    def _restart_row(self) -> QWidget:
        frame, box = card()
        line = QHBoxLayout()
        line.addWidget(label(tr("This change needs an engine restart."), "warn", wrap=True), 1)
        restart = button(tr("Restart the engine"), self._restart)
        line.addWidget(restart)
        box.addLayout(line)
        frame.hide()
        return frame

    def _lay_out(self) -> None:
        reset = button(tr("Reset to defaults"), self.reset_asked, role="flat")
        close = QPushButton(tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.close)
        note = label(
            tr("Changes apply at once; where it is said, after an engine restart."), "muted", wrap=True
        )
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bottom = row_of(reset, (note, 1))
        bottom.addSpacing(10)
        bottom.addWidget(close)
        middle = row_of(self.groups, (self.pages, 1), spacing=12)
        column_of(
            (middle, 1), self.undo, self.trouble, bottom, into=self, margins=(14, 14, 14, 12), spacing=10
        )
        self.resize(fitting(860, 620))
