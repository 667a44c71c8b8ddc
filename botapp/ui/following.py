"""Watches whichever client is open: where the watched client's window is missing and another's is there."""

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
    """Signals: `found`, with the name of the client to watch from now on."""

    found = Signal(str)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._held_until = 0.0

    def wait(self) -> None:
        """Waits a while for the client in the settings, since the person has just started it."""
        self._held_until = self._clock() + HOLD_S

    def offer(self, snapshot: Snapshot, settings: Settings) -> None:
        """Takes in the newest snapshot; emits `found` where it says that another client is open."""
        if snapshot.capture == "watching":
            self._held_until = 0.0
        capture = settings.capture
        if snapshot.capture != "no-window" or not capture.follow or capture.title:
            return
        reason = snapshot.reason
        if not is_message(reason) or reason.template != OTHER_CLIENT or self._clock() < self._held_until:
            return
        if reason.values["watched"] == capture.target:
            self.found.emit(str(reason.values["client"]))
