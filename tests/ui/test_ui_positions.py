"""A position is copied and pasted anywhere in the app, and its menu opens by the right button and by keys."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from kept_fights import fight
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication
from ui_factories import (
    CAST,
    ENEMY,
    WALK,
    FakeArena,
    feed,
    searched,
    snapshot,
    state,
    turn,
)

from botapp.content.nameless import without_names
from botapp.content.position_line import from_text, to_line
from botapp.content.state_json import state_from_json
from botapp.fight.actions import EndTurn
from botapp.host.settings import Settings
from botapp.runtime.messages import AskWhatIf, WatchWindow
from botapp.runtime.turns import END, WhatIf
from botapp.ui import arenas
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.review.page import ReviewPage
from botapp.ui.samples import History
from vision.frame import Rect
from vision.window import WindowInfo

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def right_click(widget, at):
    QApplication.sendEvent(
        widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    )


def words(menu):
    return [action.text() for action in menu.shown.actions() if not action.isSeparator()]


def choose(qtbot, menu, text):
    shown = menu.shown
    action = next(one for one in shown.actions() if one.text() == text)
    assert action.isEnabled()
    shown.setActiveAction(action)
    qtbot.keyClick(shown, Qt.Key.Key_Return)


def shortcut(qtbot, window, key):
    """Presses a key with Ctrl and Shift in a window, which has the focus for it."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, key, CONTROL_SHIFT)


def clipboard():
    return QGuiApplication.clipboard().text()


@pytest.fixture
def decided(qtbot):
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.resize(420, 900)
    panel.show()
    panel.render_snapshot(snapshot(1))
    qtbot.waitExposed(panel)
    return panel


@pytest.fixture
def turns(qtbot):
    panel = TurnsPanel(History())
    qtbot.addWidget(panel)
    panel.resize(640, 620)
    panel.show()
    panel.render_snapshot(snapshot(1, decision=searched(), turn=turn()))
    qtbot.waitExposed(panel)
    return panel


