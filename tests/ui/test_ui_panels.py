"""Each panel shows a made-up fight, and says plainly when there is nothing to show."""

import logging
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QToolButton
from ui_factories import CAST, SEARCHING, WALK, decision, searched, snapshot, state, turn, view

from botapp.advisor.decision import Alternative, Expectation, Planned, ScoredAction
from botapp.fight.actions import EndTurn, Move
from botapp.runtime.messages import LogLine, MemoryStatus
from botapp.ui import translation
from botapp.ui.panels import decision as decision_panel
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
from botapp.ui.widgets.bars import Bar, fitted, standing, tag_width
from vision.view import Phase, Seen

CAST_WORDS = "Cast Spark on Thorn Beast"


def test_actions_of_one_name_say_where_their_cells_lie(shown):
    near = ScoredAction(Move((243, 257, 272)), 0.1, "", visits=2, value=0.3)
    seen = replace(decision(), choices=(WALK, CAST, near), candidates=(WALK, CAST, near))
    panel = shown(DecisionPanel(History()), snapshot(1, decision=seen))
    names = [bar.text for bar in panel.bars.bars]
    assert names[0] == "Walk 3 cells down right"
    assert names[2] == "Walk 3 cells down right (2 cells further right)"
    translation.use("fr")
    panel = shown(DecisionPanel(History()), snapshot(1, decision=seen))
    assert panel.bars.bars[2].text == "Marcher de 3 cases en bas à droite (2 cases plus à droite)"


def test_decision_says_what_to_do_and_how_sure(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    assert panel.headline.text() == "Cast Spark on Thorn Beast"
    assert panel.sure.text() == "not sure" and "62%" in panel.sure.toolTip()
    assert (panel.chance.figure.text(), panel.chance.word.text()) == ("68%", "Ahead")
    assert [bar.text for bar in panel.bars.bars][:2] == [CAST_WORDS, "Walk 3 cells down right"]
    assert [bar.tag for bar in panel.bars.bars] == ["", "first answer", "", "", ""]
    assert panel.reflex.text.text() == "Walk 3 cells down right"
    assert panel.deliberate.text.text() == "Cast Spark on Thorn Beast"
    assert panel.verdict.text() == (
        "The first answer was Walk 3 cells down right: 7 points less. "
        "The search alone would have advised the same."
    )
    assert "Thorn Beast: maximum HP, AP, MP" in panel.facts.text()


def test_the_first_answer_is_shown_while_the_model_thinks_on(shown):
    reflex = ScoredAction(WALK.action, 0.0, "")
    first = snapshot(1, decision=None, turn=None, advice="thinking", reflex=reflex)
    panel = shown(DecisionPanel(History()), first)
    assert panel.headline.text() == "Walk 3 cells down right" and panel.headline.isEnabled()
    assert panel.details.text() == "First answer. Thinking on…" and panel.state_chip.text() == "Thinking"
    assert not panel.advised.isVisible()
    panel.render_snapshot(snapshot(2))
    assert panel.headline.text() == CAST_WORDS and panel.advised.isVisible() and panel.chance.isEnabled()
    panel.render_snapshot(replace(first, seq=3))
    assert panel.advised.isVisible() and not panel.chance.isEnabled() and not panel.sure.isVisible()


def test_chances_of_the_search_alone_are_called_so_and_only_a_model_answers_twice(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=searched()))
    assert (panel.chance.figure.text(), panel.chance.word.text()) == ("68%", "Ahead")
    assert panel.best.text() == "Best actions, with the chance of winning after each"
    assert [bar.share for bar in panel.bars.bars] == [0.68, 0.67, 0.66, 0.61, 0.52]
    assert [bar.tag for bar in panel.bars.bars] == [""] * 5
    of_a_model = (panel.sure, panel.answers, panel.reflex, panel.deliberate)
    assert not any(part.isVisible() for part in of_a_model)
    assert panel.verdict.text() == "The search decided, without a model. Depth 1: 60 rollouts, 0.04 s."
    panel.render_snapshot(snapshot(2, decision=searched(depth=3, rollouts=900, thought_s=1.4)))
    assert panel.verdict.text().endswith("Depth 3: 900 rollouts, 1.4 s.")
    panel.render_snapshot(snapshot(3))
    assert panel.best.text() == "Best actions, with the chance of winning after each"
    assert all(part.isVisible() for part in of_a_model)


