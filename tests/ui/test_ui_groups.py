"""Rows of the best actions: one turn is one row, and rows that win alike can be told apart."""

from dataclasses import replace

import pytest
from ui_factories import ENEMY, OTHER, PLAYER, searched, state, turn

from botapp.advisor.decision import Alternative, Prospect, ScoredAction
from botapp.advisor.groups import grouped
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.ui import outcomes, words
from botapp.ui.panels.advised import told_apart
from botapp.ui.widgets.bars import SCALES, Bar, fitted, note_width
from botapp.ui.widgets.turn_row import TurnRow

STATE = state()
WALK, HIT, MEND = Move((243,)), Cast("spark", ENEMY), Cast("test_mend", PLAYER)
LEFT = Prospect(40.0, 0, 3, 1, 0)


def choice(*line, value=0.9, visits=5, left=LEFT):
    return ScoredAction(line[0], 0.0, "", visits=visits, value=value, line=line, prospect=left)


def called(*choices):
    return words.Names(searched(choices=choices[:5], candidates=choices), STATE)


def rows(*choices):
    return grouped(searched(choices=choices[:5], candidates=choices), STATE)


def test_a_turn_in_another_order_is_one_row_and_its_other_beginnings_are_told():
    hit, walk, other = choice(HIT, WALK), choice(WALK, HIT), choice(Cast("spark", OTHER), WALK)
    found = rows(hit, walk, other)
    assert [group.best for group in found] == [hit, other] and found[0].orders == (walk,)
    assert "another order begins with: Walk 1 cell" in told_apart(hit, found[0], called(hit, walk, other))
    assert "another order" not in told_apart(hit, found[1], called(hit, walk, other))


def test_the_advised_action_stands_for_its_turn_wherever_it_is_among_the_candidates():
    hit, walk = choice(HIT, WALK), choice(WALK, HIT)
    found = grouped(searched(choices=(hit, walk), candidates=(walk, hit)), STATE)
    assert [group.best for group in found] == [hit] and found[0].orders == (walk,)


def test_a_spell_on_oneself_is_the_same_wherever_one_has_walked_to_by_then():
    there = Cast("test_mend", 243)
    found = rows(choice(MEND, WALK), choice(WALK, there))
    assert len(found) == 1


@pytest.mark.parametrize(
    "other",
    [
        choice(WALK, Cast("spark", OTHER)),
        choice(Move((215,)), HIT),
        choice(WALK, HIT, left=replace(LEFT, lead=20.0)),
        choice(WALK, HIT, left=replace(LEFT, kills=1)),
        choice(WALK, HIT, value=0.88),
        choice(WALK, HIT, left=None),
        choice(WALK),
    ],
)
def test_turns_that_lead_elsewhere_stay_rows_of_their_own(other):
    assert len(rows(choice(HIT, WALK), other)) == 2


def test_a_row_that_wins_alike_says_what_else_differs():
    best = choice(HIT, WALK)
    later = choice(WALK, left=replace(LEFT, turns=5))
    poorer = choice(WALK, left=replace(LEFT, lead=12.0))
    assert outcomes.beside(best, best, STATE) == ""
    assert outcomes.beside(best, choice(WALK, value=0.7), STATE) == "", "the chance tells"
    assert outcomes.beside(best, later, STATE) == "wins about 2 turns later"
    assert outcomes.beside(best, poorer, STATE) == "28 HP worse off"
    richer, rash = (choice(WALK, left=replace(LEFT, lead=41.0, turns=turns)) for turns in (LEFT.turns, 5))
    assert outcomes.beside(best, richer, STATE) == "as good to within 1 HP", "not better than what is advised"
    assert outcomes.differences(best, rash) == ["wins about 2 turns later", "1 HP better off"]
    assert outcomes.beside(best, choice(WALK, HIT), STATE) == "then Spark \u2192 Thorn Beast"
    assert outcomes.beside(best, choice(WALK, Cast("spark", 301)), STATE) == "then Spark"
    assert outcomes.beside(best, choice(EndTurn()), STATE) == "as good"
    assert outcomes.beside(best, choice(WALK, visits=0), STATE) == "only estimated"
    won = replace(LEFT, turns=1, lead=3000.0)
    assert outcomes.beside(choice(HIT, left=won), choice(WALK, left=won), STATE) == "wins this turn too"


def test_no_points_are_said_of_an_action_that_was_only_estimated_beside_one_played_on_from(qtbot):
    best, other = choice(HIT, WALK), choice(MEND, value=0.5, visits=0)
    assert outcomes.beside(best, other, STATE) == "only estimated"
    made = searched(choices=(best, other), candidates=(best, other))
    made = replace(made, alternative=Alternative(other, 0.4, 0.0, 0))
    told = outcomes.alternative(made, STATE)
    assert told.endswith("  \u00b7  only estimated") and "point" not in told
    row = TurnRow()
    qtbot.addWidget(row)
    line = replace(turn().lines[0], choice=other, chance=0.5)
    row.show_line(line, STATE, replace(line, choice=best, chance=0.9))
    assert row.cost.text() == "only estimated" and "40" not in row.toolTip()
    assert row.chance.text() == "\u2013" and outcomes.chance_beside(best, other, STATE) is None
    played = replace(other, visits=3)
    assert outcomes.beside(best, played, STATE) == ""
    row.show_line(replace(line, choice=played), STATE, replace(line, choice=best, chance=0.9))
    assert row.cost.text() == "40 points less"
    assert not outcomes.guessed(replace(best, visits=0), other), "both are estimates then"


def test_a_note_is_drawn_where_the_fewest_words_have_room_beside_it(qapp):
    bar = Bar("Walk 1 cell down right, or 2 other cells", 0.5, brief=("1 cell",), note="28 HP worse off")
    wide = note_width(bar, 900)
    assert wide > 40
    assert note_width(replace(bar, note=""), 900) == 0
    assert note_width(bar, wide) == 0
    narrow = next(room for room in range(wide, 900) if note_width(bar, room))
    assert fitted(bar, narrow - wide - 12)[1] == "1 cell" and len(SCALES) > 1
