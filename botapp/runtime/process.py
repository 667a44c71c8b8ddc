"""The app's end of the worker process: starts it, watches over it, and takes in what it sends.

One thread here does all of that. A worker that crashes, falls silent or is stopped is reported as a
`WorkerFault` and started again with the same settings, window and pause; after three faults in a minute
only as long as there is another place for the model to run at, then it is left alone until `start` is
called again.
"""

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from threading import Lock, Thread

import psutil

from botapp.host.children import hold, spawning
from botapp.host.message import error_text, say
from botapp.host.settings import Settings
from botapp.runtime import first_start
from botapp.runtime.mailbox import Mailbox, Sender
from botapp.runtime.messages import (
    ApplySettings,
    Busy,
    EngineMoved,
    FrameSeen,
    FromWorker,
    LogLine,
    Pause,
    PlanAnnounced,
    Snapshot,
    Stop,
    ToWorker,
    WatchWindow,
    WorkerFault,
)
from botapp.runtime.preview import create_preview
from botapp.runtime.start import Ending, OtherAdviser, Start, ending, searches
from botapp.runtime.turns import Possible, Reply, WhatIf
from botapp.tracking.learnt_names import Learnt
from hrm.backends.fallback import Ladder
from hrm.backends.faults import Fault

_log = logging.getLogger(__name__)
CONTEXT = multiprocessing.get_context("spawn")
POLL_S = 0.25
_ASLEEP_S = 1.0  # Beyond a round of listening by so much, this process was not running itself
_EVENTS = 1000
_LAST_WORDS_S = 1.0  # For so long a worker that hangs may take to write down where it is

Target = Callable[[Connection, Start], None]
Event = LogLine | WorkerFault | FrameSeen | EngineMoved | WhatIf | Possible | Reply | Learnt


def work(connection: Connection, start: Start) -> None:
    """Does a worker's work in a process of its own; the app's has no need of the search."""
    from botapp.runtime import worker  # noqa: PLC0415

    worker.main(connection, start)


@dataclass(frozen=True, slots=True)
class Limits:
    """When a worker counts as hung, and when it is given up, in seconds."""

    start_s: float = 60.0  # Silence allowed until the first message
    hang_s: float = 10.0  # Silence allowed later on
    # The same while the search is not compiled yet: a decision of 50 ms then took 8 s on two cores that also
    # compiled and did other work, and a worker that is started anew gets no further
    interpreted_s: float = 90.0
    stop_s: float = 3.0  # Time given to end in order
    faults: int = 3  # After so many faults within `window_s` it is started again at another place only
    window_s: float = 60.0
    stopped_s: float = 1.0  # How long a worker may be held by what stopped it


