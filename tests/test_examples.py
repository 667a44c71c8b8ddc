"""The scripts of `examples/` run as their first lines say; `tests/test_own_task.py` runs the training."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.arena.window import render

ROOT = Path(__file__).resolve().parents[1]


def run(name, *arguments):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name), *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.long
def test_a_picture_gets_its_advice(tmp_path, qapp):
    picture, truth = tmp_path / "fight.png", tmp_path / "fight.json"
    asked = ["--seed", "1", "--actions", "0", "--out", str(picture), "--truth", str(truth)]
    assert render.main(asked) == 0
    lines = run("picture.py", str(picture), json.loads(truth.read_text())["player"]["kind"])
    assert lines and all(" to win  " in line for line in lines)


@pytest.mark.long
def test_a_tournament_says_how_strong_a_player_is():
    first, *fights = run("tournament.py", "greedy", "random", "2")
    assert first.startswith("greedy takes ") and len(fights) == 2
