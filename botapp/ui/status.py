"""The status bar: what the capture does and why, pictures a second, the age of the advice."""

import re
import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from botapp.runtime.messages import Snapshot
from botapp.ui import theme, words
from botapp.ui.preparation import PreparationBar
from botapp.ui.samples import History
from botapp.ui.timers import timer
from botapp.ui.translation import tr
from botapp.ui.widgets.labels import Chip, Elided, label

TICK_MS = 250
_LEAST_WIDTH = 240
_WITH_AGE, _WITH_BOTH = 600, 720
"""Widths, less the preparation's bar, from which on the advice's age has room, and the pictures a second
too."""


class CaptureChip(Chip):
    """What the capture does; a click lets the person pick the window."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Starting"), "info", dot=True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Pick the window to watch"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class StatusBar(QStatusBar):
    """Brought up to date a few times a second, also when no snapshot comes.

    Signals:
        pick_asked: the person wants to pick the window to watch.
    """

    pick_asked = Signal()

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 8, 0)
        self.setMinimumWidth(_LEAST_WIDTH)
        self._history = history
        self._snapshot: Snapshot | None = None
        self.capture = CaptureChip()
        self.capture.clicked.connect(self.pick_asked)
        self.reason = Elided(tr("The engine is starting."), "muted")
        self.fps, self.age = label(), label()
        for figure in (self.fps, self.age):
            figure.setFont(theme.font(1.0, mono=True))
        self.addWidget(self.capture)
        self.addWidget(self.reason, 1)
        self.preparation = PreparationBar()
        for widget in (self.preparation, self.fps, self.age):
            self.addPermanentWidget(widget)
        self.preparation.hide()
        self._timer = timer(self, self.refresh, TICK_MS)
        self.refresh()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Takes in the newest snapshot; a change of the capture's state shows at once."""
        before = self._snapshot
        status = snapshot.capture, snapshot.advice
        changed = before is None or (before.capture, before.advice) != status
        self._snapshot = snapshot
        if changed:
            self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves out what has no room, so that the reason can be read."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        room = self.width() - (0 if self.preparation.isHidden() else self.preparation.minimumWidth())
        self.age.setVisible(room >= _WITH_AGE)
        self.fps.setVisible(room >= _WITH_BOTH)

    def showEvent(self, event: QShowEvent) -> None:
        """Refreshes the figures while they can be seen; a closed window's are left alone."""
        super().showEvent(event)
        if self.isVisible():
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def refresh(self) -> None:
        self._make_room()
        fps = self._history.fps(time.monotonic())
        self.fps.setText(f"{words.number(fps, 1) if fps is not None else '–':>5} {tr('pictures/s')}")
        snapshot = self._snapshot
        age_ms = None
        if snapshot is not None:
            self.capture.show_text(*words.standing(snapshot))
            self.reason.set_text(self._fitting(_reason(snapshot)))
            if snapshot.decision is not None:
                age_ms = (time.monotonic_ns() - snapshot.captured_ns) / 1e6
        text = words.age(age_ms) if age_ms is not None else "–"
        word = tr("advice")
        self.age.setText(f"{word} {text:>7}")

    def _fitting(self, text: str) -> str:
        """Returns a text's first sentence where the whole has no room: the decision panel says it in full."""
        if self.reason.fontMetrics().horizontalAdvance(text) <= self.reason.width():
            return text
        first = re.match(r".+?[.!?](?=\s)", text)
        return first.group() if first else text


def _reason(snapshot: Snapshot) -> str:
    if snapshot.capture == "watching" and snapshot.advice == "fresh" and snapshot.window is not None:
        return snapshot.window.title
    return words.explain(snapshot.capture, snapshot.advice, words.reason(snapshot.reason))
