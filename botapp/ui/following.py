"""Watches the client that is open: where the watched one's window is missing, or shows another's screen."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from botapp.host.message import is_message
from botapp.host.settings import Settings
from botapp.runtime.messages import Snapshot
from botapp.runtime.watch import OTHER_CLIENT

HOLD_S = 30.0
"""How long a client that the person has just started is waited for before another one is watched."""


class ClientFollower(QObject):
    """Tells which client to watch in place of the one in the settings.

    Signals:
        found: another client is open: its name.
        pictured: the window that is watched shows another client's screen: its name and the window's handle.
        asked: it may be either of several, or the person holds on to one client: their names, the handle.
    """

    found = Signal(str)
    pictured = Signal(str, object)
    asked = Signal(object, object)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._held_until = 0.0
        self._told: set[tuple[int, tuple[str, ...]]] = set()

    def wait(self) -> None:
        """Waits a while for the client in the settings, since the person has just started it."""
        self._held_until = self._clock() + HOLD_S

    def offer(self, snapshot: Snapshot, settings: Settings) -> None:
        """Takes in the newest snapshot; emits `found` where it says that another client is open."""
        if snapshot.capture == "watching":
            self._held_until = 0.0
        capture = settings.capture
        if snapshot.clients and snapshot.window is not None:
            self._tell(
                snapshot.clients, snapshot.window.handle, hold=not capture.follow or bool(capture.title)
            )
        if snapshot.capture != "no-window" or not capture.follow or capture.title:
            return
        reason = snapshot.reason
        if not is_message(reason) or reason.template != OTHER_CLIENT or self._clock() < self._held_until:
            return
        if reason.values["watched"] == capture.target:
            self.found.emit(str(reason.values["client"]))

    def _tell(self, clients: tuple[str, ...], handle: int, *, hold: bool) -> None:
        """Tells once for each window whose screen it shows."""
        if (handle, clients) in self._told:
            return
        self._told.add((handle, clients))
        if len(clients) == 1 and not hold:
            self.pictured.emit(clients[0], handle)
        else:
            self.asked.emit(clients, handle)
