"""Takes pictures of the app and of the whole screen at given moments, for the README and for `make run`.

A moment that is due waits a little for fresh advice, so that the picture shows some; the autopilot holds
still meanwhile. Files are written on a
thread of their own, since packing a picture takes longer than a frame.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from botapp.runtime.messages import Snapshot

PATIENCE_MS = 4000
_SETTLE_MS = 400


class _Write(QRunnable):
    """Writes one picture."""

    def __init__(self, image: QImage, path: Path) -> None:
        super().__init__()
        self._image, self._path = image, path

    def run(self) -> None:
        self._image.save(str(self._path))


class Shots(QObject):
    """Saves window-N.png and screen-N.png in a folder, N counting from 1."""

    def __init__(self, window: Callable[[], QWidget], folder: Path, times_s: tuple[float, ...]) -> None:
        super().__init__()
        self._window, self._folder = window, folder
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._due = 0
        self.taken = 0
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(PATIENCE_MS)
        self._late.timeout.connect(self.take)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.take)
        self._moments = []
        for at in times_s:
            timer = QTimer(self)
            timer.setSingleShot(True)
            timer.timeout.connect(self._moment)
            timer.start(int(at * 1000))
            self._moments.append(timer)
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def due(self) -> bool:
        """Tells whether a moment has come whose picture is not taken yet."""
        return self._due > 0

    def offer(self, snapshot: Snapshot) -> None:
        """A fresh decision is what a due moment waits for; the picture is taken when it has been drawn."""
        fresh = snapshot.advice == "fresh" and snapshot.decided_seq == snapshot.seq
        if self._due and fresh and not self._settle.isActive():
            self._settle.start()

    @Slot()
    def take(self) -> None:
        if not self._due:
            return
        self._due -= 1
        self._late.stop()
        self.taken += 1
        self._save(self._window().grab().toImage(), f"window-{self.taken}.png")
        screen = QGuiApplication.primaryScreen()
        whole = screen.grabWindow(0)
        if not whole.isNull():
            self._save(whole.toImage(), f"screen-{self.taken}.png")

    def close(self) -> None:
        for timer in (*self._moments, self._late, self._settle):
            timer.stop()
        self._pool.waitForDone()

    @Slot()
    def _moment(self) -> None:
        self._due += 1
        self._late.start()

    def _save(self, image: QImage, name: str) -> None:
        self._pool.start(_Write(image, self._folder / name))
