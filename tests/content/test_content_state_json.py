"""States and actions survive JSON; what is wrong with a dict is named by its path."""

import json
import random

import pytest
from fights import fight, fighter, spell
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.arena.scenarios import adventure
from botapp.content.errors import FieldError
from botapp.content.state_json import action_from_json, action_to_json, state_from_json, state_to_json
from botapp.fight.actions import Cast, EndTurn, Move, Place, Ready
from botapp.fight.rules import apply, legal_actions
from botapp.fight.spells import Affects, Buff, Effect, EffectKind, Shape, State, Stats, Summon
from botapp.fight.state import Mark, MarkKind

GOOD = fight(fighter(0, 0, 286, [spell()]), fighter(1, 1, 315, assumed=frozenset({"hp", "ap"})))


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 999), st.integers(0, 40))
def test_a_state_comes_back_equal(seed, actions):
    rng, state = random.Random(seed), adventure(seed, "leech")
    for _ in range(actions):
        if legal_actions(state):
            state = apply(state, rng.choice(legal_actions(state)), rng)
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


@pytest.mark.parametrize("action", [Move((1, 2, 3)), Cast("jab", 300), EndTurn(), Place(101), Ready()])
def test_an_action_comes_back_equal(action):
    assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "top level: expected an object"),
        ({}, "type: missing"),
        ({"type": "dance"}, "type: expected one of move, cast, end_turn, place, ready, got 'dance'"),
        ({"type": "{field} {text}"}, "type: expected one of .*, got '{field} {text}'"),
        ({"type": "move", "path": []}, "path: expected a list of at least 1, got 0"),
        ({"type": "move", "path": "12"}, "path: expected a list"),
        ({"type": "move", "path": [1, 560]}, r"path\[1\]: expected 0 to 559, got 560"),
        ({"type": "cast", "spell": "jab"}, "target: missing"),
        ({"type": "cast", "spell": 3, "target": 1}, "spell: expected a text, got 3"),
    ],
)
def test_a_wrong_action_names_the_field(data, message):
    with pytest.raises(FieldError, match=message):
        action_from_json(data)


def broken(path, value, state=GOOD):
    data = state_to_json(state)
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
        (["fighters", 0, "cooldowns"], [["jab"]], r"fighters\[0\]\.cooldowns\[0\]\[1\]: missing"),
        (["fighters", 0, "casts"], [["jab", 1, 2]], r"casts\[0\]: expected a list of at most 2, got 3"),
        (["fighters", 0, "cooldowns"], [[1, 2]], r"fighters\[0\]\.cooldowns\[0\]\[0\]: expected a text"),
        (
            ["fighters", 0, "stats"],
            {"charm": 3},
            r"fighters\[0\]\.stats\.charm: no such field; .*strength",
        ),
        (
            ["fighters", 0, "stats", "resistance"],
            [1, 2],
            r"stats\.resistance: expected 5 numbers \(neutral",
        ),
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


BURN = Effect(EffectKind.DAMAGE, 3, 4, crit_low=6, crit_high=8)
IMP = Summon("imp", "Imp", 12, 30, 4, 3, (spell("bite"),), Stats(agility=20))
RICH_EFFECTS = (
    Effect(EffectKind.BUFF, -20, -10, stat="fire_resistance", turns=2, affects=Affects.ENEMIES),
    Effect(EffectKind.STATE, state=State.ROOTED),
    Effect(EffectKind.TRAP, shape=Shape.CONE, radius=2, turns=0, payload=(BURN,)),
    Effect(EffectKind.SUMMON, summon=IMP),
)
RICH = fight(
    fighter(
        0,
        0,
        286,
        [spell(effects=RICH_EFFECTS, required_states=(State.FOCUSED,), forbidden_states=(State.PACIFIED,))],
        buffs=(Buff(1, 2, "power", -5), Buff(0, 0, state=State.FOCUSED)),
        player=True,
        stats=Stats(summons=3, push_resistance=4),
    ),
    fighter(1, 1, 315, assumed=frozenset({"hp", "ap"})),
    fighter(2, 0, 20, summoner=0),
).changed(marks=(Mark(MarkKind.GLYPH, 0, 300, (286, 300), 2, (BURN,), "Burn"),), placing=True)


def test_everything_the_rules_know_comes_back_equal():
    assert state_from_json(json.loads(json.dumps(state_to_json(RICH)))) == RICH