@pytest.mark.parametrize(
    ("lost", "told"), [(0.07, "7 points less chance of winning"), (0.004, "about the same chance of winning")]
)
def test_a_second_choice_of_the_search_alone_costs_chances_of_winning(shown, lost, told):
    second = Alternative(WALK, lost, 0.0, 0)
    panel = shown(DecisionPanel(History()), snapshot(decision=searched(alternative=second)))
    assert panel.alternative.text() == f"Walk 3 cells down right  ·  {told}"


def test_cells_that_are_as_good_are_one_bar(shown):
    walks = tuple(ScoredAction(Move((cell,)), 0.25, "", value=0.9) for cell in (243, 215, 228))
    other = ScoredAction(Move((244,)), 0.25, "", value=0.5)
    alike = decision(walks[0], walks[0], choices=(*walks, other), candidates=(*walks, other))
    panel = shown(DecisionPanel(History()), snapshot(decision=alike))
    assert [(bar.text, bar.share) for bar in panel.bars.bars] == [
        ("Walk 1 cell down right, or 2 other cells", 0.9),
        ("Walk 1 cell right", 0.5),
    ]
    assert [bar.brief for bar in panel.bars.bars] == [("Walk 1 cell down right",), ()]


def test_the_second_choice_is_the_second_one_of_the_list(shown):
    walks = tuple(ScoredAction(Move((cell,)), 0.25, "", value=0.9) for cell in (243, 215, 228))
    other = ScoredAction(Move((244,)), 0.25, "", value=0.5)
    cost = Alternative(walks[1], 0.0, 0.0, 0)
    told = decision(walks[0], walks[0], choices=(*walks, other), candidates=(*walks, other), alternative=cost)
    panel = shown(DecisionPanel(History()), snapshot(decision=told))
    assert panel.bars.bars[1].text == "Walk 1 cell right"
    assert panel.alternative.text() == "Walk 1 cell right  ·  40 points less chance of winning"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(520, 540), (480, 330)])
def test_nothing_lies_over_another_when_there_is_more_to_show(qtbot, size):
    """As soon as it is drawn, not after some more rounds of the event loop: until then it would be seen."""
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.interval_ms = 0
    panel.resize(*size)
    panel.show()
    for number, count in enumerate((3, 4, 5, 2, 5), 1):
        walks = tuple(
            ScoredAction(Move((cell,)), 0.25, "", value=0.9 - 0.1 * place)
            for place, cell in enumerate((243, 244, 272, 271, 300)[:count])
        )
        second = Alternative(walks[1], 0.0, 0.0, 0)
        panel.offer(
            snapshot(
                number,
                decision=decision(walks[0], walks[0], choices=walks, candidates=walks, alternative=second),
            )
        )
        assert len(panel.bars.bars) == count
        end = panel.bars.mapTo(panel, panel.bars.rect().bottomLeft()).y()
        assert end < panel.alternative.mapTo(panel, panel.alternative.rect().topLeft()).y()
        qtbot.wait(20)


@pytest.mark.slow
def test_a_model_that_has_thought_on_says_how_deep(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=decision()))
    assert "depth" not in panel.details.text() and "Depth" not in panel.verdict.text()
    deeper = decision(depth=4, rollouts=900, thought_s=1.4, stop="budget")
    panel.render_snapshot(snapshot(2, decision=deeper))
    assert panel.details.text().endswith("depth 4, 1.4 s")
    assert panel.verdict.text().endswith("Depth 4: 900 rollouts, 1.4 s.")
    reasoning = shown(ReasoningPanel(History()), snapshot(3, decision=deeper))
    assert "Stopped" not in reasoning.stop.text() and "Stopped" not in reasoning.steps.text()


