"""What a killed process leaves is found by the next one, and nothing else is removed."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from botapp.host.children import spawning, tied
from botapp.host.rooms import clear_rooms, temporary_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no locks, no signals")

HELD = """
import sys, time
from botapp.host.rooms import temporary_folder
with temporary_folder("demo") as folder:
    (folder / "file").write_text("x")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_with_its_block(folder):
    with temporary_folder("demo") as room:
        assert room.parent == folder and room.is_dir()
        assert clear_rooms() == 0 and room.is_dir()
    assert not any(folder.iterdir())


def test_a_folder_of_a_killed_process_is_removed_by_the_next_and_one_in_use_is_not(folder):
    holder = subprocess.Popen([sys.executable, "-c", HELD], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    room = Path(holder.stdout.readline().strip())
    assert clear_rooms() == 0 and (room / "file").exists()
    holder.kill()
    holder.communicate()
    assert room.exists()
    with temporary_folder("runtime"):
        assert not room.exists()


def test_what_is_not_ours_stays(folder):
    mine = folder / "mine"
    mine.mkdir()
    (mine / ".in-use").touch()
    (mine / "file").touch()
    (folder / "botapp-demo-abcdefgh").symlink_to(mine)
    (folder / "botapp-demo-notlocked").mkdir()
    (folder / "botapp-demo-noolock1").mkdir()
    (folder / "botapp-demo-afile123").touch()
    before = {path.name for path in folder.iterdir()}
    assert clear_rooms() == 0
    assert {path.name for path in folder.iterdir()} == before and (mine / "file").exists()


def test_a_link_in_a_folder_is_not_followed(folder):
    mine = folder / "mine"
    mine.mkdir()
    (mine / "file").touch()
    room = folder / "botapp-demo-abcdefgh"
    room.mkdir()
    (room / ".in-use").touch()
    (room / "link").symlink_to(mine)
    assert clear_rooms() == 1
    assert not room.exists() and (mine / "file").exists()


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux's own way")
def test_a_tied_program_ends_when_its_parent_is_killed():
    script = (
        "import subprocess, sys, time; from botapp.host.children import tied;"
        "child = subprocess.Popen(tied(['sleep', '60']), start_new_session=True);"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    deadline = time.monotonic() + 10
    while child.name() != "sleep" and time.monotonic() < deadline:
        time.sleep(0.02)
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    psutil.wait_procs([child], timeout=10)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_what_is_spawned_imports_nothing_from_the_current_folder(folder, monkeypatch):
    (folder / "fractions.py").write_text("raise SystemExit('run from the current folder')")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    command = [sys.executable, "-c", "import fractions; print(fractions.__file__)"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 1
    with spawning(GREETING="hello"):
        assert subprocess.run(command, check=False, capture_output=True).returncode == 0
        assert os.environ["GREETING"] == "hello"
    assert "GREETING" not in os.environ and "PYTHONSAFEPATH" not in os.environ


def test_a_tied_program_does_what_it_does_otherwise():
    command = tied(["sh", "-c", "echo $0 $1; exit 3", "a", "b"])
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode == 3 and done.stdout == b"a b\n"
