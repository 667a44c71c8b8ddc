"""One app at a time: a second start has the first come to the front, and ends.

A lock in the settings' folder says which is the first, also of two that start at once.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal

import psutil
from PySide6.QtCore import QLockFile, QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

PATIENCE_S = 10.0  # How long the first app may take to answer: it may have been started just now
_TURN_MS = 250
_GRACE_S = 3.0
LOCK_FILE, _SOCKET_FILE = "app.lock", "app.socket"

Claim = Literal["first", "running", "hanging"]
"""Whether this is the first app, or another one runs and answers, or one runs and does not."""


class Instance(QObject):
    """The app of one person's settings.

    Signals:
        called: another start was made and has ended.
    """

    called = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        self._way = ExitStack()
        self._name = self._way.enter_context(_address(folder))
        self._lock = QLockFile(str(folder / LOCK_FILE))
        self._lock.setStaleLockTime(0)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def claim(self, patience_s: float = PATIENCE_S) -> Claim:
        """Returns whether this is the first app; if not, the first one has been called to the front.

        What a crashed app has left behind is cleared away. Where nothing can be locked, two may run.

        Args:
            patience_s: how long the first one may take to answer.
        """
        if self._server.isListening():
            return "first"
        locked = self._lock.tryLock(0)
        if not locked and self._lock.error() is QLockFile.LockError.LockFailedError:
            return "running" if _answers(self._name, patience_s) else "hanging"
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return "first"

    def release(self) -> None:
        self._server.close()
        self._way.close()
        self._lock.unlock()

    def end_other(self) -> bool:
        """Ends the first app, which does not answer; returns whether it has gone."""
        try:
            process = psutil.Process(self._other())
            if "botapp" not in " ".join(process.cmdline()):
                return False
            process.terminate()
            try:
                process.wait(_GRACE_S)
            except psutil.TimeoutExpired:
                process.kill()
                process.wait(_GRACE_S)
        except psutil.NoSuchProcess:
            return True
        except (psutil.Error, ValueError):
            return False
        return True

    def _other(self) -> int:
        info: object = self._lock.getLockInfo()
        number = info[0] if isinstance(info, tuple) else 0
        return int(number)

    @Slot()
    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.disconnectFromServer()
        self.called.emit()


def call_running(folder: Path) -> bool:
    """Has the app that runs with a folder's settings come to the front; tells whether one does."""
    lock = QLockFile(str(folder / LOCK_FILE))
    lock.setStaleLockTime(0)
    if lock.tryLock(0):
        lock.unlock()
        return False
    if lock.error() is not QLockFile.LockError.LockFailedError:
        return False
    with _address(folder) as address:
        return _answers(address, PATIENCE_S)


@contextmanager
def _address(folder: Path) -> Iterator[str]:
    """Gives where the app with the settings of a folder can be called, as long as the block lasts.

    It is a socket in that folder, where only its owner can put another in its place. A socket's path holds
    107 bytes, so it is reached through the opened folder, however deep that lies.
    """
    if sys.platform == "win32":
        yield f"botapp-{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
        return
    place, opened = str(folder.resolve()), None
    if sys.platform == "linux":
        with suppress(OSError):
            opened = os.open(folder, os.O_PATH | os.O_DIRECTORY)
            place = f"/proc/self/fd/{opened}"
    try:
        yield f"{place}/{_SOCKET_FILE}"
    finally:
        if opened is not None:
            os.close(opened)


def _answers(address: str, patience_s: float) -> bool:
    """Calls an app; returns whether it answers, which it does by ending the connection."""
    end = time.monotonic() + patience_s
    while True:
        socket = QLocalSocket()
        socket.connectToServer(address)
        if socket.waitForConnected(_TURN_MS):
            left_ms = max(_TURN_MS, round(1000 * (end - time.monotonic())))
            ended = socket.state() is QLocalSocket.LocalSocketState.UnconnectedState
            return ended or socket.waitForDisconnected(left_ms)
        if time.monotonic() > end:
            return False
        time.sleep(_TURN_MS / 1000)
