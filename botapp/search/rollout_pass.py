"""The rollouts of one pass of a search, shared out among threads."""

import itertools
from collections.abc import Callable
from threading import Event, Lock

from botapp.search.desk import SearchDesk

Rollout = tuple[float, int]  # A value in HP, and how many actions the others have taken
Roll = Callable[[SearchDesk, int], Rollout]
"""Plays on from the end at a place of the pass, at a thread's own desk."""


class RolloutPass:
    """Gives the ends of a pass to threads one by one, in order.

    Args:
        first, last: the places of its ends, `last` excluded.
        wanted: actions of the others after which no further rollout is begun.
    """

    def __init__(self, first: int, last: int, wanted: float, go_on: Callable[[], bool], roll: Roll) -> None:
        self._first, self._last, self._wanted = first, last, wanted
        self._places = itertools.count(first)
        self._go_on, self._roll = go_on, roll
        self._found: dict[int, Rollout] = {}
        self._lock, self._closed = Lock(), False
        self._spent = 0
        self._guests, self._alone = 0, Event()
        self._alone.set()

    def work(self, desk: SearchDesk) -> int:
        """Runs rollouts in the calling thread until none is left to begin; returns how many it ran."""
        count = 0
        while self._spent < self._wanted and self._go_on():
            place = next(self._places)
            if place >= self._last:
                break
            self._found[place] = outcome = self._roll(desk, place)
            self._spent += outcome[1]
            count += 1
        return count

    def join(self, desk: SearchDesk) -> int:
        """Does the same in a thread that `close` does not know of; 0 where the pass is over."""
        with self._lock:
            if self._closed:
                return 0
            self._guests += 1
            self._alone.clear()
        try:
            return self.work(desk)
        finally:
            with self._lock:
                self._guests -= 1
                if not self._guests:
                    self._alone.set()

    def close(self) -> list[Rollout]:
        """Ends the pass, waits for threads that joined, and returns the rollouts in order.

        A rollout whose predecessor was not run any more is left out.
        """
        with self._lock:
            self._closed = True
        self._alone.wait()
        return [
            self._found[place]
            for place in itertools.takewhile(self._found.__contains__, range(self._first, self._last))
        ]
