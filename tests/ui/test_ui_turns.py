"""The best turns are listed with what they cost, drawn where they are looked at, and asked about."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from ui_factories import CAST, ENEMY, OTHER, PLAYER, feed, searched, settle, snapshot, state, turn

from botapp.advisor.decision import ScoredAction
from botapp.fight.actions import Move
from botapp.fight.board import distance
from botapp.runtime.messages import AskWhatIf
from botapp.runtime.turns import TurnLine, TurnStep, WhatIf
from botapp.ui import words
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.samples import History
from botapp.ui.widgets import turn_row
from botapp.ui.widgets.labels import scrolled
from botapp.ui.widgets.turn_row import TurnRow


@pytest.fixture
def panel(qtbot):
    made = TurnsPanel(History())
    qtbot.addWidget(made)
    made.resize(640, 620)
    made.show()
    made.render_snapshot(given())
    return made


def given(seq=1, **changes):
    return snapshot(seq, decision=searched(), turn=turn(), **changes)


def cell_at(board, cell):
    x, y = board.lattice.centre(cell)
    return QPoint(round(x), round(y))


def looked_at(panel):
    heard = []
    panel.looked_at.connect(heard.append)
    return heard


def test_the_turns_are_listed_with_their_chance_and_what_they_cost(panel):
    assert [(row.chance.text(), row.cost.text()) for row in panel.rows] == [
        ("68%", "best"),
        ("61%", "7 points less"),
        ("40%", "28 points less"),
    ]
    assert panel.rows[0].steps.text().replace("\u00a0", " ") == (
        "1–2. Spark → Thorn Beast   3. Walk 2 cells up"
    )
    assert panel.board.line == turn().lines[0]


def test_the_actions_begin_below_each_other_whatever_is_said_beside_them(panel, qtbot, monkeypatch):
    monkeypatch.setattr(turn_row.outcomes, "differences", lambda *_: ["spells longer on cooldown by far"])
    alike = replace(turn(), lines=tuple(replace(line, chance=0.68) for line in turn().lines))
    panel.render_snapshot(snapshot(2, decision=searched(), turn=alike))
    assert panel.rows[1].cost.text() == "spells longer on cooldown by far"
    settle()
    assert len({row.steps.x() for row in panel.rows if row.isVisible()}) == 1
    assert panel.rows[1].cost.width() >= panel.rows[1].cost.sizeHint().width()


def test_an_action_longer_than_its_line_is_broken_and_leaves_no_turn_wider_than_the_panel(
    panel, qtbot, monkeypatch
):
    long = "1. Spring trap → 6 cells up right of the one beside you"
    monkeypatch.setattr(turn_row.words, "turn", lambda *_, **__: [long, "2. Walk"])
    panel.resize(360, 600)
    other = replace(turn(), lines=tuple(replace(line, chance=0.5) for line in turn().lines))
    panel.render_snapshot(snapshot(2, decision=searched(), turn=other))
    settle()
    scroll = panel.findChild(QScrollArea)
    assert scroll.widget().width() <= scroll.viewport().width()
    assert long in panel.rows[0].steps.text()
    panel.resize(900, 600)
    settle()
    assert long not in panel.rows[0].steps.text(), "in one piece where there is room"


def test_a_turn_pointed_at_is_drawn_and_one_clicked_stays(panel, qtbot):
    heard, second = looked_at(panel), turn().lines[1]
    QApplication.sendEvent(panel.rows[1], QEvent(QEvent.Type.Enter))
    assert panel.board.line == second and heard[-1] == second
    QApplication.sendEvent(panel.rows[1], QEvent(QEvent.Type.Leave))
    assert panel.board.line == turn().lines[0] and heard[-1] is None
    qtbot.mouseClick(panel.rows[1], Qt.MouseButton.LeftButton)
    QApplication.sendEvent(panel.rows[1], QEvent(QEvent.Type.Leave))
    assert panel.board.line == second and panel.rows[1].isChecked() and not panel.rows[0].isChecked()
    qtbot.mouseClick(panel.rows[0], Qt.MouseButton.LeftButton)
    assert heard[-1] is None


def test_a_spell_lights_its_cells_and_a_cell_asks(panel, qtbot):
    asked = []
    panel.asked.connect(asked.append)
    panel.spells["spark"].click()
    assert panel.board.aims == {ENEMY, OTHER, 243}
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=cell_at(panel.board, OTHER))
    assert asked == [AskWhatIf(1, state(), searched().action, "spark", OTHER)]
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=cell_at(panel.board, PLAYER))
    assert len(asked) == 1 and "lit cells" in panel.hint.text()


def test_what_if_is_asked_by_keys_alone(panel, qtbot):
    asked = []
    panel.asked.connect(asked.append)
    panel.spells["spark"].click()
    qtbot.keyClick(panel.board, Qt.Key.Key_Space)
    qtbot.keyClick(panel.board, Qt.Key.Key_Space)
    assert panel.board.pointed_at == ENEMY
    qtbot.keyClick(panel.board, Qt.Key.Key_Return)
    assert [one.cell for one in asked] == [ENEMY]
    qtbot.keyClick(panel.board, Qt.Key.Key_Down)
    assert panel.board.pointed_at == ENEMY + 28


def test_without_a_spell_a_cell_in_reach_asks_about_walking(panel, qtbot):
    asked = []
    panel.asked.connect(asked.append)
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=cell_at(panel.board, 216))
    assert [(one.spell, one.cell) for one in asked] == [("", 216)]


def test_the_answer_is_shown_with_its_cost_and_drawn(panel, qtbot):
    panel.spells["spark"].click()
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=cell_at(panel.board, OTHER))
    heard, line = looked_at(panel), turn().lines[2]
    panel.show_answer(WhatIf(99, line, 0.3))
    assert not panel.answer.isVisible()
    panel.show_answer(WhatIf(1, line, 0.3))
    assert panel.answer.isVisible() and panel.answer.cost.text() == "30 points less"
    drawn = panel.board.line
    assert heard[-1] == drawn and drawn.steps == line.steps and drawn.chance == pytest.approx(0.68 - 0.3)
    panel.show_answer(WhatIf(1, None))
    assert "cannot be done" in panel.hint.text()


def test_a_spell_that_cannot_be_cast_is_not_offered(panel):
    assert panel.spells["spark"].isEnabled() and not panel.spells["test_mend"].isEnabled()


def test_other_advice_takes_the_place_of_what_was_looked_at(panel, qtbot):
    qtbot.mouseClick(panel.rows[2], Qt.MouseButton.LeftButton)
    panel.render_snapshot(given(2))
    assert panel.rows[2].isChecked()
    panel.render_snapshot(given(3, state=state(turn=2)))
    assert panel.rows[0].isChecked() and not panel.rows[2].isChecked()


def test_old_turns_are_dimmed(panel):
    panel.render_snapshot(snapshot(2, decision=None, turn=None, advice="not-my-turn"))
    assert not panel.rows[0].isEnabled() and panel.rows[0].isVisible()
    panel.render_snapshot(given(3))
    assert panel.rows[0].isEnabled()


@pytest.mark.slow
def test_the_panel_the_worker_and_the_overlay_play_together(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, given(1))
    panel = app.window.turns
    app.window.resize(1480, 1000)
    app.window.arrangement.renew()
    qtbot.waitUntil(panel.rows[2].isVisible)
    feed(qtbot, app, worker, given(2))
    qtbot.mouseClick(panel.rows[1], Qt.MouseButton.LeftButton)
    assert app.overlay.scene.marks.steps[0].walk
    panel.spells["spark"].click()
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=cell_at(panel.board, OTHER))
    assert isinstance(worker.sent[-1], AskWhatIf)
    with qtbot.waitSignal(app.bridge.looked_into):
        worker.deliver(WhatIf(1, replace(turn().lines[2], chance=0.33), 0.35))
    assert panel.answer.chance.text() == "33%"


@pytest.mark.slow
def test_no_size_of_the_panel_has_the_scroll_bar_come_and_go(panel, qtbot):
    for height in range(170, 640, 27):
        panel.resize(330, height)
        QApplication.processEvents()
        before = panel.board.size()
        QApplication.processEvents()
        assert panel.board.size() == before


def test_while_an_action_is_tried_the_board_has_the_room_of_the_other_turns(panel, qtbot):
    seen = [row.isVisible() for row in panel.rows]
    assert seen[:2] == [True, True]
    qtbot.mouseClick(panel.spells["spark"], Qt.MouseButton.LeftButton)
    assert [row.isVisible() for row in panel.rows] == [True, False, False]
    qtbot.mouseClick(panel.spells["spark"], Qt.MouseButton.LeftButton)
    assert [row.isVisible() for row in panel.rows] == seen


def test_in_a_low_panel_the_whole_board_can_be_seen_beside_the_answer(panel, qtbot):
    panel.resize(700, 420)
    qtbot.mouseClick(panel.spells["spark"], Qt.MouseButton.LeftButton)
    panel.answer.show()
    settle()
    assert panel.board.visibleRegion().boundingRect().height() == panel.board.height() >= 150


def test_last_advice_is_called_so_and_nothing_can_be_tried_on_it(panel, qtbot):
    panel.render_snapshot(given(2, advice="not-my-turn"))
    assert "last advice" in panel.hint.text() and panel.rows[0].isVisible()
    heard = []
    panel.asked.connect(heard.append)
    cell = sorted(turn().cells(""))[0]
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=cell_at(panel.board, cell))
    assert not heard
    panel.render_snapshot(given(3))
    assert "What if?" in panel.hint.text()


def test_before_the_fight_the_best_place_is_lit_on_the_board(panel):
    placing = state().changed(placing=True)
    best = searched().action.target
    panel.render_snapshot(snapshot(2, decision=searched(), state=placing, turn=None))
    assert panel.board.state is placing and best in panel.board.aims
    assert "best place" in panel.hint.text() and not panel.rows[0].isVisible()
    panel.render_snapshot(given(3))
    assert panel.rows[0].isVisible() and panel._tools.isVisible() and not panel.board.aims


def test_before_the_first_advice_nothing_is_asked_for_that_is_not_there(qtbot):
    made = TurnsPanel(History())
    qtbot.addWidget(made)
    assert made.hint.text() == "The best turns appear here when it is your turn."


@pytest.mark.slow
@pytest.mark.parametrize("width", [500, 640, 860])
def test_the_board_is_in_sight_whole_and_turns_give_way_to_it(qtbot, width):
    panel = TurnsPanel(History())
    qtbot.addWidget(panel)
    panel.resize(width, 700)
    panel.show()
    long = tuple(replace(line, steps=line.steps * 4) for line in turn().lines)
    counts = []
    for height in (700, 460, 400, 370, 350 if width > 800 else 360, 700):
        panel.resize(width, height)
        panel.render_snapshot(snapshot(height, decision=searched(), turn=replace(turn(), lines=long)))
        settle()
        counts.append(sum(row.isVisible() for row in panel.rows))
        assert panel.board.visibleRegion().boundingRect().height() == panel.board.height() >= 120
    assert counts[0] == counts[-1] == 3 and counts[:-1] == sorted(counts[:-1], reverse=True)
    assert counts[-2] < 3


def test_the_best_turn_beside_a_low_board_needs_no_scrolling_in_a_panel_of_a_laptop(qtbot):
    panel = TurnsPanel(History())
    qtbot.addWidget(panel)
    panel.resize(738, 228)
    panel.show()
    panel.render_snapshot(given())
    settle()
    assert panel.board.visibleRegion().boundingRect().height() == panel.board.height() < 120
    panel.resize(738, 420)
    panel.render_snapshot(given())
    settle()
    assert panel.board.height() >= 120


@pytest.mark.parametrize(("height", "best"), [(420, True), (285, False)])
def test_what_comes_of_an_own_action_leaves_the_board_in_sight(qtbot, height, best):
    panel = TurnsPanel(History())
    qtbot.addWidget(panel)
    panel.resize(640, height)
    panel.show()
    panel.render_snapshot(given())
    heard = []
    panel.asked.connect(heard.append)
    next(button for key, button in panel.spells.items() if button.isEnabled()).click()
    panel.board.picked.emit(min(panel.board.aims))
    (question,) = heard
    panel.show_answer(WhatIf(question.number, turn().lines[1], 0.07))
    settle()
    assert panel.answer.isVisible()
    assert [row.isVisible() for row in panel.rows] == [best, False, False]
    assert panel.board.visibleRegion().boundingRect().height() == panel.board.height()


def test_a_turn_that_begins_like_another_row_says_which_cell_it_means(shown):
    """Two walks that read alike: the list has one, the turn begins with the other."""
    given, origin = state(), state().actor.cell
    read = {}
    for cell in range(560):
        if cell != origin and distance(origin, cell) == 3:
            walk = ScoredAction(Move((cell,)), 0.1, "", value=0.5)
            read.setdefault(words.shortly(walk, given), []).append(walk)
    listed, other = next(walks for walks in read.values() if len(walks) > 1)[:2]
    listed, other = replace(listed, value=0.64), replace(other, value=0.61, visits=3)
    choices = (CAST, listed, other)
    seen = snapshot(decision=searched(choices=choices, candidates=choices))
    lines = (turn().lines[0], TurnLine(other, (TurnStep(other.action, origin),), other.chance))
    panel = shown(TurnsPanel(History()), replace(seen, turn=replace(turn(), lines=lines)))
    names = words.Names(seen.decision, given)
    assert panel.rows[1].step_texts == (f"1. {names.short(other)}",)
    assert names.short(other) != names.short(listed)


def test_an_action_that_just_fits_is_broken_where_a_scroll_bar_takes_its_room(qtbot):
    row, line = TurnRow(), turn().lines[0]
    long = replace(line, steps=(replace(line.steps[0], spell="A spell of a long name"),))
    inner = QWidget()
    QVBoxLayout(inner).addWidget(row)
    scroll = scrolled(inner)
    qtbot.addWidget(scroll)
    scroll.resize(800, 200)
    scroll.show()
    row.show_line(long, state(), long)
    whole = row.steps.fontMetrics().horizontalAdvance(row.steps.text())
    for width in (row.width() - row.steps.width() + whole + 40, row.width() - row.steps.width() + whole):
        scroll.resize(width, 200)
        qtbot.waitUntil(lambda: row.mapTo(scroll, row.rect().topRight()).x() < scroll.viewport().width())
