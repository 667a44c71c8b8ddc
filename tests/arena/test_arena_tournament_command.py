"""`python -m botapp.arena.tournament`: on a bare machine, with a model's options, and what is left of it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from botapp.arena import pairing
from botapp.arena.pairing import FightRecord
from botapp.arena.players import make_player
from botapp.arena.tournament import Contest, Thinking, main

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "botapp.arena.tournament"]
LEFT_OUT = "PySide6 cv2 mss onnxruntime platformdirs psutil pydantic pydantic_settings tomlkit typer"
BARE = f"""
import sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {LEFT_OUT.split()!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refused())
"""


@pytest.fixture
def bare(tmp_path):
    """An environment in which Python finds no more than torch, numpy and safetensors, nor do its children."""
    (tmp_path / "sitecustomize.py").write_text(BARE)
    kept = {name: value for name, value in os.environ.items() if name != "HRM_CACHE_DIR"}
    return {**kept, "PYTHONPATH": str(tmp_path)}


@pytest.mark.slow
def test_the_model_plays_where_there_is_no_more_than_torch_and_numpy(bare, tmp_path):
    out = tmp_path / "fights.json"
    asked = ["--a", "lite", "--b", "greedy", "--fights", "2", "--workers", "2", "--out", str(out), "--json"]
    thinking = ["--device", "cpu", "--precision", "fp32", "--max-steps", "1", "--no-early-exit"]
    done = subprocess.run(
        [*COMMAND, *asked, *thinking], env=bare, cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["fights"] == 2 and answer == json.loads(out.read_text())
    assert answer["a_options"] == {"device": "cpu", "precision": "fp32", "max_steps": 1, "early_exit": False}
    assert answer["b_options"] == {}
    missing = subprocess.run(
        [sys.executable, "-c", "import psutil"], env=bare, check=False, capture_output=True, text=True
    )
    assert "No module named" in missing.stderr


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows ends processes otherwise")
@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
def test_its_workers_end_with_it_however_it_is_ended(how):
    asked = ["--a", "greedy", "--b", "greedy", "--fights", "100000", "--workers", "2"]
    process = subprocess.Popen([*COMMAND, *asked], cwd=ROOT)
    parent = psutil.Process(process.pid)
    try:
        deadline = time.monotonic() + 60
        while len(workers := parent.children(recursive=True)) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(workers) >= 2
        process.send_signal(signal.Signals[how])
        _, alive = psutil.wait_procs(workers, timeout=60)
        assert alive == []
    finally:
        process.kill()
        process.wait()


def test_a_models_options_reach_it_and_nobody_else(monkeypatch):
    asked = {}
    monkeypatch.setattr(pairing, "make_player", lambda name, **options: asked.update({name: options}))
    monkeypatch.setattr(pairing, "play", lambda *_: type("End", (), {"winner": 0, "turns": 1, "actions": 1}))
    arguments = ["--fights", "1", "--device", "cuda:1", "--max-steps", "3", "--ms", "20", "--early-exit"]
    assert main(["--a", "lite", "--b", "search", "--weights-a", "new.safetensors", *arguments]) == 0
    assert asked == {
        "lite": {
            "weights": "new.safetensors",
            "device": "cuda:1",
            "max_steps": 3,
            "early_exit": True,
            "ms": 20.0,
        },
        "search": {"ms": 20.0},
    }
    assert main(["--a", "lite", "--b", "greedy", "--fights", "1"]) == 0
    assert asked["lite"] == asked["greedy"] == {}


def test_a_file_from_before_these_options_is_gone_on_with(tmp_path):
    file = tmp_path / "old.json"
    fights = (FightRecord(1, 0, 0, 4, 9), FightRecord(1, 1, 1, 6, 9))
    old = pairing.TournamentResult(pairing.Arrangement("lite", "greedy"), fights).to_json()
    file.write_text(json.dumps(old))
    assert Contest(fights=2, seed=1, out=file).pair("lite", "greedy") == old


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--a", "greedy", "--weights-a", "x.safetensors"], "greedy has no weights; hrm, lite, full do"),
        (["--players", "lite,greedy", "--weights-a", "x.safetensors"], "leave --players out"),
        (["--weights-a", "nowhere/x.safetensors"], "nowhere/x.safetensors"),
        (["--device", "cuda:9"], "the model cannot play on cuda:9"),
        (["--scenario", "duel", "--sizes", "2v2"], "no choice of sizes"),
        (["--ray", "127.0.0.1:1"], "a cluster needs Ray"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(arguments, named, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--fights", "1"])
    assert end.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert named in said


def test_a_player_never_runs_elsewhere_than_asked():
    with pytest.raises(ValueError, match=r"cannot play on cpu in bf16: .*slower than fp32"):
        make_player("lite", device="cpu", precision="bf16")


def test_several_pairings_share_how_models_think():
    contest = Contest(thinking=Thinking(device="cpu", early_exit=False), ms=5)
    assert contest._options("full") == {"device": "cpu", "early_exit": False, "ms": 5}
    assert contest._options("greedy") == {}