class WorkerProcess:
    """The worker, as the app sees it. Call `stop` before letting go of it.

    Attributes:
        latest: the newest snapshot that was not taken yet.
        events: what was logged, what went wrong and the pictures asked for, the oldest first.
        wake: called on this object's own thread whenever something arrived.
        tap: is given every snapshot, on this object's own thread, also those that are not taken in time.
        fight: number of the fight that was watched last; the next worker goes on counting there.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        record: Path | None = None,
        other: OtherAdviser | None = None,
        target: Target = work,
        limits: Limits | None = None,
    ) -> None:
        """Prepares a worker; nothing runs before `start`.

        Args:
            record: file that every reading is added to, None for none.
            other: an adviser in place of the one in the settings.
        """
        self.latest: Mailbox[Snapshot] = Mailbox()
        self.events: deque[Event] = deque(maxlen=_EVENTS)
        self.wake: Callable[[], None] | None = None
        self.tap: Callable[[Snapshot], None] | None = None
        self._preview = _preview()
        preview = self._preview.name if self._preview is not None else ""
        self.fight = 0
        self.next_start = Start(settings, preview, os.getpid(), record, other=other)
        self._target = target
        self._limits = limits or Limits()
        self._lock = Lock()
        self._sender: Sender | None = None
        self._pid: int | None = None
        self._thread: Thread | None = None
        self._stopping = False
        self._standing: dict[type[ToWorker], ToWorker] = {}  # The last of each that holds after a restart too

    @property
    def preview_name(self) -> str:
        """Name for `botapp.runtime.preview.PreviewReader`; "" where there is no room for pictures."""
        return self.next_start.preview

    @property
    def pid(self) -> int | None:
        return self._pid

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Starts the worker, or starts it anew after it was given up."""
        if self.running:
            return
        self._stopping = False
        self.next_start = replace(self.next_start, ladder=None, hide_cards=False)
        self._thread = Thread(target=self._supervise, name="worker-supervisor", daemon=True)
        self._thread.start()

    def send(self, message: ToWorker) -> None:
        """Queues a message and returns at once; what matters after a restart is sent again then."""
        with self._lock:
            if isinstance(message, ApplySettings):
                self.next_start = replace(self.next_start, settings=message.settings)
            elif isinstance(message, WatchWindow | Pause):
                self._standing[type(message)] = message
            self._post(message)

    def stop(self) -> None:
        """Ends the worker, in order or else by force, and frees the picture's memory."""
        self._stopping = True
        self.send(Stop())
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._preview is not None:
            self._preview.close()
            with suppress(FileNotFoundError):
                self._preview.unlink()
            self._preview = None

    def _post(self, message: ToWorker) -> None:
        if self._sender is not None:
            self._sender.post(message)

    def _supervise(self) -> None:
        """Runs one worker after the other until told to stop or until too many failed."""
        faults: list[float] = []
        while not self._stopping:
            fault = self._run_once()
            if self._stopping or fault is None:
                return
            now = time.monotonic()
            faults = [at for at in faults if now - at < self._limits.window_s] + [now]
            many = len(faults) >= self._limits.faults
            restarting = self._step_down(fault, many) or not many
            text = (
                say("{fault} The engine is restarting.", fault=fault.text)
                if restarting
                else say("{fault} The engine will not restart by itself.", fault=fault.text)
            )
            _log.error("worker: %s", text)
            self._tell(WorkerFault(text, restarting))
            if not restarting:
                return

    def _step_down(self, end: Ending, many: bool) -> bool:
        """Makes the next worker run the model on the next device down, or without cards where none is known.

        Where nothing is held against the place it stays, unless there have been many faults; where the search
        advises alone no card is to blame. Tells whether it will be another place.
        """
        if searches(self.next_start.other, self.next_start.settings.engine):
            return False
        with self._lock:
            ladder = self.next_start.ladder
            if ladder is None:
                self.next_start = replace(self.next_start, hide_cards=True)
                return False
            fault = end.fault or (Fault("error", end.text) if many else None)
            lower = ladder.after(fault) if fault is not None else None
            self.next_start = replace(self.next_start, ladder=lower or ladder)
            return lower is not None

    def _run_once(self) -> Ending | None:
        """Runs one worker to its end; returns what went wrong, None when it was told to stop."""
        ours, theirs = CONTEXT.Pipe()
        start = replace(self.next_start, fight=self.fight)
        process = CONTEXT.Process(
            target=self._target, args=(theirs, start), name="botapp-worker", daemon=True
        )
        try:
            # The digits' network multiplies small matrices: on all cores each product waits for the slowest,
            # and beside a game that keeps them busy one picture in twenty takes half a second.
            with spawning(OPENBLAS_NUM_THREADS="1"):
                process.start()
            hold(process.pid)
        except OSError as error:
            ours.close()
            text = say("The engine cannot be started ({problem}).", problem=error_text(error))
            return Ending(text, Fault("error", str(error)))
        finally:
            theirs.close()
        sender = Sender(ours)
        self._begin(process, sender, start)
        end: Ending | None = None
        try:
            end = self._listen(process, ours)
        finally:
            with self._lock:
                self._sender = None
            if end is not None and end.fault is not None and end.fault.kind == "hang":
                _say_where(process)
            if process.is_alive():
                process.kill()
            process.join()
            sender.close()
            ours.close()
        self._pid = None
        exitcode = process.exitcode
        process.close()
        return end or ending(exitcode)

    def _begin(self, process: BaseProcess, sender: Sender, start: Start) -> None:
        """Tells a new worker what it was not started with."""
        with self._lock:
            self._pid, self._sender = process.pid, sender
            if self.next_start.settings is not start.settings:
                self._post(ApplySettings(self.next_start.settings))
            for message in self._standing.values():
                self._post(message)
            if self._stopping:
                self._post(Stop())

    def _listen(self, process: BaseProcess, connection: Connection) -> Ending | None:
        """Takes in messages until the worker ends by itself (returns None), hangs or is held from outside."""
        limit = self._limits.start_s
        hang_s = self._limits.interpreted_s if first_start.pending() else self._limits.hang_s
        heard = looked = time.monotonic()
        stop_by: float | None = None
        open_ = True
        while True:
            sources: list[Connection | int] = [process.sentinel]
            if open_:
                sources.append(connection)
            ready = wait(sources, POLL_S)
            if connection in ready:
                try:
                    message: FromWorker = connection.recv()
                except (EOFError, OSError):
                    open_ = False
                else:
                    heard = time.monotonic()
                    if isinstance(message, Busy):
                        limit = message.limit_s
                    elif isinstance(message, Snapshot):
                        limit = hang_s
                    self._take_in(message)
            elif process.sentinel in ready:
                return None
            now = time.monotonic()
            if now - looked > POLL_S + _ASLEEP_S:  # the app was stopped itself, and the worker with it
                heard += now - looked
            looked = now
            if self._stopping:
                stop_by = stop_by or now + self._limits.stop_s
                if now > stop_by:
                    return Ending(say("The engine did not stop when asked."), None)
            elif (end := self._silent(process.pid, now - heard, limit)) is not None:
                return end

    def _silent(self, pid: int | None, silence_s: float, limit_s: float) -> Ending | None:
        """Tells whether a worker that has been silent so long hangs, or is held from outside."""
        if silence_s > limit_s:
            text = say("The engine has not responded for {time} s.", time=round(limit_s))
            return Ending(text, Fault("hang", "it fell silent"))
        if silence_s > self._limits.stopped_s and _is_stopped(pid):
            return Ending(say("The engine was stopped by another program."), None)
        return None

    def _take_in(self, message: FromWorker) -> None:
        if isinstance(message, Snapshot):
            self.fight = message.fight
            if self.tap is not None:
                self.tap(message)
            self.latest.put(message)
            self._wake()
        elif isinstance(message, LogLine):
            logging.getLogger(message.source).log(message.level, "%s", message.text)
            self._tell(message)
        elif isinstance(message, (FrameSeen, WhatIf, Possible, Reply, Learnt)):
            self._tell(message)
        elif isinstance(message, PlanAnnounced):
            self._placed(message.ladder)

    def _placed(self, ladder: Ladder) -> None:
        """Notes the device that the model runs on; notifies the person when a fault brought it there."""
        with self._lock:
            before = self.next_start.ladder
            if searches(self.next_start.other, self.next_start.settings.engine):
                return  # of a model that is not wished for any more
            self.next_start = replace(self.next_start, ladder=ladder)
        known = before.history if before is not None else ()
        if len(ladder.history) > len(known):
            self._tell(EngineMoved(ladder.current.reason))

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        self._wake()

    def _wake(self) -> None:
        wake = self.wake
        if wake is not None:
            wake()


def _say_where(process: BaseProcess) -> None:
    """Ends a worker that hangs so that it writes to `start.fault_file` where each of its threads is."""
    if sys.platform != "win32" and process.pid is not None:
        with suppress(OSError):
            os.kill(process.pid, signal.SIGABRT)
            process.join(_LAST_WORDS_S)


def _is_stopped(pid: int | None) -> bool:
    """Tells whether a process is there and held, as by SIGSTOP or a debugger."""
    try:
        return psutil.Process(pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
    except psutil.Error:
        return False


def _preview() -> SharedMemory | None:
    """Returns memory for the Vision panel's picture, None where there is no room for it."""
    try:
        return create_preview()
    except OSError as error:
        _log.warning("no shared memory for the picture of the Vision panel: %s", error)
        return None
