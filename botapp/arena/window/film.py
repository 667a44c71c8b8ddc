"""A fight of the arena's window without a window: in time of its own, picture by picture.

What is painted is what the window paints; no clock is waited for, so a fight takes as long as its pictures.
"""

import os
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QRegion

from botapp.arena.options import ArenaOptions
from botapp.arena.window.bout import Bout
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.moment import Moment
from botapp.arena.window.scene import ArenaScene
from botapp.arena.window.truth import describe
from botapp.fight.state import FightState

Pixels = npt.NDArray[np.uint8]


class Film:
    """One window's fights, a picture at a time.

    Args:
        fps: pictures a second while something moves.

    Attributes:
        now: the film's time, in seconds from its beginning.
    """

    def __init__(self, options: ArenaOptions, fps: float = 10.0) -> None:
        if QGuiApplication.instance() is None:
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
            self._app = QGuiApplication([])
        self.now = 0.0
        self.bout = Bout(options, self.now, _untold)
        self._frame_s = 1 / fps
        self._places = ArenaLayout(*options.size)
        self._scene = ArenaScene(self._places)
        self._image = QImage(*options.size, QImage.Format.Format_RGB32)
        self._shown: tuple[FightState, Moment] | None = None

    def advance(self) -> None:
        """Goes on to the next picture: after a frame while something moves, else when something is due."""
        due = self.bout.due(self.now)
        self.now += max(self._frame_s, due or 0.0)
        self.bout.advance(self.now)

    def picture(self) -> Pixels:
        """Returns what the window shows now: BGRA, (height, width, 4)."""
        look = self.bout.shown, self.bout.moment(self.now)
        whole = QRegion(self._image.rect())
        region = whole if self._shown is None else self._scene.changed(self._shown, look)
        with QPainter(self._image) as painter:
            painter.setClipRegion(region)
            self._scene.paint(painter, *look, region)
        self._shown = look
        size = self._image.height(), self._image.width(), 4
        return np.frombuffer(self._image.constBits(), np.uint8).reshape(size).copy()

    def truth(self) -> dict[str, Any]:
        """Returns what the window shows now as plain data, in the manner of a `shown` line of its log."""
        return describe(self.bout.shown, self._places, self.bout.moment(self.now), self.bout.number)


def _untold(event: dict[str, Any]) -> None:
    """Keeps no log."""
