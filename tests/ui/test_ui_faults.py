"""Faults put into the engine beneath the whole app: it says so, goes on, loses no log line and no setting.

`python tests/ui/test_ui_faults.py` prints how long the window stood still at most in each; first without any.
"""

import logging
import os
import sys
import tempfile
import time
from pathlib import Path

import pytest
from faulty_workers import DEADLY, LINES, MILD, nothing
from own_process import forks
from PySide6.QtCore import QElapsedTimer, QTimer

from botapp.host.settings import Settings
from botapp.host.settings_file import load
from botapp.runtime import process
from botapp.runtime.app_options import AppOptions
from botapp.runtime.process import Limits, WorkerProcess
from botapp.ui.app import App
from botapp.ui.overlay import platform

LIMITS = Limits(start_s=60, hang_s=1.0, stop_s=0.1)
OPACITY = 0.55
SHOWN = ("killed", "hung", "lost_card", "out_of_memory")
"""A fault of each way in which the app learns of one; the others differ in the account alone."""
FAULTS = [
    pytest.param(one, id=one.__name__, marks=[] if one.__name__ in SHOWN else pytest.mark.long)
    for one in (*DEADLY, *MILD)
]


class Run:
    """The app on a worker with a fault.

    `longest_ms` is how long its window stood still at most, once its first picture was there, and `busy_ms`
    how long it was busy itself without a pause.
    """

    def __init__(self, qt, target, folder: Path) -> None:
        self.folder = folder
        self.longest_ms = self.busy_ms = 0.0
        self._worked_s = time.thread_time()
        settings = Settings(ui={"language": "en"}, engine={"adviser": "model"})
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

    def _worker(self, settings: Settings) -> WorkerProcess:
        return WorkerProcess(settings, record=self.folder, target=self.target, limits=LIMITS)


@pytest.fixture
def run(qapp, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr(platform, "blends", lambda: True)
    monkeypatch.setattr(process, "POLL_S", 0.02)
    started = forks()
    monkeypatch.setattr(process.multiprocessing, "get_context", lambda _: started)
    made: list[Run] = []

    def begin(target) -> Run:
        made.append(Run(qapp, target, tmp_path))
        made[-1].start()
        made[-1].change_a_setting()
        return made[-1]

    yield begin
    for one in made:
        one.close()


@pytest.mark.long
@pytest.mark.parametrize("target", FAULTS)
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
    settled = target in DEADLY
    assert found.app.window.notice.isVisibleTo(found.app.window) is not settled
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
