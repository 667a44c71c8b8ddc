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
from botapp.arena.match import MatchResult
from botapp.arena.player_spec import make_player
from botapp.arena.tournament import main

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "botapp.arena.tournament"]
LEFT_OUT = "PySide6 cv2 mss onnxruntime platformdirs psutil pydantic_settings tomlkit typer"
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
    """An environment in which Python finds torch, numpy, safetensors and pydantic alone; its children too."""
    (tmp_path / "sitecustomize.py").write_text(BARE)
    kept = {name: value for name, value in os.environ.items() if name != "HRM_CACHE_DIR"}
    return {**kept, "PYTHONPATH": str(tmp_path)}


@pytest.mark.long
def test_the_model_plays_where_there_is_no_more_than_torch_numpy_and_pydantic(bare, tmp_path):
    out = tmp_path / "fights.json"
    player = "lite:device=cpu,exit=off,precision=fp32,steps=1"
    asked = ["--a", player, "--b", "bare:nodes=30", "--fights", "2", "--out", str(out), "--json"]
    done = subprocess.run([*COMMAND, *asked], env=bare, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["fights"] == 2 and answer == json.loads(out.read_text())
    assert (answer["a"], answer["b"]) == (player, "bare:nodes=30")
    missing = subprocess.run(
        [sys.executable, "-c", "import psutil"], env=bare, check=False, capture_output=True, text=True
    )
    assert "No module named" in missing.stderr


@pytest.mark.long  # `tests/host/test_host_children.py` kills one each time
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows ends processes otherwise")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM"])
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


def test_each_player_has_its_own_options(monkeypatch):
    asked = []
    monkeypatch.setattr(pairing, "make_player", asked.append)
    monkeypatch.setattr(pairing, "play", lambda *_: MatchResult(0, 1, 1))
    assert main(["--a", "lite:steps=3,ms=20", "--b", "search:states=9", "--fights", "1"]) == 0
    assert asked == ["lite:ms=20,steps=3", "search:states=9"]
    asked.clear()
    assert main(["--players", "lite:ms=20,steps=3,greedy,bare:nodes=1", "--fights", "1"]) == 0
    assert set(asked) == {"lite:ms=20,steps=3", "greedy", "bare:nodes=1"}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--a", "greedy:ms=5"], "greedy has no option 'ms'; it has none"),
        (["--players", "lite,greedy:steps=2"], "greedy has no option 'steps'"),
        (["--a", "lite:weights=nowhere/x.safetensors"], "nowhere/x.safetensors"),
        (["--a", "lite:device=cuda:9"], "the model cannot play on cuda:9"),
        (["--scenario", "duel", "--sizes", "2v2"], "no choice of sizes"),
        (["--scenario", "duel", "--even"], "duel has no even fights; team, adventure have"),
        (
            ["--a", "greedy", "--scenario", "team", "--seed", "999999999", "--even"],
            "0 seeds of team, seen are even",
        ),
        (["--ray", "127.0.0.1:1"], f'a cluster needs Ray: {sys.executable} -m pip install "ray>=2.55"'),
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
    with pytest.raises(ValueError, match=r"cannot play on cpu in fp16: .*slower than fp32"):
        make_player("lite:device=cpu,precision=fp16")
