"""Plays the advice in the practice arena: hands each fresh decision on, once, again only if it was not taken.

A turn for which there is no advice for long is given up, so that the fight goes on.
Only the practice arena ever gets a callable to hand it to; no other program's window is ever touched.
"""

import time
from collections.abc import Callable

from botapp.advisor.decision import Decision
from botapp.fight.state import FightState
from botapp.runtime.messages import Snapshot

AGAIN_S = 1.5
PATIENCE_S = 6.0  # How long the advice may be withheld until the turn is given up


class Autopilot:
    """Hands decisions to `play` while `on`.

    Attributes:
        sent: how many decisions were handed over.
    """

    def __init__(self, play: Callable[[Decision | None], object], *, on: bool = False) -> None:
        """Waits for snapshots.

        Args:
            play: gets each decision, None for a turn that is given up.
        """
        self.on = on
        self.sent = 0
        self._play = play
        self._last: tuple[int, FightState | None, float] = (-1, None, 0.0)
        self._withheld_s: float | None = None

    def offer(self, snapshot: Snapshot, now_s: float | None = None) -> None:
        """Hands the decision over if it is fresh and none for its state is on its way.

        A state is decided on again when the model takes over from the search: what the first answer did is
        not seen yet then, and doing it twice would be refused.

        Args:
            now_s: `time.monotonic()`, in seconds.
        """
        now = time.monotonic() if now_s is None else now_s
        self._wait(snapshot, now)
        if not self.on or snapshot.advice != "fresh" or snapshot.decision is None:
            return
        number, state, at = self._last
        same = snapshot.decided_seq == number or (state is not None and snapshot.state == state)
        if same and now - at < AGAIN_S:
            return
        self._last = (snapshot.decided_seq, snapshot.state, now)
        self.sent += 1
        self._play(snapshot.decision)

    def _wait(self, snapshot: Snapshot, now: float) -> None:
        """Gives the turn up once there has been no advice for it for long."""
        if not self.on or snapshot.advice not in ("withheld", "settling"):
            self._withheld_s = None
        elif self._withheld_s is None:
            self._withheld_s = now
        elif now - self._withheld_s >= PATIENCE_S:
            self._withheld_s = None
            self._play(None)
