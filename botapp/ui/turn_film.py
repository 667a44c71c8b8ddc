"""A short animated picture of one own turn, as the overlay shows it over the game: for the README.

Every action that is advised in the turn is a picture; the autopilot holds still until it is taken.
"""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QRect, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QImage

from botapp.fight.actions import Cast
from botapp.runtime.messages import Snapshot
from botapp.ui.review import film

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
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._take)

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
