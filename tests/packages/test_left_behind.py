"""docs/packages.md names every folder that stays when the program has been removed."""

import os
import re
import sys
from pathlib import Path

import pytest

from botapp.content.knowledge.shelf import knowledge_dir
from botapp.fight.core.cache import base_folder
from botapp.host.logs import log_file
from botapp.host.settings_file import config_dir
from hrm.backends.json_cache import cache_folder

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "packages.md").read_text("utf-8")
PLACES = (config_dir, knowledge_dir, log_file, base_folder, cache_folder)
FOR_TESTS = ("XDG_", "BOTAPP_", "HRM_CACHE_DIR")


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are those of Linux")
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_what_the_app_writes_lies_in_a_folder_that_the_page_names(place, tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.startswith(FOR_TESTS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    named = re.findall(r"\| `~/(\S+)` \|", PAGE)
    inside = place().relative_to(tmp_path).as_posix()
    assert [folder for folder in named if f"{inside}/".startswith(f"{folder}/")], inside


def test_variables_that_name_other_places_are_named_too():
    for name in ("BOTAPP_CONFIG_DIR", "BOTAPP_COMPILED", "HRM_CACHE_DIR"):
        assert f"`{name}`" in PAGE
