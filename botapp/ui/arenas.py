"""The practice arena as the app opens it: one at a time, watched once it is there, gone with the app.

Also where app, game and arena go beside each other, in logical pixels.
"""

import subprocess
import sys
from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Signal, Slot

from botapp.host.children import hold, tied
from botapp.ui.timers import timer
from botapp.ui.widgets.labels import TITLE_HEIGHT
from vision.window import UnsupportedSession, list_windows

APP_LEAST = QSize(520, 420)
"""Of the app's window beside a game: narrower, the decision's lines are cut; lower, its panels scroll."""
_MARGIN = 8
_ARENA_SHARE = 0.55
"""Of a screen's width that the arena takes where the app has to make room for it, as in the demo."""


def beside(game: QRect, room: QRect, wanted: QSize) -> QRect | None:
    """Returns where the app has most room without covering a game; None where it has none.

    Args:
        room: of the screen without its bars.
        wanted: the app's size where there is room for it.
    """
    strips = [
        QRect(QPoint(game.right() + 1, room.top()), room.bottomRight()),
        QRect(room.topLeft(), QPoint(game.left() - 1, room.bottom())),
        QRect(QPoint(room.left(), game.bottom() + 1), room.bottomRight()),
        QRect(room.topLeft(), QPoint(room.right(), game.top() - 1)),
    ]
    fitting = [rect for rect in map(_inside, strips) if _holds(rect, APP_LEAST)]
    if not fitting:
        return None
    places = [QRect(rect.topLeft(), wanted.boundedTo(rect.size())) for rect in fitting]
    return max(places, key=lambda rect: rect.width() * rect.height())


def arena_and_app(app: QRect, room: QRect, wanted: QSize, least: QSize) -> tuple[QRect, QRect]:
    """Returns where the arena and the app go so that neither covers the other, as far as the screen allows.

    Args:
        app: the app's window as it stands; it stays where the arena has room beside it.
        room: of the screen without its bars.
        wanted: the arena's size where there is room for it.
    """
    strips = [
        _inside(QRect(room.topLeft(), QPoint(app.left() - 1, room.bottom()))),
        _inside(QRect(QPoint(app.right() + 1, room.top()), room.bottomRight())),
    ]
    strip = max(strips, key=QRect.width)
    if _holds(strip, least):
        return QRect(strip.topLeft(), _in_shape(wanted.boundedTo(strip.size()), least)), app
    inside = _inside(room)
    widest = max(least.width(), inside.width() - _MARGIN - APP_LEAST.width())
    width = max(least.width(), min(wanted.width(), int(room.width() * _ARENA_SHARE), widest))
    arena = QRect(inside.topLeft(), _in_shape(QSize(width, inside.height()), least))
    left = arena.right() + 1 + _MARGIN
    return arena, QRect(left, inside.top(), inside.right() + 1 - left, min(app.height(), inside.height()))


def _inside(strip: QRect) -> QRect:
    return strip.adjusted(_MARGIN, TITLE_HEIGHT, -_MARGIN, -_MARGIN)


def _holds(strip: QRect, size: QSize) -> bool:
    return strip.width() >= size.width() and strip.height() >= size.height()


def _in_shape(size: QSize, least: QSize) -> QSize:
    """Returns the largest size of 16:9 within one, no less than the least."""
    return QSize(size.width(), size.width() * 9 // 16).boundedTo(size).expandedTo(least)


_LOOK_MS = 500  # Listing the windows takes some 5 ms
_END_S = 3.0
"""The app waits so long for an arena to close before it kills it; a longer wait would look like a hang."""


def begin(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts an arena that ends with this process.

    Raises:
        OSError: it cannot be started.
    """
    process = subprocess.Popen(tied([sys.executable, "-P", "-m", "botapp", "arena", *arguments]))
    hold(process.pid)
    return process


class Arenas(QObject):
    """Keeps the one arena that was opened from the app.

    Signals:
        shown: its window is there; the handle.
        closed: the window that was shown is gone; the handle.
    """

    shown = Signal(int)
    closed = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: subprocess.Popen[bytes] | None = None
        self._handle: int | None = None
        self._looking = timer(self, self._look, _LOOK_MS)

    @property
    def handle(self) -> int | None:
        """The window of the arena, None before it is there."""
        return self._handle

    def open(self, arguments: Sequence[str]) -> None:
        """Opens an arena in place of the one that is open.

        Raises:
            OSError: it cannot be started.
        """
        self.end()
        self._process = begin(arguments)
        self._looking.start()

    def end(self) -> None:
        self._looking.stop()
        process, self._process, self._handle = self._process, None, None
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()

    @Slot()
    def _look(self) -> None:
        assert self._process is not None
        if self._process.poll() is not None:
            handle = self._handle
            self.end()
            if handle is not None:
                self.closed.emit(handle)
        elif self._handle is None:
            self._handle = self._found(self._process.pid)
            if self._handle is not None:
                self.shown.emit(self._handle)

    def _found(self, pid: int) -> int | None:
        try:
            return next((window.handle for window in list_windows() if window.pid == pid), None)
        except UnsupportedSession:
            return None
