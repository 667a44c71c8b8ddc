"""Brings the game's data in: the button, how far it is, and what was found. The reading runs in a thread.

Next hop: `botapp.ui.game.character` lists the classes that came in.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from botapp.content.game.importing import Report, import_game
from botapp.content.game.report_words import lines_of
from botapp.content.knowledge.base import KnowledgeBase
from botapp.host.message import error_text
from botapp.ui.translation import tr
from botapp.ui.widgets.labels import label, scrolled

_REPORT_HEIGHT = 84
_FILES = "JSON, ZIP (*.json *.zip);;*"


class GameDataCard(QWidget):
    """Signals: `brought` when new data are in place; `told` and `ended` come from the reading thread."""

    brought = Signal()
    told = Signal(float, str)
    ended = Signal(object, str)

    def __init__(self, base: KnowledgeBase) -> None:
        super().__init__()
        self.base = base
        self.standing = label("", wrap=True)
        self.report = label("", "muted", wrap=True)
        self.trouble = label("", "bad", wrap=True)
        self.folder = self._button(tr("From a folder…"), self._ask_folder)
        self.files = self._button(tr("From files…"), self._ask_files)
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setAccessibleName(tr("How far the reading is"))
        line = QHBoxLayout()
        line.addWidget(self.folder)
        line.addWidget(self.files)
        line.addStretch()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.standing)
        box.addLayout(line)
        box.addWidget(self.bar)
        self.found = scrolled(self.report, by_keys=True)
        self.found.setMaximumHeight(_REPORT_HEIGHT)
        box.addWidget(self.found)
        box.addWidget(self.trouble)
        for widget in (self.bar, self.found, self.trouble):
            widget.hide()
        self.told.connect(self._show_progress)
        self.ended.connect(self._end)
        self.refresh()

    def refresh(self) -> None:
        """Says what is there."""
        game = self.base.game
        if game is None:
            self.standing.setText(
                tr(
                    "The app comes without the game's data. Bring them once after each update of the game: "
                    "a folder or files of the public database's answers, as JSON."
                )
            )
        else:
            self.standing.setText(
                tr(
                    "Of the game: {classes} classes and {monsters} monsters, brought in on {day}.",
                    classes=len(game.classes),
                    monsters=len(game.monsters),
                    day=game.store.meta.get("imported", "")[:10],
                )
            )

    def bring(self, paths: Sequence[Path]) -> None:
        """Reads the game's data from files, folders or zips."""
        self._set_busy(True)
        self.found.hide()
        self.trouble.hide()
        threading.Thread(target=self._read, args=(list(paths),), daemon=True).start()

    def _read(self, paths: list[Path]) -> None:
        try:
            report = import_game(
                paths, self.base.game_folder, lambda found: self.told.emit(found.share, found.doing)
            )
        except (ValueError, OSError) as error:
            self.ended.emit(None, error_text(error))
        else:
            self.ended.emit(report, "")

    @Slot(float, str)
    def _show_progress(self, share: float, doing: str) -> None:
        self.bar.setValue(round(100 * share))
        self.bar.setFormat(f"{tr(doing)} %p%")

    @Slot(object, str)
    def _end(self, report: Report | None, trouble: str) -> None:
        self._set_busy(False)
        if report is None:
            self.trouble.setText(tr(trouble))
            self.trouble.show()
            return
        self.base.reload()
        self.report.setText("\n".join(tr(line) for line in lines_of(report)))
        self.found.show()
        self.refresh()
        self.brought.emit()

    def _set_busy(self, busy: bool) -> None:
        self.bar.setValue(0)
        self.bar.setVisible(busy)
        for button in (self.folder, self.files):
            button.setEnabled(not busy)

    @Slot()
    def _ask_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("The folder of the game's data"))
        if path:
            self.bring([Path(path)])

    @Slot()
    def _ask_files(self) -> None:
        paths, _ = QFileDialog.getOpenFileNames(self, tr("Files of the game's data"), "", _FILES)
        if paths:
            self.bring([Path(path) for path in paths])

    def _button(self, text: str, slot: object) -> QPushButton:
        made = QPushButton(text)
        made.setAutoDefault(False)
        made.clicked.connect(slot)
        return made
