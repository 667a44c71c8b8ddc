"""Where a chance of winning would rest on guesses no view shows one, but the order, why, and the way out."""

import re
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QTableWidget
from ui_factories import PLAYER, WALK, decision, searched, snapshot, state, turn

from botapp.advisor.decision import Alternative, Prospect
from botapp.advisor.grounds import may_tell_chance, why_untold
from botapp.commands.image_answers import decision_json, decision_text
from botapp.commands.replay import moment_line
from botapp.host.settings import OverlaySettings
from botapp.host.translation import Translator
from botapp.review.course import OwnAction
from botapp.review.kept_fight import KeptFight, summed_up
from botapp.review.replaying import Replayed
from botapp.ui import grading
from botapp.ui.compact.window import advice
from botapp.ui.comparison import Comparison
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.scene import build
from botapp.ui.overlay.visibility import OverlayLook
from botapp.ui.panels.course import CoursePanel
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.reasoning import ReasoningPanel
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.review import texts
from botapp.ui.samples import History

_FIGURE = re.compile(r"\d[ \u00a0\u202f]?%|\d points? (less|more)|to win\b")
"""A percentage, or a difference in points of winning."""
UNKNOWN = replace(
    state(),
    fighters=tuple(
        replace(f, assumed=frozenset({"kind"}) if f.team else f.assumed) for f in state().fighters
    ),
)


def seen(known=False, **changes):
    """A snapshot with a whole turn whose steps kill nobody: how likely a kill is, is no chance of winning."""
    lines = tuple(replace(line, kills=(), worst=0.3) for line in turn().lines)
    made = {"state": state() if known else UNKNOWN, "turn": replace(turn(), lines=lines)}
    return snapshot(1, **{**made, **changes})


def words_of(widget):
    """Returns all that a widget says, in labels and tables, hidden parts left out."""
    said = [one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget)]
    for table in widget.findChildren(QTableWidget):
        if table.isVisibleTo(widget):
            cells = (
                table.item(row, column)
                for row in range(table.rowCount())
                for column in range(table.columnCount())
            )
            said += [cell.text() for cell in cells if cell is not None]
    return "\n".join(said)


@pytest.mark.parametrize("panel", [DecisionPanel, TurnsPanel, ReasoningPanel])
def test_a_panel_shows_the_order_and_no_figure_of_winning(panel, shown):
    assert _FIGURE.search(words_of(shown(panel(History()), seen(known=True)))), "else the test could not fail"
    said = words_of(shown(panel(History()), seen()))
    assert not _FIGURE.search(said), said
    assert "Spark" in said


def test_the_decision_says_why_and_offers_what_brings_a_chance(shown):
    asked, one = [], seen()
    own = replace(UNKNOWN.fighters[0], assumed=frozenset({"level"}), player=True)
    panel = shown(
        DecisionPanel(History()), replace(one, state=replace(UNKNOWN, fighters=(own, *UNKNOWN.fighters[1:])))
    )
    panel.remedy_asked.connect(asked.append)
    assert (
        "level is not confirmed" in panel.advised.untold.text()
        and "strength of the other fighters" in panel.advised.untold.text()
    )
    assert not panel.advised.chance.isVisible() and panel.advised.untold.isVisible()
    assert [way.text() for way in panel.advised.ways_out] == ["Confirm your level", "Say who the others are"]
    for way in panel.advised.ways_out:
        way.click()
    assert asked == ["start", "portraits"]
    panel.render_snapshot(seen(known=True))
    assert panel.advised.chance.isVisible() and not panel.advised.untold.isVisible()
    assert not any(way.isVisible() for way in panel.advised.ways_out)


def test_the_overlay_and_the_small_window_say_that_it_is_not_known():
    place, look = OverlayGeometry(0, 0, 1280, 720), OverlayLook("advice")
    lines = build(seen(), look, OverlaySettings(), place).badge.lines
    assert "chance of winning not known" in lines and not any(map(_FIGURE.search, lines))
    assert any(map(_FIGURE.search, build(seen(known=True), look, OverlaySettings(), place).badge.lines))
    assert advice(seen(), seen()).figures == ("chance of winning not known",)


