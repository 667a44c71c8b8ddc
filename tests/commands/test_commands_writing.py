"""What commands write: asked first, whole, and told where there is no room."""

import os
from pathlib import Path

import pytest
from small_disk import fill, small_disk  # noqa: F401

from botapp.commands.answers import Trouble, place, written
from hrm import atomic


def test_a_folder_is_made_and_a_relative_path_stays_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert place("--out", Path("a/b.json"), force=False) == Path("a/b.json")
    assert Path("a").is_dir()


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "there")
    path = place("--out", tmp_path / "link", force=False)
    written("--out", path, "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "there").read_text() == "new"


@pytest.mark.parametrize("made", ["fifo", "folder"])
def test_nothing_but_a_regular_file_is_ever_replaced(tmp_path, made):
    path = tmp_path / "odd"
    os.mkfifo(path) if made == "fifo" else path.mkdir()
    with pytest.raises(OSError, match="no regular file"):
        atomic.write_text(path, "new")
    assert path.is_fifo() if made == "fifo" else path.is_dir()
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_told_and_leaves_the_old_file(small_disk):  # noqa: F811
    disk = small_disk(64)
    path = disk / "there.json"
    path.write_text("old")
    fill(disk)
    with pytest.raises(Trouble, match=r"No space left on device.*Nothing has changed"):
        written("--out", path, "n" * 50_000)
    assert path.read_text() == "old"
    assert sorted(one.name for one in disk.iterdir()) == ["taken", "there.json"]
