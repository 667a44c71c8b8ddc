"""The command line: answers in words and as JSON; errors in one line with the remedy, never a traceback."""

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from botapp.commands import cli
from botapp.host import logs

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    "command",
    [[], ["run"], ["look"], ["advise"], ["arena"], ["arena", "tournament"], ["bench"], ["doctor"]],
    ids=" ".join,
)
def test_every_command_explains_itself(command: list[str]) -> None:
    result = CliRunner().invoke(cli.app, [*command, "--help"])
    assert result.exit_code == 0
    assert "--help" in result.output


def test_an_unforeseen_error_is_one_line_and_its_trace_is_in_the_log(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("botapp.doctor.examine", broken)
    code, _, err = run("doctor")
    assert code == 1
    assert err.count("\n") == 1
    assert "boom" in err
    assert str(logs.log_file()) in err
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("x", name="PySide6"), "PySide6"),
        (ImportError("libEGL.so.1: cannot open shared object file"), "make system"),
        (PermissionError(13, "Permission denied", "/root/x"), "/root/x: Permission denied."),
        (ValueError("hp: too low"), "hp: too low"),
    ],
)
def test_errors_are_put_in_words(error: Exception, words: str) -> None:
    assert words in cli._words(error)


def test_the_module_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "botapp", "--help"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "doctor" in done.stdout


def test_a_log_file_that_fails_makes_no_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up()
    with (tmp_path / "full.log").open("w", encoding="utf-8") as file:
        handler = logging.StreamHandler(file)
    handler.handle(logging.LogRecord("a", logging.INFO, "b", 1, "text", None, None))
    assert capsys.readouterr().err == ""


def test_the_version_is_said(run: Run) -> None:
    from importlib.metadata import version

    code, out, _ = run("--version")
    assert (code, out.strip()) == (0, f"botapp {version('botapp')}")
