"""A kill at any moment leaves kept fights that can be read, and the file format of old stays readable."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from botapp.advisor.bare import BareAdvisor
from botapp.review.form import read_fight
from botapp.review.replaying import replay
from botapp.review.shelf import FightShelf

TESTS = Path(__file__).resolve().parent.parent
RECORDING = """
import sys, time
from itertools import count
from kept_fights import decided, fight
from botapp.host.settings import Settings
from botapp.review.course import Course
from botapp.review.recorder import FightRecorder
from botapp.runtime.messages import Snapshot

course = Course()
recorder = FightRecorder(Settings(), course)
print("ready", flush=True)
for number in count():
    for moment in fight().moments:
        snapshot = Snapshot(
            1, 0, 0, "watching", "fresh", state=moment.state, decision=decided(moment), fight=number
        )
        course.add(snapshot)
        recorder.offer(snapshot)
        time.sleep(0.002)
"""


@pytest.mark.slow
def test_a_fight_of_the_first_format_is_read_and_run_again():
    """It was kept by the app in a demo of version 0.2, and read off the screen."""
    fight = read_fight(Path(__file__).with_name("format_1.fight"))
    assert (fight.summary.own, fight.summary.opponents) == ("hour", ("Hook Crab", "Bat"))
    assert (len(fight.moments), fight.summary.result, fight.summary.mistakes) == (28, "won", 0)
    advisor = BareAdvisor(rollout_actions=24, nodes=120)
    gains = [one.gain for one in replay(fight, advisor) if one.gain is not None]
    assert len(gains) >= 25
    assert sum(gains) / len(gains) < 0.05


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_fights_that_another_program_keeps_are_listed_whole_and_a_kill_leaves_whole_ones(tmp_path):
    """Another program keeps fights while this one lists them and deletes them, until it is killed."""
    paths = os.pathsep.join((str(TESTS), str(TESTS.parent)))
    environment = {**os.environ, "BOTAPP_CONFIG_DIR": str(tmp_path), "PYTHONPATH": paths}
    child = subprocess.Popen(
        [sys.executable, "-c", RECORDING], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    shelf, other = FightShelf(tmp_path / "fights"), FightShelf(tmp_path / "fights")
    listed, deadline = 0, time.monotonic() + 60
    while (listed < 60 or len(shelf.paths()) < 3) and time.monotonic() < deadline:
        entries = shelf.entries()
        assert [entry.problem for entry in entries if entry.problem] == []
        listed += len(entries)
        for path in other.paths()[2:] if listed < 60 else ():
            other.remove(path)
    assert listed >= 60 and child.poll() is None
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    kept = [read_fight(path) for path in shelf.paths()]
    assert len(kept) >= 3
    assert {len(fight.moments) for fight in kept} <= {2, 3}


def test_a_fight_that_is_gone_when_it_is_read_is_not_listed(tmp_path, monkeypatch):
    shelf = FightShelf(tmp_path)
    monkeypatch.setattr(shelf, "paths", lambda: [tmp_path / "20261125-220000.fight"])
    assert shelf.entries() == []
