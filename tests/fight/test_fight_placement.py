"""Before the fight everyone chooses a start cell of its colour, one after the other; then it begins."""

import random

import pytest
from fights import OPEN, fighter, spell

from botapp.fight.actions import Cast, EndTurn, Move, Place, Ready
from botapp.fight.rules import IllegalAction, apply, apply_expected, legal_actions, placing
from botapp.fight.state import FightMap, FightState

dice = random.Random(0)
RED, BLUE = (100, 101, 102), (400, 401, 402)


def start():
    fighters = (fighter(0, 0, 100, [spell()]), fighter(1, 1, 400), fighter(2, 0, 101))
    return placing(FightState(FightMap("test", OPEN, RED, BLUE), fighters, (1, 0, 2)))


def test_each_may_take_a_free_start_cell_of_its_colour_or_stay():
    state = start()
    assert state.placing
    assert state.actor.id == 1
    assert legal_actions(state) == (Place(401), Place(402), Ready())
    moved = apply(state, Place(402), dice)
    assert (moved.actor.id, moved.actor.cell, moved.placing) == (1, 402, True)
    theirs = apply(moved, Ready(), dice)
    assert legal_actions(theirs) == (Place(102), Ready())
    assert apply_expected(state, Place(402)) == moved


def test_after_the_last_one_is_ready_the_fight_begins():
    state = start()
    for _ in range(3):
        state = apply(state, Ready(), dice)
    assert (state.placing, state.actor.id, state.turn) == (False, 1, 1)
    assert legal_actions(state)[-1] == EndTurn()
    with pytest.raises(IllegalAction) as refused:
        apply(state, Ready(), dice)
    assert refused.value.condition == "placing"


@pytest.mark.parametrize(
    ("action", "condition"),
    [
        (Place(100), "start-cell"),
        (Place(400), "free-cell"),
        (EndTurn(), "placing"),
        (Move((386,)), "placing"),
        (Cast("jab", 100), "placing"),
    ],
)
def test_anything_else_is_refused(action, condition):
    with pytest.raises(IllegalAction) as refused:
        apply(start(), action, dice)
    assert refused.value.condition == condition
