"""What the app costs beside a game is measured from outside, on a virtual screen."""

import json
import os
import subprocess
import sys

import pytest

from botapp.demo.display import missing_packages

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual display is for Linux"),
    pytest.mark.skipif(
        bool(missing_packages()),
        reason=f"no virtual display without: apt-get install {' '.join(missing_packages())}",
    ),
]


def measured(*arguments):
    hidden = ("DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [sys.executable, "-m", "botapp.demo.resting", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout)


def test_a_game_out_of_a_fight_costs_little():
    """Three times what is wanted: a crowded processor spends twice as long, what is mended cost ten times."""
    found = measured("--only", "rest", "--seconds", "10")["rest"]
    assert found["worker"] > 0 and found["app"] > 0 and found["together"] < 0.09


def test_a_start_is_timed_to_its_end():
    found = measured("--only", "starts", "--starts", "1")["starts"]
    assert found["window_work_s"]["p50"] > 0 and found["window_s"]["p50"] < found["advice_s"]["p50"]
    assert found["quit_s"]["p50"] > 0
