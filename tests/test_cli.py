"""The command line: answers in words and as JSON; errors in one line with the remedy, never a traceback."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from botapp import cli, logs
from botapp.arena.scenarios import duel
from botapp.fight.codec import state_to_json
from botapp.fight.rules import placing

LOOK_KEYS = {
    "phase",
    "turn",
    "hp",
    "max_hp",
    "ap",
    "mp",
    "timer_s",
    "player",
    "enemies",
    "allies",
    "lattice",
    "confidence",
    "elapsed_ms",
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "auto")


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


@pytest.mark.parametrize(
    "command",
    [[], ["run"], ["look"], ["advise"], ["arena"], ["arena", "tournament"], ["bench"], ["doctor"]],
    ids=" ".join,
)
def test_every_command_explains_itself(command: list[str]) -> None:
    result = CliRunner().invoke(cli.app, [*command, "--help"])
    assert result.exit_code == 0
    assert "--help" in result.output


def test_look_answers_with_the_promised_keys_and_what_the_picture_shows(
    run: Run, drawn: tuple[Path, dict[str, Any]]
) -> None:
    picture, truth = drawn
    code, out, _ = run("look", picture, "--client", "arena", "--json")
    answer = json.loads(out)
    assert code == 0
    assert set(answer) == LOOK_KEYS
    for name in ("phase", "turn", "hp", "max_hp", "ap", "mp", "timer_s"):
        assert answer[name] == truth[name], name
    assert answer["player"]["cell"] == truth["player"]["cell"]
    assert {enemy["cell"] for enemy in answer["enemies"]} == {enemy["cell"] for enemy in truth["enemies"]}
    assert set(answer["enemies"][0]) == {"px", "cell", "hp_fraction"}
    assert answer["lattice"]["origin_px"] == pytest.approx(truth["lattice"]["origin_px"], abs=1.0)
    assert answer["confidence"]["hp"] > 0.5


def test_look_answers_in_words(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, out, _ = run("look", drawn[0])
    assert code == 0
    assert "turn: mine" in out
    assert "enemy: cell" in out


def test_what_cannot_be_read_is_unknown_with_a_reason(run: Run, tmp_path: Path) -> None:
    import cv2

    picture = tmp_path / "noise.png"
    cv2.imwrite(str(picture), np.random.default_rng(0).integers(0, 255, (720, 1280, 3), np.uint8))
    code, out, _ = run("look", picture, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["phase"] == "unknown"
    assert answer["reason"]
    assert set(answer) == LOOK_KEYS | {"reason"}
    assert answer["player"] is None
    code, out, _ = run("look", picture)
    assert out.startswith("unknown: ")
    code, _, err = run("advise", picture)
    assert code == 1
    assert err.startswith("botapp: ")


def test_a_client_that_is_not_read_yet_says_so(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, out, _ = run("look", drawn[0], "--client", "dofus-2", "--json")
    assert code == 0
    assert json.loads(out)["phase"] == "unknown"
    assert "dofus" in json.loads(out)["reason"].casefold()


@pytest.mark.parametrize("content", [None, b"", b"not a picture"])
@pytest.mark.parametrize("command", ["look", "advise"])
def test_a_picture_that_is_none_is_named(
    run: Run, tmp_path: Path, command: str, content: bytes | None
) -> None:
    picture = tmp_path / "broken.png"
    if content is not None:
        picture.write_bytes(content)
    code, out, err = run(command, picture)
    assert (code, out) == (1, "")
    assert "broken.png" in err


def test_a_wrong_client_lists_the_right_ones(run: Run) -> None:
    code, _, err = run("look", "x.png", "--client", "tetris")
    assert code == 2
    assert "dofus-unity" in err


def test_advise_reads_a_picture(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, out, _ = run("advise", drawn[0], "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["action_type"] in {"move", "cast", "end_turn"}
    assert answer["action"]["type"] == answer["action_type"]
    assert 0 < answer["confidence"] <= 1
    assert 1 <= len(answer["choices"]) <= 5
    assert answer["trace"]
    assert {"encode", "think", "decode"} <= set(answer["timings_ms"])


def test_advise_reads_a_state(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(duel(1))))
    code, out, _ = run("advise", path)
    assert code == 0
    assert "reflex: " in out
    assert "%" in out.splitlines()[0]


def test_advise_says_what_comes_of_it_and_how_the_turn_goes_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(duel(1))))
    code, out, _ = run("advise", path, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["alternative"]["label"] == answer["choices"][1]["label"]
    assert {"expected", "plan", "unknown"} <= set(answer)
    code, out, _ = run("advise", path)
    assert "instead: " in out


def test_advise_before_the_fight_says_so(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(placing(duel(1)))))
    code, out, err = run("advise", path)
    assert (code, out) == (1, "")
    assert "still choosing their places" in err


def test_advise_needs_a_class_that_exists(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, _, err = run("advise", drawn[0], "--class", "plumber")
    assert code == 1
    assert "'plumber'" in err
    assert "--class" in err


def _broken(change: Callable[[dict[str, Any]], object]) -> str:
    state = state_to_json(duel(1))
    change(state)
    return json.dumps(state)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (_broken(lambda s: s["fighters"][1].pop("hp")), "fighters[1].hp"),
        (_broken(lambda s: s.update(turn="first")), "turn"),
        (_broken(lambda s: s.pop("map")), "map"),
        ("[1, 2", "line 1"),
        ("[]", "state.json"),
    ],
)
def test_a_malformed_state_names_the_field(run: Run, tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text)
    code, _, err = run("advise", path)
    assert code == 1
    assert "state.json" in err
    assert named in err


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_state_that_cannot_be_opened_is_named(run: Run, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "state.json"
    if content is not None:
        path.write_bytes(content)
    code, _, err = run("advise", path)
    assert code == 1
    assert "state.json" in err


def test_missing_weights_are_named_with_the_remedy(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.advisor.model.DEFAULT_WEIGHTS", tmp_path / "gone.safetensors")
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(duel(1))))
    code, _, err = run("advise", path)
    assert code == 1
    assert "gone.safetensors" in err


def test_a_corrupt_settings_file_is_told_and_the_answer_still_comes(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "settings.toml").write_text("not [ toml")
    code, out, err = run("bench", "--states", "2", "--json")
    assert code == 0
    assert json.loads(out)["states"] == 2
    assert "settings.toml.bak" in err


def test_bench_measures_decisions_and_readings(run: Run) -> None:
    code, out, _ = run("bench", "--states", "4")
    assert code == 0
    for word in ("decision", "encode", "think", "decode", "vision", "p95"):
        assert word in out


def test_doctor_names_backends_settings_weights_and_versions(run: Run) -> None:
    code, out, _ = run("doctor", "--json")
    answer = json.loads(out)
    assert code == 0
    assert [info["name"] for info in answer["backends"]] == ["auto", "rocm", "cuda", "directml", "cpu"]
    assert all(info["reason"] for info in answer["backends"])
    assert answer["device"]["device"]
    assert answer["settings"]["file"].endswith("settings.toml")
    assert answer["weights"]["usable"]
    assert answer["versions"]["numpy"] == np.__version__
    code, out, _ = run("doctor")
    assert code == 0
    assert "directml" in out


def test_doctor_names_problems(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botapp.advisor.model.DEFAULT_WEIGHTS", tmp_path / "gone.safetensors")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    problems = json.loads(run("doctor", "--json")[1])["problems"]
    assert any("gone.safetensors" in problem for problem in problems)
    if sys.platform.startswith("linux"):
        assert any("display" in problem for problem in problems)


def test_a_tournament_from_true_states(run: Run) -> None:
    code, out, _ = run("arena", "tournament", "--a", "greedy", "--b", "random", "--fights", "2", "--json")
    answer = json.loads(out)
    assert code == 0
    assert {"fights", "a_win_rate", "draws", "mean_turns"} <= set(answer)
    assert answer["fights"] == 2
    code, out, _ = run("arena", "tournament", "--a", "greedy", "--b", "random", "--fights", "2")
    assert "greedy wins" in out


def test_only_the_model_plays_from_pixels(run: Run) -> None:
    code, _, err = run("arena", "tournament", "--a", "greedy", "--from-pixels")
    assert code == 1
    assert "--a hrm" in err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--size", "big"], "--size"),
        (["--size", "10x10"], "size"),
        (["--position", "1"], "--position"),
        (["--speed", "0"], "speed"),
    ],
)
def test_an_arena_option_that_makes_no_sense_is_named(run: Run, arguments: list[str], named: str) -> None:
    code, _, err = run("arena", *arguments)
    assert code == 1
    assert named in err


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


def test_a_report_needs_the_demo(run: Run) -> None:
    code, _, err = run("run", "--report", "x.json")
    assert code == 1
    assert "--demo" in err


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
    monkeypatch.setattr("botapp.demo.run", None)
    (tmp_path / "a file").touch()
    places = {"file": tmp_path / "a file", "folder": tmp_path}
    code, _, err = run("run", "--demo", *(argument.format(**places) for argument in arguments))
    assert code == 1
    assert named in err


def test_a_folder_that_is_read_only_is_refused_at_the_start(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botapp.ui.app.main", None)
    monkeypatch.setattr("botapp.cli.os.access", lambda _, mode: mode != os.W_OK)
    code, _, err = run("run", "--screenshots", tmp_path)
    assert code == 1
    assert "cannot be written to" in err


def test_how_much_is_done_for_speed_in_one_run_is_not_saved(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from botapp import store

    def main(options: Any) -> int:
        assert options.settings.engine.level == "aggressive"
        store.save(options.settings)
        return 0

    monkeypatch.delenv("BOTAPP_ENGINE__LEVEL", raising=False)
    monkeypatch.setattr("botapp.ui.app.main", main)
    assert run("run", "--level", "aggressive")[0] == 0
    monkeypatch.delenv("BOTAPP_ENGINE__LEVEL")
    assert store.load().settings.engine.level == "balanced"
    assert run("run", "--level", "reckless")[0] != 0


def test_the_language_of_one_run_is_not_saved(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from botapp import store

    def change_something(options: Any) -> int:
        assert options.settings.ui.language == "fr"
        store.save(options.settings.changed("engine.step_limit", 3))
        return 0

    monkeypatch.setattr("botapp.ui.app.main", change_something)
    assert run("run", "--language", "fr")[0] == 0
    assert store.settings_path().read_text("utf-8") == "[engine]\nstep_limit = 3\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_an_old_code_page_gets_an_answer_all_the_same(tmp_path: Path, as_json: bool) -> None:
    """What Windows hands to a pipe: a code page that lacks the letters of a file name."""
    command = [sys.executable, "-m", "botapp", "doctor", *(["--json"] if as_json else [])]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "BOTAPP_CONFIG_DIR": str(tmp_path / "réglages")}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    if as_json:
        assert "réglages" in json.loads(done.stdout)["settings"]["file"]
    else:
        assert "r?glages" in done.stdout


def test_an_unforeseen_error_is_one_line_and_its_trace_is_in_the_log(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
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


def test_the_demo_is_run_with_what_was_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("botapp.demo.run", lambda options: asked.append(options) or 5)
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


def test_the_arenas_window_gets_its_options(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setenv("DISPLAY", ":1234")
    monkeypatch.setattr("botapp.arena.window.main", lambda options: asked.append(options) or 0)
    code, _, _ = run("arena", "--seed", 8, "--size", "800x600", "--position", "-5,20", "--link")
    assert code == 0
    (options,) = asked
    assert (options.seed, options.size, options.position, options.link) == (8, (800, 600), (-5, 20), True)
    assert options.player_class is None


def test_a_tournament_from_pixels_tells_each_fight(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from botapp.pixels import Fight, results

    def play(settings: Any, opponent: str, fights: int, seed: int, speed: float, progress: Any) -> Any:
        played = [Fight(seed, 0, "won", 4)] * fights
        for fight in played:
            progress(fight)
        return results(played, opponent)

    monkeypatch.setattr("botapp.pixels.tournament", play)
    code, out, _ = run("arena", "tournament", "--from-pixels", "--fights", 2)
    assert code == 0
    assert out.count("won after 4 turns") == 2
    assert "hrm wins 100.0% of 2 fights" in out
    code, out, _ = run("arena", "tournament", "--from-pixels", "--fights", 2, "--json")
    assert json.loads(out)["from_pixels"] is True


def test_a_log_file_that_fails_makes_no_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up()
    with (tmp_path / "full.log").open("w", encoding="utf-8") as file:
        handler = logging.StreamHandler(file)
    handler.handle(logging.LogRecord("a", logging.INFO, "b", 1, "text", None, None))
    assert capsys.readouterr().err == ""
