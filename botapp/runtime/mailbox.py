"""Handing over between threads: a slot in which the latest wins, and a queue to a worker that may not listen.

A pipe takes some tens of kilobytes; after that a send blocks until the other end reads or is gone.
"""

import logging
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Condition, Thread
from typing import Generic, TypeVar

from botapp.runtime.messages import ToWorker

_log = logging.getLogger(__name__)

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


class Sender:
    """The sending side of one worker's connection; close it once the worker is gone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: SimpleQueue[ToWorker | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="worker-sender", daemon=True)
        self._thread.start()

    def post(self, message: ToWorker) -> None:
        """Queues a message; returns at once."""
        self._waiting.put(message)

    def close(self) -> None:
        """Ends the thread; what is left is not sent."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while (message := self._waiting.get()) is not None:
                self._connection.send(message)
        except OSError:
            _log.info("the worker is gone; what matters is said to the next one again")
