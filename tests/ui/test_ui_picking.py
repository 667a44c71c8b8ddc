"""The window to watch is picked by live pictures; what was picked is found again, and tells who is played."""

import logging
from dataclasses import replace

import madeup_game as made
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from ui_factories import WINDOW, FakeLook, feed, offer, snapshot

from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import EntryKind
from botapp.host.settings import Settings
from botapp.host.settings_file import load
from botapp.runtime.messages import WatchWindow, WorkerFault
from botapp.ui import pages, playing
from botapp.ui.crash import report
from botapp.ui.picking.looking import BOX, small
from botapp.ui.picking.picker import NOTE, PICTURE, WATCHED, WindowPicker
from botapp.ui.playing import PlayedByTitle

FIRST = offer(4, "Ab - Iop - 3.3.18.17 - Release", "Dofus.exe")
SECOND = offer(6, "Cd - Crâ - 3.3.18.17 - Release", "Dofus.exe")
OLDER = offer(8, "Ef - Dofus 2.66.1.6", "Dofus.exe")
NOTES = offer(5, "Notes", "editor")
ALL = (FIRST, SECOND, OLDER, NOTES)


def picker(qtbot, *offers, client="dofus-unity", watched=None):
    look = FakeLook(*offers)
    shown = WindowPicker(look, client, watched)
    qtbot.addWidget(shown)
    shown.show()
    return shown, look


def rows(shown):
    return [shown.list.item(row).text() for row in range(shown.list.count())]


def test_the_games_come_with_character_client_and_class_and_others_on_request(qtbot):
    shown, _ = picker(qtbot, *ALL)
    assert [text.split(", ")[:2] for text in rows(shown)[1:]] == [
        ["Ab", "DOFUS (Unity)  ·  Iop"],
        ["Cd", "DOFUS (Unity)  ·  Crâ"],
        ["Ef", "DOFUS 2"],
    ]
    shown.others.click()
    assert rows(shown)[-1].startswith("Notes, editor")


def test_without_a_game_that_is_said_and_all_windows_are_offered(qtbot):
    shown, look = picker(qtbot, NOTES)
    assert "No window of the game" in shown.note.text() and len(rows(shown)) == 2
    look.found.emit((NOTES, FIRST))
    assert not shown.note.isVisible()
    assert rows(shown)[1].startswith("Ab"), "a game that is started meanwhile appears by itself"


@pytest.mark.parametrize(
    ("client", "watched", "picked"),
    [
        ("dofus-unity", None, FIRST),
        ("dofus-2", None, OLDER),
        ("dofus-unity", 6, SECOND),
        ("arena", None, FIRST),
    ],
)
def test_enter_takes_what_is_watched_or_the_games_first_window(qtbot, client, watched, picked):
    shown, look = picker(qtbot, *ALL, client=client, watched=watched)
    with qtbot.waitSignal(shown.picked) as told:
        qtbot.keyClick(shown.list, Qt.Key.Key_Return)
    assert told.args == [picked] and not look.running


def test_arrows_pick_and_what_is_found_later_does_not_move_the_choice(qtbot):
    shown, look = picker(qtbot, FIRST, SECOND)
    qtbot.keyClick(shown.list, Qt.Key.Key_Down)
    look.found.emit((OLDER, FIRST, SECOND))
    with qtbot.waitSignal(shown.picked) as told:
        shown.accept()
    assert told.args == [SECOND]


def test_pictures_are_live_and_a_window_without_one_says_why(qtbot):
    shown, look = picker(qtbot, FIRST, SECOND, watched=4)
    look.pictured.emit(4, small(np.full((720, 1280, 4), 90, np.uint8)))
    look.hidden.emit(6, "Minimised")
    first, second = (shown.list.item(row) for row in (1, 2))
    assert first.data(PICTURE).width() == BOX[0] and first.data(WATCHED)
    assert second.data(PICTURE) is None and second.data(NOTE) == "Minimised"
    look.hidden.emit(4, "Minimised")
    assert first.data(PICTURE) is not None, "the last picture helps more than a word"
    before = shown.list.viewport().grab().toImage()
    look.pictured.emit(4, QImage(200, 100, QImage.Format.Format_RGB32))
    assert shown.list.viewport().grab().toImage() != before


