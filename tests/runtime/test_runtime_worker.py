"""The worker's serving: it sends, obeys, paces itself, and ends when told or when the app is gone."""

import logging
import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

import pytest

from botapp.arena.scenarios import duel
from botapp.fight.actions import EndTurn
from botapp.host.settings import Settings
from botapp.runtime import pipeline, worker
from botapp.runtime.loop import Loop
from botapp.runtime.messages import (
    ApplySettings,
    AskWhatIf,
    Busy,
    LogLine,
    Pause,
    Snapshot,
    Stop,
    WatchWindow,
)
from botapp.runtime.stages import Advising, Stages
from botapp.runtime.start import LOADING_THREAD, fault_file
from botapp.runtime.turns import WhatIf
from botapp.runtime.watch import Sight

QUICK = Settings().changed("engine.step_limit", 1)


class FakeWorkings:
    """Workings without a window; remembers what it was told."""

    def __init__(self, fps: float = 200.0, failing: bool = False) -> None:
        self.fps = fps
        self.failing = failing
        self.applied: list[Settings] = []
        self.watched: list[int | None] = []
        self.closed = False
        nothing = lambda *_: None  # noqa: E731
        self.loop = Loop(Stages(lambda: Sight("no-window", "Nothing."), nothing, nothing, Advising(nothing)))  # type: ignore[arg-type]

    def apply(self, settings: Settings) -> None:
        if self.failing:
            raise RuntimeError("no such card")
        self.applied.append(settings)

    def watch(self, handle: int | None) -> None:
        self.watched.append(handle)

    def what_if(self, question: AskWhatIf) -> WhatIf:
        return WhatIf(question.number)

    def close(self) -> None:
        self.closed = True


class Served:
    """`serve` on a thread, with the app's end of the connection."""

    def __init__(self, workings: FakeWorkings) -> None:
        self.ours, theirs = multiprocessing.Pipe()
        self.workings = workings
        self.outbox = worker.Outbox(theirs)
        self.thread = Thread(target=worker.serve, args=(theirs, self.outbox, workings))
        self.thread.start()

    def next(self, kind: type, tries: int = 200) -> object:
        for _ in range(tries):
            assert self.ours.poll(20)
            message = self.ours.recv()
            if isinstance(message, kind):
                return message
        raise AssertionError(f"no {kind.__name__} came")

    def until(self, capture: str) -> Snapshot:
        for _ in range(200):
            snapshot = self.next(Snapshot)
            assert isinstance(snapshot, Snapshot)
            if snapshot.capture == capture:
                return snapshot
        raise AssertionError(f"never {capture}")

    def end(self) -> None:
        self.ours.send(Stop())
        self.drain()

    def drain(self) -> None:
        while self.thread.is_alive():
            try:
                if self.ours.poll(0.01):
                    self.ours.recv()
            except (EOFError, OSError):
                break
        self.thread.join()
        self.ours.close()


def test_it_sends_snapshots_until_told_to_stop() -> None:
    served = Served(FakeWorkings())
    for _ in range(3):
        assert served.until("no-window").reason == "Nothing."
    served.end()
    assert served.workings.closed


def test_pausing_stops_the_loop_and_resuming_starts_it() -> None:
    served = Served(FakeWorkings())
    served.ours.send(Pause(True))
    served.until("paused")
    served.ours.send(Pause(False))
    served.until("no-window")
    served.end()


def test_it_obeys_and_asks_the_watchdog_for_patience_first() -> None:
    served = Served(FakeWorkings())
    served.ours.send(ApplySettings(QUICK))
    served.ours.send(WatchWindow(9))
    served.next(Busy)
    served.next(Busy)
    served.until("no-window")
    served.end()
    assert served.workings.applied == [QUICK]
    assert served.workings.watched == [9]


def test_what_if_is_answered_between_two_pictures() -> None:
    served = Served(FakeWorkings())
    served.ours.send(AskWhatIf(7, duel(seed=1), EndTurn(), "spark", 100))
    answer = served.next(WhatIf)
    served.until("no-window")
    served.end()
    assert answer == WhatIf(7)


