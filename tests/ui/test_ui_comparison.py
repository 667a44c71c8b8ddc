"""Heat on the board for every cell on demand, and why this turn and not that one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from test_ui_keyboard import nameless
from ui_factories import (
    CAST,
    CHOICES,
    ENEMY,
    OTHER,
    PLAYER,
    WALK,
    decision,
    feed,
    searched,
    settle,
    snapshot,
    state,
    turn,
)

from botapp.advisor.decision import Prospect
from botapp.arena.scenarios import adventure
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply_expected
from botapp.runtime.messages import AskReply
from botapp.runtime.threats import Threats, reply_to
from botapp.runtime.turns import WALK as WALKING
from botapp.runtime.turns import Reply
from botapp.ui import outcomes
from botapp.ui.comparison import Comparison
from botapp.ui.heat import FAR, CellHeat, heat_of
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.samples import History


def test_each_candidate_cell_has_its_best_action_points_and_rollouts():
    found = {one.cell: one for one in heat_of(decision())}
    assert set(found) == {ENEMY, OTHER, PLAYER, WALK.action.target}
    assert (found[ENEMY].points, found[WALK.action.target].points) == (0, 7)
    assert [found[one.action.target].choice.visits for one in CHOICES[:3]] == [12, 9, 5]
    assert [one.cell for one in heat_of(decision(), WALKING)] == [WALK.action.target]


def test_a_cell_that_nothing_was_played_on_from_says_no_chance():
    seen = replace(CHOICES[4], visits=0, value=0.9)
    (found,) = [one for one in heat_of(decision(choices=(*CHOICES[:4], seen))) if one.cell == OTHER]
    assert found.points is None and found.share == 0


@given(st.integers(-20, 100))
def test_the_shade_falls_with_the_points(points):
    share = CellHeat(1, WALK, points).share
    assert 0 <= share <= 1 and (share == 1) == (points <= 0) and (share == 0) == (points >= FAR)


@pytest.fixture
def panel(qtbot):
    made = TurnsPanel(History())
    qtbot.addWidget(made)
    made.resize(600, 600)
    made.show()
    made.render_snapshot(snapshot(1, state=state(), decision=decision(), turn=turn()))
    return made


@pytest.mark.slow
def test_the_board_shows_every_cell_when_asked_and_those_of_the_spell_chosen(panel, qtbot):
    assert not panel.board.heat
    qtbot.mouseClick(panel.heat, Qt.MouseButton.LeftButton)
    assert set(panel.board.heat) == {ENEMY, OTHER, PLAYER, WALK.action.target}
    drawn = panel.board.grab().toImage()
    panel.board.line = None
    assert panel.board.grab().toImage() == drawn, "no label of the turn lies over the figures"
    panel.board.point_at(ENEMY)
    assert "Cast Spark on Thorn Beast: 68% to win, 12 rollouts" in panel.board.toolTip()
    qtbot.mouseClick(panel.spells["spark"], Qt.MouseButton.LeftButton)
    assert set(panel.board.heat) == {ENEMY, OTHER}
    panel.grab()
    qtbot.mouseClick(panel.heat, Qt.MouseButton.LeftButton)
    assert not panel.board.heat


def test_the_second_turn_or_the_one_chosen_is_put_beside_the_advised_one(panel, qtbot):
    asked = []
    panel.compared.connect(lambda snap, line: asked.append(line))
    qtbot.mouseClick(panel.why, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.rows[2], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.why, Qt.MouseButton.LeftButton)
    assert asked == [panel.outlook.lines[1], panel.outlook.lines[2]]


def compared(qtbot, other=None, threat=None):
    page = Comparison()
    qtbot.addWidget(page)
    page.questions = []
    page.asked.connect(page.questions.append)
    best, second, *_ = turn().lines
    best = replace(best, choice=replace(best.choice, prospect=Prospect(40.0, 0, 3, 1, 0)))
    second = replace(second, choice=replace(second.choice, prospect=Prospect(10.0, 0, 4, 1, 2)), worst=0.4)
    page.compare(state(), best, other or second, threat)
    page.show()
    return page


def test_what_both_turns_lead_to_stands_side_by_side(qtbot):
    page = compared(qtbot)
    rows = {name: values for name, *values in page.texts()}
    assert rows["Chance of winning"] == ["68%", "61%"]
    assert rows["Kills"] == ["Thorn Beast with 75%", "–"]
    assert rows["Damage to enemies"] == ["Thorn Beast: 128", "Thorn Beast: 64"]
    assert rows["Own turns until the win, about"] == ["3", "4"]
    assert page.sum.text().startswith("Instead of what is advised: 7 points less")
    assert page.boards[0].line == page.lines[0] and nameless(page) == []


def test_the_reply_to_each_is_what_the_search_expects(qtbot):
    fight = adventure(3, "ember")
    while fight.actor.id != 0:
        fight = apply_expected(fight, EndTurn())
    after, threat = reply_to(fight, (), Threats())
    assert threat is not None and after.actor.id == threat.fighter != fight.actor.id
    page = compared(qtbot)
    assert all(isinstance(one, AskReply) and one.state == state() for one in page.questions)
    page.show_reply(Reply(page.questions[1].number + 99, after, threat))
    rows = {name: values for name, *values in page.texts()}
    assert rows["Then expected of the enemy"] == ["…", "…"]
    page.state = fight
    page.show_reply(Reply(page.questions[1].number, after, threat))
    rows = {name: values for name, *values in page.texts()}
    assert rows["Then expected of the enemy"][0] == "…"
    assert rows["Then expected of the enemy"][1].startswith(f"{threat.name}: 1.\u00a0")


def test_what_threat_says_of_the_advised_turn_is_said_here_too_and_not_asked_again(qtbot):
    fight = adventure(3, "ember")
    while fight.actor.id != 0:
        fight = apply_expected(fight, EndTurn())
    threat = Threats().after(fight, ())
    page = compared(qtbot, threat=threat)
    assert [one.actions for one in page.questions] == [tuple(s.action for s in page.lines[1].steps)]
    rows = {name: values for name, *values in page.texts()}
    assert rows["Then expected of the enemy"][0].startswith(f"{threat.name}: 1.\u00a0")
    assert rows["Then expected of the enemy"][1] == "…"
    settle()
    heights = {board.parentWidget().height() for board in page.boards}
    assert len(heights) == 1, "the boards stand side by side"


@pytest.mark.long
def test_the_app_opens_the_comparison_and_asks_the_worker(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1, state=state(), decision=searched(), turn=turn()))
    app.window.turns.compared.emit(app.bridge.latest, turn().lines[1])
    assert app.pages.comparison is not None and app.pages.comparison.isVisible()
    assert sum(isinstance(one, AskReply) for one in worker.sent) == 2


def test_a_win_at_once_is_not_told_as_thousands_of_hp():
    won = replace(WALK, visits=5, prospect=Prospect(2400.0, 1, 1, 4, 0))
    other = replace(CAST, visits=5, prospect=Prospect(47.0, 0, 2, 7, 0))
    told = outcomes.differences(won, other)
    assert "wins about 1 turn later" in told and not any("HP" in part for part in told)
    later = replace(won, prospect=Prospect(87.0, 0, 3, 7, 0))
    assert "40 HP worse off" in outcomes.differences(later, other)