def test_a_small_picture_keeps_the_windows_shape_and_colours():
    pixels = np.zeros((1000, 500, 4), np.uint8)
    pixels[..., 2] = 200
    image = small(pixels)
    assert (image.width(), image.height()) == (99, 198)
    assert image.pixelColor(50, 100).getRgb()[:3] == (200, 0, 0)


def test_a_desktop_that_cannot_be_listed_is_explained(qtbot):
    shown, look = picker(qtbot)
    look.failed.emit("no window manager")
    assert shown.note.text() == "no window manager" and shown.list.count() == 1


def pick(app, row):
    app.pages.pick_window()
    app.pages.picker.list.setCurrentRow(row)
    app.pages.picker.accept()


@pytest.mark.slow
def test_what_was_picked_is_kept_for_the_next_start(start, monkeypatch):
    monkeypatch.setattr(pages, "look_for_windows", lambda: FakeLook(*ALL))
    app, (worker,) = start()
    pick(app, 2)
    assert worker.sent[-1] == WatchWindow(6)
    capture = load().settings.capture
    assert (capture.target, capture.character, capture.title) == ("dofus-unity", "Cd", "")
    assert app.window.controls.pick.text() == "DOFUS (Unity)"
    pick(app, 0)
    assert worker.sent[-1] == WatchWindow(None) and load().settings.capture.character == ""


@pytest.mark.slow
def test_a_window_of_another_program_is_found_again_by_its_title(start, monkeypatch):
    monkeypatch.setattr(pages, "look_for_windows", lambda: FakeLook(NOTES))
    app, (worker,) = start(settings=Settings(capture={"target": "dofus-unity"}, ui={"language": "en"}))
    pick(app, 1)
    assert worker.sent[-1] == WatchWindow(5) and load().settings.capture.title == "Notes"


@pytest.mark.slow
def test_the_picker_opens_from_where_the_capture_is_shown_and_from_my_game(start, qtbot):
    app, _ = start()
    qtbot.mouseClick(app.window.status.capture, Qt.MouseButton.LeftButton)
    assert app.pages.picker.isVisible()
    app.pages.picker.reject()
    app.pages.open_game()
    app.pages.game.pick_asked.emit()
    assert app.pages.picker.isVisible()
    app.pages.pick_window()
    app.stop()
    assert app.pages.picker is None


