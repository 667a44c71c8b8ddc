"""The command line: answers in words and as JSON; errors in one line with the remedy, never a traceback."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest
from typer.testing import CliRunner

import botapp.commands.benches
from botapp.commands import cli
from botapp.commands.bench import application
from botapp.commands.benches import BENCHES
from botapp.host import logs

Run = Callable[..., tuple[int, str, str]]


NAPS = """
from typing import Annotated
import typer
from botapp.commands.answers import answer
from botapp.commands.benches import bench
from botapp.commands.options import Json

@bench("naps")
def bench_naps(count: Annotated[int, typer.Option(min=1)] = 2, as_json: Json = False) -> None:
    'Measures naps.'
    answer({"naps": count}, f"{count} naps", as_json)
"""


def test_a_bench_is_one_file(made_up) -> None:
    made_up(botapp.commands.benches, BENCHES, "naps", NAPS)
    app, runner = application(), CliRunner()
    assert "Measures naps." in runner.invoke(app, ["--help"]).output
    assert runner.invoke(app, ["naps"]).output == "2 naps\n"
    assert json.loads(runner.invoke(app, ["naps", "--count", "3", "--json"]).output) == {"naps": 3}
    assert runner.invoke(app, ["naps", "--count", "0"]).exit_code == 2


@pytest.mark.slow
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

    monkeypatch.setattr("botapp.doctor.examination.examine", broken)
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
        (ImportError("libEGL.so.1: cannot open shared object file"), "apt-get install libegl1"),
        (PermissionError(13, "Permission denied", "/root/x"), "/root/x: Permission denied."),
        (ValueError("hp: too low"), "hp: too low"),
    ],
)
def test_errors_are_put_in_words(error: Exception, words: str) -> None:
    assert words in cli.error_words(error)


def test_a_missing_package_is_installed_with_this_program_not_with_another_of_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = ModuleNotFoundError("x", name="PySide6")
    here = cli.error_words(missing)
    assert f"{sys.executable} -m pip install -c " in here
    assert here.endswith(f'-e "{Path(cli.__file__).parents[2]}"')
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "site-packages" / "botapp" / "commands" / "cli.py"))
    assert cli.error_words(missing).endswith("pipx reinstall botapp")


@pytest.mark.slow
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


def _without_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    kept = [handler for handler in root.handlers if not isinstance(handler, RotatingFileHandler)]
    monkeypatch.setattr(root, "handlers", kept)


def test_where_no_log_can_be_written_one_line_says_so_and_the_command_runs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").touch()
    _without_a_log(monkeypatch)
    code, out, err = run("--version")
    assert code == 0 and out.startswith("botapp ")
    assert err.count("\n") == 1 and "no log is kept" in err and "config" in err
    assert "No log is kept" in cli.error_words(ZeroDivisionError("x"))
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger().handlers)


def test_the_app_is_told_that_its_settings_will_not_be_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from botapp.commands.run import kept_nothing

    assert kept_nothing() == () and not any((tmp_path / "config").iterdir())
    (tmp_path / "config").rmdir()
    (tmp_path / "config").touch()
    (told,) = kept_nothing()
    assert "will not be kept" in told and str(tmp_path / "config") in told
    assert capsys.readouterr().err == f"botapp: {told}\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bits")
def test_a_log_can_be_read_by_its_person_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _without_a_log(monkeypatch)
    logs.log_file().parent.mkdir(parents=True)
    logs.log_file().touch(0o644)
    assert logs.set_up() == ""
    logs.open_private(tmp_path / "new" / "fault.log", "w").close()
    for path in (logs.log_file(), tmp_path / "new" / "fault.log"):
        assert path.stat().st_mode & 0o777 == 0o600
    logging.getLogger().handlers[-1].close()


def test_the_version_is_said(run: Run) -> None:
    from importlib.metadata import version

    code, out, _ = run("--version")
    assert (code, out.strip()) == (0, f"botapp {version('botapp')}")