def test_words_of_a_bar_become_smaller_then_fewer_before_they_are_cut(qtbot):
    bar = Bar("Walk 1 cell down right, or 2 other cells", 0.5, brief=("Walk 1 cell down right", "1 cell"))
    rooms = (600, 240, 170, 60)
    found = [fitted(bar, room) for room in rooms]
    assert [text for _, text in found] == [bar.text, bar.text, *bar.brief]
    assert found[1][0].pointSizeF() < found[0][0].pointSizeF()
    assert all(
        QFontMetrics(font).horizontalAdvance(text) <= room
        for (font, text), room in zip(found, rooms, strict=True)
    )
    assert fitted(bar, 20)[1] == bar.brief[-1]


def test_a_tag_gives_way_to_the_words_of_its_bar(qtbot):
    bar = Bar("Cast Siphon on Toad", 0.5, tag="first answer")
    assert tag_width(bar, 600) > 0 and tag_width(bar, 180) == 0
    assert tag_width(replace(bar, tag=""), 600) == 0
    assert bar.tip == "Cast Siphon on Toad\nfirst answer"


def test_the_rest_of_the_turn_is_that_of_the_turn_drawn(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=searched(), turn=turn()))
    assert panel.plan.text() == "3. Walk 2 cells up"


def test_decision_says_what_comes_of_it(shown):
    after = state().changed(turn=2)
    told = decision(
        expected=(
            Expectation(1, "Thorn Beast", True, damage=23.4, ap=1.25, kills=True),
            Expectation(0, "Ember Mage", False, heal=12, shield=5, mp=0.5),
        ),
        alternative=Alternative(WALK, 0.45, 23.4, 1),
        plan=(Planned(WALK, after), Planned(ScoredAction(EndTurn(), 0.9, ""), after)),
    )
    panel = shown(DecisionPanel(History()), snapshot(decision=told))
    assert panel.expected.text().splitlines() == [
        "Thorn Beast: 23 damage, killed, 1.2 AP removed",
        "Ember Mage: 12 HP healed, 5 shield, 0.5 MP removed",
    ]
    assert panel.alternative.text() == (
        "Walk 3 cells down right  ·  45 points less chance of winning  ·  23 less damage"
        "  ·  1 enemy fewer killed"
    )
    assert panel.plan.text().splitlines() == ["2.  Walk 3 cells down right", "3.  End the turn"]
    assert all(passage.isVisible() for passage in (panel.expected, panel.alternative, panel.plan))


def test_decision_has_no_heading_with_nothing_under_it(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    assert panel.expected.text() == panel.alternative.text() == panel.plan.text() == ""
    assert not any(passage.isVisible() for passage in (panel.expected, panel.alternative, panel.plan))
    assert panel.facts.isVisible()
    panel.render_snapshot(snapshot(2, capture="no-window", advice="none", decision=None))
    texts = [w.text() for w in panel.findChildren(QLabel) if w.isVisible()]
    assert texts == ["No window", panel.headline.text(), panel.details.text()]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [275, 330, 432])
def test_nothing_of_the_decision_is_cut_off_in_a_narrow_panel(shown, qtbot, language, width):
    translation.use(language)
    panel = shown(DecisionPanel(History()), snapshot())
    panel.resize(width, 640)
    scroll = panel.findChild(QScrollArea)
    qtbot.waitUntil(lambda: scroll.widget().minimumSizeHint().width() <= scroll.viewport().width())


def test_the_bars_take_no_more_room_than_they_need(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    five = panel.bars.height()
    lone = replace(decision(), choices=decision().choices[:1])
    panel.render_snapshot(snapshot(2, decision=lone))
    panel.grab()
    assert panel.bars.height() < five / 3


def test_decision_says_when_the_reflex_was_confirmed(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=decision(reflex=CAST)))
    assert panel.verdict.text().startswith("The first answer was the same.")
    only = decision(best=ScoredAction(EndTurn(), 1.0, ""), reflex=ScoredAction(EndTurn(), 1.0, ""), steps=1)
    panel.render_snapshot(snapshot(2, decision=only))
    assert panel.verdict.text().startswith("The search alone"), "one step has one answer"
    assert not panel.reflex.isVisible() and not panel.bars.bars[0].tag


