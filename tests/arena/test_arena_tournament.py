"""Tournaments are mirrored, repeatable, and the same however many workers there are."""

import json

import pytest

from botapp.arena.tournament import Fight, TournamentResult, run


def test_each_seed_is_fought_from_both_sides():
    result = run("greedy", "random", 6, seed=40)
    assert [(f.seed, f.a_team) for f in result.results] == [
        (40, 0),
        (40, 1),
        (41, 0),
        (41, 1),
        (42, 0),
        (42, 1),
    ]


def test_a_player_against_itself_wins_and_loses_alike():
    result = run("greedy", "greedy", 8, seed=7)
    for first, second in zip(result.results[::2], result.results[1::2], strict=True):
        assert (first.winner, first.turns, first.actions) == (second.winner, second.turns, second.actions)
    assert result.a_wins == (8 - result.draws) / 2


def test_the_answer_has_what_the_command_line_promises():
    fights = (Fight(1, 0, 0, 4, 9), Fight(1, 1, 0, 6, 9), Fight(2, 0, -1, 51, 9), Fight(2, 1, 1, 3, 9))
    answer = TournamentResult("a", "b", "duel", fights).to_json()
    assert {k: answer[k] for k in ("fights", "a_win_rate", "draws", "mean_turns")} == {
        "fights": 4,
        "a_win_rate": 0.5,
        "draws": 1,
        "mean_turns": 16.0,
    }
    json.dumps(answer)


def test_workers_change_nothing():
    alone = run("greedy", "random", 4, seed=3)
    assert run("greedy", "random", 4, seed=3, workers=2) == alone


def test_adventures_and_options():
    result = run("search", "greedy", 2, scenario="adventure", a_options={"budget": 5})
    assert result.scenario == "adventure"
    assert [f.a_team for f in result.results] == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fights": 0}, "at least 1 fight"),
        ({"fights": 2, "workers": 0}, "1 worker"),
        ({"fights": 2, "scenario": "siege"}, "no scenario 'siege'"),
    ],
)
def test_what_cannot_be_played_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        run("greedy", "random", **arguments)


def test_an_unknown_player_is_named():
    with pytest.raises(ValueError, match="no player 'nobody'"):
        run("nobody", "random", 2)
