"""The panel of the decision: what to do, how sure, what comes of it, and when it no longer holds."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QFontMetrics, QHelpEvent
from PySide6.QtWidgets import QLabel, QScrollArea
from ui_factories import (
    CAST,
    WALK,
    decision,
    searched,
    settle,
    snapshot,
    state,
    turn,
)

from botapp.advisor.decision import Alternative, Expectation, Planned, Prospect, ScoredAction
from botapp.advisor.grounds import may_tell_chance
from botapp.fight.actions import EndTurn, Move
from botapp.ui import theme, translation
from botapp.ui.panels import decision as decision_panel
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.reasoning import ReasoningPanel
from botapp.ui.samples import History
from botapp.ui.widgets.bars import Bar, fitted, standing, tag_width

CAST_WORDS = "Cast Spark on Thorn Beast"


def test_actions_of_one_name_say_where_their_cells_lie(shown):
    near = ScoredAction(Move((243, 257, 272)), 0.1, "", visits=2, value=0.3)
    seen = replace(decision(), choices=(WALK, CAST, near), candidates=(WALK, CAST, near))
    panel = shown(DecisionPanel(History()), snapshot(1, decision=seen))
    names = [bar.text for bar in panel.advised.bars.bars]
    assert names[0] == "Walk 3 cells down right"
    assert names[2] == "Walk 3 cells down right (2 cells further right)"
    translation.use("fr")
    panel = shown(DecisionPanel(History()), snapshot(1, decision=seen))
    assert panel.advised.bars.bars[2].text == "Marcher de 3 cases en bas à droite (2 cases plus à droite)"


def test_decision_says_what_to_do_and_how_sure(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    advised = panel.advised
    assert panel.headline.text() == "Cast Spark on Thorn Beast"
    assert panel.sure.text() == "sure choice" and "7 points less" in panel.sure.toolTip()
    assert (advised.chance.figure.text(), advised.chance.word.text()) == ("68%", "Ahead")
    assert [bar.text for bar in advised.bars.bars][:2] == [CAST_WORDS, "Walk 3 cells down right"]
    assert [bar.tag for bar in advised.bars.bars] == ["", "first answer", "", "", ""]
    assert advised.answers.reflex.text.text() == "Walk 3 cells down right"
    assert advised.answers.deliberate.text.text() == "Cast Spark on Thorn Beast"
    assert advised.answers.verdict.text() == (
        "The first answer was Walk 3 cells down right: 7 points less. "
        "The search alone would have advised the same."
    )
    assert "Thorn Beast: maximum HP, AP, MP" in advised.facts.text()


def test_the_first_answer_is_shown_while_the_model_thinks_on(shown):
    reflex = ScoredAction(WALK.action, 0.0, "")
    first = snapshot(1, decision=None, turn=None, advice="thinking", reflex=reflex)
    panel = shown(DecisionPanel(History()), first)
    advised = panel.advised
    assert panel.headline.text() == "Walk 3 cells down right" and panel.headline.isEnabled()
    assert panel.details.text() == "First answer. Thinking on…" and panel.state_chip.text() == "Thinking"
    assert not advised.isVisible()
    panel.render_snapshot(snapshot(2))
    assert panel.headline.text() == CAST_WORDS and advised.isVisible() and advised.chance.isEnabled()
    panel.render_snapshot(replace(first, seq=3))
    assert advised.isVisible() and not advised.chance.isEnabled() and not panel.sure.isVisible()


def test_chances_of_the_search_alone_are_called_so_and_only_a_model_answers_twice(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=searched()))
    advised = panel.advised
    assert (advised.chance.figure.text(), advised.chance.word.text()) == ("68%", "Ahead")
    assert advised.best.text() == "Best actions, with the chance of winning after each"
    assert [bar.share for bar in advised.bars.bars] == [0.68, 0.67, 0.66, 0.61, 0.52]
    assert [bar.tag for bar in advised.bars.bars] == [""] * 5
    of_a_model = (
        advised.answers.caption,
        advised.answers.reflex,
        advised.answers.deliberate,
    )
    assert panel.sure.text() == "close choice" and panel.sure.isVisible()
    assert not any(part.isVisible() for part in of_a_model)
    assert (
        advised.answers.verdict.text()
        == "The search decided, without a model. Depth 1: 60 rollouts, 45.0\u00a0ms."
    )
    panel.render_snapshot(snapshot(2, decision=searched(depth=3, rollouts=900, thought_s=1.4)))
    assert advised.answers.verdict.text().endswith("Depth 3: 900 rollouts, 1.4\u00a0s.")
    panel.render_snapshot(snapshot(3))
    assert advised.best.text() == "Best actions, with the chance of winning after each"
    assert all(part.isVisible() for part in of_a_model)


@pytest.mark.parametrize(
    ("lost", "told"), [(0.07, "7 points less chance of winning"), (0.004, "about the same chance of winning")]
)
def test_a_second_choice_of_the_search_alone_costs_chances_of_winning(shown, lost, told):
    second = Alternative(WALK, lost, 0.0, 0)
    panel = shown(DecisionPanel(History()), snapshot(decision=searched(alternative=second)))
    assert panel.advised.alternative.text() == f"Walk 3 cells down right  ·  {told}"


def test_kills_are_said_once_where_no_chance_may_be_told(shown):
    unknown = state(
        fighters=tuple(
            replace(one, assumed=frozenset({"kind"}) if one.team else one.assumed) for one in state().fighters
        )
    )
    assert not may_tell_chance(unknown)
    first, *others = searched().choices
    best = replace(first, prospect=Prospect(40.0, kills=1))
    other = replace(others[0], prospect=Prospect(40.0))
    listed = (best, other, *others[1:])
    told = searched(choices=listed, candidates=listed, alternative=Alternative(other, 0.1, 23.0, 1))
    panel = shown(DecisionPanel(History()), snapshot(decision=told, state=unknown))
    assert panel.advised.alternative.text().count("kill") == 1
    told = searched(alternative=Alternative(WALK, 0.1, 23.0, 1))
    panel.render_snapshot(snapshot(2, decision=told, state=unknown))
    assert panel.advised.alternative.text().count("kill") == 1, "where the turns do not say, the action does"


def test_cells_that_are_as_good_are_one_bar(shown):
    walks = tuple(ScoredAction(Move((cell,)), 0.25, "", value=0.9) for cell in (243, 215, 228))
    other = ScoredAction(Move((244,)), 0.25, "", value=0.5)
    alike = decision(walks[0], walks[0], choices=(*walks, other), candidates=(*walks, other))
    panel = shown(DecisionPanel(History()), snapshot(decision=alike))
    assert [(bar.text, bar.share) for bar in panel.advised.bars.bars] == [
        ("Walk 1 cell down right, or 2 other cells", 0.9),
        ("Walk 1 cell right", 0.5),
    ]
    assert [bar.brief for bar in panel.advised.bars.bars] == [("Walk 1 cell down right",), ()]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(520, 540), (480, 330)])
def test_nothing_lies_over_another_when_there_is_more_to_show(qtbot, size):
    """As soon as it is drawn, not after some more rounds of the event loop: until then it would be seen."""
    panel = DecisionPanel(History())
    advised = panel.advised
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
        assert len(advised.bars.bars) == count
        end = advised.bars.mapTo(panel, advised.bars.rect().bottomLeft()).y()
        assert end < advised.alternative.mapTo(panel, advised.alternative.rect().topLeft()).y()
        settle()


@pytest.mark.slow
def test_a_model_that_has_thought_on_says_how_deep(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=decision()))
    assert "depth" not in panel.details.text() and "Depth" not in panel.advised.answers.verdict.text()
    deeper = decision(depth=4, rollouts=900, thought_s=1.4, stop="budget")
    panel.render_snapshot(snapshot(2, decision=deeper))
    assert panel.details.text().endswith("depth 4, 1.4\u00a0s")
    assert panel.advised.answers.verdict.text().endswith("Depth 4: 900 rollouts, 1.4\u00a0s.")
    reasoning = shown(ReasoningPanel(History()), snapshot(3, decision=deeper))
    assert "Stopped" not in reasoning.short.text() and "Stopped" not in reasoning.steps.text()
    assert "Thinking on" in reasoning.short.text()


def test_words_of_a_bar_become_smaller_then_fewer_before_they_are_cut(qtbot):
    bar = Bar("Walk 1 cell down right, or 2 other cells", 0.5, brief=("Walk 1 cell down right", "1 cell"))
    whole = QFontMetrics(theme.font()).horizontalAdvance(bar.text)
    rooms = (600, whole - 5, 170, 60)
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
    assert panel.advised.plan.text() == "3. Walk 2 cells up"


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
    advised = panel.advised
    assert advised.expected.text().splitlines() == [
        "Thorn Beast: 23 damage, killed, 1.2 AP removed",
        "Ember Mage: 12 HP healed, 5 shield, 0.5 MP removed",
    ]
    assert advised.alternative.text() == (
        "Walk 3 cells down right  ·  45 points less chance of winning  ·  23 less damage"
        "  ·  1 enemy fewer killed"
    )
    assert advised.plan.text().splitlines() == ["2. Walk 3 cells down right", "3. End the turn"]
    assert all(passage.isVisible() for passage in (advised.expected, advised.alternative, advised.plan))


def test_decision_has_no_heading_with_nothing_under_it(shown):
    panel = shown(DecisionPanel(History()), snapshot())
    advised = panel.advised
    assert advised.expected.text() == advised.alternative.text() == advised.plan.text() == ""
    assert not any(passage.isVisible() for passage in (advised.expected, advised.alternative, advised.plan))
    assert advised.facts.isVisible()
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
    five = panel.advised.bars.height()
    lone = replace(decision(), choices=decision().choices[:1])
    panel.render_snapshot(snapshot(2, decision=lone))
    panel.grab()
    assert panel.advised.bars.height() < five / 3


def test_decision_says_when_the_reflex_was_confirmed(shown):
    panel = shown(DecisionPanel(History()), snapshot(decision=decision(reflex=CAST)))
    advised = panel.advised
    assert advised.answers.verdict.text().startswith("The first answer was the same.")
    only = decision(best=ScoredAction(EndTurn(), 1.0, ""), reflex=ScoredAction(EndTurn(), 1.0, ""), steps=1)
    panel.render_snapshot(snapshot(2, decision=only))
    assert advised.answers.verdict.text().startswith("The search alone"), "one step has one answer"
    assert not advised.answers.reflex.isVisible() and not advised.bars.bars[0].tag


def test_decision_keeps_the_last_advice_dimmed_while_the_other_plays(shown):
    panel = shown(DecisionPanel(History()), snapshot(1), snapshot(2, advice="not-my-turn", decision=None))
    assert panel.headline.text() == "Waiting for your turn."
    assert panel.advised.bars.bars and not panel.sure.isEnabled()


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
    assert panel.advised.isVisible() and not panel.advised.chance.isEnabled()


@pytest.mark.parametrize(
    ("capture", "chip", "told"),
    [("paused", "Paused", "before the pause"), ("no-fight", "No fight", "The last advice of this fight")],
)
def test_the_last_advice_stays_to_be_studied_on_pause_and_after_the_end(shown, capture, chip, told):
    over = snapshot(2, capture=capture, advice="none", decision=None, state=None, fight=1)
    panel = shown(DecisionPanel(History()), snapshot(1), over)
    assert panel.state_chip.text() == chip and told in panel.details.text()
    assert panel.advised.isVisible() and not panel.sure.isEnabled()
    assert panel.advised.bars.bars


@pytest.mark.slow
@pytest.mark.parametrize("advice", ["not-my-turn", "thinking", "settling"])
def test_no_advice_of_one_fight_is_shown_in_the_next(shown, advice):
    later = snapshot(2, advice=advice, decision=None, fight=1)
    panel = shown(DecisionPanel(History()), snapshot(1), later)
    assert not panel.advised.isVisible()
    assert CAST_WORDS not in panel.headline.text()


def test_advice_on_an_old_picture_is_never_called_up_to_date(shown):
    panel = shown(DecisionPanel(History()), snapshot(), snapshot(2, age_ms=3400))
    assert panel.state_chip.text() == "Out of date" and not panel.headline.isEnabled()


@pytest.mark.slow
def test_advice_grows_old_unless_a_picture_confirms_it_which_draws_nothing(shown, qtbot, monkeypatch):
    monkeypatch.setattr(decision_panel, "STALE_MS", 300)
    panel, drawn = shown(DecisionPanel(History()), snapshot()), []
    with monkeypatch.context() as watched:
        watched.setattr(panel, "_draw", lambda *_, **__: drawn.append(1))
        for seq in range(2, 7):
            panel.render_snapshot(snapshot(seq, decided_seq=1))
            qtbot.wait(80)
        assert panel.state_chip.text() == "Up to date" and not drawn
    qtbot.waitUntil(lambda: panel.state_chip.text() == "Out of date")
    assert not panel.headline.isEnabled() and not panel.sure.isVisible()
    panel.render_snapshot(snapshot(8))
    assert panel.state_chip.text() == "Up to date"
    assert panel.headline.isEnabled() and panel.sure.isVisible()


def test_the_last_advice_is_not_called_sure_once_nothing_is_watched(shown):
    stopped = snapshot(2, capture="stopped", advice="none", decision=None, state=None, view=None)
    panel = shown(DecisionPanel(History()), snapshot(), stopped)
    assert panel.advised.isVisible() and not panel.sure.isVisible()


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
    panel.headline.setText("Cast a spell with a very long name indeed on a fighter with a long name")
    assert panel.headline.font().pointSizeF() < large


def test_bars_tell_a_rows_whole_text(shown, qtbot):
    panel = shown(DecisionPanel(History()), snapshot())
    advised = panel.advised
    point = advised.bars.rect().topLeft()
    assert advised.bars.event(QHelpEvent(QHelpEvent.Type.ToolTip, point, advised.bars.mapToGlobal(point)))
    assert "68%" in advised.bars.accessibleDescription()


@pytest.mark.parametrize(
    ("value", "word"), [(0.9, "Winning"), (0.4, "Ahead"), (0.0, "Even"), (-0.4, "Behind"), (-0.9, "Losing")]
)
def test_the_value_has_a_word(value, word):
    assert standing(value)[0] == word
