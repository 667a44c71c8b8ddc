"""Panels of latency, vision, state and log, and when any panel draws what it is offered."""

import logging
import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton
from ui_factories import (
    CAST,
    SEARCHING,
    WALK,
    changed,
    searched,
    settle,
    snapshot,
    turn,
    view,
)

from botapp.runtime.messages import LogLine, MemoryStatus
from botapp.ui.panels.base import Panel
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.latency import LatencyPanel
from botapp.ui.panels.log import LogPanel
from botapp.ui.panels.memory import MemoryPanel
from botapp.ui.panels.reasoning import ReasoningPanel
from botapp.ui.panels.state import StatePanel
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.panels.vision import VisionPanel
from botapp.ui.samples import History, MemoryPoint
from vision.view import CellScore, Phase, Seen


def test_stages_of_a_model_are_timed_only_where_one_advises(shown):
    history = History()
    for one in (snapshot(1), snapshot(2, decision=searched(), device=SEARCHING)):
        history.add(one, now_s=one.seq)
    panel = shown(LatencyPanel(history), snapshot(2, device=SEARCHING))
    assert not {"Encode", "Think"} & {row[0] for row in panel.table.texts()}
    panel.render_snapshot(snapshot(3))
    assert {"Encode", "Think"} <= {row[0] for row in panel.table.texts()}


def test_latency_shows_each_stage_with_its_tails(shown):
    history = History()
    for i in range(1, 101):
        stages = (("capture", float(i)), ("search", 3.0 * i), ("think", 2.0 * i))
        history.add(snapshot(i, stages_ms=stages), now_s=time.monotonic())
    history.add(snapshot(101, stages_ms=(("capture", 9000.0),)), now_s=time.monotonic() - 61)
    history.to_overlay.add(250.0)
    panel = shown(LatencyPanel(history, budget_ms=50), snapshot())
    rows = {row[0]: row[1:] for row in panel.table.texts()}
    assert rows["Capture"] == ["50.5", "95.0", "99.0"]
    assert rows["On screen"][0] == "250.0"
    assert rows["This app"][0] == "–"
    assert rows["Whole decision"] == ["252.5", "475.2", "495.1"], "the sum of its stages"
    assert set(panel.plot.lines()) == {"Whole decision", "Capture", "On screen"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [LatencyPanel, MemoryPanel])
@pytest.mark.parametrize("height", [210, 800])
def test_latency_and_memory_scroll_rather_than_cut_table_or_plot_off(qtbot, shown, kind, height):
    history = History()
    history.add(snapshot(1), now_s=1.0)
    history.add_memory(MemoryPoint(1.0, 400 << 20, 150 << 20, MemoryStatus(400 << 20, 8 << 30)))
    panel = kind(history)
    panel.setFixedHeight(height)
    shown(panel, snapshot())
    settle()
    assert not panel.table.verticalScrollBar().isVisible()
    assert panel.table.geometry().bottom() < panel.plot.geometry().top(), "the plot lies over the table"
    assert panel.plot.height() >= panel.plot.minimumHeight() >= panel.plot.minimumSizeHint().height()
    if height < 400:
        assert panel.plot.height() < 200, "no more to scroll than need be"
    else:
        assert panel.plot.mapTo(panel, panel.plot.rect().bottomLeft()).y() < height


def _picture(scored):
    return 7, np.full((180, 320, 4), 90, np.uint8)


def test_vision_draws_the_reading_on_the_picture(shown):
    panel = shown(VisionPanel(History(), _picture), snapshot())
    assert "fight" in panel.summary.text() and "3 fighters" in panel.summary.text()
    with_marks = panel.canvas.grab().toImage()
    for button in panel.findChildren(QToolButton):
        button.click()
    assert panel.canvas.shown == {"scores"}
    assert panel.canvas.grab().toImage() != with_marks


def test_vision_asks_for_scores_only_while_they_are_switched_on_and_draws_them(shown):
    asked = []

    def picture(scored):
        asked.append(scored)
        return _picture(scored)

    panel = VisionPanel(History(), picture)
    (switch,) = (one for one in panel.findChildren(QToolButton) if one.property("layer") == "scores")
    scored = snapshot(view=view(scores={229: CellScore("player", 0.97, "shown")}))
    shown(panel, scored)
    bare = panel.canvas.grab().toImage()
    switch.click()
    panel.render_snapshot(scored)
    assert asked == [False, True]
    drawn = panel.canvas.grab().toImage()
    assert drawn != bare
    panel.render_snapshot(snapshot(view=view(scores={229: CellScore("player", 0.97, "withheld")})))
    assert panel.canvas.grab().toImage() != drawn, "whether one is shown is told by colour"
    panel.render_snapshot(snapshot())
    assert panel.canvas.grab().toImage() not in (bare, drawn), "a board without a network says so"


def test_vision_explains_what_is_in_the_way(shown):
    panel = shown(VisionPanel(History(), _picture), snapshot(view=None, capture="minimised", reason=""))
    assert panel.canvas.message == "The game's window is minimised."


def test_vision_shows_the_reason_of_an_unreadable_screen(shown):
    nothing = {"lattice": Seen(), "turn": Seen(), "player": None}
    unreadable = view(phase=Seen(Phase.UNKNOWN, 0), reason="No board.", **nothing)
    panel = shown(VisionPanel(History(), lambda _: None), snapshot(view=unreadable))
    assert "No board." in panel.summary.text()


