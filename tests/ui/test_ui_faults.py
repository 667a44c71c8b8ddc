"""Faults put into the engine beneath the whole app: it says so, goes on, loses no log line and no setting.

`python tests/ui/test_ui_faults.py` prints how long the window stood still at most in each; first without any.
"""

import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QTimer

from botapp.host.settings import Settings
from botapp.host.settings_file import load
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import LogLine, PlanAnnounced, Snapshot
from botapp.runtime.process import Limits, WorkerProcess
from botapp.runtime.start import RESTART_CODE, Start
from botapp.ui.app import App
from botapp.ui.overlay import platform
from hrm.backends.fallback import Ladder
from hrm.backends.faults import Fault
from hrm.backends.placement import DevicePlan

LINES = 200
CARD = DevicePlan("auto auto auto", "cuda", "cuda:0", "bf16", "cuda is the fastest that works here")
LIMITS = Limits(start_s=60, hang_s=1.0, stop_s=0.5)
OPACITY = 0.55


def _snapshot() -> Snapshot:
    return Snapshot(0, time.monotonic_ns(), time.monotonic_ns(), "no-window", "none")


def _talk(connection: Connection, start: Start, words: str) -> Ladder:
    """Says where it runs and a great deal more; keeps account of what it has said in a file."""
    ladder = start.ladder or Ladder.of(CARD, [])
    connection.send(PlanAnnounced(ladder))
    connection.send(_snapshot())
    assert start.record is not None
    with (start.record / words).open("w", encoding="utf-8") as account:
        for number in range(LINES):
            text = f"{words} {number}"
            connection.send(LogLine(logging.INFO, "worker", text, time.time()))
            account.write(f"{text}\n")
            account.flush()
    return ladder


def _go_on(connection: Connection, start: Start) -> None:
    """The worker after the fault: says which setting it was given, and lives on."""
    opacity = start.settings["overlay"]["opacity"]  # type: ignore[index]
    connection.send(LogLine(logging.INFO, "worker", f"again with {opacity}", time.time()))
    while True:
        connection.send(_snapshot())
        time.sleep(0.05)


def _fault(end: Callable[[Connection, Ladder], None]) -> Callable[[Connection, Start], None]:
    def target(connection: Connection, start: Start) -> None:
        assert start.record is not None
        if (start.record / "before").exists():
            _talk(connection, start, "after")
        else:
            end(connection, _talk(connection, start, "before"))
        _go_on(connection, start)

    return target


def killed(connection: Connection, start: Start) -> None:
    _fault(lambda *_: os.kill(os.getpid(), signal.SIGKILL))(connection, start)


def crashed(connection: Connection, start: Start) -> None:
    _fault(lambda *_: os.kill(os.getpid(), signal.SIGSEGV))(connection, start)


def hung(connection: Connection, start: Start) -> None:
    _fault(lambda *_: time.sleep(600))(connection, start)


def ended(connection: Connection, start: Start) -> None:
    _fault(lambda *_: sys.exit(1))(connection, start)


def lost_card(connection: Connection, start: Start) -> None:
    _fault(lambda *_: sys.exit(RESTART_CODE))(connection, start)


def _moved(kind: str) -> Callable[[Connection, Start], None]:
    def end(connection: Connection, ladder: Ladder) -> None:
        below = ladder.after(Fault(kind, "put in by a test"))  # type: ignore[arg-type]
        assert below is not None
        connection.send(PlanAnnounced(below))

    return _fault(end)


def out_of_memory(connection: Connection, start: Start) -> None:
    _moved("out-of-memory")(connection, start)


def library_missing(connection: Connection, start: Start) -> None:
    _moved("library")(connection, start)


def no_numbers(connection: Connection, start: Start) -> None:
    _moved("precision")(connection, start)


def nothing(connection: Connection, start: Start) -> None:
    """No fault: what the window's own work and this computer's other work cost."""
    _fault(lambda *_: time.sleep(0.5))(connection, start)


