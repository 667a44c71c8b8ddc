"""What all panels share: they draw the newest snapshot, seldom enough for slow cores, and only while seen."""

import time
from typing import ClassVar

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from botapp.runtime.messages import Snapshot
from botapp.ui.samples import History
from botapp.ui.widgets.column import settle

LEAST = (260, 150)
"""Width and height that a panel can do with, on a small screen at a large scale."""


class Panel(QFrame):
    """A dock's content.

    `offer` is called for every snapshot; `render` draws one, at most every `interval_ms` and only while the
    panel is on screen. A panel that appears draws the newest one at once. While no fight is watched, and what
    is said of that stays the same, it is drawn every `resting_ms` only. Panels `of_decision` draw another
    answer at once, all of them in the same round: else their figures would be of different moments.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    interval_ms: ClassVar[int] = 100
    resting_ms: ClassVar[int] = 5000
    of_decision: ClassVar[bool] = False

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setMinimumSize(*LEAST)
        self.history = history
        self._waiting: Snapshot | None = None
        self._last: Snapshot | None = None
        self._rendered_s = 0.0
        self._in_sight = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(14, 12, 14, 12)
        self.box.setSpacing(8)

    def offer(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot; it is drawn now, a little later, or never when a newer one comes."""
        self._waiting = snapshot
        if not self.in_sight:
            return
        interval_ms = self.resting_ms if _rests(snapshot, self._last) else self.interval_ms
        left_ms = interval_ms - (time.monotonic() - self._rendered_s) * 1000
        if left_ms <= 0 or (self.of_decision and _answered(snapshot, self._last)):
            self._flush()
        elif not self._timer.isActive() or self._timer.remainingTime() > left_ms:
            self._timer.start(int(left_ms))

    @property
    def in_sight(self) -> bool:
        """Tells whether the panel can be seen; a dock behind another tab counts as visible to Qt."""
        return self._in_sight and self.isVisible()

    @Slot(bool)
    def set_in_sight(self, in_sight: bool) -> None:
        """Is called when the dock's tab was raised or went behind another."""
        self._in_sight = in_sight
        self._flush()

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Draws a snapshot; each panel has its own."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        """Draws what came in while the panel was hidden."""
        super().showEvent(event)
        self._flush()

    def hideEvent(self, event: QHideEvent) -> None:
        """Pauses updates while hidden; what is pending is drawn when the panel is shown again."""
        super().hideEvent(event)
        self._timer.stop()

    def _flush(self) -> None:
        if self._waiting is None or not self.in_sight:
            return
        snapshot, self._waiting = self._waiting, None
        self._last, self._rendered_s = snapshot, time.monotonic()
        self.render_snapshot(snapshot)
        settle()


def _answered(snapshot: Snapshot, before: Snapshot | None) -> bool:
    """Tells whether a snapshot has another answer or a deeper one than the one before, or none any more."""
    if before is not None and snapshot.advice != before.advice:
        return True
    if snapshot.decision is None or before is None or before.decision is None:
        return snapshot.decision is not None
    return (snapshot.decided_seq, snapshot.decision.depth) != (before.decided_seq, before.decision.depth)


def _rests(snapshot: Snapshot, before: Snapshot | None) -> bool:
    """Tells whether there is no fight to show, and nothing new to say of that."""
    if before is None or snapshot.capture in ("watching", "covered", "off-screen"):
        return False
    said = snapshot.capture, snapshot.advice, snapshot.reason
    return said == (before.capture, before.advice, before.reason)
