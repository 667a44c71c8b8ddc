"""Even fights: factors that are found, kept, gone on with, and fought with."""

import pytest

from botapp.arena import even, pairing
from botapp.arena.even import (
    FIRST_SEED,
    LEFT_OUT,
    EvenError,
    Factors,
    key,
    made_even,
    read,
    work_out,
    written,
)
from botapp.arena.fixtures import POOLS
from botapp.arena.match import MatchResult
from botapp.arena.tournament import Contest, pair_text


def hp(state, side):
    return sum(fighter.hp for fighter in state.fighters if fighter.team == side)


def fought(winner_of):
    """A quick fight whose winner the HP of the scaled side decide."""
    played = []

    def quick(state, scenario, word, dice):
        played.append(state)
        return winner_of(state, len(played))

    return quick


@pytest.mark.parametrize(
    ("scenario", "side", "turning"), [("team", 0, 1.7), ("team", 0, 0.4), ("adventure", 1, 0.6)]
)
def test_the_factor_is_where_the_scaled_side_begins_to_win(scenario, side, turning, monkeypatch):
    task = (scenario, "seen", FIRST_SEED + 1, "greedy")
    whole = hp(even.as_written(scenario, FIRST_SEED + 1, "seen"), side)

    def winner(state, number):
        share = hp(state, side) / whole / turning
        lucky = number % 2 == 0 if 0.93 < share < 1.07 else share > 1
        return side if lucky else 1 - side

    monkeypatch.setattr(even, "quick_fight", fought(winner))
    assert made_even(task) == pytest.approx(100 * turning, rel=0.07)


def test_seeds_that_stall_or_never_get_even_are_left_out(monkeypatch):
    task = ("team", "seen", FIRST_SEED, "greedy")
    monkeypatch.setattr(even, "quick_fight", fought(lambda state, number: -1))
    assert made_even(task) == LEFT_OUT
    monkeypatch.setattr(even, "quick_fight", fought(lambda state, number: 0))
    assert made_even(task) == LEFT_OUT


@pytest.mark.slow
def test_the_same_seed_has_the_same_factor():
    task = ("team", "unseen", FIRST_SEED, "greedy")
    assert made_even(task) == made_even(task)


def test_work_goes_on_where_it_was_left(tmp_path, monkeypatch):
    out, asked = tmp_path / "even.json", []
    monkeypatch.setattr(even, "made_even", lambda task: asked.append(task[2]) or 100 + task[2] - FIRST_SEED)
    work_out(["team"], ["seen"], 2, "greedy", 1, out)
    known = work_out(["team"], ["seen", "drawn"], 3, "greedy", 1, out)
    assert asked == [FIRST_SEED, FIRST_SEED + 1, FIRST_SEED, FIRST_SEED + 1, FIRST_SEED + 2, FIRST_SEED + 2]
    assert known == read(out.read_text(), "even.json")
    assert known[key("team", "drawn")].percent == (100, 101, 102)
    with pytest.raises(EvenError, match="was made with greedy, not with random"):
        work_out(["team"], ["seen"], 3, "random", 1, out)
    out.write_text("[1]")
    with pytest.raises(EvenError, match=r"even\.json holds no factors of even fights"):
        work_out(["team"], ["seen"], 3, "greedy", 1, out)


@pytest.fixture
def known(monkeypatch):
    percent = (LEFT_OUT, 50, None, 200, 100, 150)
    factors = {key(scenario, "seen"): Factors("greedy", percent) for scenario in even.SCALED_SIDE}
    monkeypatch.setattr(even, "shipped", lambda: factors)
    return factors


def test_the_factors_that_are_shipped_are_within_their_range():
    for name, one in even.shipped().items():
        scenario, _, pool = name.partition(" ")
        assert scenario in even.SCALED_SIDE and pool in POOLS
        assert all(percent in (None, LEFT_OUT) or 25 <= percent <= 400 for percent in one.percent)


def test_what_was_written_is_read_again(known):
    assert read(written(known), "even.json") == known


def test_seeds_that_are_left_out_or_not_worked_out_are_passed_over(known):
    assert even.seeds("team", "seen", (), 1, 3) == [FIRST_SEED + 1, FIRST_SEED + 3, FIRST_SEED + 4]
    assert even.seeds("team", "seen", (), FIRST_SEED + 2, 1) == [FIRST_SEED + 3]
    sizes = [even.size_of(FIRST_SEED + place) for place in (1, 5)]
    assert sizes[0] == sizes[1]
    assert even.seeds("team", "seen", sizes[:1], 1, 2) == [FIRST_SEED + 1, FIRST_SEED + 5]
    with pytest.raises(
        EvenError, match="4 seeds of team, seen are even and of these sizes, 5 were asked for"
    ):
        even.seeds("team", "seen", (), 1, 5)
    with pytest.raises(EvenError, match="0 seeds of team, drawn"):
        even.seeds("team", "drawn", (), 1, 1)


def test_one_side_alone_is_scaled(known):
    for scenario, side in even.SCALED_SIDE.items():
        plain, made = (
            even.as_written(scenario, FIRST_SEED + 3, "seen"),
            even.even_fight(scenario, FIRST_SEED + 3, "seen"),
        )
        assert hp(made, side) == 2 * hp(plain, side) and hp(made, 1 - side) == hp(plain, 1 - side)
        assert all(fighter.hp == fighter.max_hp for fighter in made.fighters)


@pytest.mark.slow
def test_an_even_tournament_of_teams_is_mirrored(known):
    contest = Contest(4, scenario="team", sizes="1v1..4v4", even=True)
    answer = contest.pair("greedy", "random")
    assert [fight["seed"] - FIRST_SEED for fight in answer["results"]] == [1, 1, 3, 3]
    assert answer["even"] and answer["a_wins"] + answer["b_wins"] + answer["draws"] == 4


def test_in_even_adventures_both_players_meet_the_same_monsters(known, monkeypatch):
    asked = []
    monkeypatch.setattr(pairing, "make_player", lambda word: word)

    def play(state, players, rng):
        asked.append((hp(state, 1), players))
        won = players[0] == "greedy"
        return MatchResult(0 if won else 1, 9, 30, 10, 4, 70 if won else 20)

    monkeypatch.setattr(pairing, "play", play)
    answer = Contest(4, scenario="adventure", even=True).pair("greedy", "random")
    assert [players[0] for _, players in asked] == ["greedy", "random"] * 2
    assert {players[1] for _, players in asked} == {even.MONSTERS}
    assert asked[0][0] == asked[1][0] and asked[2][0] == asked[3][0]
    assert answer["a_alone"] == {
        "fights": 2, "wins": 2, "win_rate": 1.0, "draws": 0, "hp_left": 0.7, "mean_turns": 9.0,
    }  # fmt: skip
    assert "elo" not in answer
    assert answer["b_alone"]["wins"] == 0 and answer["a_points"] == 1.0 and answer["idle_turns"] == 0.4
    assert "greedy wins 100.0% of 2 fights against monsters, 0 drawn, 70% of its HP left" in pair_text(answer)
