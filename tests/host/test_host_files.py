"""A file is there whole, or as it was before."""

import os
import subprocess
import sys

import pytest

from botapp.host.files import write_whole
from hrm import atomic


@pytest.mark.parametrize(
    ("data", "written"), [("é\n", b"\xc3\xa9\n"), ("a\r\nb\n", b"a\r\nb\n"), (b"\x00\xff", b"\x00\xff")]
)
def test_text_and_bytes_are_written_as_they_are_with_their_folder(tmp_path, data, written):
    path = tmp_path / "new" / "file"
    write_whole(path, "before, and longer than what follows")
    write_whole(path, data)
    assert path.read_bytes() == written
    assert [*path.parent.iterdir()] == [path]


def test_a_write_that_breaks_off_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, "before")

    def full(_: int) -> None:
        assert path.read_text() == "before"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hrm.atomic.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "after")
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


def test_others_may_read_a_file_as_the_system_says(tmp_path):
    plain, whole = tmp_path / "plain", tmp_path / "whole"
    plain.write_text("x")
    write_whole(whole, "x")
    assert whole.stat().st_mode == plain.stat().st_mode


KILLED = """
import os, signal, sys
from pathlib import Path
from hrm import atomic

def half(temporary):
    temporary.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)

atomic.write_whole(Path(sys.argv[1]), half)
"""


def test_what_a_killed_writer_left_is_cleared_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, "before")
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert path.read_text() == "before"
    (left,) = tmp_path.glob(".file.*.tmp")
    ours = tmp_path / f".file.{os.getpid()}.0123abcd.tmp"
    others = [tmp_path / "mine.tmp", tmp_path / ".file.x.tmp", tmp_path / ".vimrc.12.tmp", ours]
    for other in others:
        other.write_text("not to be touched")
    linked = tmp_path / ".link.999999999.0123abcd.tmp"
    linked.symlink_to(others[0])
    monkeypatch.setattr(atomic, "_cleared", set())
    write_whole(tmp_path / "another", "x")
    assert not left.exists()
    assert all(other.read_text() == "not to be touched" for other in others) and linked.is_symlink()