def test_two_turns_are_compared_without_it(qtbot):
    page = Comparison()
    qtbot.addWidget(page)
    best, second, *_ = (
        replace(line, kills=(), worst=0.4, choice=replace(line.choice, prospect=Prospect(9.0, 0, 3, 1, 0)))
        for line in turn().lines
    )
    page.compare(UNKNOWN, best, second, None)
    assert not _FIGURE.search(words_of(page)), words_of(page)


def moments(where, count=3):
    made = [OwnAction(1, 0.5 - number / 10, where, decision().best) for number in range(count)]
    other = decision().choices[1]
    return [replace(one, done=other, cost=0.2) for one in made]


def test_a_fight_on_guesses_has_no_price_no_grade_and_no_accuracy(shown):
    fight = KeptFight(summed_up(moments(UNKNOWN), 0.0, "1", "dofus-retro"), tuple(moments(UNKNOWN)))
    told = fight.summary
    assert (told.accuracy, told.lost, told.mistakes) == (None, 0, 0)
    known = summed_up(moments(state()), 0.0, "1", "dofus-retro")
    assert known.accuracy is not None and known.lost and known.mistakes, "else the test could not fail"
    moment = fight.moments[0]
    assert not _FIGURE.search(f"{grading.at_the_end(fight)} {texts.advised(moment)} {texts.done(moment)}")
    history = History()
    history.course.moments.extend(fight.moments)
    assert not _FIGURE.search(words_of(shown(CoursePanel(history), seen())))


def test_commands_tell_the_order_without_figures_and_json_says_what_is_guessed():
    text = decision_text(decision(), UNKNOWN)
    assert (
        not _FIGURE.search(text) and "best actions first" in text and "strength of the other fighters" in text
    )
    assert "Étincelle" in decision_text(decision(), UNKNOWN, "fr")
    assert _FIGURE.search(decision_text(decision(), state()))
    assert decision_json(decision(), UNKNOWN)["chance"] is None
    assert len(decision_json(decision(), UNKNOWN)["guessed"]) == 1
    assert decision_json(decision(), state())["guessed"] == []
    again = Replayed(1, moments(UNKNOWN)[0], decision())
    assert not _FIGURE.search(moment_line(again, Translator()))
    assert "68,0\u00a0%" in decision_text(decision(), state(), "fr")


@pytest.mark.parametrize("made", [decision, searched])
def test_json_has_no_chance_anywhere_where_none_may_be_told(made):
    given = made(alternative=Alternative(WALK, 0.07, 3.0, 0))
    hidden, told = decision_json(given, UNKNOWN), decision_json(given, state())
    model = given.adviser == "model"
    for found, known in ((hidden, False), (told, True)):
        choices = (*found["choices"], found["reflex"], *found["line"], found["alternative"])
        assert all((one["value"] is not None) is known for one in choices)
        assert all((one["confidence"] is not None) is (known or model) for one in (*choices, found))
        assert all((step["chance"] is not None) is known for step in found["trace"])
        assert (found["chance"] is not None) is known
        assert (found["alternative"]["chance_lost"] is not None) is known
    assert found["alternative"]["damage_lost"] == hidden["alternative"]["damage_lost"] == 3.0


def test_a_chance_rests_on_those_who_live():
    some = tuple(f.changed(assumed=frozenset()) if f.id == 1 else f for f in UNKNOWN.fighters)
    assert "1 of 2 other" in why_untold(UNKNOWN.changed(fighters=some))
    dead = tuple(f.changed(hp=0) if f.team else f for f in UNKNOWN.fighters)
    assert may_tell_chance(UNKNOWN.changed(fighters=dead))
    assert not may_tell_chance(UNKNOWN) and UNKNOWN.fighters[0].cell == PLAYER
