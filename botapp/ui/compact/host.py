"""Opens and closes the small window, feeds it, and keeps where it stands from one run to the next."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, Signal, Slot

from botapp.runtime.messages import Snapshot
from botapp.ui.compact.window import CompactWindow
from botapp.ui.layout import CompactPlace, Keeper


class CompactHost(QObject):
    """Owns the small window, if it is open.

    Signals:
        app_asked: the person wants the whole app.
        pause_asked: the person wants the watching paused, or to go on.
    """

    app_asked = Signal()
    pause_asked = Signal(bool)

    def __init__(
        self,
        keeper: Keeper,
        parent: QObject,
        beside: Callable[[], QRect],
        game: Callable[[], QRect | None],
        make_room: Callable[[], object],
    ) -> None:
        """Opens none yet.

        Args:
            beside: returns the frame of the window that it should not cover.
            game: returns where the game is, which it does not cover either where there is room elsewhere.
            make_room: puts that window away, where a person opens the small one and it has no other place.
        """
        super().__init__(parent)
        self._beside, self._game, self._make_room = beside, game, make_room
        self.window: CompactWindow | None = None
        self._keeper = keeper
        self._place: CompactPlace | None = None
        self._latest: Snapshot | None = None
        self._paused = False

    def start(self) -> None:
        """Opens it where it was, if it was open at the end of the last run."""
        self._place = self._keeper.load_compact()
        if self._place is not None and self._place.open:
            self.open()

    @Slot()
    def toggle(self) -> None:
        if self.window is not None:
            self.window.close()
            return
        self.open()
        if self._covers():
            self._make_room()

    @Slot()
    def _open_app(self) -> None:
        self.app_asked.emit()
        if self._covers() and self.window is not None:
            self.window.close()

    def _covers(self) -> bool:
        return self.window is not None and self.window.geometry().intersects(self._beside())

    def open(self) -> None:
        window = CompactWindow()
        window.app_asked.connect(self._open_app)
        window.pause_asked.connect(self.pause_asked)
        window.shut.connect(self._shut)
        window.show_paused(self._paused)
        corner = QPoint(self._place.x, self._place.y) if self._place is not None else None
        window.put(corner, [self._beside(), *filter(None, [self._game()])])
        self.window = window
        window.show()
        if self._latest is not None:
            window.show_snapshot(self._latest)
        self._keep(open_now=True)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        self._latest = snapshot
        if self.window is not None:
            self.window.show_snapshot(snapshot)

    def show_paused(self, paused: bool) -> None:
        self._paused = paused
        if self.window is not None:
            self.window.show_paused(paused)

    def rebuild(self) -> None:
        if self.window is not None:
            self.close()
            self.open()

    def close(self) -> None:
        """Closes it for now; the next run opens it again."""
        if self.window is not None:
            self._keep(open_now=True)
            self.window.shut.disconnect(self._shut)
            self.window.close()
            self._drop()

    @Slot()
    def _shut(self) -> None:
        self._keep(open_now=False)
        self._drop()

    def _drop(self) -> None:
        assert self.window is not None
        self.window.deleteLater()
        self.window = None

    def _keep(self, *, open_now: bool) -> None:
        if self.window is not None:
            self._place = CompactPlace(self.window.x(), self.window.y(), open_now)
            self._keeper.save_compact(self._place)
