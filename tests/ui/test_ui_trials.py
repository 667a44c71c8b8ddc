"""Probing, benchmarking and the doctor run in children: their answers are shown, their deaths are told."""

import json
import subprocess
import sys

import pytest
from PySide6.QtGui import QGuiApplication

from botapp.ui.settings.child import Child
from botapp.ui.settings.health import HealthPage
from botapp.ui.settings.trials import Trials, measured, probed

CHECK = {"name": "step", "device": "cpu", "precision": "fp32", "attention": "", "engine": "onnx", "ok": True,
        "reason": "", "answer": {"p50_ms": 12.34}, "seconds": 3.0}  # fmt: skip
PROBE = {
    "checks": [CHECK, {**CHECK, "device": "cuda:0", "ok": False, "reason": "SIGSEGV (11)", "answer": {}}],
    "proved": {"cpu": "fp32"},
}
BENCH = {
    "results": [
        {
            "best": "onnx cpu int8",
            "rows": [
                {
                    "name": "torch cpu fp32",
                    "p50_ms": 20.0,
                    "faster": 1.0,
                    "agreement": 1.0,
                    "own_agreement": 0.953,
                    "trouble": "",
                },
                {
                    "name": "onnx cpu int8",
                    "p50_ms": 8.0,
                    "faster": 2.5,
                    "agreement": None,
                    "own_agreement": None,
                    "trouble": "",
                },
                {
                    "name": "torch cuda:0 bf16",
                    "p50_ms": None,
                    "faster": None,
                    "agreement": None,
                    "own_agreement": None,
                    "trouble": "no card",
                },
            ],
        }
    ]
}
FOUND = {
    "findings": [
        {"fault": "device-nodes", "title": "The card may not be used by this account", "severity": "error",
         "evidence": ["/dev/kfd: permission denied"], "fix": ["sudo usermod -aG render you"],
         "page": "docs/troubleshooting.md#device-nodes"}
    ],
    "problems": ["There is no display."],
}  # fmt: skip


def texts(table):
    return [[table.item(r, c).text() for c in range(table.columnCount())] for r in range(table.rowCount())]


def answer(value, before=""):
    return "-c", f"import sys; print({before!r}, file=sys.stderr); print({json.dumps(value)!r})"


@pytest.fixture
def trials(qtbot):
    made = Trials()
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_probe_is_shown_check_by_check(trials, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.settings.trials.PROBE", answer(PROBE, "step cpu"))
    with qtbot.waitSignal(trials.child.answered, timeout=60_000):
        trials.probe.click()
        assert not trials.bench.isEnabled()
    assert texts(trials.table) == [
        ["A reasoning step", "onnx cpu fp32", "works, 12.3\u00a0ms"],
        ["A reasoning step", "onnx cuda:0 fp32", "SIGSEGV (11)"],
    ]
    assert "cpu: fp32" in trials.note.text()
    assert trials.bench.isEnabled() and trials.table.isVisible()


def test_a_benchmark_names_the_fastest(trials, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.settings.trials.BENCH", answer(BENCH))
    with qtbot.waitSignal(trials.child.answered, timeout=60_000):
        trials.bench.click()
    assert texts(trials.table)[0][3:] == ["100.0%", "95.3%"]
    assert texts(trials.table)[1] == ["onnx cpu int8", "8.0", "2.50×", "–", "–"]
    assert texts(trials.table)[2][-1] == "no card"
    assert "onnx cpu int8" in trials.note.text()


@pytest.mark.slow
def test_a_child_that_dies_or_says_nonsense_is_told(trials, qtbot, monkeypatch):
    for command in (("-c", "import os; os.abort()"), ("-c", "print('hm')"), answer({"results": []})):
        monkeypatch.setattr("botapp.ui.settings.trials.PROBE", command)
        trials.probe.click()
        qtbot.waitUntil(lambda: "doctor" in trials.note.text(), timeout=60_000)
        assert trials.probe.isEnabled()
        trials.note.clear()


def test_what_runs_can_be_stopped(trials, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.settings.trials.BENCH", ("-c", "import time; time.sleep(600)"))
    trials.bench.click()
    assert trials.stop.isVisible() and trials.child.busy
    trials.stop.click()
    assert not trials.child.busy and trials.bench.isEnabled()


def test_a_process_that_a_driver_holds_is_left_and_another_can_be_asked(qtbot, monkeypatch):
    child = Child()
    child.ask("-c", "import time; time.sleep(600)")
    held = child._process
    assert held.waitForStarted(20_000)
    with monkeypatch.context() as patch:
        patch.setattr(type(held), "waitForFinished", lambda *_: False)
        child.close()
    assert not child.busy
    with qtbot.waitSignal(child.answered, timeout=60_000) as heard:
        child.ask("-c", "print(1)")
    assert heard.args == [1]
    held.waitForFinished(20_000)


LEAVES = """
from PySide6.QtCore import QCoreApplication
from botapp.ui.settings import child
app = QCoreApplication([])
slow = child.Child()
slow.ask("-c", "import time; time.sleep(600)")
assert slow._process.waitForStarted(20_000)
child._PATIENCE_MS = 0
slow.close()
assert child._held
child._PATIENCE_MS = 20_000
"""


@pytest.mark.slow
def test_a_program_that_ends_before_its_killed_child_says_nothing():
    done = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_child_imports_nothing_from_the_current_folder(qtbot, tmp_path, monkeypatch):
    (tmp_path / "argparse.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    child = Child()
    with qtbot.waitSignal(child.answered, timeout=60_000) as heard:
        child.ask("-c", "import argparse, hrm; print(1)")
    assert heard.args == [1]


def test_a_program_that_cannot_be_started_is_told(qtbot):
    child = Child()
    with qtbot.waitSignal(child.failed, timeout=20_000):
        child.ask(program="/nowhere/python")


@pytest.mark.parametrize("read", [probed, measured])
def test_foreign_answers_are_refused(read):
    for foreign in ({}, {"checks": 3}, {"results": []}, {"results": [{}]}):
        with pytest.raises((KeyError, TypeError, IndexError)):
            read(foreign)


@pytest.fixture
def health(qtbot):
    made = HealthPage()
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_the_doctor_found_is_shown_with_evidence_and_a_way_out(health, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.settings.health.ASK", answer(FOUND))
    with qtbot.waitSignal(health.child.answered, timeout=60_000):
        health.examine.click()
    assert len(health.findings) == 3 and "2" in health.note.text()
    words = " ".join(w.text() for f in health.findings for w in f.findChildren(type(health.note)))
    for part in (
        "may not be used",
        "permission denied",
        "usermod",
        "#device-nodes",
        "no display",
    ):
        assert part in words
    health.show_found({"findings": [], "problems": []})
    assert len(health.findings) == 1 and health.note.text() == "No problems found."


def test_the_report_goes_to_the_clipboard_as_text(health, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.settings.health.REPORT", ("-c", "print('## botapp doctor\\nfine')"))
    with qtbot.waitSignal(health.child.answered, timeout=60_000):
        health.copy.click()
    assert QGuiApplication.clipboard().text() == "## botapp doctor\nfine"
