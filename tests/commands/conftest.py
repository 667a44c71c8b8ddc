"""The command line as a function, with settings of its own, and a drawn fight to look at."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botapp.commands import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "auto")
    monkeypatch.setenv("BOTAPP_INTERPRETED", os.environ.get("BOTAPP_INTERPRETED", ""))  # no first start


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return call


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A picture of a fight in the player's turn, and what it shows."""
    folder = tmp_path_factory.mktemp("drawn")
    picture, truth = folder / "fight.png", folder / "fight.json"
    command = [sys.executable, "-m", "botapp.arena.window.render", "--seed", "1", "--actions", "0"]
    subprocess.run(
        [*command, "--out", str(picture), "--truth", str(truth)],
        check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    return picture, json.loads(truth.read_text())
