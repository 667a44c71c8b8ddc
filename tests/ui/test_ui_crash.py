"""A run that was cut short is told on the next start; one app runs at a time."""

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog

from botapp.doctor.privacy import Identity
from botapp.host import settings_file
from botapp.host.logs import log_file
from botapp.runtime.start import fault_file
from botapp.ui.crash import report
from botapp.ui.session import app_fault_file, native_faults

ALICE = Identity(("alice",), ("alices-pc",), ("/home/alice",))


@pytest.fixture
def crashed(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    log_file().parent.mkdir(parents=True)
    log_file().write_text("INFO botapp: read /home/alice/games/dofus/log.txt on alices-pc\nERROR the end\n")
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "running").write_text("999999999")


def test_a_report_names_nobody_and_no_path(crashed):
    app_fault_file().write_text('Fatal Python error\n  File "/opt/games/botapp/ui/app.py", line 7 in main\n')
    told = report(ALICE)
    assert "the end" in told and "botapp " in told and "Fatal Python error" in told
    assert '"app.py", line 7' in told and "log.txt" in told
    for secret in ("alice", "/opt", "games", "home"):
        assert secret not in told


@pytest.mark.slow
def test_the_next_start_shows_the_report_first(start, crashed, qtbot, monkeypatch, tmp_path):
    app, workers = start()
    dialog = app.report
    assert dialog.isVisible() and "the end" in dialog.text.toPlainText() and workers == []
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
    out = tmp_path / "report.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    dialog.save.click()
    assert "the end" in out.read_text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path), ""))
    dialog.save.click()
    assert dialog.trouble.isVisible() and "Errno" not in dialog.trouble.text()
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    dialog.folder.click()
    assert opened == [str(log_file().parent)]
    dialog.go_on.click()
    assert workers[0].running and workers[0].settings.overlay.enabled


@pytest.mark.slow
def test_safe_mode_holds_for_one_run(start, crashed, monkeypatch):
    for name in ("ENGINE__BACKEND", "ENGINE__LEVEL", "OVERLAY__ENABLED"):
        monkeypatch.setenv(f"BOTAPP_{name}", "")
        monkeypatch.delenv(f"BOTAPP_{name}")
    app, workers = start()
    app.report.safe.click()
    (worker,) = workers
    assert worker.running
    assert (worker.settings.engine.backend, worker.settings.engine.level) == ("cpu", "conservative")
    assert not app.overlay.visibility.enabled and not app.window.controls.overlay.isChecked()
    assert "Safe mode" in app.window.notice.text.text()
    app.apply(app.settings.changed("engine.step_limit", 3))
    for name in ("ENGINE__BACKEND", "ENGINE__LEVEL", "OVERLAY__ENABLED"):
        monkeypatch.delenv(f"BOTAPP_{name}")
    kept = settings_file.load().settings
    assert (kept.engine.step_limit, kept.engine.backend, kept.overlay.enabled) == (3, "auto", True)


@pytest.mark.slow
def test_a_timed_run_asks_nobody(start, crashed):
    app, workers = start(seconds=1000.0)
    assert app.report is None and workers[0].running
    assert "did not close properly" in app.window.notice.text.text()


@pytest.mark.slow
def test_a_native_fault_says_where_the_app_was(tmp_path):
    code = (
        "import faulthandler\nfrom botapp.ui.session import native_faults\n"
        "with native_faults():\n    faulthandler._sigabrt()\n"
    )
    environment = {**os.environ, "BOTAPP_CONFIG_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=False, capture_output=True)
    assert done.returncode != 0
    assert "most recent call first" in (tmp_path / "logs" / "app-fault.log").read_text()


def test_a_folder_that_cannot_be_written_does_not_keep_the_app_from_starting(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "file"))
    begun = False
    with native_faults():
        begun = True
    assert begun and (tmp_path / "file").read_text() == ""


@pytest.mark.slow
def test_the_app_comes_to_the_front_when_called(start):
    app, _ = start()
    app.window.showMinimized()
    app.desktop.bring_up()
    assert app.window.isVisible() and not app.window.isMinimized()


def test_the_log_s_end_is_enough(crashed):
    log_file().write_text("".join(f"line {n}\n" for n in range(500)))
    told = report(ALICE)
    assert "line 499" in told and "line 10\n" not in told


def test_where_nothing_was_noted_the_report_says_so_and_names_no_fault(monkeypatch, tmp_path):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    fault_file().parent.mkdir(parents=True)
    starts = "".join(f"2026-11-23 13:44:5{n} worker 1672{n} starts\n" for n in range(3))
    fault_file().write_text(starts)
    told = report(ALICE)
    assert "Nothing was noted" in told and "engine was ended" not in told
    fault_file().write_text(starts + "Fatal Python error: Aborted\n")
    told = report(ALICE)
    assert "Nothing was noted" not in told and "Fatal Python error" in told
