"""Where there is no advice the app offers the way out, and a notice goes when its cause has gone."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect
from ui_factories import FakeArena, FakeLook, feed, offer, snapshot, view

from botapp.host.message import say
from botapp.host.settings import Settings
from botapp.runtime.messages import WorkerFault
from botapp.runtime.watch import NO_GAME, OTHER_CLIENT
from botapp.tracking.doubts import UNFIT
from botapp.tracking.state_tracker import NO_CLASS
from botapp.ui import arenas, pages, translation
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.picking.looking import fits
from botapp.ui.remedies import ARENA, BOARD, CHARACTER, CLASS, DATA, PICK, remedy
from botapp.ui.samples import History
from botapp.ui.words import standing
from vision import profiles
from vision.frame import Rect
from vision.view import Lattice, Seen

OTHER = say(OTHER_CLIENT, client="dofus-unity", watched="arena")
NOTHING = {"decision": None, "state": None}
UNITY = Settings(capture={"target": "dofus-unity"}, ui={"language": "en"})


@pytest.mark.parametrize(
    ("changes", "target", "found"),
    [
        ({"capture": "no-window", "advice": "none"}, "arena", ARENA),
        ({"capture": "no-window", "advice": "none"}, "dofus-unity", PICK),
        ({"capture": "no-window", "advice": "none", "reason": OTHER}, "arena", PICK),
        ({"capture": "no-window", "advice": "none", "reason": say(NO_GAME)}, "dofus-unity", ARENA),
        ({"advice": "withheld", "reason": NO_CLASS}, "arena", CLASS),
        ({"advice": "withheld", "reason": NO_CLASS}, "dofus-unity", CHARACTER),
        ({"advice": "withheld", "reason": UNFIT}, "dofus-unity", BOARD),
        ({"advice": "withheld", "reason": UNFIT}, "arena", None),
        ({"advice": "withheld", "reason": "Your AP cannot be read."}, "dofus-unity", None),
        ({"advice": "fresh"}, "arena", None),
    ],
)
def test_each_reason_has_the_way_out_that_there_is(changes, target, found):
    assert remedy(snapshot(**{**NOTHING, **changes}), target) == found


def test_without_the_game_s_data_the_way_to_a_class_is_to_bring_them():
    unknown = snapshot(advice="withheld", reason=NO_CLASS, **NOTHING)
    assert remedy(unknown, "dofus-unity", has_game=False) == DATA


@pytest.mark.slow
def test_the_arena_is_opened_from_where_it_is_offered_in_the_person_s_language(start, qtbot, monkeypatch):
    started = []
    monkeypatch.setattr(arenas, "begin", lambda arguments: started.append(arguments) or FakeArena())
    app, (worker,) = start()
    translation.use("fr")
    feed(qtbot, app, worker, snapshot(1, capture="no-window", advice="none", **NOTHING))
    button = app.window.decision.remedy
    qtbot.waitUntil(button.isVisible)
    button.click()
    given, room = dict(zip(started[0][::2], started[0][1::2], strict=True)), button.screen().availableSize()
    assert given["--language"] == "fr"
    width, height = map(int, given["--size"].split("x"))
    x, y = map(int, given["--at"].split(","))
    frame = app.window.frameGeometry()
    if room.width() >= 1200:
        assert not QRect(x, y, width, height).intersects(frame), "neither covers the other"
    assert 640 <= width <= max(640, room.width()) and 400 <= height < max(401, room.height())
    assert not button.isEnabled()
    feed(qtbot, app, worker, snapshot(2))
    qtbot.waitUntil(lambda: not button.isVisible())


@pytest.mark.slow
def test_the_way_to_the_class_and_to_the_board_is_a_button(start, qtbot):
    app, (worker,) = start(settings=UNITY)
    button = app.window.decision.remedy
    feed(qtbot, app, worker, snapshot(1, advice="withheld", reason=NO_CLASS, **NOTHING))
    qtbot.waitUntil(button.isVisible)
    assert button.text() == "Bring the game's data"
    button.click()
    assert app.pages.game.tabs.currentWidget() is app.pages.game.character
    feed(qtbot, app, worker, snapshot(2, advice="withheld", reason=UNFIT, **NOTHING))
    qtbot.waitUntil(lambda: "board" in button.text())
    button.click()
    assert app.pages.game.tabs.currentWidget() is app.pages.game.board


@pytest.mark.slow
def test_the_question_about_the_board_has_its_button_and_goes_when_it_is_answered(start, qtbot):
    app, (worker,) = start(settings=UNITY)
    doubtful = view(lattice_ambiguous=(Lattice((104.0, 77.0), 74.0, 37.0),))
    feed(qtbot, app, worker, snapshot(1, view=doubtful))
    notice = app.window.notice
    assert notice.isVisible()
    notice.action.click()
    assert app.pages.game.tabs.currentWidget() is app.pages.game.board
    feed(qtbot, app, worker, snapshot(2, view=replace(doubtful, client=Rect(0, 0, 1600, 900))))
    assert notice.isVisible()
    feed(qtbot, app, worker, snapshot(3, view=view(lattice=Seen(Lattice((104.0, 40.0), 74.0, 37.0), 1.0))))
    assert not notice.isVisible()


@pytest.mark.slow
def test_a_worker_that_runs_again_takes_the_notice_of_its_fault_away(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    with qtbot.waitSignal(app.bridge.faulted):
        worker.deliver(WorkerFault("It crashed.", True))
    assert app.window.notice.isVisible()
    feed(qtbot, app, worker, snapshot(2))
    assert not app.window.notice.isVisible()


@pytest.mark.slow
def test_what_the_person_puts_away_itself_stays_until_then(start, qtbot):
    app, (worker,) = start(messages=("A settings file was set aside.",))
    feed(qtbot, app, worker, snapshot(1))
    assert app.window.notice.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "process", "said"), [("Notes", "editor", True), ("Dofus 3.1", "Dofus.exe", False)]
)
def test_a_window_that_does_not_fit_the_client_is_said_at_once(start, monkeypatch, title, process, said):
    monkeypatch.setattr(pages, "look_for_windows", lambda: FakeLook(offer(7, title, process)))
    app, _ = start(settings=UNITY)
    app.pages.pick_window()
    app.pages.picker.list.setCurrentRow(1)
    app.pages.picker.accept()
    assert app.window.notice.isVisible() is said
    if said:
        assert "Notes" in app.window.notice.text.text()
        app.window.notice.action.click()
        assert app.pages.settings.current_group() == "capture"


def test_a_window_fits_a_client_by_its_title_or_its_program():
    arena = profiles.load("arena")
    assert fits(arena, arena.title.upper(), "python")
    assert not fits(arena, "Notes", "editor")


def test_without_a_model_nothing_is_green(qtbot):
    gone = snapshot(advice="none", reason="The file is missing; install botapp again.", **NOTHING)
    assert standing(gone) == ("No model", "bad")
    panel = DecisionPanel(History())
    qtbot.addWidget(panel)
    panel.show()
    panel.render_snapshot(gone)
    assert (panel.state_chip.text(), panel.state_chip.shade) == ("No model", "bad")
