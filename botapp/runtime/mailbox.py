"""One slot between two threads: the latest thing wins, and what was not taken in time is counted."""

from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")


class Mailbox(Generic[T]):
    """A slot for one item. Safe to use from several threads.

    Attributes:
        dropped: how many items were replaced before anyone took them.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._item: T | None = None
        self._filled = Condition()

    def put(self, item: T) -> None:
        """Puts an item in the slot, in place of the one that may still be there."""
        with self._filled:
            if self._item is not None:
                self.dropped += 1
            self._item = item
            self._filled.notify()

    def take(self, wait_s: float = 0.0) -> T | None:
        """Takes the item out, or returns None when the slot stays empty for `wait_s` seconds."""
        with self._filled:
            if wait_s > 0:
                self._filled.wait_for(lambda: self._item is not None, wait_s)
            item, self._item = self._item, None
            return item
