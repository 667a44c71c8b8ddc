"""What is read off the picture, field by field with how sure it is, and the report that a player can send.

The number of a field's row stands at its place in the picture.
"""

import re
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHeaderView,
    QSplitter,
    QTableWidgetItem,
    QWidget,
)

from botapp.host.message import error_text
from botapp.runtime.messages import FrameSeen
from botapp.tracking import reading_report
from botapp.ui import words
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.canvas import FrameCanvas
from botapp.ui.widgets.labels import button, label
from botapp.ui.widgets.table import TextTable
from vision import report
from vision.frame import bgra
from vision.view import FightView

_COLUMNS = (mark("No."), mark("Field"), mark("Read"), mark("Sure"))
_NAMES = {
    "phase": mark("Phase"),
    "turn": mark("Turn"),
    "hp": mark("HP"),
    "max_hp": mark("Maximum HP"),
    "hp_share": mark("HP in percent"),
    "shield": mark("Shield"),
    "ap": mark("AP"),
    "mp": mark("MP"),
    "timer_s": mark("Time left"),
    "turn_number": mark("Round"),
    "lattice": mark("Board"),
    "cells": mark("Cells"),
    "player": mark("You"),
    "ally": mark("Ally"),
    "enemy": mark("Enemy"),
    "card": mark("Card"),
    "slot": mark("Slot"),
}
_VALUES = {
    "fight": mark("fight"),
    "placement": mark("placement"),
    "not-fight": mark("no fight"),
    "mine": mark("your turn"),
    "other": mark("the other's turn"),
    "found": mark("found"),
    "usable": mark("can be cast"),
    "greyed": mark("cannot be cast"),
}
_PERCENT = re.compile(r"(\d+)%")


class ReadingTab(QWidget):
    """Shows a picture with all that was read off it, and saves a report."""

    def __init__(self, client: str) -> None:
        super().__init__()
        self.client = client
        self._seen = FrameSeen(None, None, "")
        self.canvas = FrameCanvas()
        self.table = TextTable(tr("What is read"), [tr(title) for title in _COLUMNS])
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.sent = QCheckBox(tr("Show what a report would hold"))
        self.sent.toggled.connect(self._paint)
        self.save = button(tr("Save a report"), self._save)
        self.note = label("", "muted", wrap=True)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(self.canvas)
        both.addWidget(self.table)
        both.setStretchFactor(0, 1)
        both.setSizes([640, 400])
        line = row_of(self.sent, (self.note, 1), self.save)
        text = tr(
            "Is something read wrongly, or not at all? Save a report and send it to the people who make "
            "botapp: what was not read is smeared in it, chat and names too."
        )
        parts = label(text, "muted", wrap=True), (both, 1), line
        column_of(*parts, into=self, margins=(12, 12, 12, 8), spacing=10)
        self.show_frame(self._seen)

    def show_frame(self, seen: FrameSeen) -> None:
        self._seen = seen
        self.note.setText("")
        ready = seen.pixels is not None and seen.view is not None
        self.save.setEnabled(ready)
        self.sent.setEnabled(ready)
        rows = report.fields(seen.view) if seen.view is not None else []
        self.table.setRowCount(len(rows))
        for number, field in enumerate(rows):
            sure = words.percent(field.confidence) if field.value else "–"
            value = _PERCENT.sub(lambda match: words.percent(int(match[1]) / 100), _value(field.value))
            texts = (str(number + 1), _name(field.name), value, sure)
            for column, text in enumerate(texts):
                self.table.setItem(number, column, QTableWidgetItem(text))
        self._paint()

    @Slot()
    def _paint(self) -> None:
        pixels, view = self._seen.pixels, self._seen.view
        if pixels is None or view is None:
            nothing = tr(self._seen.reason) or tr("No picture yet: open the game, then press Refresh.")
            self.canvas.show_message(nothing)
            return
        shown = (
            report.cut_down(pixels, view)
            if self.sent.isChecked()
            else report.drawn(pixels, report.fields(view))
        )
        self.canvas.show_reading(bgra(shown), FightView(), None)

    @Slot()
    def _save(self) -> None:
        pixels, view = self._seen.pixels, self._seen.view
        proposed = str(Path.home() / "botapp-reading.zip")
        chosen, _ = QFileDialog.getSaveFileName(self, tr("Save a report"), proposed, "*.zip")
        if not chosen or pixels is None or view is None:
            return
        path = Path(chosen) if Path(chosen).suffix else Path(chosen + ".zip")
        try:
            reading_report.save(path, pixels, view, self.client)
        except OSError as error:
            self.note.setText(
                tr("{file} could not be saved: {problem}", file=path.name, problem=tr(error_text(error)))
            )
        else:
            self.note.setText(tr("Saved as {file}.", file=str(path)))


def _name(name: str) -> str:
    kind, _, number = name.partition(" ")
    return f"{tr(_NAMES[kind])} {number}".strip()


def _value(value: str) -> str:
    if not value:
        return tr("not read")
    first, _, rest = value.partition(" ")
    if first in ("own", "enemy", "ally"):
        side = tr(mark("your side") if first != "enemy" else mark("enemy"))
        return f"{side} {rest}".strip()
    if first == "cell":
        return tr("cell {number}", number=rest)
    return f"{tr(_VALUES[first])} {rest}".strip() if first in _VALUES else value
