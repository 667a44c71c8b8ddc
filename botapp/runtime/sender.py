"""Sends to a worker from a thread of its own, so that the app never waits for one that does not listen.

A pipe takes some tens of kilobytes; after that a send blocks until the other end reads or is gone. Before
it: `botapp.runtime.process`.
"""

import logging
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread

from botapp.runtime.messages import ToWorker

_log = logging.getLogger(__name__)


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
