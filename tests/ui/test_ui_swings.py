"""A jump of the chance of winning is given its reason; a stand-off is called one."""

from dataclasses import replace

import pytest
from ui_factories import CAST, OTHER, WALK, decision, snapshot, state, turn

from botapp.fight.actions import EndTurn, Move
from botapp.review.course import OwnAction
from botapp.runtime.turns import Threat, TurnLine, TurnOutlook, TurnStep
from botapp.ui import outcomes, swings, translation

THEN = state()
BEFORE = OwnAction(1, 0.4, THEN, CAST, CAST)


def later(**changes):
    """Returns the state after the cast, in which something has changed."""
    cast = replace(THEN.fighters[0], ap=3)
    return replace(THEN, fighters=(cast, *THEN.fighters[1:]), **changes)


def down():
    mage, beast, crawler = later().fighters
    return replace(THEN, fighters=(mage, replace(beast, hp=0), crawler))


@pytest.mark.parametrize(
    ("before", "now", "planned", "reason"),
    [
        (BEFORE, down(), None, "Thorn Beast down"),
        (BEFORE, later(turn=2), None, "the others' turns came between"),
        (replace(BEFORE, done=WALK), later(), None, "you played otherwise than advised"),
        (BEFORE, later(), 0.41, "a better turn was found"),
        (BEFORE, later(), 0.66, "the dice"),
    ],
)
def test_a_jump_says_why(before, now, planned, reason):
    thought = decision(planned_chance=planned)
    told = f"28 points more than before your last action: {reason}."
    assert swings.why([before], thought, now) == told
    assert swings.why([before, replace(before, state=now)], thought, now) == told


def test_a_fall_says_why_and_a_small_change_nothing():
    assert swings.why([replace(BEFORE, chance=0.9)], decision(), later(turn=2)) == (
        "22 points less than before your last action: the others' turns came between."
    )
    assert swings.why([replace(BEFORE, chance=0.6)], decision(), later(turn=2)) == ""
    assert swings.why([], decision(), THEN) == ""
    translation.use("fr")
    assert swings.why([BEFORE], decision(), down()).startswith("28 points de plus qu'avant")


def idle(**changes):
    """Returns a snapshot in which neither the advised turn nor the enemy's does anything."""
    end = TurnStep(EndTurn(), THEN.actor.cell)
    line = TurnLine(replace(CAST, action=EndTurn()), (end,), 0.5)
    waits = TurnLine(line.choice, (TurnStep(EndTurn(), OTHER),), 0.5)
    threat = Threat(2, "Bog Crawler", (), changes.pop("does", waits), (), then=THEN, at=THEN)
    return snapshot(state=THEN, turn=TurnOutlook((changes.pop("line", line),)), threat=threat, **changes)


def test_a_stand_off_is_called_one_only_where_both_sides_wait():
    assert outcomes.waiting(idle())
    near = TurnStep(Move((304, 290, 275, 261)), OTHER)
    assert not outcomes.waiting(idle(does=TurnLine(CAST, (near,), 0.5)))
    assert not outcomes.waiting(idle(line=turn().lines[0]))
    assert not outcomes.waiting(replace(idle(), threat=None))