@pytest.mark.long
def test_my_game_goes_on_with_the_client_that_was_picked(start, monkeypatch):
    monkeypatch.setattr(pages, "look_for_windows", lambda: FakeLook(*ALL))
    app, _ = start()
    app.pages.open_game()
    app.pages.game.tabs.setCurrentIndex(2)
    app.pages.game.pick_asked.emit()
    app.pages.picker.list.setCurrentRow(1)
    app.pages.picker.accept()
    assert app.pages.game.isVisible() and app.pages.game.tabs.currentIndex() == 2
    assert app.pages.game.settings.capture.target == "dofus-unity"


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A knowledge base with a game of our own in it, whose first class has a character made of it."""
    folder = tmp_path_factory.mktemp("game")
    base = KnowledgeBase(folder / "knowledge")
    base.import_game([made.write(folder / "data", made.large(3, 6, 2, 2))])
    for key, number in (("my-first", 0), ("my-other", 0), ("my-second", 1)):
        one = base.game.classes[number]
        table = base.game.usual_character(one, 50, base.game.usual_spells(one, 50))
        base.save(base.draft(EntryKind.CLASS, key, {**table, "name": key, "name_fr": key}))
    return base


@pytest.fixture
def known(game, monkeypatch):
    monkeypatch.setattr(playing, "knowledge", lambda: game)
    return game


def titled(name):
    return f"Ab - {name} - 3.3.18.17 - Release"


@pytest.mark.slow
@pytest.mark.parametrize("french", [False, True])
def test_the_class_in_the_title_picks_the_persons_character(known, french):
    first, second = (one.names for one in known.game.classes[:2])
    played = PlayedByTitle(lambda: None)
    found = played.says(titled(second.name_fr if french else second.name), "dofus-unity", "my-other")
    assert (found.verdict, found.key) == ("switch", "my-second")
    assert played.says(titled(second.name), "dofus-unity", "my-second") is None
    back = played.says(titled(first.name), "dofus-unity", "my-second")
    assert (back.verdict, back.key) == ("switch", "my-other"), "the one of this class that was played last"


@pytest.mark.slow
def test_a_choice_by_hand_stays_until_the_title_names_another_class(known):
    first, second = (one.names for one in known.game.classes[:2])
    played = PlayedByTitle(lambda: None)
    assert played.says(titled(second.name), "dofus-unity", "my-first").key == "my-second"
    assert played.says(titled(second.name), "dofus-unity", "my-first") is None
    assert played.says("Dofus", "dofus-unity", "my-first") is None
    assert played.says(titled(second.name), "dofus-unity", "my-first") is None
    assert played.says(titled(first.name), "dofus-unity", "my-first") is None


@pytest.mark.slow
def test_a_class_without_a_character_is_one_click_away(known):
    third = known.game.classes[2]
    found = PlayedByTitle(lambda: None).says(titled(third.names.name), "dofus-unity", "my-first")
    assert (found.verdict, found.key, found.playing) == ("ask", third.key, "my-first")
    usual = PlayedByTitle(lambda: None).says(titled(third.names.name), "dofus-unity", "")
    assert (usual.verdict, usual.key) == ("usual", third.key)


def test_a_title_is_heard_again_once_the_game_s_data_have_come_in(known, monkeypatch, tmp_path):
    third = known.game.classes[2]
    played = PlayedByTitle(lambda: None)
    with monkeypatch.context() as before:
        before.setattr(playing, "knowledge", lambda: KnowledgeBase(tmp_path))
        assert played.says(titled(third.names.name), "dofus-unity", "") is None
    assert played.says(titled(third.names.name), "dofus-unity", "").verdict == "usual"


@pytest.mark.parametrize("written", ["Nobody", "Plumber"])
def test_a_class_that_is_not_known_changes_nothing(known, written):
    assert PlayedByTitle(lambda: None).says(titled(written), "dofus-unity", "my-first") is None
    assert PlayedByTitle(lambda: None).says(titled(written), "dofus-unity", "") is None


@pytest.mark.slow
def test_a_switch_is_said_and_undone_by_one_click(start, qtbot, known):
    second = known.game.classes[1].names
    settings = Settings(
        capture={"target": "dofus-unity"}, advisor={"player_class": "my-first"}, ui={"language": "en"}
    )
    app, (worker,) = start(settings=settings)
    window = WINDOW.__class__(7, titled(second.name), "dofus", WINDOW.rect)
    feed(qtbot, app, worker, snapshot(1, window=window))
    assert app.settings.advisor.player_class == "my-second"
    notice = app.window.notice
    assert second.name in notice.text.text() and "Ab" not in notice.text.text()
    notice.action.click()
    assert app.settings.advisor.player_class == "my-first"
    feed(qtbot, app, worker, snapshot(2, window=window))
    assert app.settings.advisor.player_class == "my-first"


@pytest.mark.slow
def test_that_one_window_of_several_was_taken_is_said_once_and_another_picked(start, qtbot):
    app, (worker,) = start()
    several = replace(WINDOW, rivals=1)
    feed(qtbot, app, worker, snapshot(1, window=several))
    notice = app.window.notice
    assert notice.text.text().startswith("2 windows of the game")
    notice.action.click()
    assert app.pages.picker.isVisible()
    app.pages.picker.reject()
    feed(qtbot, app, worker, snapshot(2, window=several))
    assert not notice.isVisible()


@pytest.mark.slow
def test_no_title_and_no_name_of_a_person_goes_to_the_log_or_a_report(start, qtbot, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(pages, "look_for_windows", lambda: FakeLook(*ALL))
    app, (worker,) = start()
    pick(app, 2)
    window = replace(WINDOW, title=SECOND.window.title)
    feed(qtbot, app, worker, snapshot(1, window=window), snapshot(2, window=replace(window, rivals=2)))
    with qtbot.waitSignal(app.bridge.faulted):
        worker.deliver(WorkerFault("It crashed.", False))
    assert app.settings.capture.character == "Cd"
    told = [*caplog.messages, *(line.text for line in app.window.log.lines), report()]
    assert not [text for text in told if "Cd" in text or "3.3.18.17" in text]