DEADLY = (killed, crashed, hung, ended, lost_card)
MILD = (out_of_memory, library_missing, no_numbers)


class Run:
    """The app on a worker with a fault.

    `longest_ms` is how long its window stood still at most, once its first picture was there, and `busy_ms`
    how long it was busy itself without a pause.
    """

    def __init__(self, qt, target, folder: Path) -> None:
        self.folder = folder
        self.longest_ms = self.busy_ms = 0.0
        self._worked_s = time.thread_time()
        settings = Settings(ui={"language": "en"})
        options = AppOptions(settings, state_dir=folder / "state", worker=self._worker)
        self.target = target
        self.app = App(qt, options)
        self._clock = QElapsedTimer()
        self._timer = QTimer()
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self.app.start()
        self._clock.start()
        self._timer.start()

    def change_a_setting(self) -> None:
        self.app.apply(self.app.settings.changed("overlay.opacity", OPACITY))

    def said(self) -> list[str]:
        return [line.text for line in self.app.window.log.lines]

    def went_on(self) -> bool:
        return any(text.startswith("again with") for text in self.said())

    def close(self) -> None:
        self._timer.stop()
        self.app.stop()

    def _tick(self) -> None:
        if self.app.bridge.latest is not None:
            self.longest_ms = max(self.longest_ms, self._clock.nsecsElapsed() / 1e6 - self._timer.interval())
            self.busy_ms = max(self.busy_ms, (time.thread_time() - self._worked_s) * 1000)
        self._worked_s = time.thread_time()
        self._clock.start()

    def _worker(self, values: dict[str, object]) -> WorkerProcess:
        return WorkerProcess(values, record=self.folder, target=self.target, limits=LIMITS)


@pytest.fixture
def run(qapp, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr(platform, "blends", lambda: True)
    made: list[Run] = []

    def begin(target) -> Run:
        made.append(Run(qapp, target, tmp_path))
        made[-1].start()
        made[-1].change_a_setting()
        return made[-1]

    yield begin
    for one in made:
        one.close()


@pytest.mark.parametrize("target", [*DEADLY, *MILD], ids=lambda target: target.__name__)
def test_the_app_says_so_goes_on_and_loses_nothing(run, qtbot, target):
    found = run(target)
    qtbot.waitUntil(found.went_on, timeout=120_000)
    said = found.said()
    for account in ("before", "after"):
        written = (
            (found.folder / account).read_text().splitlines()
            if target in DEADLY or account == "before"
            else []
        )
        assert [text for text in said if text.startswith(account)] == written
    assert load().settings.overlay.opacity == OPACITY
    assert found.app.settings.overlay.opacity == OPACITY
    if target in DEADLY:
        assert f"again with {OPACITY}" in said
    assert found.app.window.notice.isVisibleTo(found.app.window)
    assert any(line.level >= logging.WARNING for line in found.app.window.log.lines)


def main() -> int:
    """Puts each fault in and prints what came of it."""
    from PySide6.QtWidgets import QApplication

    qt = QApplication([])
    for target in (nothing, *DEADLY, *MILD):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["BOTAPP_CONFIG_DIR"] = f"{folder}/config"
            found = Run(qt, target, Path(folder))
            found.start()
            QTimer.singleShot(0, found.change_a_setting)
            end = time.monotonic() + 60
            while not found.went_on() and time.monotonic() < end:
                qt.processEvents()
                time.sleep(0.001)
            lost = LINES - sum(text.startswith("before") for text in found.said())
            kept = load().settings.overlay.opacity == OPACITY
            print(
                f"{target.__name__:<15} went on: {found.went_on()}, lines lost: {lost}, setting kept: {kept}"
                f", still {found.longest_ms:.0f} ms, busy {found.busy_ms:.0f} ms at most",
                flush=True,
            )
            found.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
