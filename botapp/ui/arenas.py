"""The practice arena as the app opens it: one at a time, watched once it is there, gone with the app."""

import subprocess
import sys
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from botapp.host.children import hold, tied
from vision.window import UnsupportedSession, list_windows

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
        self._looking = QTimer(self)
        self._looking.setInterval(_LOOK_MS)
        self._looking.timeout.connect(self._look)

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
