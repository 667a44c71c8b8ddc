"""The app's other pages: settings that hold at once, another language or theme, the window to watch."""

import logging

import pytest
from PySide6.QtCore import Qt
from ui_factories import feed, snapshot

from botapp.host.settings_file import load
from botapp.review.recorder import FightRecorder
from botapp.runtime.messages import ApplySettings, LogLine, WatchWindow
from botapp.ui import app as app_module
from botapp.ui import theme


@pytest.mark.slow
def test_settings_go_to_worker_overlay_window_and_file(start, qtbot, tmp_path):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    app.window.controls.settings.trigger()
    page = app.pages.settings
    assert "Processor" in page.device.in_use.text()
    page.editor("engine.halt_threshold").spin.setValue(0.7)
    assert isinstance(worker.sent[-1], ApplySettings)
    assert worker.sent[-1].settings.engine.halt_threshold == 0.7
    page.editor("overlay.enabled").switch.click()
    assert not app.overlay.isVisible() and not app.window.controls.overlay.isChecked()
    assert load().settings.engine.halt_threshold == 0.7
    page.close()
    assert app.pages.settings is None


@pytest.mark.slow
def test_no_fight_is_under_way_once_the_game_is_closed(start, qtbot, tmp_path, monkeypatch):
    app, (worker,) = start()
    file = tmp_path / "watched.fight"
    monkeypatch.setattr(FightRecorder, "under_way", property(lambda _: file))
    feed(qtbot, app, worker, snapshot(1))
    assert app.pages.under_way() == file
    feed(qtbot, app, worker, snapshot(2, capture="no-window", advice="none", state=None, decision=None))
    assert app.pages.under_way() is None


@pytest.mark.slow
def test_settings_that_cannot_be_saved_are_said(start, monkeypatch):
    app, _ = start()
    monkeypatch.setattr(
        app_module.settings_file, "save", lambda settings, since: (_ for _ in ()).throw(OSError("read-only"))
    )
    app.window.controls.overlay.trigger()
    assert "read-only" in app.window.notice.text.text()


@pytest.mark.long
def test_language_and_theme_change_without_a_restart(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    worker.deliver(LogLine(logging.INFO, "x", "kept line", 0.0))
    qtbot.waitUntil(lambda: len(app.window.log.lines) == 1)
    app.pages.open_settings()
    app.pages.settings.show_group("ui")
    combo = app.pages.settings.editor("ui.language").combo
    combo.setCurrentIndex(combo.findData("fr"))
    qtbot.waitUntil(lambda: app.window.controls.settings.text() == "Réglages")
    assert (
        app.pages.settings.current_group() == "ui" and app.pages.settings.windowTitle() == "botapp - Réglages"
    )
    assert app.window.decision.headline.text() == "Lancer Étincelle sur Thorn Beast"
    assert [line.text for line in app.window.log.lines] == ["kept line"]
    combo = app.pages.settings.editor("ui.theme").combo
    combo.setCurrentIndex(combo.findData("light"))
    qtbot.waitUntil(lambda: theme.current() == "light")
    assert app.window.isVisible()


@pytest.mark.slow
def test_the_overlay_switch_of_the_tool_bar_shows_on_the_page(start):
    app, _ = start()
    app.pages.open_settings()
    switch = app.pages.settings.editor("overlay.enabled").switch
    told = []
    for _ in range(3):
        app.window.controls.overlay.trigger()
        overlay = app.settings.overlay
        told.append((app.window.controls.overlay.text(), overlay.enabled, overlay.preset))
        assert switch.isChecked() is overlay.enabled
        assert app.window.controls.overlay.isChecked() is overlay.enabled
    assert told == [
        ("Overlay: minimal", True, "minimal"),
        ("Overlay: off", False, "minimal"),
        ("Overlay: full", True, "full"),
    ]


@pytest.mark.slow
def test_the_box_with_the_advice_is_moved_over_the_game_and_stays_there(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    app.window.controls.badge.trigger()
    qtbot.keyClick(app.mover, Qt.Key.Key_Down)
    assert app.settings.overlay.badge_y == pytest.approx(0.115 + 8 / 720, abs=0.002)
    assert app.overlay.scene.badge.at[1] == pytest.approx(720 * app.settings.overlay.badge_y)
    qtbot.keyClick(app.mover, Qt.Key.Key_Return)
    assert not app.mover.isVisible()
    app.window.controls.badge.trigger()
    assert app.mover.isVisible()


@pytest.mark.slow
def test_another_client_is_looked_for_by_its_title_whatever_was_picked_before(start):
    app, (worker,) = start()
    app.bridge.send(WatchWindow(12))
    app.apply(app.settings.changed("capture.title", "my game"))
    assert worker.sent[-1] == WatchWindow(None)
    app.apply(app.settings.changed("engine.step_limit", 3))
    assert isinstance(worker.sent[-1], ApplySettings)
