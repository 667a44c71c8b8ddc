"""`botapp run`: the app and the demo begin with what was asked for, or not at all."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
@pytest.mark.parametrize("command", [["arena"], ["run"], []], ids=" ".join)
def test_without_a_display_that_is_said(
    command: list[str], monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    code, _, err = run(*command)
    assert code != 0
    assert "There is no display" in err


@pytest.mark.parametrize(
    "option", [("--report", "x.json"), ("--seed", 2), ("--speed", 2)], ids=lambda o: o[0]
)
def test_what_is_for_the_arena_is_refused_without_it(run: Run, option: tuple[str, object]) -> None:
    code, _, err = run("run", *option)
    assert code == 1
    assert option[0] in err
    assert "--demo" in err


def test_a_class_there_is_not_is_refused_and_one_there_is_is_played(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setenv("BOTAPP_ADVISOR__PLAYER_CLASS", "")  # what the run sets is taken back with it
    monkeypatch.setattr("botapp.ui.app.main", lambda options: asked.append(options) or 0)
    code, _, err = run("run", "--class", "nosuch")
    assert (code, asked) == (1, [])
    assert "nosuch" in err
    assert "ember" in err
    assert run("run", "--class", "ember")[0] == 0
    assert asked[0].settings.advisor.player_class == "ember"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--report", "{file}/r.json"], "--report: the folder"),
        (["--report", "{folder}"], "is a folder"),
        (["--screenshots", "{file}"], "--screenshots: the folder"),
        (["--class", "wizard"], "warden"),
    ],
)
def test_a_demo_that_would_be_for_nothing_is_not_begun(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], named: str
) -> None:
    monkeypatch.setattr("botapp.demo.run.run", None)
    (tmp_path / "a file").touch()
    places = {"file": tmp_path / "a file", "folder": tmp_path}
    code, _, err = run("run", "--demo", *(argument.format(**places) for argument in arguments))
    assert code == 1
    assert named in err


def test_a_folder_that_is_read_only_is_refused_at_the_start(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.ui.app.main", None)
    monkeypatch.setattr("botapp.commands.answers.os.access", lambda _, mode: mode != os.W_OK)
    code, _, err = run("run", "--screenshots", tmp_path)
    assert code == 1
    assert "cannot be written to" in err


def test_how_much_is_done_for_speed_in_one_run_is_not_saved(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from botapp.host import settings_file

    def main(options: Any) -> int:
        assert options.settings.engine.level == "aggressive"
        settings_file.save(options.settings)
        return 0

    monkeypatch.setenv("BOTAPP_ENGINE__LEVEL", "balanced")  # what the run sets is taken back with it
    monkeypatch.setattr("botapp.ui.app.main", main)
    assert run("run", "--level", "aggressive")[0] == 0
    monkeypatch.delenv("BOTAPP_ENGINE__LEVEL")
    assert settings_file.load().settings.engine.level == "balanced"
    assert run("run", "--level", "reckless")[0] != 0


def test_the_language_of_one_run_is_not_saved(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from botapp.host import settings_file

    def change_something(options: Any) -> int:
        assert options.settings.ui.language == "fr"
        settings_file.save(options.settings.changed("engine.step_limit", 3))
        return 0

    monkeypatch.setattr("botapp.ui.app.main", change_something)
    assert run("run", "--language", "fr")[0] == 0
    assert settings_file.settings_path().read_text("utf-8") == "[engine]\nstep_limit = 3\n"


def test_the_demo_is_run_with_what_was_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("botapp.demo.run.run", lambda options, _: asked.append(options) or 5)
    arguments = ["run", "--demo", "--seconds", 60, "--report", "out/r.json", "--screenshots", "out"]
    code, _, _ = run(*arguments, "--seed", 4, "--speed", 2, "--class", "leech", "--language", "fr")
    assert code == 5
    (options,) = asked
    assert (options.seconds, options.seed, options.speed) == (60.0, 4, 2.0)
    assert (options.report, options.screenshots) == (Path("out/r.json"), Path("out"))
    assert (options.player_class, options.settings.ui.language) == ("leech", "fr")


def test_the_app_is_run_with_the_settings_and_their_messages(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("botapp.ui.app.main", lambda options: asked.append(options) or 0)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.toml").write_text("[engine]\nstep_limit = 3\nwarp = 1\n")
    code, _, err = run()
    assert code == 0
    assert asked[0].settings.engine.step_limit == 3
    assert "engine.warp" in asked[0].messages[0]
    assert "engine.warp" in err
