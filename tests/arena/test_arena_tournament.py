"""Tournaments are mirrored, repeatable, the same however many workers there are, and can be gone on with."""

import json

import pytest

from botapp.arena import pairing
from botapp.arena.fixtures import begin, parse_sizes
from botapp.arena.pairing import Arrangement, FightRecord, TournamentResult, round_robin, run
from botapp.arena.tournament import Contest, pair_text, table_text
from botapp.arena.tournament_file import RecordError
from botapp.content.library import classes, unseen_content

FIGHTS = (
    FightRecord(1, 0, 0, 4, 9),
    FightRecord(1, 1, 0, 6, 9),
    FightRecord(2, 0, -1, 51, 9),
    FightRecord(2, 1, 1, 3, 9),
)


def test_each_seed_is_fought_from_both_sides():
    result = run(Arrangement("greedy", "random"), 6, seed=40)
    assert [(f.seed, f.a_team) for f in result.results] == [
        (40, 0),
        (40, 1),
        (41, 0),
        (41, 1),
        (42, 0),
        (42, 1),
    ]


@pytest.mark.slow
def test_a_player_against_itself_wins_and_loses_alike():
    result = run(Arrangement("greedy", "greedy"), 8, seed=7)
    for first, second in zip(result.results[::2], result.results[1::2], strict=True):
        assert (first.winner, first.turns, first.actions) == (second.winner, second.turns, second.actions)
    assert result.a_wins == (8 - result.draws) / 2
    assert result.strength.elo == 0


def test_the_answer_has_what_the_command_line_promises():
    answer = TournamentResult(Arrangement("a", "b"), FIGHTS).to_json()
    keys = ("fights", "a_wins", "b_wins", "a_win_rate", "draws", "mean_turns", "a_points")
    assert {k: answer[k] for k in keys} == {
        "fights": 4,
        "a_wins": 2,
        "b_wins": 1,
        "a_win_rate": 0.5,
        "draws": 1,
        "mean_turns": 16.0,
        "a_points": 0.625,
    }
    assert answer["split_pairs"] == 0.5
    assert answer["elo"]["low"] < answer["elo"]["difference"] < answer["elo"]["high"]
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.long
def test_workers_change_nothing():
    alone = run(Arrangement("greedy", "random"), 4, seed=3)
    assert run(Arrangement("greedy", "random"), 4, seed=3, workers=2) == alone


def test_adventures_and_options():
    result = run(Arrangement("search:states=5", "greedy", "adventure"), 2)
    assert result.arrangement.scenario == "adventure"
    assert [f.a_team for f in result.results] == [0, 1]


@pytest.mark.parametrize(
    ("arrangement", "arguments", "message"),
    [
        ({}, {"fights": 0}, "at least 1 fight"),
        ({}, {"fights": 2, "workers": 0}, "1 worker"),
        ({"scenario": "siege"}, {"fights": 2}, "no scenario 'siege'"),
        ({"scenario": "adventure", "sizes": (2,)}, {"fights": 2}, "no choice of sizes"),
    ],
)
def test_what_cannot_be_played_is_said(arrangement, arguments, message):
    with pytest.raises(ValueError, match=message):
        run(Arrangement("greedy", "random", **arrangement), **arguments)


def test_an_unknown_player_is_named():
    with pytest.raises(ValueError, match="no player 'nobody'"):
        run(Arrangement("nobody", "random"), 2)


@pytest.mark.slow
def test_a_tournament_goes_on_where_it_was_left(tmp_path, monkeypatch):
    file, whole = tmp_path / "t.json", run(Arrangement("greedy", "random"), 6, seed=3)

    def interrupt(fight):
        if fight.seed == 4:
            raise KeyboardInterrupt

    part = run(Arrangement("greedy", "random"), 6, seed=3, out=file, told=interrupt)
    assert part.results == whole.results[:3]
    assert json.loads(file.read_text())["fights"] == 3

    played, play = [], pairing.play_task
    monkeypatch.setattr(pairing, "play_task", lambda task: played.append(task[1:]) or play(task))
    assert run(Arrangement("greedy", "random"), 6, seed=3, out=file) == whole
    assert played == [(4, 1), (5, 0), (5, 1)]
    assert json.loads(file.read_text()) == whole.to_json()
    assert list(tmp_path.iterdir()) == [file]


