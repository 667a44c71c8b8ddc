"""Machine code is run only from a folder that the user alone can write to."""

import logging
import os
import sys

import pytest

from botapp.fight import own_folder
from botapp.fight.core.cache import FOLDER_VARIABLE, INTERPRETED_VARIABLE, base_folder

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no modes and owners of this kind"
)


@pytest.fixture
def named(tmp_path, monkeypatch):
    """A filled folder that the environment names, beside the user's own cache."""
    folder = tmp_path / "named"
    (folder / "0123456789abcdef").mkdir(parents=True)
    (folder / "0123456789abcdef" / "ready").write_text("")
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv(INTERPRETED_VARIABLE, raising=False)
    return folder


def test_a_folder_of_ones_own_is_used(named):
    own_folder.choose()
    assert base_folder() == named


@pytest.mark.parametrize("part", ["", "0123456789abcdef", "0123456789abcdef/ready"])
def test_one_that_all_can_write_to_is_not(named, part, tmp_path, caplog):
    (named / part).chmod(0o777)
    with caplog.at_level(logging.WARNING):
        own_folder.choose()
    assert base_folder() == tmp_path / "cache/botapp/compiled"
    assert "chmod -R go-w" in caplog.text and str(named / part) in caplog.text


def test_a_group_loses_the_right_to_write(named):
    named.chmod(0o775)
    own_folder.choose()
    assert base_folder() == named and named.stat().st_mode & 0o777 == 0o755


def test_one_of_another_user_is_not_used_nor_is_that_users_cache(named, tmp_path, monkeypatch):
    (tmp_path / "cache/botapp/compiled").mkdir(parents=True)
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    own_folder.choose()
    assert base_folder().name.startswith("botapp-compiled-")
    assert base_folder().stat().st_mode & 0o777 == 0o700 and list(base_folder().iterdir()) == []


def test_interpreted_rules_make_no_folder(named, monkeypatch, tmp_path):
    monkeypatch.setenv(INTERPRETED_VARIABLE, "1")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "new"))
    own_folder.choose()
    assert not (tmp_path / "new").exists()