def row_place(bars, row):
    return QPoint(bars.width() // 2, round((row + 0.5) * bars.height() / len(bars.bars)))


def test_each_of_the_best_actions_has_its_menu(decided, qtbot):
    tried, explained = [], []
    decided.tried_out.connect(tried.append)
    decided.explained.connect(explained.append)
    right_click(decided.advised.bars, row_place(decided.advised.bars, 1))
    assert words(decided.menu) == [
        "What if this?",
        "Why not this?",
        "Copy position",
        "Copy position with names",
        "Paste position",
        "Play this position in the arena",
    ]
    choose(qtbot, decided.menu, "What if this?")
    right_click(decided.advised.bars, row_place(decided.advised.bars, 1))
    choose(qtbot, decided.menu, "Why not this?")
    assert tried == explained == [WALK.action]
    right_click(decided.advised.bars, row_place(decided.advised.bars, 0))
    why = next(one for one in decided.menu.shown.actions() if one.text() == "Why not this?")
    assert not why.isEnabled(), "the advised action is not beside itself"
    decided.menu.shown.close()


@pytest.mark.parametrize(
    ("key", "held"),
    [(Qt.Key.Key_Menu, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)],
)
def test_the_menu_is_reached_by_keys_and_says_what_it_is(decided, qtbot, key, held):
    tried = []
    decided.tried_out.connect(tried.append)
    decided.advised.bars.setFocus(Qt.FocusReason.TabFocusReason)
    assert decided.advised.bars.accessibleName() == "Best actions"
    qtbot.keyClick(decided.advised.bars, Qt.Key.Key_Down)
    qtbot.keyClick(decided.advised.bars, key, held)
    assert decided.menu.shown.accessibleName() == "What to do with this position"
    qtbot.keyClick(decided.menu.shown, Qt.Key.Key_Return)
    assert tried == [WALK.action]
    assert decided.menu.shown is None


def test_advice_that_no_longer_holds_can_be_copied_and_not_tried_out(decided, qtbot):
    decided.render_snapshot(snapshot(2, advice="not-my-turn", decision=None))
    right_click(decided.advised.bars, row_place(decided.advised.bars, 1))
    enabled = [one.text() for one in decided.menu.shown.actions() if one.isEnabled() and one.text()]
    assert enabled[0] == "Copy position"
    decided.menu.shown.close()


def test_without_a_position_there_is_no_menu(qtbot):
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.show()
    right_click(panel, QPoint(20, 20))
    assert panel.menu.shown is None
    assert panel.position is None


def test_a_position_is_copied_without_names_unless_these_are_asked_for(decided, qtbot):
    said = []
    decided.menu.copied.connect(said.append)
    right_click(decided, QPoint(30, 30))
    choose(qtbot, decided.menu, "Copy position")
    assert from_text(clipboard()) == without_names(state())
    right_click(decided, QPoint(30, 30))
    choose(qtbot, decided.menu, "Copy position with names")
    assert from_text(clipboard()) == state()
    assert ["without names" in text for text in said] == [True, False]


def cell_place(board, cell):
    x, y = board.lattice.centre(cell)
    return QPoint(round(x), round(y))


def test_a_cell_of_the_board_offers_what_can_be_done_there(turns, qtbot):
    asked = []
    turns.asked.connect(asked.append)
    right_click(turns.board, cell_place(turns.board, ENEMY))
    assert words(turns.menu)[0] == "What if: Spark here"
    choose(qtbot, turns.menu, "What if: Spark here")
    assert asked == [AskWhatIf(1, state(), CAST.action, "spark", ENEMY)]
    right_click(turns.board, cell_place(turns.board, 0))
    assert words(turns.menu)[0] == "Copy position"
    turns.menu.shown.close()


def test_the_board_s_menu_goes_by_the_arrows(turns, qtbot):
    asked = []
    turns.asked.connect(asked.append)
    turns.board.setFocus()
    turns.board.point_at(ENEMY)
    qtbot.keyClick(turns.board, Qt.Key.Key_Menu)
    qtbot.keyClick(turns.menu.shown, Qt.Key.Key_Return)
    assert [(one.spell, one.cell) for one in asked] == [("spark", ENEMY)]


def test_another_turn_is_put_beside_the_advised_one_from_its_menu(turns, qtbot):
    compared = []
    turns.compared.connect(lambda shot, line: compared.append(line))
    right_click(turns.rows[1], QPoint(20, 10))
    choose(qtbot, turns.menu, "Why not this?")
    assert compared == [turn().lines[1]]
    right_click(turns.rows[0], QPoint(20, 10))
    assert not turns.menu.shown.actions()[1].isEnabled()
    turns.menu.shown.close()


def test_an_action_that_is_among_the_best_turns_is_shown_and_another_one_asked_about(turns):
    asked, compared = [], []
    turns.asked.connect(asked.append)
    turns.compared.connect(lambda shot, line: compared.append(line))
    turns.try_out(WALK.action)
    assert turns.rows[1].isChecked() and not asked
    turns.explain(WALK.action)
    assert compared == [turn().lines[1]]
    turns.try_out(EndTurn())
    assert (asked[-1].spell, asked[-1].cell) == (END, -1)
    line = replace(turn().lines[2], choice=replace(turn().lines[2].choice, action=EndTurn()))
    turns.show_answer(WhatIf(asked[-1].number, line, 0.1))
    assert len(compared) == 1, "trying out alone puts nothing beside the advice"
    turns.explain(EndTurn())
    turns.show_answer(WhatIf(asked[-1].number, line, 0.1))
    assert compared[-1].choice.action == EndTurn()


@pytest.fixture
def opened_arenas(monkeypatch):
    """What the app starts arenas with; none is opened."""
    begun = []

    def begin(arguments):
        begun.append(list(arguments))
        return FakeArena()

    monkeypatch.setattr(arenas, "begin", begin)
    monkeypatch.setattr(arenas, "list_windows", list)
    return begun


def position_of(arguments):
    return state_from_json(json.loads(Path(arguments[arguments.index("--state") + 1]).read_text()))


@pytest.mark.slow
def test_what_was_copied_in_the_app_is_pasted_into_the_arena(start, qtbot, opened_arenas):
    app, (worker,) = start()
    notice = app.window.notice
    shortcut(qtbot, app.window, Qt.Key.Key_C)
    assert "no position to copy yet" in notice.text.text()
    feed(qtbot, app, worker, snapshot(1))
    shortcut(qtbot, app.window, Qt.Key.Key_C)
    assert "without names" in notice.text.text()
    shortcut(qtbot, app.window, Qt.Key.Key_V)
    assert position_of(opened_arenas[-1]) == without_names(state())
    assert "practice arena opens" in notice.text.text()
    for text, said in (
        ("hello", "botapp://position/"),
        ("", "botapp://position/"),
        (to_line(state())[:-4], "checksum"),
        (to_line(state(placing=True)), "places are still being chosen"),
    ):
        QGuiApplication.clipboard().setText(text)
        shortcut(qtbot, app.window, Qt.Key.Key_V)
        assert said in notice.text.text()
    assert len(opened_arenas) == 1


@pytest.mark.slow
def test_an_action_of_the_list_is_tried_out_in_the_turns(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1, decision=searched(), turn=turn()))
    bars = app.window.decision.advised.bars
    last = len(bars.bars) - 1
    right_click(bars, row_place(bars, last))
    choose(qtbot, app.window.decision.menu, "What if this?")
    asked = [message for message in worker.sent if isinstance(message, AskWhatIf)]
    shown = any(row.isChecked() for row in app.window.turns.rows[1:])
    assert asked or shown
    assert app.window.turns.in_sight


