"""Advice for an unconfirmed board or level says so wherever it is shown, and is not called sure."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from test_ui_overlay import PLACE, SHOWN
from ui_factories import WALK, feed, snapshot, turn

from botapp.advisor.decision import ScoredAction
from botapp.host.settings import OverlaySettings, Settings
from botapp.tracking.levels import LevelGuess
from botapp.ui import translation, words
from botapp.ui.compact.window import STEPS, advice
from botapp.ui.overlay.scene import build
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.samples import History
from vision.frame import Rect
from vision.view import Lattice

GUESSED = {"level": LevelGuess(23, "hp"), "board_confirmed": False}
BOTH = "Not confirmed: where the board is, and your level (23)"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"board_confirmed": False}, "Not confirmed: where the board is"),
        ({"level": LevelGuess()}, "Not confirmed: your level (200)"),
        (GUESSED, BOTH),
    ],
)
def test_what_was_not_confirmed_is_named(changes, said):
    assert words.unconfirmed(snapshot(**changes)) == said


def test_in_french_too():
    translation.use("fr")
    said = words.unconfirmed(snapshot(**GUESSED))
    assert said == "Non confirmés : l'emplacement du plateau et votre niveau (23)".replace(" :", "\N{NBSP}:")


def test_the_decision_says_it_beside_the_way_to_confirm_until_that_is_done(shown, qtbot):
    panel = shown(DecisionPanel(History()), snapshot(1, **GUESSED))
    assert panel.unconfirmed.text() == BOTH and panel.confirm.isVisible()
    assert not panel.sure.isVisible()
    with qtbot.waitSignal(panel.remedy_asked) as asked:
        qtbot.mouseClick(panel.confirm, Qt.MouseButton.LeftButton)
    assert asked.args == ["start"]
    panel.render_snapshot(snapshot(2))
    assert panel.sure.isVisible() and not panel.confirm.isVisible() and not panel.unconfirmed.isVisible()
    assert panel.focusWidget() is not panel.advised.unsure, "the panel would be scrolled down to it"


def test_the_first_answer_and_a_panel_without_advice(shown):
    reflex = ScoredAction(WALK.action, 0.0, "")
    first = snapshot(1, decision=None, turn=None, advice="thinking", reflex=reflex, **GUESSED)
    panel = shown(DecisionPanel(History()), first)
    assert panel.unconfirmed.isVisible()
    panel.render_snapshot(snapshot(2, decision=None, state=None, advice="withheld", **GUESSED))
    assert not panel.unconfirmed.isVisible(), "there is nothing that it would be said of"


def test_the_overlay_and_the_small_window_say_it_and_are_not_sure():
    confirmed = snapshot(turn=turn())
    seen = replace(confirmed, **GUESSED)
    for preset in ("minimal", "full"):
        badge = build(seen, SHOWN, OverlaySettings(preset=preset), PLACE).badge
        assert badge.small.startswith(BOTH)
    sure = words.sureness(seen.decision, seen.state)[0]
    assert sure in " ".join(build(confirmed, SHOWN, OverlaySettings(), PLACE).badge.lines)
    assert sure not in " ".join(badge.lines)
    said = advice(seen, seen)
    assert said.steps[-1] == BOTH and len(said.steps) <= STEPS and sure not in said.figures
    assert sure in advice(confirmed, confirmed).figures


@pytest.mark.slow
def test_a_board_in_doubt_leads_to_the_board_where_no_game_was_brought(start, qtbot):
    app, (worker,) = start(settings=Settings(capture={"target": "dofus-unity"}, ui={"language": "en"}))
    doubtful = replace(
        snapshot(1).view, client=Rect(0, 0, 640, 360), lattice_ambiguous=(Lattice((0, 0), 40, 20),)
    )
    feed(qtbot, app, worker, replace(snapshot(1), view=doubtful))
    app.window.notice.action.click()
    page = app.pages.game
    assert page is not None and page.tabs.currentWidget() is page.board