def test_decision_keeps_the_last_advice_dimmed_while_the_other_plays(shown):
    panel = shown(DecisionPanel(History()), snapshot(1), snapshot(2, advice="not-my-turn", decision=None))
    assert panel.headline.text() == "Waiting for your turn."
    assert panel.bars.bars and not panel.sure.isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"capture": "minimised"}, "The game's window is minimised."),
        ({"capture": "covered", "reason": "80% of it is covered."}, "80% of it is covered."),
        ({"advice": "withheld", "reason": "Your AP cannot be read."}, "Your AP cannot be read."),
        ({"advice": "none", "reason": "The weights are missing."}, "The weights are missing."),
    ],
)
def test_decision_shows_the_reason_and_no_old_advice(shown, changes, text):
    gone = snapshot(2, **{"advice": "withheld", "decision": None, **changes})
    panel = shown(DecisionPanel(History()), snapshot(1), gone)
    assert panel.headline.text() == text and panel.headline.isEnabled()
    assert not panel.advised.isVisible()


def test_decision_stays_dimmed_while_something_moves(shown):
    panel = shown(DecisionPanel(History()), snapshot(1), snapshot(2, advice="settling", decision=None))
    assert panel.headline.text() == CAST_WORDS and not panel.headline.isEnabled()
    assert panel.state_chip.text() == "One moment"
    assert panel.advised.isVisible() and not panel.chance.isEnabled()


@pytest.mark.parametrize(
    ("capture", "chip", "told"),
    [("paused", "Paused", "before the pause"), ("no-fight", "No fight", "The last advice of this fight")],
)
def test_the_last_advice_stays_to_be_studied_on_pause_and_after_the_end(shown, capture, chip, told):
    over = snapshot(2, capture=capture, advice="none", decision=None, state=None, fight=1)
    panel = shown(DecisionPanel(History()), snapshot(1), over)
    assert panel.state_chip.text() == chip and told in panel.details.text()
    assert panel.advised.isVisible() and not panel.sure.isEnabled()
    assert panel.bars.bars


@pytest.mark.slow
@pytest.mark.parametrize("advice", ["not-my-turn", "thinking", "settling"])
def test_no_advice_of_one_fight_is_shown_in_the_next(shown, advice):
    later = snapshot(2, advice=advice, decision=None, fight=1)
    panel = shown(DecisionPanel(History()), snapshot(1), later)
    assert not panel.advised.isVisible()
    assert CAST_WORDS not in panel.headline.text()


@pytest.mark.slow
def test_advice_that_no_picture_confirms_looks_out_of_date(shown, qtbot, monkeypatch):
    monkeypatch.setattr(decision_panel, "STALE_MS", 400)
    panel = shown(DecisionPanel(History()), snapshot())
    qtbot.waitUntil(lambda: panel.state_chip.text() == "Out of date")
    assert not panel.headline.isEnabled() and not panel.sure.isEnabled()
    panel.render_snapshot(snapshot(2))
    assert panel.state_chip.text() == "Up to date"
    assert panel.headline.isEnabled() and panel.sure.isEnabled()


