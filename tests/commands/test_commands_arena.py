"""`botapp arena`: the window gets its options, tournaments are told."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import madeup_game as made
import pytest

from botapp.arena.scenarios import duel, encounter
from botapp.commands.answers import Trouble
from botapp.commands.arena import fighters_named, ground_named
from botapp.content.position_line import to_line
from botapp.content.state_json import state_to_json

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.slow
def test_a_tournament_from_true_states(run: Run) -> None:
    code, out, _ = run("arena", "tournament", "--a", "greedy", "--b", "random", "--fights", "2", "--json")
    answer = json.loads(out)
    assert code == 0
    assert {"fights", "a_win_rate", "draws", "mean_turns"} <= set(answer)
    assert answer["fights"] == 2
    code, out, _ = run("arena", "tournament", "--a", "greedy", "--b", "random", "--fights", "2")
    assert "greedy wins" in out


def test_only_models_and_bare_play_from_pixels(run: Run) -> None:
    code, _, err = run("arena", "tournament", "--a", "greedy", "--from-pixels")
    assert code == 1
    assert "--a lite" in err
    code, _, err = run("arena", "tournament", "--a", "bare:ms=50", "--from-pixels")
    assert code == 1
    assert "decision_ms" in err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--size", "big"], "--size"),
        (["--size", "10x10"], "size"),
        (["--at", "1"], "--at"),
        (["--position", "1,2"], "--at 1,2"),
        (["--position", "hello"], "botapp://position/"),
        (["--speed", "0"], "speed"),
    ],
)
def test_an_arena_option_that_makes_no_sense_is_named(run: Run, arguments: list[str], named: str) -> None:
    code, _, err = run("arena", *arguments)
    assert code == 1
    assert named in err


def test_the_arenas_window_gets_its_options(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setenv("DISPLAY", ":1234")
    monkeypatch.setattr("botapp.arena.window.main", lambda options: asked.append(options) or 0)
    code, _, _ = run("arena", "--seed", 8, "--size", "800x600", "--at", "-5,20", "--link")
    assert code == 0
    (options,) = asked
    assert (options.seed, options.size, options.position, options.link) == (8, (800, 600), (-5, 20), True)
    assert options.player_class is None


def test_the_arena_speaks_the_apps_language(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setenv("DISPLAY", ":1234")
    monkeypatch.setattr("botapp.arena.window.main", lambda options: asked.append(options) or 0)
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "fr")
    assert run("arena")[0] == run("arena", "--language", "en")[0] == 0
    assert [options.language for options in asked] == ["fr", "en"]


def test_what_a_tournament_would_pass_over_is_refused(run: Run) -> None:
    fights = ["tournament", "--a", "greedy", "--b", "random", "--fights", "2"]
    for arguments, named in ((["--seed", "5", *fights], "--seed"), ([*fights, "--speed", "4"], "--speed")):
        code, _, err = run("arena", *arguments)
        assert code == 1
        assert named in err


def test_a_tournament_from_pixels_tells_each_fight(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from botapp.demo.from_pixels import PixelFight, results

    def play(
        settings: Any, player: Any, opponent: str, fights: int, seed: int, speed: float, progress: Any
    ) -> Any:
        played = [PixelFight(seed, 0, "won", 4)] * fights
        for fight in played:
            progress(fight)
        return results(played, str(player), opponent)

    monkeypatch.setattr("botapp.demo.from_pixels.tournament", play)
    code, out, _ = run("arena", "tournament", "--from-pixels", "--fights", 2)
    assert code == 0
    assert out.count("won after 4 turns") == 2
    assert "hrm wins 100.0% of 2 fights" in out
    code, out, _ = run("arena", "tournament", "--from-pixels", "--fights", 2, "--json")
    assert json.loads(out)["from_pixels"] is True


def test_fighters_of_the_game_are_told_by_key_or_name(run: Run, tmp_path: Path) -> None:
    folder = made.write(tmp_path / "game", made.small())
    code, out, _ = run("knowledge", "import-game", folder, "--language", "fr", "--spells")
    assert code == 0
    assert "Classes\xa0: 1 avec 4 sorts" in out
    assert "Serrurier (locksmith)" in out
    player, foes = fighters_named("locksmith", "chien de cour@45, monster-3002-1,golem", 60)
    assert (player.name, player.level, len(player.spells)) == ("Locksmith", 60, 2)
    assert [(foe.name, foe.level) for foe in foes] == [("Yard dog", 40), ("Mouse", 20), ("Golem", 60)]
    assert fighters_named("warden", "", None) == (None, ())
    ground = ground_named("la cour")
    assert (ground.key, ground.red_starts) == ("game-map-77", (100, 102, 104))
    state = encounter(1, player, foes, ground)
    assert {fighter.cell for fighter in state.fighters} <= {100, 102, 104, 450, 452, 454}
    with pytest.raises(ValueError, match="too few start cells"):
        encounter(1, player, foes * 2, ground)
    with pytest.raises(Trouble, match="--map"):
        ground_named("nowhere at all")
    for arguments, named in (
        (("nobody", "golem", None), "--class"),
        (("", "nobody-at-all", None), "--monsters"),
    ):
        with pytest.raises(Trouble, match=named):
            fighters_named(*arguments)


def test_data_of_another_kind_get_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}", "utf-8")
    code, _, err = run("knowledge", "import-game", tmp_path / "x.json")
    assert code == 1
    assert "holds no data of the game" in err
    assert err.count("\n") == 1


def test_the_arena_begins_at_a_copied_position(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Any] = []
    monkeypatch.setenv("DISPLAY", ":1234")
    monkeypatch.setattr("botapp.arena.window.main", lambda options: asked.append(options) or 0)
    state = duel(seed=1)
    line = to_line(state)
    assert run("arena", "--position", f"see {line}")[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(line))
    assert run("arena", "--position", "-")[0] == 0
    assert [options.position_at for options in asked] == [state, state]
    over = state.changed(fighters=(state.fighters[0], state.fighters[1].changed(hp=0)))
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state_to_json(state)))
    for arguments, said in (
        (["--position", to_line(over)], "the fight is over"),
        (["--position", to_line(state.changed(placing=True))], "places are still being chosen"),
        (["--position", line[:-3]], "checksum"),
        (["--position", line, "--state", str(file)], "leave one out"),
        (["--position", line, "--class", "ember"], "or --position"),
    ):
        code, _, err = run("arena", *arguments)
        assert code == 1
        assert said in err and len(err.splitlines()) == 1
    assert len(asked) == 2
