"""One setting as a row: its title and description on the left, its editor on the right."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from botapp.host.settings import SettingOption
from botapp.ui import theme
from botapp.ui.settings.editors import Editor, make_editor
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import label

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
    line = row_of((texts, 1), into=row, margins=(0, 10, 0, 10), spacing=16)
    line.addWidget(editor, 0, Qt.AlignmentFlag.AlignVCenter)
    return row, editor