@pytest.mark.slow
def test_a_kept_moment_is_copied_with_names_only_where_asked_for(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    from botapp.review.shelf import FightShelf

    page = ReviewPage(Settings, FightShelf())
    qtbot.addWidget(page)
    page.show()
    page.show_fight(fight(), 1)
    moment = fight().moments[1].state
    named = moment.changed(fighters=tuple(one.changed(name=f"Zoe {one.id}") for one in moment.fighters))
    moments = (fight().moments[0], replace(fight().moments[1], state=named), fight().moments[2])
    page.show_fight(replace(fight(), moments=moments), 1)
    qtbot.mouseClick(page.copy_position, Qt.MouseButton.LeftButton)
    assert from_text(clipboard()) == without_names(named)
    assert "without names" in page.note.text()
    page.with_names.setChecked(True)
    shortcut(qtbot, page, Qt.Key.Key_C)
    assert from_text(clipboard()) == named
    right_click(page.viewer.board, QPoint(40, 40))
    with qtbot.waitSignal(page.practice_asked) as asked:
        choose(qtbot, page.viewer.menu, "Play this position in the arena")
    assert asked.args[0] == named


@pytest.mark.slow
def test_two_turns_of_a_kept_fight_are_put_beside_each_other(start, qtbot):
    app, _ = start()
    app.pages.open_fight(fight())
    viewer = app.pages.review.viewer
    moment = next(one for one in fight().moments if len(one.lines) > 1)
    viewer.go(fight().moments.index(moment))
    right_click(viewer.rows[1], QPoint(20, 10))
    choose(qtbot, viewer.menu, "Why not this?")
    assert app.pages.comparison.isVisible()
    assert app.pages.comparison.lines == moment.lines[:2]


@pytest.mark.slow
def test_an_arena_beside_a_window_that_was_picked_for_good_says_who_is_watched(
    start, qtbot, monkeypatch, opened_arenas
):
    window = WindowInfo(7, "arena", "python", FakeArena().pid, Rect(0, 0, 640, 400))
    monkeypatch.setattr(arenas, "list_windows", lambda: [window])
    settings = Settings(ui={"language": "en"}, capture={"target": "dofus-unity", "follow": False})
    app, (worker,) = start(settings=settings)
    app.pages.play_position(state())
    assert "is watched as before" in app.window.notice.text.text()
    assert WatchWindow(7) not in worker.sent
    qtbot.waitUntil(lambda: app.pages.arenas.handle == 7, timeout=3000)
    qtbot.mouseClick(app.window.notice.action, Qt.MouseButton.LeftButton)
    assert app.settings.capture.target == "arena"
    assert worker.sent[-1] == WatchWindow(7)
