"""The whole way on a virtual screen: the arena drawn, captured, read, decided, shown, and the advice played.

The arena's own log says what was true; nothing of it reaches the app. `onlooker.py` runs the demo and writes
down what a person would see.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.advisor.bare import BareAdvisor
from botapp.content.library import classes, monsters
from botapp.demo.display import missing_packages
from botapp.demo.report import log_lines
from botapp.review.form import read_fight
from botapp.review.replaying import replay
from vision.view import Lattice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual display is for Linux"),
    pytest.mark.skipif(
        bool(missing_packages()),
        reason=f"no virtual display without: apt-get install {' '.join(missing_packages())}",
    ),
]

TESTS = Path(__file__).parent.parent
PASSING = {"timer_s", "seq", "captured_ns", "elapsed_ms"}
"""What differs from one reading to the next of a picture in which only the time goes on."""


class Run:
    """What the run of the onlooker left."""

    def __init__(self, folder):
        hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        paths = os.pathsep.join((str(TESTS), str(TESTS.parent)))
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("onlooker.py")), str(folder)],
            env={**kept, "BOTAPP_CONFIG_DIR": str(folder / "config"), "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        self.seen = json.loads((folder / "seen.json").read_text("utf-8"))
        self.report = json.loads((folder / "report.json").read_text("utf-8"))
        self.log = log_lines(folder / "arena.jsonl")
        self.kept = sorted((folder / "config" / "fights").glob("*.fight"))
        assert self.seen["plain"] and self.seen["blended"], "no advice was shown"

    def truth(self, captured_ns):
        """Returns what the arena showed when a picture was taken."""
        return [line for line in self.log if line["event"] == "shown" and line["t_ns"] <= captured_ns][-1]

    def acted(self):
        return [line for line in self.log if line["event"] == "action" and line["who"] == "player"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return Run(tmp_path_factory.mktemp("run"))


@pytest.fixture(params=["plain", "blended"])
def seen(request, run):
    """What was seen on a screen without a compositor and on one with."""
    return run.seen[request.param]


def test_the_advice_read_off_the_screen_arrives_in_the_panels(run, seen):
    panel = seen["panels"]["decision"]
    assert run.truth(panel["captured_ns"])["turn"] == "mine"
    assert panel["state"] == "Up to date"
    assert re.match(r"(Walk|Cast|End) ", panel["headline"])
    best = panel["bars"][0][0]
    assert best.startswith(panel["headline"])
    shares = [share for _, share in panel["bars"]]
    assert 1 <= len(shares) <= min(5, panel["candidates"])
    assert shares == sorted(shares, reverse=True)
    assert panel["chance"] == f"{shares[0] * 100:.0f}%"
    status = seen["panels"]["status"]
    assert (status["capture"], status["reason"]) == ("Watching", "botapp arena")
    loading = status["device"].startswith("processor, the model is being loaded")
    assert status["device"].startswith("processor") and not (loading and any(panel["of_a_model"]))
    assert float(status["fps"].split()[0]) > 1


def test_the_state_panel_shows_what_the_arena_says(run, seen):
    panel = seen["panels"]["state"]
    truth = run.truth(panel["captured_ns"])
    figures = panel["figures"]
    assert figures["hp"] == f"{truth['hp']}/{truth['max_hp']}"
    assert (figures["ap"], figures["mp"]) == (str(truth["ap"]), str(truth["mp"]))
    assert figures["turn_number"] == str(truth["turn_number"])
    assert abs(int(figures["timer_s"].split()[0]) - truth["timer_s"]) <= 1
    usable = sum(spell["usable"] for spell in truth["spells"])
    assert figures["spells"].startswith(f"{usable}/")
    names = {key: template.name for key, template in {**classes(), **monsters()}.items()}
    expected = [f"★ {names[truth['player']['kind']]}", str(truth["player"]["cell"])]
    rows = [[row[0], row[4]] for row in panel["rows"]]
    assert rows[0] == expected
    assert panel["rows"][0][1:4] == [figures["hp"], figures["ap"], figures["mp"]]
    enemies = [[f"◆ {names[enemy['kind']]}", str(enemy["cell"])] for enemy in truth["enemies"]]
    assert sorted(rows[1:]) == sorted(enemies)


def test_the_overlay_marks_the_advised_cell_on_the_screen(run):
    blended = run.seen["blended"]
    panel, painted = blended["panels"]["decision"], blended["painted"]
    drawn = run.truth(panel["captured_ns"])["lattice"]
    lattice = Lattice(tuple(drawn["origin_px"]), drawn["cell_w"], drawn["cell_h"])
    assert painted["centre"] == pytest.approx(lattice.centre(panel["target"]), abs=1.5)
    assert all(painted["outline"])
    assert painted["elsewhere"] < 0.1
    assert not painted["cut_to_its_shapes"]
    assert run.seen["plain"]["painted"]["cut_to_its_shapes"]


def test_vision_reads_the_same_with_the_overlay_and_without(seen):
    shown, hidden = seen["with_overlay"], seen["without_overlay"]
    assert all(reading["overlay"] for reading in shown)
    assert not any(reading["overlay"] for reading in hidden)
    views = [
        {name: value for name, value in reading["view"].items() if name not in PASSING}
        for reading in (*shown, *hidden)
    ]
    assert len(views) >= 10
    assert all(view == views[0] for view in views)


def test_the_arena_takes_the_advised_actions_and_the_fight_goes_on(run):
    assert len(run.acted()) >= 5
    assert sum(run.report["decisions_played"].values()) >= 4
    assert run.report["actions_refused"] == {}
    shown = [line for line in run.log if line["event"] == "shown"]
    assert shown[-1]["turn_number"] >= 2 or shown[-1]["fight"] > 0
    begun = {enemy["kind"]: enemy["hp_fraction"] for enemy in shown[0]["enemies"]}
    assert any(
        enemy["hp_fraction"] < begun.get(enemy["kind"], 0) for line in shown for enemy in line["enemies"]
    )
    assert run.report["decisions"] > 0
    assert run.report["capture_to_overlay_ms"]["count"] > 0
    assert run.report["memory_bytes"].keys() == {"app", "worker", "arena"}


def test_the_fight_is_kept_as_it_was_and_can_be_run_again(run):
    fight = read_fight(run.kept[0])
    truth = next(line for line in run.log if line["event"] == "shown")
    first = fight.moments[0].state
    assert fight.summary.own == truth["player"]["kind"] == first.actor.kind
    assert sorted(f.kind for f in first.fighters if f.team) == sorted(e["kind"] for e in truth["enemies"])
    assert len(fight.moments) >= 4
    departed = [moment for moment in fight.moments if moment.departed]
    assert len(departed) <= 1, "the advice was played, nothing else"
    advisor = BareAdvisor(rollout_actions=24, nodes=120)
    again = list(replay(fight, advisor))
    assert [one.number for one in again] == list(range(1, len(fight.moments) + 1))
    assert not any(one.withheld for one in again)
