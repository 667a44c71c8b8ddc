"""The journeys' scripts, each on a virtual screen and in a home of its own."""

import json
import os
import sys
from pathlib import Path

import pytest
from own_process import run_python

from botapp.demo.display import missing_packages

_HERE = Path(__file__).parent
_HOME = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
_NOT_A_PLAYERS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "BOTAPP_CONFIG_DIR")


@pytest.fixture
def walked(tmp_path):
    """Has a script's journeys taken in a language on a screen; returns its folder and what was seen.

    The home is `tmp_path`. BOTAPP_JOURNEYS names where the pictures are kept, for people.
    """
    if not sys.platform.startswith("linux"):
        pytest.skip("the virtual display is for Linux")
    if missing := missing_packages():
        pytest.skip(f"no virtual display without: apt-get install {' '.join(missing)}")
    kept = os.environ.get("BOTAPP_JOURNEYS")
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_A_PLAYERS}
    environment |= {name: str(tmp_path / name) for name in _HOME}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)

    def walk(script, language, width, height, scale=1, only=()):
        name = "-".join((script, *only, language, str(width)))
        folder = Path(kept) / name if kept else tmp_path / "seen"
        arguments = [str(_HERE / f"{script}.py"), str(folder), language, str(width), str(height), *only]
        run_python(*arguments, env=environment | {"QT_SCALE_FACTOR": str(scale)}, timeout=400)
        return folder, json.loads((folder / "seen.json").read_text("utf-8"))

    return walk
