"""The graphics cards of this computer: whether the model can use them, and the line that makes it so."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from botapp.host.message import unpack
from botapp.ui.settings.child import Child
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.buttons import button
from botapp.ui.widgets.labels import card, label

_ASK = (
    "import json; from dataclasses import asdict; from botapp.host.message import pack;"
    "from botapp.doctor.install import advice; from botapp.doctor.snapshot import look;"
    "print(json.dumps(pack([asdict(one) for one in advice(look())])))"
)


class GraphicsCards(QWidget):
    """Asks a child process once, and shows what would be better for the best of the cards."""

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._command = command or (sys.executable, "-c", _ASK)
        self._child = Child(self)
        self._child.answered.connect(self._answered)
        self._child.failed.connect(self._failed)
        self.name = label(tr("Looking for a graphics card…"), wrap=True)
        self.words = label("", "muted", wrap=True)
        self.line = label("", wrap=True)
        self.line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = button(tr("Copy the line"), self._copy)
        frame, inner = card(spacing=6)
        inner.addWidget(label(tr("Graphics card"), "caption"))
        for part in (self.name, self.words, self.line):
            inner.addWidget(part)
        buttons = row_of(self.copy, None)
        inner.addLayout(buttons)
        column_of(frame, into=self, margins=(0, 0, 0, 0))
        self._asked = False
        for hidden in (self.words, self.line, self.copy):
            hidden.hide()

    def ask(self) -> None:
        if not self._asked:
            self._asked = True
            program, *arguments = self._command
            self._child.ask(*arguments, program=program)

    def close_child(self) -> None:
        self._child.close()

    @Slot(object)
    def _answered(self, answer: Sequence[Mapping[str, Any]]) -> None:
        try:
            found = unpack(answer)
            best = next((one for one in found if one["command"]), found[0] if found else None)
            if best is None:
                self._show(tr("None was found."), tr("The processor does it all."), "")
            else:
                words = best["words"]
                self._show(" · ".join(one["card"] for one in found), tr(words), best["command"])
        except (KeyError, TypeError, ValueError):
            self._failed("")

    @Slot(str)
    def _failed(self, _why: str) -> None:
        self._show(tr("It could not be looked for."), tr("Run `botapp doctor` for more."), "")

    def _show(self, name: str, words: str, line: str) -> None:
        for part, text in ((self.name, name), (self.words, words), (self.line, line)):
            part.setText(text)
            part.setVisible(bool(text))
        self.copy.setVisible(bool(line))
        self.copy.setText(tr("Copy the line"))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.line.text())
        self.copy.setText(tr("Copied"))
