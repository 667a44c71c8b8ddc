"""The command line as a function, with settings of its own, and a drawn fight to look at."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botapp.arena.window import render
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
def drawn(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> tuple[Path, dict[str, Any]]:
    """A picture of a fight in the player's turn, and what it shows."""
    folder = tmp_path_factory.mktemp("drawn")
    picture, truth = folder / "fight.png", folder / "fight.json"
    asked = ["--seed", "1", "--actions", "0", "--out", str(picture), "--truth", str(truth)]
    assert render.main(asked) == 0
    return picture, json.loads(truth.read_text())
