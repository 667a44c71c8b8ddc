"""States and actions survive JSON; what is wrong with a dict is named by its path."""

import json
import random

import pytest
from fights import fight, fighter, spell
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.arena.scenarios import adventure
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.codec import action_from_json, action_to_json, state_from_json, state_to_json
from botapp.fight.fields import FieldError
from botapp.fight.rules import apply, legal_actions

GOOD = fight(fighter(0, 0, 286, [spell()]), fighter(1, 1, 315, assumed=frozenset({"hp", "ap"})))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 999), st.integers(0, 40))
def test_a_state_comes_back_equal(seed, actions):
    rng, state = random.Random(seed), adventure(seed, "leech")
    for _ in range(actions):
        if legal_actions(state):
            state = apply(state, rng.choice(legal_actions(state)), rng)
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


def test_what_nobody_has_seen_is_kept():
    assert state_from_json(state_to_json(GOOD)).fighters[1].assumed == {"hp", "ap"}


@pytest.mark.parametrize("action", [Move((1, 2, 3)), Cast("jab", 300), EndTurn()])
def test_an_action_comes_back_equal(action):
    assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "top level: expected an object"),
        ({}, "type: missing"),
        ({"type": "dance"}, "type: expected one of move, cast, end_turn, place, ready, got 'dance'"),
        ({"type": "move", "path": []}, "path: expected at least one cell"),
        ({"type": "move", "path": "12"}, "path: expected a list"),
        ({"type": "move", "path": [1, 560]}, r"path\[1\]: expected 0 to 559, got 560"),
        ({"type": "cast", "spell": "jab"}, "target: missing"),
        ({"type": "cast", "spell": 3, "target": 1}, "spell: expected a text, got 3"),
    ],
)
def test_a_wrong_action_names_the_field(data, message):
    with pytest.raises(FieldError, match=message):
        action_from_json(data)


def broken(path, value):
    data = state_to_json(GOOD)
    spot = data
    for step in path[:-1]:
        spot = spot[step]
    if value is None:
        del spot[path[-1]]
    else:
        spot[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["fighters", 1, "hp"], -3, r"fighters\[1\]\.hp: expected 0 to 100, got -3"),
        (["fighters", 1, "hp"], 101, r"fighters\[1\]\.hp: expected 0 to 100, got 101"),
        (["fighters", 0, "name"], None, r"fighters\[0\]\.name: missing"),
        (["fighters", 0, "team"], True, r"fighters\[0\]\.team: expected a whole number, got True"),
        (["fighters", 0, "cell"], 560, r"fighters\[0\]\.cell: expected 0 to 559"),
        (["fighters", 0, "cooldowns"], [["jab"]], r"fighters\[0\]\.cooldowns\[0\]: expected a pair"),
        (["fighters", 0, "cooldowns"], [[1, 2]], r"fighters\[0\]\.cooldowns\[0\]\[0\]: expected a text"),
        (["fighters", 0, "stats"], {"luck": 3}, r"fighters\[0\]\.stats\.luck: no such stat"),
        (["fighters", 0, "stats", "resistance"], [1, 2], r"stats\.resistance: expected 5 numbers"),
        (["fighters", 0, "spells", 0, "ap"], "3", r"spells\[0\]\.ap: expected a whole number, got '3'"),
        (["fighters", 0, "spells", 0, "max_range"], 0, r"spells\[0\]\.max_range: expected 1 to 63, got 0"),
        (["fighters", 0, "spells", 0, "in_line"], 1, r"in_line: expected true or false, got 1"),
        (
            ["fighters", 0, "spells", 0, "effects", 0, "kind"],
            "hug",
            r"effects\[0\]\.kind: expected one of damage",
        ),
        (
            ["fighters", 0, "spells", 0, "effects", 0, "high"],
            2,
            r"effects\[0\]\.high: expected 10 or more, got 2",
        ),
        (["fighters", 1, "id"], 0, "fighters: two of them have the same id"),
        (["map", "cells"], "___", r"map\.cells: expected 560 letters"),
        (["order"], [7], r"order: expected ids out of \[0, 1\], got \[7\]"),
        (["order"], [], "order: expected ids"),
        (["current"], 2, "current: expected 0 to 1, got 2"),
        (["map"], None, "map: missing"),
    ],
)
def test_a_wrong_state_names_the_field(path, value, message):
    with pytest.raises(FieldError, match=message):
        state_from_json(broken(path, value))
