"""Where the panels stand: in sight at first, kept between runs, set back after a crash."""

import os
from pathlib import Path

import pytest

from botapp.settings import Settings
from botapp.ui import translation
from botapp.ui.layout import Keeper, Layout


def test_the_layout_is_kept_and_a_crash_resets_it(start, tmp_path):
    app, _ = start(size=(1200, 800))
    app.window.docks["log"].close()
    app.stop()
    kept = Keeper(tmp_path / "state").load()
    assert kept is not None
    again, _ = start()
    assert again.window.docks["log"].isHidden()
    assert not again.window.notice.isVisible()
    (tmp_path / "state" / "running").write_text("999999999")
    third, _ = start()
    assert not third.window.docks["log"].isHidden()
    assert "did not end properly" in third.window.notice.text.text()


def test_every_panel_is_in_sight_or_one_tab_away(start):
    app, _ = start(size=(1366, 768))
    window = app.window
    areas = {
        key: dock.width() * dock.height() for key, dock in window.docks.items() if dock.widget().in_sight
    }
    assert max(areas, key=areas.get) == "decision"
    assert set(window.docks) == {"decision", "vision", "reasoning", "state", "latency", "memory", "log"}
    assert set(areas) == {"decision", "vision", "reasoning", "latency"}
    assert {d.objectName() for d in window.tabifiedDockWidgets(window.docks["latency"])} == {
        "dock-memory",
        "dock-log",
    }


def test_it_fits_a_small_screen_in_both_languages(start):
    for language in ("en", "fr"):
        app, _ = start(settings=Settings(ui={"language": language}))
        assert app.window.minimumSizeHint().width() <= 1024
        assert app.window.minimumSizeHint().height() <= 700


def test_a_folder_that_cannot_be_written_keeps_nothing_and_says_nothing(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    keeper = Keeper(blocked / "state")
    assert keeper.begin() is False
    keeper.save(Layout(b"a", b"b"))
    keeper.end()
    keeper.forget()
    assert keeper.load() is None


def test_a_broken_layout_file_is_passed_over(tmp_path):
    (tmp_path / "layout.json").write_text("{broken")
    assert Keeper(tmp_path).load() is None


def test_a_marker_of_this_very_process_is_an_unclean_exit(tmp_path):
    (tmp_path / "running").write_text(str(os.getpid()))
    assert Keeper(tmp_path).begin() is True


def test_a_layout_of_another_version_is_not_taken(start):
    app, _ = start()
    app.window.unpack(Layout(b"", b"rubbish"))
    assert app.window.docks["decision"].isVisible()
    app.window.arrange()
    assert translation.language() == "en"
    assert Path(app.keeper._folder).exists()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")
def test_the_tray_offers_the_windows_actions_and_brings_it_up(start, qtbot):
    app, _ = start()
    tray = app._make_tray()
    texts = [action.text() for action in tray.contextMenu().actions() if action.text()]
    assert texts == ["Show the window", "Pause", "Overlay", "Settings", "Quit"]
    app.window.hide()
    tray._clicked(tray.ActivationReason.Trigger)
    assert app.window.isVisible()
    tray.hide()


def test_a_dock_floats_and_comes_back(start, qtbot):
    app, _ = start()
    dock = app.window.docks["state"]
    title = dock.titleBarWidget()
    title._float()
    assert dock.isFloating()
    title._float()
    assert not dock.isFloating()