def test_a_message_that_cannot_be_carried_out_is_logged_and_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    served = Served(FakeWorkings(failing=True))
    served.ours.send(ApplySettings(QUICK))
    served.next(Busy)
    served.until("no-window")
    served.end()
    assert "ApplySettings could not be carried out" in caplog.text


@pytest.mark.slow
def test_where_there_is_no_fight_for_a_while_it_is_looked_for_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "RESTS_AFTER_S", 0.3)
    served = Served(FakeWorkings(fps=100.0))
    sent = [served.until("no-window").sent_ns for _ in range(8)]
    while sent[-1] - sent[-2] < 0.3e9:
        sent.append(served.until("no-window").sent_ns)
    assert sent[-2] - sent[0] > 0.2e9 and len(sent) > 10
    served.ours.send(WatchWindow(9))
    served.next(Busy)
    sent = [served.until("no-window").sent_ns for _ in range(4)]
    assert sent[-1] - sent[1] < 0.3e9
    served.end()


def test_pictures_not_taken_in_time_are_counted() -> None:
    served = Served(FakeWorkings(fps=1e6))
    served.until("no-window")
    while served.until("no-window").dropped == 0:
        pass
    served.end()


def test_it_ends_when_the_app_is_gone() -> None:
    served = Served(FakeWorkings())
    served.until("no-window")
    served.ours.close()
    served.thread.join(20)
    assert not served.thread.is_alive()
    assert served.workings.closed


def test_what_is_logged_reaches_the_app_with_its_trace() -> None:
    ours, theirs = multiprocessing.Pipe()
    handler = worker._Forwarder(worker.Outbox(theirs))
    try:
        raise ValueError("boom")
    except ValueError:
        record = logging.getLogger("vision").makeRecord(
            "vision", logging.ERROR, __file__, 1, "reading %s", ("failed",), __import__("sys").exc_info()
        )
    handler.emit(record)
    line = ours.recv()
    assert isinstance(line, LogLine)
    assert (line.level, line.source) == (logging.ERROR, "vision")
    assert line.text.startswith("reading failed")
    assert "boom" in line.text
    ours.close()
    handler.emit(record)
    theirs.close()


def _main(connection: Connection, start: worker.Start) -> None:
    worker.main(connection, start)


def _main_that_loads(connection: Connection, start: worker.Start) -> None:
    pipeline.Pipeline = lambda *_: FakeWorkings()  # type: ignore[assignment,misc]
    Thread(target=time.sleep, args=(60,), name=LOADING_THREAD).start()
    worker.main(connection, start)


@pytest.mark.long
def test_a_worker_that_is_still_loading_a_model_ends_at_once_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    ours, theirs = multiprocessing.Pipe()
    start = worker.Start(QUICK, "", os.getpid())
    process = multiprocessing.get_context("spawn").Process(target=_main_that_loads, args=(theirs, start))
    process.start()
    theirs.close()
    while not isinstance(ours.recv(), Snapshot):
        pass
    ours.send(Stop())
    process.join(20)
    assert process.exitcode == 0


@pytest.mark.long
def test_a_worker_that_cannot_go_on_says_why_and_ends_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    ours, theirs = multiprocessing.Pipe()
    start = worker.Start(QUICK, "no-such-memory", 1)
    process = multiprocessing.get_context("spawn").Process(target=_main, args=(theirs, start))
    process.start()
    theirs.close()
    said = []
    try:
        while True:
            said.append(ours.recv())
    except EOFError:
        process.join()
    assert process.exitcode == 1
    lines = [message.text for message in said if isinstance(message, LogLine)]
    assert any("cannot go on" in line for line in lines)
    assert "Traceback" not in capfd.readouterr().err
    assert f"worker {process.pid} starts" in fault_file().read_text()


def test_the_file_of_native_faults_is_added_to_until_it_is_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr("faulthandler.enable", lambda file: file.close())
    worker.log_faults()
    worker.log_faults()
    assert fault_file().read_text().count(" starts") == 2
    fault_file().write_text("x" * 200_000)
    worker.log_faults()
    assert fault_file().read_text().count(" starts") == 1
    fault_file().unlink()
    fault_file().mkdir()
    worker.log_faults()
