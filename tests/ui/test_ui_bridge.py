"""The bridge turns the worker's wake-ups into one signal on the GUI thread and measures what only it can."""

import logging
import time
from threading import Thread

import pytest
from PySide6.QtCore import QThread
from ui_factories import FakeWorker, snapshot

from botapp.host.settings import Settings
from botapp.runtime.messages import LogLine, Pause, WatchWindow, WorkerFault
from botapp.runtime.preview import PreviewWriter, create_preview
from botapp.ui.bridge import PROBE_MS, Bridge
from botapp.ui.samples import DurationSamples, History


@pytest.fixture
def workers():
    return []


@pytest.fixture
def bridge(qtbot, workers):
    def make(settings):
        workers.append(FakeWorker(settings))
        return workers[-1]

    made = Bridge(make, Settings())
    made.start()
    yield made
    made.stop()


def test_a_burst_from_another_thread_arrives_once_as_the_newest_on_the_gui_thread(bridge, workers, qtbot):
    heard = []
    bridge.snapshot_ready.connect(lambda s: heard.append((s.seq, QThread.isMainThread())))

    def burst():
        for seq in range(50):
            workers[0].deliver(snapshot(seq))

    thread = Thread(target=burst)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(heard))
    qtbot.wait(30)
    assert heard == [(49, True)]
    assert bridge.latest.seq == 49
    assert workers[0].latest.dropped == 49


def test_log_lines_and_faults_arrive_in_order(bridge, workers, qtbot):
    lines, faults = [], []
    bridge.logged.connect(lines.append)
    bridge.faulted.connect(faults.append)
    first, second = (LogLine(logging.INFO, "a", text, 0.0) for text in ("one", "two"))
    workers[0].deliver(first, WorkerFault("It crashed.", True), second)
    qtbot.waitUntil(lambda: len(lines) == 2)
    assert lines == [first, second] and faults[0].restarting


def test_a_restart_ends_the_old_worker_keeps_pause_and_window_and_goes_on_counting(bridge, workers, qtbot):
    workers[0].deliver(snapshot(1, fight=3))
    qtbot.waitUntil(lambda: bridge.latest is not None)
    bridge.send(Pause(True))
    bridge.send(WatchWindow(7))
    changed = Settings().changed("engine.step_limit", 3)
    bridge.restart(changed)
    assert (workers[1].settings, workers[1].fight) == (changed, 3)
    assert workers[1].running and set(workers[1].sent) == {Pause(True), WatchWindow(7)}
    qtbot.waitUntil(lambda: not workers[0].running)
    latest = bridge.latest
    workers[0].deliver(snapshot(99))
    qtbot.wait(20)
    assert bridge.latest is latest
    bridge.send(WatchWindow(None))
    bridge.restart({})
    assert workers[2].sent == [Pause(True)]


def test_the_last_advice_does_not_pass_for_fresh_when_the_worker_ends(bridge, workers, qtbot):
    heard = []
    bridge.snapshot_ready.connect(heard.append)
    workers[0].deliver(snapshot(1), WorkerFault("It crashed.", True))
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert (heard[0].advice, heard[1].advice, heard[1].decision) == ("fresh", "none", None)
    assert (heard[1].capture, heard[1].reason) == ("stopped", "It crashed.")
    assert bridge.latest is heard[1] and bridge.history.snapshots == 1
    workers[0].deliver(snapshot(2))
    qtbot.waitUntil(lambda: bridge.latest.advice == "fresh")
    bridge.restart({})
    assert bridge.latest.capture == "stopped"


def test_the_picture_is_read_from_shared_memory(qtbot):
    memory = create_preview()
    try:
        worker = FakeWorker()
        worker.preview_name = memory.name
        bridge = Bridge(lambda _: worker, {})
        assert bridge.picture() is None
        bridge.start()
        assert bridge.picture() is None
        writer = PreviewWriter(memory.name)
        picture = snapshot().view.cells.repeat(4 * 4).reshape(-1, 40, 4)
        writer.write(5, picture)
        seq, pixels = bridge.picture()
        assert seq == 5 and (pixels == picture).all()
        writer.close()
        bridge.stop()
    finally:
        memory.close()
        memory.unlink()


@pytest.mark.slow
def test_a_blocked_event_loop_is_measured_once_there_is_something_to_show(bridge, workers, qtbot):
    qtbot.wait(2 * PROBE_MS)
    assert bridge.history.loop_delay.quantiles() is None
    with qtbot.waitSignal(bridge.snapshot_ready):
        workers[0].deliver(snapshot(1))
    qtbot.waitUntil(lambda: bridge.history.loop_delay.count >= 5)
    time.sleep(0.35)
    qtbot.waitUntil(lambda: bridge.history.loop_delay.quantiles().p99 > 150)
    assert bridge.history.loop_delay.quantiles().p50 < 250


def test_figures_hold_what_the_report_needs(bridge, workers, qtbot, monkeypatch):
    empty = bridge.figures()
    assert (empty["frames"], empty["capture_to_overlay_ms"], empty["memory"]) == (0, None, [])
    with qtbot.waitSignal(bridge.snapshot_ready):
        workers[0].deliver(snapshot(12, dropped=2, decisions=4))
    now = time.monotonic_ns()
    with monkeypatch.context() as stopped:
        stopped.setattr(time, "monotonic_ns", lambda: now)
        bridge.note_painted(now - 80_000_000)
    bridge._measure_memory()
    found = bridge.figures()
    assert (found["frames"], found["dropped"], found["decisions"]) == (12, 2, 4)
    assert found["stages_ms"]["think"]["p50"] == 20.4
    assert found["capture_to_overlay_ms"]["p95"] == 80
    assert found["memory"][1]["app_rss"] > 0 and found["memory"][1]["device_total"] is None


def test_frames_a_second_come_from_the_counter():
    history = History()
    assert history.fps(0.0) is None
    for i in range(20):
        history.add(snapshot(i * 2), now_s=i * 0.1)
    assert history.fps(1.9) == pytest.approx(20.0)
    history.add(snapshot(0), now_s=2.0)
    assert history.fps(2.0) is None
    assert history.fps(60.0) is None


def test_quantiles_are_over_the_newest():
    samples = DurationSamples(kept=5)
    assert samples.last is None and samples.quantiles() is None
    for value in range(10):
        samples.add(float(value), at_s=float(value))
    assert samples.count == 10 and samples.last == 9.0
    assert samples.quantiles().p50 == 7.0
    assert samples.quantiles(2).p50 == 8.5
    assert [list(part) for part in samples.recent(2)] == [[8.0, 9.0], [8.0, 9.0]]


def test_unknown_stages_come_last():
    history = History()
    history.add(snapshot(stages_ms=(("extra", 1.0), ("think", 2.0), ("capture", 3.0))), 0.0)
    assert [name for name, _ in history.ordered_stages()] == ["capture", "think", "decision", "extra"]
