"""No test leaves a thread, a child process or a running Qt timer behind, and none makes Qt complain.

Property tests try the same examples every time: what lands is what was tested, and a true bug that chance
finds does not stop a change that has nothing to do with it. Chance has its own runs:

    HYPOTHESIS_PROFILE=explore python -m pytest tests/fight

draws new examples each time, 1000 where a test does not say how many, and remembers what failed. Neither has
a time limit: a busy machine is no bug.
"""

import gc
import os
import sys
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")  # as in the app: a second thread is at work, waiting
os.environ["HRM_CACHE_DIR"] = str(
    Path(tempfile.gettempdir()) / f"hrm-tests-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
)  # one for all processes of a run: what one has probed of this computer the others need not
os.environ["BOTAPP_CONFIG_DIR"] = str(Path(tempfile.gettempdir()) / f"botapp-tests-{os.getpid()}")

import psutil
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    max_examples=30,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("repeatable"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

_EXPORTS = Path(__file__).parents[1] / ".pytest_cache" / "exports"
"""Exported models of earlier runs: each is named after a digest of all that it follows from."""
with suppress(OSError):
    _EXPORTS.mkdir(parents=True, exist_ok=True)
    Path(os.environ["HRM_CACHE_DIR"]).mkdir(exist_ok=True)
    Path(os.environ["HRM_CACHE_DIR"], "onnx").symlink_to(_EXPORTS, target_is_directory=True)

GRACE_S = 20.0
LISTED = Path("/proc/self/task", str(os.getpid()), "children").exists()
_HELPERS = ("resource_tracker", "forkserver", "QtWebEngine")
_timers: "weakref.WeakSet" = weakref.WeakSet()


def pytest_sessionstart():
    gc.disable()  # little of what is made while tests are found is ever garbage


def pytest_collection_finish():
    gc.freeze()  # what is loaded stays; looking through it for garbage takes a tenth of the time
    gc.set_threshold(10_000, 20, 20)  # looked for as often as usual, what tests leave takes a twentieth
    gc.enable()


def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
        item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


def pytest_terminal_summary(terminalreporter):
    """Prints what tests have measured, also where processes of their own ran them."""
    lines = [
        text
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, text in report.user_properties
        if name == "printed"
    ]
    for line in lines:
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def one_torch_thread():
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def one_application(request):
    """Makes the process's application, one with windows: a test that only draws would make one without."""
    with suppress(ImportError):
        import PySide6.QtWidgets  # noqa: F401

        request.getfixturevalue("qapp")


@pytest.fixture(scope="session", autouse=True)
def watched_timers():
    """Notes every timer that Python starts, so that one left running can be named."""
    try:
        from PySide6.QtCore import QTimer
    except ImportError:
        yield
        return
    start = QTimer.start

    def noted(self, *args):
        _timers.add(self)
        return start(self, *args)

    QTimer.start = noted
    yield
    QTimer.start = start


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """Adds a module to a package that registers things, from a file of its own, for one test."""
    added = []

    def add(package, registry, name, source):
        monkeypatch.setattr(registry, "things", registry.all())
        folder = tmp_path / "made_up"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(source)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        added.append(f"{package.__name__}.{name}")

    yield add
    for name in added:
        sys.modules.pop(name, None)


@pytest.fixture(autouse=True)
def nothing_left_behind():
    threads, children = set(threading.enumerate()), _children()
    yield
    deadline = time.monotonic() + GRACE_S
    while (left := _left(threads, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"left behind: {left}"


def _left(threads, children):
    found = [f"thread {thread.name}" for thread in threading.enumerate() if thread not in threads]
    found += [f"process {pid}: {name}" for pid, name in _children().items() if pid not in children]
    running = _running_timers()
    if running:
        gc.collect()
        running = _running_timers()
    return found + running


def _running_timers():
    import sys

    if "shiboken6" not in sys.modules:
        return []
    from shiboken6 import isValid

    active = [timer for timer in _timers if isValid(timer) and timer.isActive()]
    return [f"timer of {type(timer.parent()).__name__}" for timer in active]


def _children():
    found = {}
    for child in _descendants(os.getpid()):
        try:
            command = " ".join(child.cmdline())
            if child.status() != psutil.STATUS_ZOMBIE and not any(name in command for name in _HELPERS):
                found[child.pid] = command[:120]
        except psutil.Error:
            continue
    return found


def _descendants(pid):
    """Returns the processes below one. Linux lists them; psutil alone reads every process of the computer."""
    if not LISTED:
        return psutil.Process(pid).children(recursive=True)
    found = []
    with suppress(OSError, psutil.NoSuchProcess):  # a process that ends meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208, before and after each test
            with suppress(OSError, psutil.NoSuchProcess):
                with open(f"/proc/{pid}/task/{thread}/children") as children:  # noqa: PTH123
                    below = children.read().split()
                for child in map(int, below):
                    found += [psutil.Process(child), *_descendants(child)]
    return found
