"""The child process: owns vision and the advisor, runs the loop, sends its snapshots and obeys the app.

It is started by `spawn`, so that a driver's fault takes only this process down; a failing frame does not
even do that.
"""

import faulthandler
import gc
import logging
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from threading import Lock
from typing import Protocol

from botapp.host.children import end_with_parent
from botapp.host.logs import open_private
from botapp.host.message import is_message
from botapp.host.settings import Settings
from botapp.runtime.loop import Loop
from botapp.runtime.messages import (
    ApplySettings,
    AskFrame,
    AskPossible,
    AskReply,
    AskWhatIf,
    Busy,
    FrameSeen,
    FromWorker,
    LogLine,
    Pause,
    Relearn,
    Stop,
    ToWorker,
    WatchWindow,
)
from botapp.runtime.start import LOADING_THREAD, Start, fault_file
from botapp.runtime.threats import Threats, reply_to
from botapp.runtime.turns import Possible, Reply, WhatIf
from botapp.runtime.whole_turns import aims_of

_log = logging.getLogger(__name__)
_LOADING_LIMIT_S = 180.0
_PAUSED_EVERY_S = 0.5
_NOTHING_TO_READ = ("no-fight", "unread", "no-window", "minimised", "unsupported")
RESTS_AFTER_S, _RESTING_EVERY_S = 3.0, 0.5
"""Where no fight has been seen for so long, it is looked for less often: most of a day's game is no fight."""
_FAULT_FILE_BYTES = 100_000
_VISIBLE_CARDS = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")


class PipelineProtocol(Protocol):
    """What the worker runs: `botapp.runtime.pipeline.Pipeline`, or a test's own."""

    loop: Loop

    @property
    def fps(self) -> float:
        """Pictures a second, at most."""
        ...

    def apply(self, settings: Settings) -> None:
        """Takes over settings, rebuilding what they change."""
        ...

    def watch(self, handle: int | None) -> None: ...

    def frame(self) -> FrameSeen: ...

    def what_if(self, question: AskWhatIf) -> WhatIf:
        """Returns the outcome of an action that the person asked about."""
        ...

    def relearn(self) -> None:
        """Reads again what the person has named, calibrated or written down."""
        ...

    def close(self) -> None: ...


class Outbox:
    """The connection's sending side, for the loop and for whatever thread writes to the log."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = Lock()

    def send(self, message: FromWorker) -> None:
        """Sends a message.

        Raises:
            OSError: the app is gone.
        """
        with self._lock:
            self._connection.send(message)


class _Forwarder(logging.Handler):
    """Sends log records to the app as `LogLine`s."""

    def __init__(self, outbox: Outbox) -> None:
        super().__init__(logging.INFO)
        self._outbox = outbox
        self.setFormatter(logging.Formatter("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Sends one record; the app being gone is noticed by the loop."""
        try:
            text = record.msg if is_message(record.msg) and not record.exc_info else self.format(record)
            self._outbox.send(LogLine(record.levelno, record.name, text, record.created))
        except OSError:
            return


def main(connection: Connection, start: Start) -> None:
    """Runs until told to stop or until the app is gone; this is the process's target."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    outbox = Outbox(connection)
    logging.basicConfig(level=logging.INFO, handlers=[_Forwarder(outbox)], force=True)
    log_faults()
    if start.hide_cards:
        os.environ.update(dict.fromkeys(_VISIBLE_CARDS, ""))
    outbox.send(Busy(_LOADING_LIMIT_S))
    try:
        from botapp.runtime.pipeline import Pipeline  # noqa: PLC0415

        workings = Pipeline(start, outbox.send)
        gc.freeze()  # what is loaded stays; looking through it for garbage takes longer than a decision
        serve(connection, outbox, workings)
    except Exception:
        _log.exception("the worker cannot go on")
        sys.exit(1)
    if any(thread.name == LOADING_THREAD and thread.is_alive() for thread in threading.enumerate()):
        os._exit(0)  # ended in order, what loads a model would abort the process (SIGABRT)


def serve(connection: Connection, outbox: Outbox, workings: PipelineProtocol) -> None:
    """Runs the loop at the frame limit, obeying the app's messages in between."""
    paused, fought_at = False, time.monotonic()
    try:
        while True:
            begun = time.monotonic()
            snapshot = workings.loop.paused() if paused else workings.loop.step(outbox.send)
            outbox.send(snapshot)
            workings.loop.think_on()
            fought_at = fought_at if snapshot.capture in _NOTHING_TO_READ else begun
            period = _PAUSED_EVERY_S if paused else 1.0 / workings.fps
            if begun - fought_at > RESTS_AFTER_S:
                period = max(period, _RESTING_EVERY_S)
            due = begun + period
            if not paused:
                workings.loop.dropped += int((time.monotonic() - begun) / period)
            while connection.poll(max(0.0, due - time.monotonic())):
                message: ToWorker = connection.recv()
                fought_at = time.monotonic()
                due = min(due, fought_at + 1.0 / workings.fps)
                if isinstance(message, Stop):
                    return
                if isinstance(message, Pause):
                    paused = message.paused
                    due = 0.0
                else:
                    _obey(message, workings, outbox)
    except (EOFError, OSError):
        return
    finally:
        workings.close()
        connection.close()


def _obey(
    message: WatchWindow | ApplySettings | AskFrame | AskWhatIf | AskPossible | AskReply | Relearn,
    workings: PipelineProtocol,
    outbox: Outbox,
) -> None:
    """Does what the app asks; failing at it is logged and changes nothing else."""
    outbox.send(Busy(_LOADING_LIMIT_S))
    try:
        if isinstance(message, WatchWindow):
            workings.watch(message.handle)
        elif isinstance(message, AskFrame):
            outbox.send(workings.frame())
        elif isinstance(message, AskWhatIf):
            outbox.send(workings.what_if(message))
        elif isinstance(message, AskPossible):
            outbox.send(Possible(message.number, aims_of(message.state)))
        elif isinstance(message, AskReply):
            outbox.send(Reply(message.number, *reply_to(message.state, message.actions, Threats())))
        elif isinstance(message, Relearn):
            workings.relearn()
        else:
            workings.apply(message.settings)
    except Exception:
        _log.exception("%s could not be carried out", type(message).__name__)


def log_faults() -> None:
    """Makes the interpreter write its stack to a file when a native fault ends the process.

    The file is added to, so that a restarted worker does not wipe out what the last one left.
    """
    path = fault_file()
    try:
        if path.exists() and path.stat().st_size > _FAULT_FILE_BYTES:
            path.unlink()
        file = open_private(path, "a")
        file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} worker {os.getpid()} starts\n")
    except OSError as error:
        _log.warning("native faults will not be recorded: %s", error)
        return
    faulthandler.enable(file)
