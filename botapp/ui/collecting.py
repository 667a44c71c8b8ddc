"""Runs the garbage collector on the GUI thread only.

Python collects on whichever thread happens to allocate. A Qt object in a cycle would then be destroyed on the
thread that writes kept fights, say, which may lock up with the GUI thread inside Qt.
"""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

EVERY_MS = 500


class Collector(QObject):
    """Collects as often as Python itself would, looked at twice a second, while it is started."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._was_on = False

    def start(self) -> None:
        """Takes over from Python; to be called on the GUI thread."""
        self._was_on = self._was_on or gc.isenabled()
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Gives it back to Python, if Python had it."""
        self._timer.stop()
        if self._was_on:
            self._was_on = False
            gc.enable()

    @Slot()
    def look(self) -> None:
        """Collects the oldest generation that is due."""
        counts, limits = gc.get_count(), gc.get_threshold()
        due = [age for age in (2, 1, 0) if limits[age] and counts[age] > limits[age]]
        if due:
            gc.collect(due[0])
