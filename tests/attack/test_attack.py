"""A hundredth of all attacks: nothing breaks. All of them: `python -m tests.attack`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="it forks and kills")
def test_nothing_breaks_under_a_hundredth_of_all_attacks():
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack", "--scale", "0.01"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "workers" in done.stdout