def test_state_marks_what_was_only_assumed(shown):
    panel = shown(StatePanel(History()), snapshot())
    rows = panel.table.texts()
    assert rows[0][:4] == ["★ Ember Mage", "312/380", "7", "4"]
    assert rows[1][:4] == ["◆ Thorn Beast", "≈151/240", "≈7", "≈4"]
    assert panel.figures["hp"].text() == "312/380"
    assert panel.figures["timer_s"].text() == "23\u00a0s"
    assert panel.figures["spells"].text() == "4/5"


def test_state_knows_the_player_while_another_plays(shown):
    other = snapshot(advice="not-my-turn", decision=None)
    other = replace(other, state=replace(other.state, current=1))
    assert shown(StatePanel(History()), other).table.texts()[0][0] == "★ Ember Mage"


def test_state_in_a_low_panel_leaves_the_room_to_the_fighters(shown):
    panel = shown(StatePanel(History()), snapshot())
    panel.resize(600, 400)
    assert panel.figures["hp"].isVisible()
    panel.resize(600, 170)
    assert not panel.figures["hp"].isVisible()
    panel.layout().activate()
    room = panel.table.viewport().height() // panel.table.verticalHeader().defaultSectionSize()
    assert room >= 4, "fighters in sight at 1280x720 below the turns"


def test_state_without_a_fight_is_empty(shown):
    panel = shown(StatePanel(History()), snapshot(state=None, view=None, decision=None))
    assert panel.table.texts() == [] and panel.note.text() == "No fighters are known."
    panel.render_snapshot(snapshot(view=view(hp=Seen(), spells=()), state=None))
    assert (panel.figures["hp"].text(), panel.figures["spells"].text()) == ("–", "–")


@pytest.mark.slow
def test_log_filters_by_level_and_keeps_the_colours_of_trouble(shown, qtbot):
    panel = shown(LogPanel(History()), snapshot())
    for level, text in ((logging.DEBUG, "tiny"), (logging.INFO, "started"), (logging.ERROR, "broken")):
        panel.add(LogLine(level, "test", text, 0.0))
    qtbot.waitUntil(lambda: "broken" in panel.text.toPlainText())
    assert "tiny" not in panel.text.toPlainText()
    panel.level.setCurrentIndex(0)
    assert "tiny" in panel.text.toPlainText()
    panel.level.setCurrentIndex(2)
    assert "started" not in panel.text.toPlainText()
    panel.copy()
    assert "broken" in QGuiApplication.clipboard().text()
    panel.clear()
    assert panel.text.toPlainText() == ""


def test_log_writes_what_came_while_it_was_hidden(qtbot):
    panel = LogPanel(History())
    qtbot.addWidget(panel)
    panel.add(LogLine(logging.WARNING, "test", "early", 0.0))
    panel.show()
    assert "early" in panel.text.toPlainText()


def test_a_hidden_panel_draws_nothing_until_it_is_shown(qtbot):
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.offer(snapshot())
    assert panel.headline.text() != "Cast Spark on Thorn Beast"
    panel.show()
    assert panel.headline.text() == "Cast Spark on Thorn Beast"


def test_a_panel_draws_the_newest_of_a_burst(qtbot):
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.show()
    panel.offer(snapshot(1))
    panel.offer(snapshot(2, advice="none", decision=None, reason="one"))
    panel.offer(snapshot(3, advice="none", decision=None, reason="two"))
    assert panel.headline.text() == "one", "advice that no longer holds goes at once"
    qtbot.waitUntil(lambda: panel.headline.text() == "two")


def test_panels_of_the_decision_show_a_deeper_answer_in_the_same_round(qtbot):
    panels = [kind(History()) for kind in (DecisionPanel, TurnsPanel, ReasoningPanel)]
    first = snapshot(1, turn=turn())
    deeper = replace(first, seq=2, decision=changed(first.decision, depth=2, choices=(WALK, CAST)))
    for panel in panels:
        qtbot.addWidget(panel)
        panel.show()
        panel.interval_ms = 60_000
        panel.offer(first)
        assert panel.last is first
        panel.offer(deeper)
        assert panel.last is deeper
        panel.offer(replace(deeper, seq=3))
        assert panel.last is deeper, "nothing new was answered, so it waits for its interval"


def test_a_panel_rests_while_there_is_no_fight_and_wakes_with_one(qtbot, monkeypatch):
    class Counting(Panel):
        drawn = 0

        def render_snapshot(self, _):
            self.drawn += 1

    panel = Counting(History())
    qtbot.addWidget(panel)
    panel.show()
    idle = {"capture": "no-fight", "advice": "none", "decision": None, "reason": "No fight."}
    panel.offer(snapshot(1, **idle))
    monkeypatch.setattr(Counting, "interval_ms", 0)
    for seq in range(2, 6):
        panel.offer(snapshot(seq, **idle))
    assert panel.drawn == 1
    panel.offer(snapshot(6, **idle | {"reason": "Another."}))
    assert panel.drawn == 2
    panel.offer(snapshot(7, **idle | {"reason": "Another."}))
    panel.offer(snapshot(8))
    assert panel.drawn == 3


def test_pictures_a_second_are_not_told_from_two_that_came_at_once():
    history = History()
    for at, frames in ((10.0, 1), (10.01, 2)):
        history.add(snapshot(1, frames=frames), at)
    assert history.fps(10.02) is None
    history.add(snapshot(1, frames=11), 11.0)
    assert history.fps(11.0) == pytest.approx(10.0)
