import json

import pytest

from botapp.arena import even
from botapp.arena.scenarios import team
from botapp.bench import ceilings, pool_records
from botapp.bench.ceiling_players import DicePlayer, PlayoutsPlayer
from botapp.bench.ceilings import Line, report_lines
from botapp.fight.actions import Cast
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.rules import apply, legal_actions
from botapp.search.tree import TurnSearch
from botapp.search.whole_fights import FightDice

pytestmark = pytest.mark.skipif(INTERPRETED, reason="whole fights take minutes there")


def line(seed, side, winner, player="playouts", pool="unseen", size=1, hp_left=0.5):
    return Line(player, pool, size, seed, side, winner, 12, 40, 1.0, hp_left, 3.0, {"changed": 2.0})


def test_a_seed_counts_once_it_was_fought_from_both_sides():
    fights = [line(1, 0, 0), line(1, 1, 1), line(2, 0, 1), line(2, 1, 1), line(3, 0, 0)]
    (told,) = report_lines(fights)
    assert told.startswith("unseen playouts: 75.0 %") and " of 4;" in told and "8 changed" in told
    assert "split pairs 50 %" in told
    assert report_lines([line(3, 0, 0)]) == ["unseen playouts: no seed was fought from both sides"]


def test_against_monsters_both_players_fight_the_same_seeds():
    fights = [line(seed, 0, 0, pool="monsters") for seed in range(4)]
    fights += [line(seed, 0, seed % 2, "own", "monsters", hp_left=0.25) for seed in range(6)]
    (told,) = report_lines(fights)
    assert told.startswith("monsters playouts: won 100.0 % of 4, the app's own 50.0 %, +50.0 points")
    assert "HP left 0.500 against 0.250" in told


def test_sizes_are_told_apart():
    fights = [line(seed, side, 0, size=1 + seed % 2) for seed in range(4) for side in (0, 1)]
    assert [told.split(":")[0] for told in report_lines(fights)] == [
        "unseen playouts", "unseen playouts 1v1", "unseen playouts 2v2",
    ]  # fmt: skip


@pytest.mark.long
def test_fights_are_gone_on_with_where_they_were_ended(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(ceilings, "OWN", "greedy")
    monkeypatch.setattr(ceilings, "MOST_TASKS", 4)
    out, shares = tmp_path / "fights.jsonl", tmp_path / "shares.json"
    monkeypatch.setattr(ceilings.even, "QUICK", "greedy")
    first = even.FIRST_SEED
    factors = even.Factors("x").with_one(first, 100).with_one(first + 4, even.LEFT_OUT)
    shares.write_text(even.written({"team unseen": factors.with_one(first + 8, 90)}))
    words = ["fight", "quick:states=5", "--out", str(out), "--shares", str(shares)]
    assert ceilings.main(words) == 0
    begun = out.read_text().splitlines()
    assert [json.loads(one)["seed"] - first for one in begun] == [0, 0], "the next one is left out"
    assert ceilings.main(words) == 0
    seeds = [json.loads(one)["seed"] - first for one in out.read_text().splitlines()]
    assert seeds == [0, 0, 8, 8] and out.read_text().splitlines()[:2] == begun
    assert ceilings.main(["report", str(out)]) == 0
    assert "unseen quick:states=5" in capsys.readouterr().out.splitlines()[-1]


def test_what_is_wrong_is_said_in_a_line(tmp_path, capsys):
    assert ceilings.main(["fight", "nobody", "--out", str(tmp_path / "x")]) == 1
    assert ceilings.main(["learn", str(tmp_path), "--out", str(tmp_path / "w")]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "nobody" in said[0] and "record" in said[1]


@pytest.mark.long
def test_fights_are_made_even_by_compiled_ones():
    tasks = [("team", "unseen", even.FIRST_SEED + 4 * number, "greedy") for number in range(6)]
    found = [even.made_even(task) for task in tasks]
    assert any(found) and found == [even.made_even(task) for task in tasks]


@pytest.mark.long
def test_records_hold_the_states_of_fights(tmp_path):
    played = pool_records.play_some("unseen", (1,), range(10, 16))
    pool_records.write(played, tmp_path / "some.npz")
    back = list(pool_records.read([tmp_path / "some.npz"]))
    assert len(back) == len(played) >= 4
    for one, other in zip(played, back, strict=True):
        assert (one.fight, one.won) == (other.fight, other.won)
        assert (one.rows == other.rows).all() and (one.pairs == other.pairs).all()


@pytest.mark.long
def test_who_knows_the_dice_expects_what_comes():
    """Each first action's state in the search is the one that the fight's own dice make of it."""
    casts = 0
    for number in range(6):
        state, dice = team(number, 2), FightDice(number)
        search = TurnSearch(state, dice=dice.thrown)
        for action in legal_actions(state):
            if isinstance(action, Cast) and casts < 60:
                dice = FightDice(number)
                assert search.after(search.root, action).state == apply(state, action, dice), (number, action)
                casts += 1
    assert casts >= 20


@pytest.mark.long
@pytest.mark.parametrize("player", [DicePlayer(20.0), PlayoutsPlayer(20.0, 20, 3)])
def test_such_players_play_legally(player):
    state, dice = team(5, 1, pool="unseen"), FightDice(5)
    for _ in range(6):
        action = player.choose(state, dice) if state.actor.team == 0 else legal_actions(state)[-1]
        state = apply(state, action, dice)
    assert getattr(player, "about", {"decisions": 1})["decisions"] >= 1
