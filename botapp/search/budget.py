"""How long a search may take. Next hop: `botapp.search.tree`."""

import sys
import time
from dataclasses import dataclass

clock = time.perf_counter if sys.platform == "win32" else time.thread_time
"""Seconds of this thread on its core; on Windows, which counts those in steps of 16 ms, seconds gone by."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to search: a number of states looked at, or a time in seconds.

    The time is that of the thread on its core: a busy machine makes the search slow, not weak.
    """

    states: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuses what is no budget."""
        if (self.states is None) == (self.seconds is None):
            raise ValueError("a budget is a number of states or a time, one of both")
        if (self.states or 0) < 0 or (self.seconds or 0) < 0:
            raise ValueError("the budget is a number of states or a time, 0 or more")

    def spent(self, share: float, begun: float, states: float) -> bool:
        """Tells whether a share of the budget, 0..1, is gone.

        Args:
            share: the share.
            begun: when the search began, in seconds of `clock`.
            states: how many states were looked at.
        """
        if self.seconds is not None:
            return clock() - begun >= share * self.seconds
        return states >= share * (self.states or 0)
