"""Whatever window manager there is, clicks reach the game through the overlay, and it comes back to it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import over_the_arena
import pytest

ROOT = Path(__file__).parents[2]
MANAGERS = [
    pytest.param(one, marks=[] if one == "openbox" else pytest.mark.long) for one in over_the_arena.MANAGERS
]
"""One that puts frames around windows each time, the others on demand."""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="X11 only")
@pytest.mark.parametrize("manager", MANAGERS)
def test_clicks_reach_the_game_and_the_overlay_comes_back_to_it(manager, tmp_path):
    """openbox put a frame around it that took every click, and a change of desktop hid it for good."""
    if missing := over_the_arena.missing(manager):
        packages = f"xvfb {over_the_arena.PACKAGES[manager]}"
        pytest.skip(f"{', '.join(missing)} not installed: apt-get install {packages}")
    done = subprocess.run(
        [sys.executable, str(Path(over_the_arena.__file__)), manager, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["there"]
    assert found["under"] == ["game"]
    assert found["selected"] and found["walked"]
    assert [trouble for trouble, well in found["troubles"].items() if not well] == []
