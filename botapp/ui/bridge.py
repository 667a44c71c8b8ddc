"""Between the worker process and the widgets: owns the worker, turns its wake-ups into one coalesced signal.

The worker's reader thread only emits `_woken`, at most once until the GUI thread has taken what is there.
It also measures what only the GUI can: how late its event loop is and how long a frame takes to the
overlay.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock, Thread
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import psutil
from PySide6.QtCore import QObject, Qt, Signal, Slot

from botapp.host.settings import Settings
from botapp.runtime.messages import (
    EngineMoved,
    FrameSeen,
    LogLine,
    MemoryStatus,
    Pause,
    Snapshot,
    ToWorker,
    WatchWindow,
    WorkerFault,
)
from botapp.runtime.preview import PreviewReader
from botapp.runtime.turns import Possible, Reply, WhatIf
from botapp.tracking.learnt_names import Learnt
from botapp.ui.samples import DurationSamples, History, MemoryPoint, card_summary
from botapp.ui.timers import timer

PROBE_MS = 100
MEMORY_MS = 1000


class Worker(Protocol):
    """What the bridge needs of `botapp.runtime.process.WorkerProcess`."""

    latest: Any
    events: Any
    wake: Callable[[], None] | None
    fight: int

    @property
    def preview_name(self) -> str: ...

    def start(self) -> None: ...

    def send(self, message: ToWorker) -> None: ...

    def stop(self) -> None: ...


class Bridge(QObject):
    """Owns the worker; everything it emits is emitted on the GUI thread.

    Signals:
        snapshot_ready: the newest `Snapshot`; when the worker ends, one that says so in place of the last.
        logged: a `LogLine`.
        faulted: a `WorkerFault`.
        framed: a `FrameSeen` that was asked for.
        moved: an `EngineMoved`.
        looked_into: a `WhatIf` that was asked for.
        possible: a `Possible` that was asked for.
        replied: a `Reply` that was asked for.
        learnt: a `Learnt`: a picture whose name the words on the screen have told.
    """

    snapshot_ready = Signal(object)
    logged = Signal(object)
    faulted = Signal(object)
    framed = Signal(object)
    moved = Signal(object)
    looked_into = Signal(object)
    possible = Signal(object)
    replied = Signal(object)
    learnt = Signal(object)
    _woken = Signal()

    def __init__(self, make_worker: Callable[[Settings], Worker], settings: Settings) -> None:
        super().__init__()
        self.history = History()
        self.latest: Snapshot | None = None
        self.paused = False
        self._make_worker = make_worker
        self._settings = settings
        self._watched = WatchWindow(None)
        self.worker: Worker | None = None
        self._preview: PreviewReader | None = None
        self._retired: list[Thread] = []
        self._pending = False
        self._lock = Lock()
        self._process = psutil.Process()
        self._probed_s = 0.0
        self._probe = timer(self, self._measure_delay, PROBE_MS)
        self._probe.setTimerType(Qt.TimerType.PreciseTimer)
        self._memory = timer(self, self._measure_memory, MEMORY_MS)
        self._woken.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        self.worker = self._make_worker(self._settings)
        self.worker.wake = self._wake
        if self.latest is not None:
            self.worker.fight = self.latest.fight
        self._preview = PreviewReader(self.worker.preview_name) if self.worker.preview_name else None
        self.worker.start()
        self._memory.start()

    def use(self, settings: Settings) -> None:
        self._settings = settings

    def stop(self) -> None:
        self._probe.stop()
        self._memory.stop()
        self._retire()
        for thread in self._retired:
            thread.join()
        self._retired.clear()

    def restart(self, settings: Settings) -> None:
        """Starts a new worker with these settings; the old one ends meanwhile."""
        self._settings = settings
        self._retire()
        self._show_stopped("")
        self.start()
        if self._watched.handle is not None:
            self.send(self._watched)
        if self.paused:
            self.send(Pause(True))

    def send(self, message: ToWorker) -> None:
        if isinstance(message, Pause):
            self.paused = message.paused
        elif isinstance(message, WatchWindow):
            self._watched = message
        if self.worker is not None:
            self.worker.send(message)

    def picture(self, scored: bool = False) -> tuple[int, npt.NDArray[np.uint8]] | None:
        """Returns the newest picture for the Vision panel, as `PreviewReader.read` does."""
        return self._preview.read(scored) if self._preview is not None else None

    @Slot(object)
    def note_painted(self, captured_ns: int) -> None:
        self.history.to_overlay.add((time.monotonic_ns() - captured_ns) / 1e6)

    def figures(self) -> dict[str, Any]:
        """Returns what the app measured over the run, for the report; durations in milliseconds."""
        snapshot, history = self.latest, self.history
        return {
            "snapshots": history.snapshots,
            "frames": snapshot.frames if snapshot else 0,
            "decisions": snapshot.decisions if snapshot else 0,
            "dropped": snapshot.dropped if snapshot else 0,
            "stages_ms": {name: _summary(samples) for name, samples in history.ordered_stages()},
            "capture_to_overlay_ms": _summary(history.to_overlay),
            "event_loop_delay_ms": _summary(history.loop_delay),
            "memory": [_memory(point) for point in (history.memory[0], history.memory[-1])]
            if history.memory
            else [],
            "card": card_summary(history.memory),
        }

    def _retire(self) -> None:
        """Ends the worker on a thread of its own, so that the GUI does not wait for it."""
        worker, self.worker = self.worker, None
        if self._preview is not None:
            self._preview.close()
            self._preview = None
        if worker is None:
            return
        worker.wake = None
        thread = Thread(target=worker.stop, name="worker-retiring")
        thread.start()
        self._retired = [t for t in self._retired if t.is_alive()] + [thread]

    def _wake(self) -> None:
        """Called on the worker's reader thread."""
        with self._lock:
            if self._pending:
                return
            self._pending = True
        self._woken.emit()

    @Slot()
    def _take(self) -> None:
        with self._lock:
            self._pending = False
        worker = self.worker
        if worker is None:
            return
        snapshot, fault = worker.latest.take(), None
        tells = {
            LogLine: self.logged,
            WorkerFault: self.faulted,
            EngineMoved: self.moved,
            WhatIf: self.looked_into,
            Possible: self.possible,
            Reply: self.replied,
            Learnt: self.learnt,
            FrameSeen: self.framed,
        }
        while worker.events:
            event = worker.events.popleft()
            tells[type(event)].emit(event)
            if isinstance(event, WorkerFault):
                fault = event
        if snapshot is not None:
            self._begin_measuring()
            self.latest = snapshot
            self.history.add(snapshot, time.monotonic())
            self.snapshot_ready.emit(snapshot)
        if fault is not None:
            self._show_stopped(fault.text)

    def show_again(self) -> None:
        """Emits the newest snapshot again, as what is said of it goes by settings that were changed."""
        if self.latest is not None:
            self.snapshot_ready.emit(self.latest)

    def _begin_measuring(self) -> None:
        """Measures the event loop from the first snapshot on: until then the app is still starting."""
        if not self._probe.isActive():
            self._probed_s = time.perf_counter()
            self._probe.start()

    def _show_stopped(self, reason: str) -> None:
        """Marks the last advice as outdated; `reason` is why there will be no other for a while."""
        if self.latest is None:
            return
        now = time.monotonic_ns()
        self.latest = replace(
            self.latest,
            captured_ns=now,
            sent_ns=now,
            capture="stopped",
            advice="none",
            reason=reason,
            window=None,
            view=None,
            state=None,
            decision=None,
            preview_seq=-1,
        )
        self.snapshot_ready.emit(self.latest)

    @Slot()
    def _measure_delay(self) -> None:
        """Adds how long an event that came at any moment since the last tick would have waited."""
        now = time.perf_counter()
        late_ms = (now - self._probed_s) * 1000 - PROBE_MS
        self._probed_s = now
        at = time.monotonic()
        self.history.loop_delay.add(max(0.0, late_ms), at)
        while (late_ms := late_ms - PROBE_MS) > 0:
            self.history.loop_delay.add(late_ms, at)

    @Slot()
    def _measure_memory(self) -> None:
        app = int(self._process.memory_info().rss)
        device = (self.latest.memory if self.latest else None) or MemoryStatus(0)
        self.history.add_memory(MemoryPoint(time.monotonic(), device.process_rss, app, device))


def _summary(samples: DurationSamples) -> dict[str, float | int] | None:
    quantiles = samples.quantiles()
    if quantiles is None:
        return None
    return {"count": samples.count, **{name: round(value, 2) for name, value in quantiles._asdict().items()}}


def _memory(point: MemoryPoint) -> dict[str, int | None]:
    return {
        "worker_rss": point.worker,
        "app_rss": point.app,
        "device_total": point.device.device_total,
        "device_used": point.device.device_used,
        "device_ours": point.device.device_ours,
    }
