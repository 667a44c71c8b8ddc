"""One app at a time: a second start calls the first, and offers to end one that does not answer."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from typer.testing import CliRunner

from botapp.commands.cli import app
from botapp.ui import app as app_module
from botapp.ui.instance import LOCK_FILE, Instance, call_running

ROOT = Path(__file__).parents[2]
APP = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from botapp.ui.instance import Instance
qt = QCoreApplication(["botapp"])
first = Instance(Path(sys.argv[1]))
first.called.connect(lambda: print("called", flush=True))
print(first.claim(), flush=True)
if sys.argv[2] == "hangs":
    time.sleep(60)
QTimer.singleShot(60_000, qt.quit)
qt.exec()
"""


@pytest.fixture
def started(tmp_path):
    """Starts an app of the settings in a folder; returns it once it has said whether it is the first."""
    running = []

    def start(kind="answers", wait=True, folder=tmp_path, **environment):
        one = subprocess.Popen(
            [sys.executable, "-c", APP, str(folder), kind],
            env=os.environ | {"PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(one)
        if wait:
            assert one.stdout.readline() == "first\n"
        return one

    yield start
    for one in running:
        one.kill()
        one.communicate()


@pytest.mark.slow
def test_a_second_start_has_the_first_come_up(qapp, started, tmp_path):
    first = started()
    second, other = Instance(tmp_path), Instance(tmp_path / "other")
    assert second.claim() == "running"
    assert first.stdout.readline() == "called\n"
    assert other.claim() == "first" and other.claim() == "first"
    other.release()
    first.kill()
    first.wait()
    assert second.claim() == "first", "what a killed app left keeps nobody from starting"
    second.release()
    assert not (tmp_path / LOCK_FILE).exists()


@pytest.mark.slow
def test_of_several_that_start_at_once_one_is_the_first(started, tmp_path):
    at_once = [started(wait=False) for _ in range(4)]
    said = sorted(one.stdout.readline().strip() for one in at_once)
    assert said == ["first", "running", "running", "running"]


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["End it and start", "Leave it"])
def test_one_that_hangs_may_be_ended(qapp, started, tmp_path, answer, monkeypatch, capsys):
    first = started("hangs")
    second = Instance(tmp_path)
    monkeypatch.setattr(second, "claim", lambda claim=second.claim: claim(0.5))
    monkeypatch.setattr(psutil.Process, "cmdline", lambda self: ["botapp"])

    asked = []

    def choose():
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.text())
            next(button for button in box.buttons() if button.text() == answer).click()

    looking = QTimer(interval=50, timeout=choose)
    looking.start()
    is_first = app_module.is_first(second)
    looking.stop()
    assert is_first is (answer == "End it and start")
    assert len(asked) == 1 and "does not answer" in asked[0]
    assert (first.poll() is not None) is (answer == "End it and start")
    assert "does not answer" in capsys.readouterr().err
    second.release()


@pytest.mark.slow
def test_what_is_no_botapp_is_not_ended(qapp, started, tmp_path, monkeypatch):
    first = started("hangs")
    second = Instance(tmp_path)
    assert second.claim(0.5) == "hanging"
    monkeypatch.setattr(psutil.Process, "cmdline", lambda self: ["an", "editor"])
    assert not second.end_other()
    time.sleep(0.1)
    assert first.poll() is None


def test_a_folder_that_cannot_be_written_does_not_keep_it_from_starting(qapp, tmp_path):
    (tmp_path / "file").write_text("")
    instance = Instance(tmp_path / "file")
    assert instance.claim() == "first"
    instance.release()


@pytest.mark.slow
def test_two_starts_find_each_other_whatever_their_temporary_folders_are(
    qapp, started, tmp_path, monkeypatch
):
    first = started()
    monkeypatch.setenv("TMPDIR", str(tmp_path / ("t" * 200) / ("m" * 200)))
    assert call_running(tmp_path)
    assert first.stdout.readline() == "called\n"
    assert Instance(tmp_path).claim() == "running"
    assert not call_running(tmp_path / "other")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a socket's path has to be short")
def test_settings_that_lie_deep_are_called_by_a_socket_among_them(qapp, started, tmp_path, monkeypatch):
    deep = tmp_path / ("d" * 120) / ("e" * 200)
    first = started(folder=deep, TMPDIR="/tmp/" + "t" * 400)
    assert {LOCK_FILE, "app.socket"} == {path.name for path in deep.iterdir()}
    monkeypatch.chdir(tmp_path)
    assert call_running(deep)
    assert first.stdout.readline() == "called\n"
    first.kill()
    first.wait()
    second = Instance(deep)
    assert second.claim() == "first"
    second.release()
    assert not list(deep.iterdir())


def test_the_demo_ends_before_its_arena_opens_where_the_app_runs(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("botapp.demo.run.run", lambda *_: opened.append(1) or 0)
    monkeypatch.setattr("botapp.ui.instance.call_running", lambda folder: True)
    done = CliRunner().invoke(app, ["run", "--demo"])
    assert done.exit_code == 1 and not opened
    assert "its window was brought to the front" in str(done.exception)
