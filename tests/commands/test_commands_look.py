"""`botapp look` and `botapp advise`: what is promised is answered, what is wrong is named."""

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from botapp.arena.scenarios import duel
from botapp.content.state_json import state_to_json
from botapp.fight.rules import placing

Run = Callable[..., tuple[int, str, str]]
FIGURES = ("phase", "turn", "hp", "max_hp", "ap", "mp", "timer_s")
LOOK_KEYS = {
    "client",
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
    "dead",
    "shield",
    "turn_number",
    "fighters_shown",
    "lattice",
    "hp_share",
    "played",
    "lattice_ambiguous",
    "client_area",
    "cells",
    "highlights",
    "signs",
    "timeline",
    "spells",
    "log",
    "confidence",
    "elapsed_ms",
}


@pytest.mark.slow
def test_look_answers_with_the_promised_keys_and_what_the_picture_shows(
    run: Run, drawn: tuple[Path, dict[str, Any]]
) -> None:
    picture, truth = drawn
    code, out, _ = run("look", picture, "--client", "arena", "--json")
    answer = json.loads(out)
    assert code == 0
    assert set(answer) == LOOK_KEYS
    for name in FIGURES:
        assert answer[name] == truth[name], name
    assert answer["player"]["cell"] == truth["player"]["cell"]
    assert {enemy["cell"] for enemy in answer["enemies"]} == {enemy["cell"] for enemy in truth["enemies"]}
    assert {"px", "cell", "hp_fraction"} <= set(answer["enemies"][0])
    assert answer["lattice"]["origin_px"] == pytest.approx(truth["lattice"]["origin_px"], abs=1.0)
    assert answer["confidence"]["hp"] > 0.5