@pytest.mark.parametrize(("index", "name"), [(1, "state"), (3, "summon")])
def test_what_a_kind_of_effect_needs_cannot_be_null(index, name):
    data = state_to_json(RICH)
    data["fighters"][0]["spells"][0]["effects"][index][name] = None
    with pytest.raises(FieldError, match=rf"effects\[{index}\]\.{name}: missing"):
        state_from_json(data)


def test_fields_that_an_action_does_not_need_are_passed_over():
    assert action_from_json({"type": "end_turn", "target": None, "said": "bye"}) == EndTurn()


def test_what_says_nothing_is_left_out_of_a_spell_and_an_effect():
    written = state_to_json(GOOD)["fighters"][0]["spells"][0]
    assert not {"criterion", "weapon"} & set(written)
    assert set(written["effects"][0]) == {
        "kind", "low", "high", "element", "shape", "radius"
    }  # fmt: skip


EFFECTS = ["fighters", 0, "spells", 0, "effects"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ([*EFFECTS, 0, "stat"], "charm", r"effects\[0\]\.stat: expected one of strength, .*, got 'charm'"),
        ([*EFFECTS, 0, "stat"], None, r"effects\[0\]\.stat: expected one of"),
        ([*EFFECTS, 0, "turns"], -1, r"effects\[0\]\.turns: expected 0 to 63, got -1"),
        ([*EFFECTS, 0, "affects"], "me", r"effects\[0\]\.affects: expected one of default, enemies"),
        ([*EFFECTS, 0, "raduis"], 2, r"effects\[0\]\.raduis: no such field; remove it, or write one of kind"),
        ([*EFFECTS, 1, "state"], "sad", r"effects\[1\]\.state: expected one of rooted"),
        ([*EFFECTS, 1, "state"], None, r"effects\[1\]\.state: missing"),
        ([*EFFECTS, 2, "payload"], [], r"effects\[2\]\.payload: expected at least one effect"),
        (
            [*EFFECTS, 1, "payload"],
            [{"kind": "push", "low": 1}],
            r"payload: expected none for the kind state",
        ),
        ([*EFFECTS, 2, "payload", 0, "kind"], "trap", r"effects\[2\]\.payload\[0\]"),
        ([*EFFECTS, 2, "payload", 0, "crit_high"], 5, r"payload\[0\]\.crit_high: expected 6 or more, got 5"),
        ([*EFFECTS, 3, "summon"], None, r"effects\[3\]\.summon: missing"),
        ([*EFFECTS, 3, "summon", "hp"], 0, r"effects\[3\]\.summon\.hp: expected 1 or more, got 0"),
        ([*EFFECTS, 3, "summon", "colour"], "red", r"summon\.colour: no such field"),
        (["fighters", 0, "spells", 0, "required_states"], ["sad"], r"required_states\[0\]: expected one of"),
        (["fighters", 0, "buffs", 0, "stat"], "charm", r"buffs\[0\]\.stat: expected one of"),
        (["fighters", 0, "buffs", 0, "amount"], None, r"buffs\[0\]\.amount: missing"),
        (["fighters", 0, "buffs", 1, "state"], "sad", r"buffs\[1\]\.state: expected one of"),
        (["fighters", 0, "buffs", 0, "caster"], 9, r"fighters\[0\]\.buffs\[0\]\.caster: expected one of"),
        (["fighters", 2, "summoner"], 9, r"fighters\[2\]\.summoner: expected one of \[0, 1, 2\], got 9"),
        (["fighters", 2, "summoner"], -1, r"fighters\[2\]\.summoner: expected 0 to"),
        (["fighters", 0, "player"], 1, r"fighters\[0\]\.player: expected true or false"),
        (["fighters", 0, "stats", "summons"], "1", r"stats\.summons: expected a whole number, got '1'"),
        (["marks", 0, "kind"], "hole", r"marks\[0\]\.kind: expected one of glyph, trap"),
        (["marks", 0, "cells"], [560], r"marks\[0\]\.cells\[0\]: expected 0 to 559"),
        (["marks", 0, "owner"], 9, r"marks\[0\]\.owner: expected one of"),
        (["placing"], 1, "placing: expected true or false"),
    ],
)
def test_a_wrong_field_of_the_newer_kinds_is_named(path, value, message):
    with pytest.raises(FieldError, match=message):
        state_from_json(broken(path, value, RICH))
