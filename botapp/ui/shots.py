"""Pictures of the app and of the whole screen at given moments, and a film of one own turn, for the README.

A moment that is due waits a little for fresh advice, so that the picture shows some; the autopilot holds
still meanwhile. Files are written on a thread of their own, since packing a picture takes longer than a
frame.
"""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QRect, QRunnable, QThreadPool, Slot
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from botapp.fight.actions import Cast
from botapp.runtime.messages import Snapshot
from botapp.ui.review import film
from botapp.ui.timers import timer

PATIENCE_MS = 4000
_SETTLE_MS = 400


class _Write(QRunnable):
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
        self._late = timer(self, self.take, PATIENCE_MS, once=True)
        self._settle = timer(self, self.take, _SETTLE_MS, once=True)
        self._moments = [timer(self, self._moment, int(at * 1000), once=True) for at in times_s]
        for moment in self._moments:
            moment.start()
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
        for each in (*self._moments, self._late, self._settle):
            each.stop()
        self._pool.waitForDone()

    @Slot()
    def _moment(self) -> None:
        self._due += 1
        self._late.start()

    def _save(self, image: QImage, name: str) -> None:
        self._pool.start(_Write(image, self._folder / name))


WIDTH = 720
QUALITY = 34  # Of a WebP picture; the words on the overlay can still be read
STEP_MS, LAST_MS = 1700, 2600
LEAST_CASTS = 2  # A turn has to be planned with so many spells to be worth a film
SETTLE_MS = 450
_MOST = 6


class TurnFilm(QObject):
    """Films the first turn of several actions and writes it to a file; one turn only."""

    def __init__(self, path: Path, grab: Callable[[QRect], QImage] | None = None) -> None:
        super().__init__()
        self._path = path
        self._grab = grab or _from_screen
        self._frames: list[npt.NDArray[np.uint8]] = []
        self._turn: tuple[int, int] | None = None
        self._over = False
        self._wanted: Snapshot | None = None
        self._taken_seq = self._decided_seq = -1
        self._settle = timer(self, self._take, SETTLE_MS, once=True)

    @property
    def due(self) -> bool:
        return self._wanted is not None

    def offer(self, snapshot: Snapshot) -> None:
        """Keeps a snapshot's picture: one for the first advice on each action of the turn."""
        self._decided_seq = snapshot.decided_seq if snapshot.advice == "fresh" else -1
        if self._over or self._wanted is not None or snapshot.advice != "fresh" or snapshot.state is None:
            return
        turn = snapshot.fight, snapshot.state.turn
        if self._turn is None and snapshot.turn is not None and snapshot.turn.lines:
            steps = snapshot.turn.lines[0].steps
            if sum(isinstance(step.action, Cast) for step in steps) < LEAST_CASTS:
                return
            self._turn = turn
        if turn != self._turn:
            if self._turn is not None:
                self.close()
        elif snapshot.decided_seq != self._taken_seq and len(self._frames) < _MOST:
            self._wanted = snapshot
            self._settle.start()

    def close(self) -> None:
        self._settle.stop()
        self._wanted = None
        if self._frames and not self._over:
            pauses = [STEP_MS] * (len(self._frames) - 1) + [LAST_MS]
            film.write(self._frames, pauses, self._path, QUALITY)
        self._over = True

    @Slot()
    def _take(self) -> None:
        snapshot, self._wanted = self._wanted, None
        if snapshot is None or snapshot.window is None:
            return
        if self._decided_seq != snapshot.decided_seq:  # advice for a moment of an animation
            self._turn = self._turn if self._frames else None
            return
        self._taken_seq = snapshot.decided_seq
        rect = snapshot.window.rect
        image = self._grab(QRect(rect.x, rect.y, rect.width, rect.height))
        image = image.convertToFormat(QImage.Format.Format_BGR888)
        whole = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        pixels = whole[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)
        size = WIDTH, round(WIDTH * image.height() / image.width())
        self._frames.append(np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8))


def _from_screen(place: QRect) -> QImage:
    """Returns what is on the screen at a place in physical pixels, the overlay among it."""
    screen = QGuiApplication.primaryScreen()
    whole = screen.grabWindow(0).toImage()
    whole.setDevicePixelRatio(1.0)
    return whole.copy(place)
