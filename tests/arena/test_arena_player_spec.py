"""Players are read from one word each, with options of their own."""

import random

import pytest

import botapp.arena.players
from botapp.arena.player_spec import make_player, parse, split
from botapp.arena.players.base import PLAYERS, OptionError
from botapp.arena.scenarios import duel
from botapp.arena.tournament import Contest
from botapp.fight.rules import legal_actions


@pytest.mark.parametrize(
    ("word", "options"),
    [
        ("greedy", {}),
        ("lite:steps=8,exit=off", {"steps": 8, "exit": False}),
        ("bare:rollout_actions=96,nodes=240", {"rollout_actions": 96, "nodes": 240}),
        ("search:states=3000", {"states": 3000}),
        ("full:device=cuda:1,weights=a/b.safetensors", {"device": "cuda:1", "weights": "a/b.safetensors"}),
        ("hrm:ms=150,precision=fp32", {"ms": 150.0, "precision": "fp32"}),
        ("bare:decision_ms=40", {"decision_ms": 40.0}),
        ("bare:ms=150,share=0.5", {"ms": 150.0, "share": 0.5}),
        ("lite:model_share=0.3,ms=150,share=1", {"model_share": 0.3, "ms": 150.0, "share": 1.0}),
    ],
)
def test_a_word_names_a_player_and_its_options(word, options):
    spec = parse(word)
    assert spec.name == word.partition(":")[0]
    assert dict(spec.options) == options
    assert parse(str(spec)) == spec


def test_the_order_of_options_makes_no_other_player():
    assert str(parse("bare:nodes=9,ms=5")) == str(parse("bare:ms=5,nodes=9"))


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("clever", f"no player 'clever'; there are {', '.join(PLAYERS.all())}"),
        ("bare:steps=8", f"bare has no option 'steps'; it has {', '.join(PLAYERS.all()['bare'].options)}"),
        ("random:ms=9", "random has no option 'ms'; it has none"),
        ("lite:steps=0", "steps is a whole number, 1 or more, not '0'"),
        ("lite:steps=many", "steps is a whole number, 1 or more, not 'many'"),
        ("lite:exit=maybe", "exit is on or off, not 'maybe'"),
        ("lite:precision=fp4", "precision is one of fp32, bf16, fp16, not 'fp4'"),
        ("lite:ms", "ms is a number of milliseconds above 0, such as ms=VALUE"),
        ("lite:ms=nan", "ms is a number of milliseconds above 0, not 'nan'"),
        ("lite:ms=9,share=2", "share is a number from 0 to 1, not '2'"),
        ("full:model_share=half", "model_share is a number from 0 to 1, not 'half'"),
        ("bare:share=0.5", "share is of a turn's time, which ms gives"),
        ("search:states=-1", "states is a whole number, 0 or more, not '-1'"),
        ("lite:ms=1,ms=2", "ms is given twice"),
        ("bare:ms=9,decision_ms=3", "give one of them"),
        ("search:ms=9,states=3", "give one of them"),
    ],
)
def test_what_makes_no_sense_is_named_with_what_there_is(word, told):
    with pytest.raises(OptionError) as error:
        parse(word)
    assert told in str(error.value)


def test_several_players_are_separated_as_their_options_are():
    assert split("lite:steps=8,exit=off,bare,full:device=cuda:1,ms=5,greedy") == [
        "lite:steps=8,exit=off",
        "bare",
        "full:device=cuda:1,ms=5",
        "greedy",
    ]


def test_a_player_without_a_model_plays_by_its_options():
    state = duel(1)
    for word in ("bare:rollout_actions=0,nodes=0", "bare:decision_ms=20", "bare:ms=30,share=0.6"):
        assert make_player(word).choose(state, random.Random(1)) in legal_actions(state)


def test_every_player_says_its_options():
    assert all(isinstance(kind.options, dict) for kind in PLAYERS.all().values())


PACING = """
from botapp.arena.players.base import player, whole
from botapp.arena.players.simple import GreedyPlayer
from botapp.fight.actions import EndTurn


@player("pacing", every=whole(1))
class PacingPlayer:
    def __init__(self, every=2):
        self.every, self.asked, self.greedy = every, 0, GreedyPlayer()

    def choose(self, state, rng):
        self.asked += 1
        return self.greedy.choose(state, rng) if self.asked % self.every else EndTurn()
"""


def test_a_player_is_one_file(made_up):
    made_up(botapp.arena.players, PLAYERS, "pacing", PACING)
    player = make_player("pacing:every=3")
    assert player.every == 3
    assert player.choose(duel(1), random.Random(1)) in legal_actions(duel(1))
    with pytest.raises(OptionError, match="every is a whole number, 1 or more, not '0'"):
        parse("pacing:every=0")
    with pytest.raises(OptionError, match=r"there are .*pacing"):
        parse("clever")
    found = Contest(fights=2, seed=1).pair("pacing:every=9", "random")
    assert found["a"] == "pacing:every=9" and found["a_wins"] == 2
