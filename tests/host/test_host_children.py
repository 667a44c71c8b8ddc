"""Children end with the process that started them, at whatever stage that is killed."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from hrm.children import hold

_FIGHTS = "botapp arena tournament --a greedy --b random --fights 500 --workers 2"
PARENTS = {
    "app": ("botapp run --seconds 60", {"QT_QPA_PLATFORM": "offscreen"}, 2),
    "demo": ("botapp run --demo --seconds 60", {}, 6),
    "probe": ("hrm.backends probe --again", {}, 1),
    "tournament": (_FIGHTS, {"BOTAPP_INTERPRETED": "1"}, 2),
}
"""Modules with arguments, variables, and how many children each has at least when it is under way."""
HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
PATIENCE_S = 60.0


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux's own way; a job on Windows")
@pytest.mark.parametrize(
    ("kind", "wanted", "later_s"),
    [
        *((kind, most, 0.0) for kind, (_, _, most) in PARENTS.items() if kind != "app"),
        pytest.param("app", 2, 0.0, marks=pytest.mark.long),  # the demo has its children and more
        pytest.param("demo", 1, 0.0, marks=pytest.mark.long),
        pytest.param("demo", 6, 2.0, marks=pytest.mark.long),
    ],
)
def test_all_children_end_when_their_parent_is_killed(kind, wanted, later_s, tmp_path):
    """Killed as soon as it has so many children, or a while after; nothing is compiled before."""
    arguments, variables, _ = PARENTS[kind]
    environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    for name in ("BOTAPP_CONFIG_DIR", "XDG_DATA_HOME", "BOTAPP_COMPILED", "HRM_CACHE_DIR", "TMPDIR"):
        (tmp_path / name).mkdir()
        environment[name] = str(tmp_path / name)
    parent = subprocess.Popen(
        [sys.executable, "-m", *arguments.split()],
        cwd=Path(__file__).parents[2],
        env=environment | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    started = _children(parent, wanted)
    time.sleep(later_s)
    if parent.poll() is None:
        started |= set(psutil.Process(parent.pid).children(recursive=True))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    _, alive = psutil.wait_procs(started, timeout=20)
    left = [one for one in alive if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
    names = [" ".join(one.cmdline())[-100:] for one in left]
    for one in left:
        one.kill()
    assert names == []
    assert started, "it never had a child"


def _children(parent, wanted):
    """Waits until a process has so many children, or has ended; returns all that it had."""
    end, found = time.monotonic() + PATIENCE_S, set()
    while len(found) < wanted and parent.poll() is None and time.monotonic() < end:
        try:
            found |= set(psutil.Process(parent.pid).children(recursive=True))
        except psutil.NoSuchProcess:
            break
        time.sleep(0.005)
    return found


class Kernel:
    """What Windows is asked."""

    def __init__(self, job=7, process=9):
        self.job, self.process, self.asked = job, process, []

    def __getattr__(self, name):
        def ask(*arguments):
            self.asked.append((name, *(getattr(one, "value", one) for one in arguments)))
            return {"CreateJobObjectW": self.job, "OpenProcess": self.process}.get(name, 1)

        return ask


def test_on_windows_a_job_that_ends_with_its_owner_holds_the_children():
    kernel = Kernel()
    assert hold(42, kernel) and hold(43, kernel)
    names = [name for name, *_ in kernel.asked]
    assert names.count("CreateJobObjectW") == 1 and names.count("SetInformationJobObject") == 1
    assert ("AssignProcessToJobObject", 7, 9) in kernel.asked
    assert ("CloseHandle", 7) not in kernel.asked, "its job would end at once"
    assert names.count("CloseHandle") == 2
    (limits,) = (asked for asked in kernel.asked if asked[0] == "SetInformationJobObject")
    assert limits[1:3] == (7, 9) and limits[4] == (144 if ctypes.sizeof(ctypes.c_void_p) == 8 else 112)


@pytest.mark.parametrize(("job", "process", "pid"), [(0, 9, 42), (7, 0, 42), (7, 9, None)])
def test_where_there_is_no_job_or_process_it_goes_on(job, process, pid):
    assert not hold(pid, Kernel(job, process))
