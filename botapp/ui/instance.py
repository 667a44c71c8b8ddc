"""One app at a time: a second start has the first come to the front, and ends.

Before it: `botapp.ui.app`, which asks before it opens a window.
"""

from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

ANSWER_MS = 500


class Instance(QObject):
    """The app of one person's settings.

    Signals:
        called: another start was made and has ended.
    """

    called = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = f"botapp-{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def claim(self) -> bool:
        """Tells whether this is the first app; if not, the first one has been called to the front.

        What a crashed app has left behind is cleared away. Where nothing can be claimed, two may run.
        """
        if self._server.isListening():
            return True
        if self._call():
            return False
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def release(self) -> None:
        """Makes room for another app."""
        self._server.close()

    def _call(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        found = socket.waitForConnected(ANSWER_MS)
        socket.disconnectFromServer()
        return found

    @Slot()
    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.disconnectFromServer()
        self.called.emit()