def test_look_tells_all_that_was_read_with_confidences(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    picture, truth = drawn
    answer = json.loads(run("look", picture, "--json")[1])
    floor = answer["cells"]["walkable"]
    assert {answer["player"]["cell"], *(enemy["cell"] for enemy in answer["enemies"])} <= set(floor)
    assert sorted(answer["cells"]) == ["hole", "obstacle", "outside", "walkable"]
    assert set(answer["highlights"]["reachable"]) <= set(floor)
    assert answer["turn_number"] == truth["turn_number"]
    assert answer["shield"] == 0
    kinds = {truth["player"]["kind"], *(enemy["kind"] for enemy in truth["enemies"])}
    assert {card["kind"] for card in answer["timeline"]} == kinds
    assert [card["team"] for card in answer["timeline"] if card["current"]] == ["own"]
    assert {answer["player"]["kind"], *(enemy["kind"] for enemy in answer["enemies"])} == kinds
    assert answer["spells"][0]["usable"] is True
    assert isinstance(answer["log"], list)
    told = {*FIGURES, "shield", "turn_number", "lattice", "cells", "highlights", "signs", "timeline", "log"}
    assert told <= set(answer["confidence"])
    assert all(0 < answer["confidence"][name] <= 1 for name in told)
    for one in (answer["player"], *answer["enemies"], *answer["timeline"], *answer["spells"][:1]):
        assert one["confidence"]
        assert all(0 <= sure <= 1 for sure in one["confidence"].values())
    assert answer["player"]["confidence"]["kind"] > 0.5


def test_look_answers_in_words(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, out, _ = run("look", drawn[0])
    assert code == 0
    assert "turn: mine" in out
    assert "enemy: cell" in out
    for name in ("cells: ", "highlights: ", "timeline: ", "spells: ", "shield 0", "round: 1"):
        assert name in out, name


@pytest.mark.slow
def test_what_cannot_be_read_is_unknown_with_a_reason(run: Run, tmp_path: Path) -> None:
    import cv2

    picture = tmp_path / "noise.png"
    cv2.imwrite(str(picture), np.random.default_rng(0).integers(0, 255, (360, 640, 3), np.uint8))
    code, out, _ = run("look", picture, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["phase"] == "unknown"
    assert answer["reason"]
    assert set(answer) == LOOK_KEYS | {"reason"}
    assert answer["player"] is None
    code, out, _ = run("look", picture)
    assert code == 1
    assert "No game is recognised" in out and "fight" not in out
    code, _, err = run("advise", picture)
    assert code == 1
    assert err.startswith("botapp: ")


@pytest.mark.slow
def test_a_client_that_is_not_read_yet_says_so(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, out, _ = run("look", drawn[0], "--client", "dofus-2", "--json")
    assert code == 0
    assert json.loads(out)["phase"] == "unknown"
    assert "dofus" in json.loads(out)["reason"].casefold()


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_wrong_client_lists_the_right_ones(run: Run) -> None:
    code, _, err = run("look", "x.png", "--client", "tetris")
    assert code == 2
    assert "dofus-unity" in err


@pytest.mark.slow
def test_advise_reads_a_picture(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, out, _ = run("advise", drawn[0], "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["action_type"] in {"move", "cast", "end_turn"}
    assert answer["action"]["type"] == answer["action_type"]
    assert 0 < answer["confidence"] <= 1
    assert 1 <= len(answer["choices"]) <= 5
    assert answer["adviser"] == "model"
    assert answer["trace"]
    assert set(answer["timings_ms"]) == {"search", "encode", "think", "decode"}
    said = run("advise", drawn[0])[1]
    assert ("first answer: " in said) != ("after 1 step" in said)  # the only step is the answer


@pytest.mark.slow
def test_advise_asks_the_search_alone_where_the_settings_say_so(
    run: Run, drawn: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTAPP_ENGINE__ADVISER", "search")
    code, out, _ = run("advise", drawn[0], "--json")
    answer = json.loads(out)
    assert (code, answer["adviser"], answer["trace"]) == (0, "search", [])
    assert set(answer["timings_ms"]) == {"search", "decode"}
    assert "first answer" not in run("advise", drawn[0])[1]


@pytest.mark.slow
def test_advise_reads_a_state(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(duel(1))))
    code, out, _ = run("advise", path)
    assert code == 0
    first, second = out.splitlines()[:2]
    assert first == "chance of winning after each action:"
    assert "%" in second
    assert "first answer: " in out


@pytest.mark.slow
def test_advise_says_what_comes_of_it_and_how_the_turn_goes_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(duel(1))))
    code, out, _ = run("advise", path, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["alternative"]["label"] != answer["choices"][0]["label"]
    assert {"expected", "plan"} <= set(answer)
    code, out, _ = run("advise", path)
    assert "second choice: " in out
    assert "cell " not in re.sub(r"1 cell (up|down|left|right)", "", out)  # no cell by its number


@pytest.mark.slow
def test_advise_before_the_fight_says_where_to_stand(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state = placing(duel(1))
    path.write_text(json.dumps(state_to_json(state)))
    code, out, err = run("advise", path)
    assert (code, err) == (0, "")
    assert "Place yourself" in out and "start cell" not in out and "chance of winning" in out


def test_advise_needs_a_class_that_exists(run: Run, drawn: tuple[Path, dict[str, Any]]) -> None:
    code, _, err = run("advise", drawn[0], "--class", "plumber")
    assert code == 1
    assert "'plumber'" in err
    assert "--class" in err


def _broken(change: Callable[[dict[str, Any]], object]) -> str:
    state = state_to_json(duel(1))
    change(state)
    return json.dumps(state)


@pytest.mark.slow
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
    monkeypatch.setattr("botapp.advisor.own_weights.DEFAULT_WEIGHTS", tmp_path / "gone.safetensors")
    monkeypatch.setenv("BOTAPP_ENGINE__ADVISER", "model")
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state_to_json(duel(1))))
    code, _, err = run("advise", path)
    assert code == 1
    assert "gone.safetensors" in err


@pytest.mark.slow
def test_look_writes_a_report_and_says_why_it_cannot(
    run: Run, drawn: tuple[Path, dict[str, Any]], tmp_path: Path
):
    code, _, _ = run("look", drawn[0], "--client", "arena", "--report", tmp_path / "read.zip")
    assert code == 0 and zipfile.is_zipfile(tmp_path / "read.zip")
    (tmp_path / "taken").write_text("a file in the way")
    code, _, said = run("look", drawn[0], "--client", "arena", "--report", tmp_path / "taken" / "read.zip")
    assert code != 0 and "taken cannot be made" in said and "Traceback" not in said


@pytest.mark.slow
def test_look_draws_what_the_network_says_of_the_games_cells_alone(
    run: Run, drawn: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    code, _, said = run("look", drawn[0], "--client", "arena", "--debug", tmp_path / "scores.png")
    assert code == 1 and "arena" in said
    assert not (tmp_path / "scores.png").exists()


@pytest.mark.long
def test_look_draws_the_scores_over_a_board(run: Run, tmp_path: Path) -> None:
    import cv2

    from vision.synthetic import screen

    picture, _ = screen.draw(93_200_000, "dofus-unity")
    cv2.imwrite(str(tmp_path / "fight.png"), picture)
    code, _, _ = run(
        "look",
        tmp_path / "fight.png",
        "--client",
        "dofus-unity",
        "--plain",
        "--debug",
        tmp_path / "scores.png",
    )
    assert code == 0
    scored = cv2.imread(str(tmp_path / "scores.png"))
    assert scored.shape[1] % picture.shape[1] == 0
