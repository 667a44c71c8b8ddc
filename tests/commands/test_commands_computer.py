"""`botapp bench` and `botapp doctor`: what they answer, whatever the settings and the terminal are like."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from botapp.bench import decisions

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.slow
def test_a_corrupt_settings_file_is_told_and_the_answer_still_comes(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "settings.toml").write_text("not [ toml")
    code, out, err = run("migrate", str(tmp_path), "--dry-run")
    assert code == 0 and out
    assert "settings.toml.bak" in err


@pytest.mark.long
@pytest.mark.parametrize(
    ("adviser", "said", "stages"),
    [
        pytest.param(
            "search", "4 states, the search alone advises", {"search", "decode"}, marks=pytest.mark.long
        ),
        ("model", "4 states, the model advises on cpu in ", {"search", "encode", "think", "decode"}),
    ],
)
def test_bench_times_whom_the_settings_name_and_readings(
    run: Run, monkeypatch: pytest.MonkeyPatch, adviser: str, said: str, stages: set[str]
) -> None:
    monkeypatch.setenv("BOTAPP_ENGINE__ADVISER", adviser)
    monkeypatch.setenv("BOTAPP_ENGINE__BACKEND", "cpu")
    monkeypatch.setattr(decisions, "PICTURES", 1)
    code, out, _ = run("bench", "--states", "4", "--json")
    answer = json.loads(out)
    assert (code, answer["adviser"]) == (0, adviser)
    assert set(answer["stages_ms"]) == stages
    told = decisions.text(answer)
    assert told.startswith(said)
    for word in ("decision", "vision", "p95"):
        assert word in told
    told = decisions.text(answer, "fr")
    assert re.search(r"^décision +p50 +\d+,\d\d", told, re.MULTILINE) and "fin par\u00a0: " in told


@pytest.mark.slow
def test_doctor_names_backends_settings_weights_and_versions(run: Run) -> None:
    code, out, _ = run("doctor", "--json")
    answer = json.loads(out)
    assert code == 0
    assert [info["name"] for info in answer["backends"]] == ["auto", "rocm", "cuda", "directml", "cpu"]
    assert all(info["reason"] for info in answer["backends"])
    assert answer["device"]["device"]
    assert answer["adviser"] == "model"
    assert answer["settings"]["file"].endswith("settings.toml")
    assert answer["weights"]["usable"]
    assert answer["versions"]["numpy"] == np.__version__
    code, out, _ = run("doctor")
    assert code == 0
    assert "directml" in out
    assert "In use: cpu in " in out


def test_doctor_names_problems(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botapp.advisor.own_weights.DEFAULT_WEIGHTS", tmp_path / "gone.safetensors")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    problems = json.loads(run("doctor", "--json")[1])["problems"]
    assert any("gone.safetensors" in problem for problem in problems)
    if sys.platform.startswith("linux"):
        assert any("display" in problem for problem in problems)


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("doctor",), "r?glages"),
        pytest.param(("doctor", "--json"), "r\\u00e9glages", marks=pytest.mark.long),
    ],
)
def test_an_old_code_page_gets_an_answer_all_the_same(
    tmp_path: Path, command: tuple[str, ...], said: str
) -> None:
    """What Windows hands to a pipe: a code page that lacks the letters of a name."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "BOTAPP_CONFIG_DIR": str(tmp_path / "réglages")}
    done = subprocess.run(
        [sys.executable, "-m", "botapp", *command],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout
