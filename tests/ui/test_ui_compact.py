"""The small window says what to do and how sure it is, stays on the screens and where it was put."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from ui_factories import decision, feed, snapshot, turn

from botapp.runtime.messages import Pause
from botapp.ui.compact.window import MARGIN, STEPS, CompactWindow, advice, free_place, within
from botapp.ui.layout import COMPACT_FILE, CompactPlace, Keeper
from botapp.ui.words import percent

NOTHING = {"decision": None, "state": None, "turn": None}


def with_turn(**changes):
    return snapshot(1, **{"turn": turn(), **changes})


def test_headline_confidence_chance_and_the_next_steps_are_said():
    said = advice(with_turn(), with_turn())
    assert said.headline == "Cast Spark on Thorn Beast ×2"
    assert said.figures == (f"{percent(0.68)} to win", "sure choice") and said.holds
    assert said.steps == ("3. Walk 2 cells up",)
    long = replace(turn().lines[0], steps=turn().lines[0].steps * 4)
    said = advice(*[with_turn(turn=replace(turn(), lines=(long,)))] * 2)
    assert len(said.steps) == STEPS and said.steps[0].startswith("3.")


@pytest.mark.parametrize(
    ("changes", "headline", "figures"),
    [
        ({"advice": "not-my-turn"}, "Waiting for your turn.", True),
        ({"advice": "settling"}, "Cast Spark on Thorn Beast ×2", True),
        ({"advice": "withheld", "reason": "Your AP cannot be read."}, "Your AP cannot be read.", False),
        ({"capture": "paused", "advice": "none"}, "Watching is paused.", True),
        ({"advice": "not-my-turn", "fight": 9}, "Waiting for your turn.", False),
    ],
)
def test_what_does_not_hold_any_more_is_never_shown_as_if_it_did(changes, headline, figures):
    said = advice(snapshot(2, **{**NOTHING, **changes}), with_turn())
    assert (said.headline, bool(said.figures), said.holds) == (headline, figures, False)


@pytest.mark.slow
def test_advice_that_no_picture_confirms_grows_old(start, qtbot, monkeypatch):
    monkeypatch.setattr("botapp.ui.panels.decision.STALE_MS", 700)
    app, (worker,) = start()
    app.window.controls.compact.trigger()
    feed(qtbot, app, worker, with_turn())
    small = app.compact.window
    assert small.standing.text() == "Up to date" and small.headline.isEnabled()
    qtbot.waitUntil(lambda: small.standing.text() == "Out of date")
    assert not small.headline.isEnabled()


SCREENS = [QRect(0, 0, 1280, 720), QRect(1280, 0, 1920, 1080)]


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ((100, 100), (100, 100)),
        ((-500, -500), (0, 0)),
        ((1200, 300), (1280, 300)),
        ((1100, 300), (980, 300)),
        ((5000, 5000), (2900, 930)),
        ((600, 900), (600, 570)),
    ],
)
def test_all_of_it_is_always_on_one_screen(place, found):
    assert within(QRect(*place, 300, 150), SCREENS) == QPoint(*found)
    assert within(QRect(*place, 300, 150), [QRect(0, 0, 200, 100)]) == QPoint(0, 0)


def test_it_opens_beside_the_app_and_the_game_where_there_is_room():
    laptop, size = [QRect(0, 0, 1280, 720)], QSize(330, 170)
    app, game = QRect(720, 8, 552, 704), QRect(8, 16, 704, 424)
    at = free_place(size, [app, game], laptop)
    small = QRect(at, size)
    assert laptop[0].contains(small) and not small.intersects(app) and not small.intersects(game)
    whole = QRect(0, 0, 1280, 720)
    assert not QRect(free_place(size, [app, whole], laptop), size).intersects(app)
    assert free_place(size, [whole], laptop) is None and free_place(size, [], laptop) is None


def test_it_is_dragged_by_the_mouse_and_stays_on_the_screen(qtbot):
    small = CompactWindow()
    qtbot.addWidget(small)
    small.show()
    room = small.screen().availableGeometry()
    first = QPoint(room.right() - small.width() - MARGIN, room.height() // 5)
    assert small.pos() == first
    qtbot.mousePress(small, Qt.MouseButton.LeftButton, pos=QPoint(20, 60))
    qtbot.mouseMove(small, QPoint(20 - 100, 60 + 40))
    assert small.pos() == first + QPoint(-100, 40)
    qtbot.mouseMove(small, QPoint(20 + 5000, 60))
    qtbot.mouseRelease(small, Qt.MouseButton.LeftButton)
    assert small.geometry().right() <= room.right()


@pytest.mark.long
def test_it_opens_where_it_was_and_only_if_it_was_open(start):
    app, _ = start()
    app.window.controls.compact.trigger()
    app.compact.window.put(QPoint(40, 50))
    app.stop()
    again, _ = start()
    assert again.compact.window.pos() == QPoint(40, 50)
    again.compact.window.close()
    again.stop()
    third, _ = start()
    assert third.compact.window is None
    third.window.controls.compact.trigger()
    assert third.compact.window.pos() == QPoint(40, 50)


@pytest.mark.parametrize("text", ["{}", "nonsense", '{"x": "a"}', '{"x": 1e99, "y": 0}', "[1]"])
def test_a_damaged_place_is_left_out(tmp_path, text):
    (tmp_path / COMPACT_FILE).write_text(text)
    assert Keeper(tmp_path).load_compact() is None


def test_a_place_is_kept(tmp_path):
    keeper = Keeper(tmp_path)
    keeper.save_compact(CompactPlace(-5, 70, True))
    assert keeper.load_compact() == CompactPlace(-5, 70, True)


@pytest.mark.slow
def test_its_buttons_pause_and_bring_the_app(start):
    app, (worker,) = start()
    app.window.controls.compact.trigger()
    small = app.compact.window
    small.pause.click()
    assert worker.sent[-1] == Pause(True) and small.pause.accessibleName() == "Start"
    small.pause.click()
    assert worker.sent[-1] == Pause(False)
    app.window.showMinimized()
    small.app_asked.emit()
    assert not app.window.isMinimized()


@pytest.mark.slow
def test_the_app_gives_way_where_it_would_be_covered_and_has_the_focus(start, qtbot, monkeypatch):
    app, _ = start()
    app.compact.beside = lambda: QRect(0, 0, 300, 200)
    app.compact.toggle()
    assert not app.compact.window.geometry().intersects(app.compact.beside())
    assert not app.window.isMinimized()
    app.compact.toggle()
    app.compact.beside = lambda: QRect(0, 0, 5000, 5000)
    with monkeypatch.context() as behind_the_game:
        behind_the_game.setattr(app.window, "isActiveWindow", lambda: False)
        app.compact.toggle()
        assert app.compact.window.isVisible() and not app.window.isMinimized()
        app.compact.toggle()
    app.desktop.bring_up()
    qtbot.waitUntil(app.window.isActiveWindow)
    app.window.controls.compact.trigger()
    assert app.window.isMinimized() and app.compact.window.isVisible()
    app.compact.window.app_asked.emit()
    assert app.compact.window is None and not app.window.isMinimized()


@pytest.mark.long
def test_it_speaks_another_language_and_stays_where_it_is(start, qtbot):
    app, (worker,) = start()
    app.window.controls.compact.trigger()
    app.compact.window.put(QPoint(30, 90))
    feed(qtbot, app, worker, with_turn())
    app.apply(app.settings.changed("ui.language", "fr"))
    qtbot.waitUntil(lambda: app.window.controls.settings.text() == "Réglages")
    small = app.compact.window
    assert small.pos() == QPoint(30, 90) and small.headline.text() == "Lancer Étincelle sur Thorn Beast ×2"


def test_a_long_text_is_cut_in_whole_words_and_whole_in_its_tooltip(qtbot):
    small = CompactWindow()
    qtbot.addWidget(small)
    small.show()
    reason = "Something on the screen cannot be read, and " + "this goes on and on " * 12
    small.show_snapshot(snapshot(1, advice="withheld", reason=reason, **NOTHING))
    assert small.headline.text().endswith(" …") and small.headline.toolTip() == reason
    before = small.size()
    small.show_snapshot(with_turn(decision=decision()))
    assert small.size() == before