def test_that_advice_is_out_of_date_is_said_whole_at_once(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    before = panel.state_chip.width()
    panel._outdate()
    assert panel.state_chip.width() == panel.state_chip.sizeHint().width() > before


def test_what_no_longer_holds_is_painted_in_another_colour(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    bright = panel.headline.grab().toImage()
    panel.headline.setEnabled(False)
    assert panel.headline.grab().toImage() != bright


def test_a_long_headline_takes_a_smaller_size(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    large = panel.headline.font().pointSizeF()
    panel.headline.setText("Cast a spell with a very long name indeed on somebody with a long name")
    assert panel.headline.font().pointSizeF() < large


def test_bars_tell_a_rows_whole_text(shown, qtbot):
    panel = shown(DecisionPanel(History()), snapshot())
    point = panel.bars.rect().topLeft()
    assert panel.bars.event(QHelpEvent(QHelpEvent.Type.ToolTip, point, panel.bars.mapToGlobal(point)))
    assert "68%" in panel.bars.accessibleDescription()


@pytest.mark.parametrize(
    ("value", "word"), [(0.9, "Winning"), (0.4, "Ahead"), (0.0, "Even"), (-0.4, "Behind"), (-0.9, "Losing")]
)
def test_the_value_has_a_word(value, word):
    assert standing(value)[0] == word


def test_a_single_step_does_not_say_twice_why_it_stopped(shown):
    once = replace(snapshot().decision, trace=snapshot().decision.trace[:1])
    panel = shown(ReasoningPanel(History(), 0.6), snapshot(decision=once))
    assert "not worth its time" in panel.stop.text() and "not worth its time" not in panel.steps.text()


def test_reasoning_shows_every_step_and_why_it_stopped(shown):
    panel = shown(ReasoningPanel(History(), 0.6), snapshot())
    assert "5 steps" in panel.stop.text() and "going on was not worth its time" in panel.stop.text()
    rows = panel.table.texts()
    assert [row[1] for row in rows] == ["3 cells down right"] * 2 + ["Spark → Thorn Beast"] * 3
    lines = panel.plot.lines()
    assert list(lines["halt"].getData()[1]) == pytest.approx([0.18, 0.31, 0.44, 0.57, 0.70])
    assert [row[2] for row in rows] == ["–", *["the best turns"] * 2, "Spark → Thorn Beast", "the best turns"]
    told = panel.steps.text().splitlines()
    assert told[0].startswith("1.  At once, before anything was played out: Walk 3 cells down right.")
    assert "Now Cast Spark on Thorn Beast." in told[2] and "The answer stays." in told[1]
    assert told[-1].endswith("Stopped: going on was not worth its time.")
    assert list(lines["threshold"].getData()[1]) == [0.6, 0.6]
    panel.set_limits(0.8, 12)
    assert [list(part) for part in lines["threshold"].getData()] == [[0.5, 12.5], [0.8, 0.8]]
    assert list(lines["stopped"].getData()[0]) == [5, 5]


def test_reasoning_says_what_the_first_answer_would_have_cost(shown):
    best, walk = replace(CAST, value=0.63), replace(WALK, value=0.6)
    valued = best, walk
    thought = decision(best, walk, choices=valued, candidates=valued)
    panel = shown(ReasoningPanel(History()), snapshot(decision=thought))
    assert "The first answer was Walk 3 cells down right: 3 points less." in panel.worth.text()
    same = decision(best, best, choices=valued, candidates=valued)
    panel.render_snapshot(snapshot(2, decision=same))
    assert panel.worth.text().startswith("The first answer was the same.")


def test_an_answer_that_overrules_the_search_says_so_with_the_figure_that_is_listed(shown):
    best, walk = replace(CAST, value=0.6), replace(WALK, value=0.63)
    overruled = decision(best, best, choices=(best, walk), candidates=(best, walk))
    panel = shown(ReasoningPanel(History()), snapshot(decision=overruled))
    assert panel.worth.text().endswith(
        "The search alone would have advised Walk 3 cells down right: 3 points more."
    )
    assert shown(DecisionPanel(History()), snapshot(decision=overruled)).chance.figure.text() == "60%"


def test_another_cell_that_is_as_good_is_the_same_answer(shown):
    walks = [ScoredAction(Move((cell,)), 0.25, "", value=value) for cell, value in ((243, 0.9), (215, 0.903))]
    alike = decision(walks[0], walks[1], choices=tuple(walks), candidates=tuple(walks))
    panel = shown(ReasoningPanel(History()), snapshot(decision=alike))
    told = "The first answer was the same. The search alone would have advised the same."
    assert panel.worth.text() == told


def test_reasoning_keeps_the_last_trace_and_shows_a_single_step(shown):
    panel = shown(ReasoningPanel(History()), snapshot(1), snapshot(2, decision=None, advice="not-my-turn"))
    assert len(panel.table.texts()) == 5
    panel.render_snapshot(snapshot(3, decision=decision(WALK, WALK, steps=1, stop="only-choice")))
    assert "1 step" in panel.stop.text() and len(panel.table.texts()) == 1


def test_a_choice_without_any_thinking_has_an_empty_trace(shown):
    alone = decision(WALK, WALK, steps=0, stop="only-choice", rollouts=1)
    panel = shown(ReasoningPanel(History()), snapshot(1), snapshot(2, decision=alone))
    assert panel.stop.text() == "There was only one possible action."
    assert panel.table.texts() == []
    advice = shown(DecisionPanel(History()), snapshot(decision=alone))
    assert advice.verdict.text() == "There was only one possible action."


def test_reasoning_of_the_search_alone_shows_what_it_found_and_no_steps(shown):
    panel = shown(ReasoningPanel(History()), snapshot(decision=searched()))
    assert panel.stop.text().endswith("without a model.  ·  1,200 states searched, 60 rollouts")
    assert not panel.plot.isVisible() and not panel.table.isVisible()
    assert panel.found.texts()[:2] == [["Spark → Thorn Beast", "68%"], ["Walk 3 cells down right", "67%"]]
    panel.render_snapshot(snapshot(2))
    assert panel.plot.isVisible() and panel.table.isVisible() and not panel.found.isVisible()


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
        history.add(snapshot(i, stages_ms=(("capture", float(i)), ("think", 2.0 * i))), now_s=i / 10)
    history.to_overlay.add(250.0)
    panel = shown(LatencyPanel(history, budget_ms=50), snapshot())
    rows = {row[0]: row[1:] for row in panel.table.texts()}
    assert rows["Capture"] == ["50.5", "95.0", "99.0"]
    assert rows["On screen"][0] == "250.0"
    assert rows["This app"][0] == "–"
    assert set(panel.plot.lines()) == {"Think", "Capture"}


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
    qtbot.wait(300)
    assert not panel.table.verticalScrollBar().isVisible()
    assert panel.plot.height() >= panel.plot.minimumHeight() >= panel.plot.minimumSizeHint().height()
    if height < 400:
        assert panel.plot.height() < 200, "no more to scroll than need be"
    else:
        assert panel.plot.mapTo(panel, panel.plot.rect().bottomLeft()).y() < height


def _picture():
    return 7, np.full((180, 320, 4), 90, np.uint8)


def test_vision_draws_the_reading_on_the_picture(shown):
    panel = shown(VisionPanel(History(), _picture), snapshot())
    assert "fight" in panel.summary.whole_text() and "3 fighters" in panel.summary.whole_text()
    with_marks = panel.canvas.grab().toImage()
    for button in panel.findChildren(QToolButton):
        button.click()
    assert panel.canvas.shown == set()
    assert panel.canvas.grab().toImage() != with_marks


def test_vision_explains_what_is_in_the_way(shown):
    panel = shown(VisionPanel(History(), _picture), snapshot(view=None, capture="minimised", reason=""))
    assert panel.canvas.message == "The game's window is minimised."


def test_vision_shows_the_reason_of_an_unreadable_screen(shown):
    nothing = {"lattice": Seen(), "turn": Seen(), "player": None}
    unreadable = view(phase=Seen(Phase.UNKNOWN, 0), reason="No board.", **nothing)
    panel = shown(VisionPanel(History(), lambda: None), snapshot(view=unreadable))
    assert "No board." in panel.summary.whole_text()


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
    assert panel.headline.text() == "Cast Spark on Thorn Beast"
    qtbot.waitUntil(lambda: panel.headline.text() == "two")


def test_panels_of_the_decision_show_a_deeper_answer_in_the_same_round(qtbot):
    panels = [kind(History()) for kind in (DecisionPanel, TurnsPanel, ReasoningPanel)]
    first = snapshot(1, turn=turn())
    deeper = replace(first, seq=2, decision=replace(first.decision, depth=2, choices=(WALK, CAST)))
    for panel in panels:
        qtbot.addWidget(panel)
        panel.show()
        panel.interval_ms = 60_000
        panel.offer(first)
        assert panel._last is first
        panel.offer(deeper)
        assert panel._last is deeper
        panel.offer(replace(deeper, seq=3))
        assert panel._last is deeper, "nothing new was answered, so it waits for its interval"


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
