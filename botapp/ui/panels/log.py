"""The Log panel: what happened, newest last, with a filter by level."""

import logging
import time
from collections import deque

from PySide6.QtGui import QGuiApplication, QHideEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QComboBox, QPlainTextEdit

from botapp.runtime.messages import LogLine, Snapshot
from botapp.ui import theme
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.timers import timer
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.labels import name, tool

KEPT = 1000
_LEVELS = (
    (logging.DEBUG, mark("Everything")),
    (logging.INFO, mark("Information and above")),
    (logging.WARNING, mark("Warnings and errors")),
)


@panel
class LogPanel(Panel):
    """The last thousand log lines of both processes."""

    key = "log"
    title = mark("Log")
    order = 100
    sentences = (
        (
            mark("Time of a line"),
            mark("When it happened, by this computer's clock."),
        ),
    )

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.lines: deque[LogLine] = deque(maxlen=KEPT)
        self._pending: deque[LogLine] = deque(maxlen=KEPT)
        self.level = QComboBox()
        for level, text in _LEVELS:
            self.level.addItem(tr(text), level)
        self.level.setCurrentIndex(1)
        name(self.level, tr("Which lines are shown"))
        self.level.currentIndexChanged.connect(self._rewrite)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(tr("Log lines"))
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(KEPT)
        self.text.setFont(theme.font(0.95, mono=True))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        copy = tool("copy", tr("Copy all lines"), self.copy)
        clear = tool("trash", tr("Clear the log"), self.clear)
        self.box.addLayout(row_of(self.level, None, copy, clear))
        self.box.addWidget(self.text, 1)
        self._writing = timer(self, self._write, 200, once=True)

    def add(self, line: LogLine) -> None:
        """Takes a line; it appears a little later, together with others that come meanwhile."""
        self.lines.append(line)
        self._pending.append(line)
        if self.in_sight and not self._writing.isActive():
            self._writing.start()

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Snapshots say nothing to the log."""

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def clear(self) -> None:
        self.lines.clear()
        self._pending.clear()
        self.text.clear()

    def hideEvent(self, event: QHideEvent) -> None:
        """Pauses updates while hidden; lines that came in are written when the panel is shown again."""
        super().hideEvent(event)
        self._writing.stop()

    def _flush(self) -> None:
        super()._flush()
        if self.in_sight:
            self._write()

    def _rewrite(self) -> None:
        self.text.clear()
        self._pending = deque(self.lines, maxlen=KEPT)
        self._write()

    def _write(self) -> None:
        least = self.level.currentData()
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        while self._pending:
            line = self._pending.popleft()
            if line.level >= least:
                _append(cursor, line)
        cursor.endEditBlock()
        if at_end:
            bar.setValue(bar.maximum())


def _append(cursor: QTextCursor, line: LogLine) -> None:
    if not cursor.document().isEmpty():
        cursor.insertBlock()
    severe = "bad" if line.level >= logging.ERROR else "warn" if line.level >= logging.WARNING else "text"
    clock = time.strftime("%H:%M:%S", time.localtime(line.time_s))
    for text, shade in (
        (f"{clock}  ", "faint"),
        (f"{line.source}  ", "muted"),
        (tr(line.text), severe),
    ):
        style = QTextCharFormat()
        style.setForeground(theme.colour(shade))
        cursor.insertText(text, style)