def test_an_interruption_before_the_first_result_is_passed_on(monkeypatch):
    def interrupt(task):
        raise KeyboardInterrupt

    monkeypatch.setattr(pairing, "play_task", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(Arrangement("greedy", "random"), 2)


def test_a_file_of_something_else_is_left_alone(tmp_path):
    file = tmp_path / "t.json"
    run(Arrangement("greedy", "random"), 1, out=file)
    with pytest.raises(RecordError, match="another tournament: its b is 'random', not 'greedy'"):
        run(Arrangement("greedy", "greedy"), 1, out=file)
    for text in ("no json", "[]", '{"results": [{"seed": 1}]}'):
        file.write_text(text)
        with pytest.raises(RecordError, match=r"t\.json .*Give another file"):
            run(Arrangement("greedy", "random"), 1, out=file)
        assert file.read_text() == text


@pytest.mark.slow
def test_a_round_robin_meets_everyone_once():
    answer = round_robin(["greedy", "random", "search:states=0"], lambda a, b: run(Arrangement(a, b), 2))
    assert [(p["a"], p["b"]) for p in answer["pairings"]] == [
        ("greedy", "random"),
        ("greedy", "search:states=0"),
        ("random", "search:states=0"),
    ]
    assert answer["elo"]["random"] == min(answer["elo"].values())
    with pytest.raises(ValueError, match="different players"):
        round_robin(["greedy", "greedy"], lambda a, b: run(Arrangement(a, b), 2))


def test_sizes_are_taken_in_turn_and_read_from_text():
    sizes = parse_sizes("1v1,3v3..4v4")
    assert sizes == (1, 3, 4)
    assert parse_sizes("") == ()
    assert [len(begin("team", seed, sizes).fighters) for seed in (3, 4, 5, 6)] == [2, 6, 8, 2]
    for text in ("2v3", "5v5", "two", "1v1..", "0v0"):
        with pytest.raises(ValueError, match="is no size of teams"):
            parse_sizes(text)


def test_a_contest_says_how_it_went(tmp_path):
    contest = Contest(fights=2, seed=4, scenario="team", sizes="1v1", out=tmp_path / "a.json")
    answer = contest.pair("search:ms=5", "greedy")
    assert (answer["a"], answer["b"]) == ("search:ms=5", "greedy")
    text = pair_text(answer)
    assert text.startswith("search:ms=5 wins ") and "Elo " in text
    for said in ("drawn", "rounds on average", "of turns hurt no enemy", "of pairs split", "points "):
        assert said in text
    assert 0 <= answer["idle_turns"] <= 1
    assert json.loads((tmp_path / "a.json").read_text()) == answer
    assert "no end" in pair_text(TournamentResult(Arrangement("a", "b"), FIGHTS[:1]).to_json())


def test_a_contest_of_several_has_a_table_and_a_file_for_each_pairing(tmp_path):
    answer = Contest(fights=2, out=tmp_path / "new").table(["greedy", "random"])
    assert table_text(answer).splitlines()[0].startswith("greedy")
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["greedy-random.json"]


def test_a_file_of_the_old_form_is_said_to_be_one(tmp_path):
    file = tmp_path / "t.json"
    run(Arrangement("greedy", "random"), 1, out=file)
    file.write_text(json.dumps(json.loads(file.read_text()) | {"a_options": {}, "b_options": {}}))
    with pytest.raises(RecordError, match="earlier version"):
        run(Arrangement("greedy", "random"), 1, out=file)


def test_unseen_classes_never_meet_seen_ones():
    fighters = [f for seed in range(8) for f in begin("team", seed, (1, 2), "unseen").fighters]
    known = classes() | unseen_content().classes
    assert all(known[fighter.kind].unseen for fighter in fighters)
    seen = {f.kind for seed in range(8) for f in begin("team", seed, (1, 2)).fighters}
    assert not any(classes()[kind].unseen for kind in seen)
