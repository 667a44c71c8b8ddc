"""Plays the advice in the practice arena: hands each fresh decision on, once, again only if it was not taken.

Only the practice arena ever gets a callable to hand it to; no other program's window is ever touched.
"""

import time
from collections.abc import Callable

from botapp.advisor.decision import Decision
from botapp.runtime.messages import Snapshot

AGAIN_S = 1.5


class Autopilot:
    """Hands decisions to `play` while `on`.

    Attributes:
        on: the person's switch.
        sent: how many decisions were handed over.
    """

    def __init__(self, play: Callable[[Decision], object], *, on: bool = False) -> None:
        self.on = on
        self.sent = 0
        self._play = play
        self._last: tuple[int, float] = (-1, 0.0)

    def offer(self, snapshot: Snapshot, now_s: float | None = None) -> None:
        """Hands the decision over if it is fresh and not on its way; `now_s` is `time.monotonic()`."""
        if not self.on or snapshot.advice != "fresh" or snapshot.decision is None:
            return
        now = time.monotonic() if now_s is None else now_s
        number, at = self._last
        if snapshot.decided_seq == number and now - at < AGAIN_S:
            return
        self._last = (snapshot.decided_seq, now)
        self.sent += 1
        self._play(snapshot.decision)
