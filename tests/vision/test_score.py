"""The judge of readings: right, wrong or withheld, field by field."""

import numpy as np
import pytest

from vision.scoring.score import score, score_cells
from vision.view import FighterSeen, FightView, Phase, Seen, SpellSlot

TRUTH = {
    "phase": "fight",
    "turn": "mine",
    "hp": 300,
    "max_hp": 350,
    "ap": 7,
    "mp": 3,
    "timer_s": 20,
    "turn_number": 2,
    "player": {"cell": 200, "px": [400, 300], "hp_fraction": 0.86, "kind": "ember"},
    "enemies": [
        {"cell": 210, "px": [500, 300], "hp_fraction": 0.5, "kind": "boar"},
        {"cell": None, "px": [520, 315], "hp_fraction": 1.0, "kind": "imp"},
    ],
    "allies": [],
    "cells": [2] * 560,
    "highlights": {"reachable": [186, 187]},
    "spells": [{"usable": True, "cooldown": 0}, {"usable": False, "cooldown": 3}],
}


def enemy(cell, px=(500.0, 300.0), hp=0.52, kind="boar"):
    return FighterSeen(px, cell, "enemy", Seen(hp), Seen(kind))


def view(**changes):
    fields = {
        "phase": Seen(Phase.FIGHT, 1),
        "turn": Seen("mine", 1),
        "hp": Seen(300),
        "max_hp": Seen(350),
        "ap": Seen(7),
        "mp": Seen(3),
        "timer_s": Seen(20),
        "turn_number": Seen(2),
        "player": FighterSeen((400, 300), 200, "own", Seen(0.86), Seen("ember")),
        "enemies": (enemy(210),),
        "cells": np.full(560, 2, np.uint8),
        "highlights": {"reachable": frozenset({186, 187})},
        "spells": (SpellSlot(0, Seen(True), Seen(0)), SpellSlot(1, Seen(False), Seen(3))),
    }
    return FightView(**(fields | changes))


def test_a_perfect_reading_is_all_right():
    assert set(score(view(), TRUTH).values()) == {"right"}
    assert score_cells(view(), TRUTH) == {"right": 560, "wrong": 0, "withheld": 0}


@pytest.mark.parametrize(
    ("changes", "field", "outcome"),
    [
        ({"hp": Seen(30)}, "hp", "wrong"),
        ({"hp": Seen()}, "hp", "withheld"),
        ({"turn": Seen("other")}, "turn", "wrong"),
        ({"player": None}, "player 0 cell", "withheld"),
        ({"enemies": (enemy(211),)}, "enemy made up at 211", "wrong"),
        ({"enemies": (enemy(211),)}, "enemy 0 cell", "withheld"),
        ({"enemies": (enemy(210, hp=0.6),)}, "enemy 0 hp", "wrong"),
        ({"enemies": (enemy(210, hp=None),)}, "enemy 0 hp", "withheld"),
        ({"enemies": (enemy(210, kind="imp"),)}, "enemy 0 kind", "wrong"),
        ({"highlights": {}}, "highlight reachable", "withheld"),
        ({"highlights": {"reachable": frozenset({186})}}, "highlight reachable", "wrong"),
        ({"highlights": {"range": frozenset({1})}}, "highlight range", "wrong"),
        ({"spells": ()}, "spell 1 cooldown", "withheld"),
        ({"spells": (SpellSlot(0, Seen(False), Seen(0)),)}, "spell 0 usable", "wrong"),
    ],
)
def test_each_fault_is_named(changes, field, outcome):
    assert score(view(**changes), TRUTH)[field] == outcome


def test_a_walking_fighter_may_be_read_where_it_is_and_nowhere_else():
    passing = enemy(225, px=(521.0, 316.0), kind="imp")
    assert "wrong" not in score(view(enemies=(enemy(210), passing)), TRUTH).values()
    elsewhere = enemy(225, px=(560.0, 330.0), kind="imp")
    assert score(view(enemies=(enemy(210), elsewhere)), TRUTH)["enemy made up at 225"] == "wrong"


def test_without_a_fight_only_the_phase_counts():
    over = TRUTH | {"phase": "not-fight", "turn": None}
    assert score(view(phase=Seen(Phase.NOT_FIGHT, 1)), over) == {"phase": "right"}
    assert score(view(phase=Seen(Phase.UNKNOWN, 0)), over) == {"phase": "withheld"}
    assert score(view(), over) == {"phase": "wrong"}


def test_cells_are_counted():
    cells = np.full(560, 2, np.uint8)
    cells[:10], cells[10:13] = 0, 3
    assert score_cells(view(cells=cells), TRUTH) == {"right": 547, "wrong": 3, "withheld": 10}
