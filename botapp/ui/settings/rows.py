"""One setting as a row, its title and description on the left, its editor on the right; and the keys for the
game in the pages of the first start, offered together, each changed by pressing it.
"""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from botapp.host.settings import HotkeySettings, SettingOption, Settings, Value, options
from botapp.ui import theme
from botapp.ui.settings.editors import Editor, KeysEditor, make_editor
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import LEFT, column_of, row_of
from botapp.ui.widgets.labels import Note, button, card, label

_TECHNICALLY = {
    "engine.backend": mark("rocm (AMD), cuda (NVIDIA), directml (Windows) or cpu."),
    "engine.device": mark("As torch calls it, such as cuda:0."),
    "engine.precision": mark("The number format: fp32, bf16, fp16 or int8."),
    "engine.level": mark(
        "Conservative uses nothing special; balanced captures a step in a graph on a "
        "graphics card; aggressive also runs our own kernels there, and int8 on a "
        "processor."
    ),
    "engine.step_limit": mark("The steps of the hierarchical reasoning model (ACT steps)."),
    "engine.halt_threshold": mark("The value Q-halt must exceed, 0 to 1."),
}
"""What those who know machine learning want to know too; in the tooltip."""


def option_row(option: SettingOption) -> tuple[QWidget, Editor]:
    editor = make_editor(option)
    for field in editor.findChildren(QWidget):
        if field.focusPolicy() & Qt.FocusPolicy.TabFocus and not field.accessibleName():
            field.setAccessibleName(tr(option.title))
    title = label(tr(option.title))
    title.setFont(theme.font(1.05, bold=True))
    texts = column_of(title, label(tr(option.description), "muted", wrap=True), spacing=2)
    if option.restart:
        texts.addWidget(label(tr("Needs an engine restart."), "warn", wrap=True))
    row = QWidget()
    row.setToolTip(tr(_TECHNICALLY.get(option.key, "")))
    middle = Qt.AlignmentFlag.AlignVCenter
    row_of((texts, 1), (editor, middle), into=row, margins=(0, 10, 0, 10), spacing=16)
    return row, editor


OFFERED = {
    "compact": "Ctrl+Shift+F6",
    "overlay_next": "Ctrl+Shift+F8",
    "pause": "Ctrl+Shift+F9",
    "window": "Ctrl+Shift+F10",
}
"""The app's own keys with Ctrl and Shift, so that there is one thing to remember; F10 stands for the app."""


_TITLES = {
    option.key.removeprefix("hotkeys."): option.title for option in options() if option.group == "hotkeys"
}


def problem_text(problems: Mapping[str, str]) -> str:
    return "\n".join(
        tr("{key}: {problem}", key=tr(_TITLES[name]), problem=tr(why)) + "." for name, why in problems.items()
    )


class FirstKeys(QWidget):
    """Signals: `changed`, the new `Settings`; `recording`, whether keys that are pressed are for a field."""

    changed = Signal(object)
    recording = Signal(bool)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.editors: dict[str, KeysEditor] = {}
        words = tr(
            "F6, F8 and F9 work only while botapp has the keyboard. While you play, the game has it: choose "
            "keys for then, or none. botapp only listens to them and never sends a key."
        )
        keys = ", ".join(keys.rpartition("+")[2] for keys in OFFERED.values())
        self.offer = button(tr("Use Ctrl+Shift with {keys}", keys=keys), self._take_offer, role="primary")
        self.problems = Note("warn")
        frame, rows = card(spacing=0)
        for option in options():
            group, name = option.key.split(".")
            if group != "hotkeys" or name not in OFFERED:
                continue
            row, editor = option_row(option)
            assert isinstance(editor, KeysEditor)
            editor.edited.connect(self._edited)
            editor.recording.connect(self.recording)
            self.editors[name] = editor
            rows.addWidget(row)
        parts = label(words, wrap=True), (self.offer, LEFT), self.problems, frame
        column_of(*parts, into=self, margins=(0, 0, 0, 0), spacing=12)
        self.show_settings(settings)

    def show_settings(self, settings: Settings) -> None:
        self._settings = settings
        for name, editor in self.editors.items():
            editor.set_value(settings.value(f"hotkeys.{name}"))
        self.offer.setEnabled(
            any(settings.value(f"hotkeys.{name}") != keys for name, keys in OFFERED.items())
        )

    def show_problems(self, problems: Mapping[str, str]) -> None:
        self.problems.setText(problem_text(problems))

    @Slot()
    def _take_offer(self) -> None:
        chosen = HotkeySettings(**{**self._settings.hotkeys.model_dump(), **OFFERED})
        self._put(self._settings.model_copy(update={"hotkeys": chosen}))

    @Slot(object)
    def _edited(self, value: Value) -> None:
        editor = self.sender()
        if isinstance(editor, KeysEditor):
            self._put(self._settings.changed(editor.option.key, value))

    def _put(self, settings: Settings) -> None:
        self.show_settings(settings)
        self.changed.emit(settings)
