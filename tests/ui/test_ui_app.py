"""The whole app on a worker that a test plays: start to end, and whatever a person can ask for meanwhile."""

import logging
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from ui_factories import FakeWorker, snapshot

from botapp.engine.messages import ApplySettings, LogLine, Pause, WatchWindow, WorkerFault
from botapp.settings import Settings
from botapp.store import load
from botapp.ui import app as app_module
from botapp.ui import theme, translation
from botapp.ui.app import App, main
from botapp.ui.autopilot import AGAIN_S, Autopilot
from botapp.ui.layout import Keeper, Layout
from botapp.ui.options import AppOptions
from botapp.ui.overlay import platform
from botapp.ui.picker import WindowPicker
from botapp.ui.session import display_problem, use_x11
from botapp.ui.settings.probe import BackendProbe
from botapp.ui.window import TITLE
from vision.frame import Rect


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr(platform, "blends", lambda: True)
    monkeypatch.setattr(BackendProbe, "ask", lambda self: None)


@pytest.fixture
def start(qapp, qtbot, tmp_path):
    started = []

    def run(**options):
        workers = []

        def make(values):
            workers.append(FakeWorker(values))
            return workers[-1]

        given = {"settings": Settings(ui={"language": "en"}), "state_dir": tmp_path / "state", "worker": make}
        app = App(qapp, AppOptions(**{**given, **options}))
        app.start()
        started.append(app)
        return app, workers

    yield run
    for app in started:
        app.stop()
    theme.apply(qapp, "dark")


def feed(qtbot, app, worker, *snapshots):
    for one in snapshots:
        with qtbot.waitSignal(app.bridge.snapshot_ready):
            worker.deliver(one)


def test_advice_reaches_panels_overlay_and_status_bar(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    assert app.window.windowTitle() == TITLE
    qtbot.waitUntil(lambda: app.window.decision.headline.text() == "Cast Spark on Thorn Beast")
    assert app.overlay.isVisible()
    app.window.status.refresh()
    assert app.window.status.capture.text() == "Watching"
    assert app.window.status.device.text() == "cpu  ·  fp32"
    assert " s" in app.window.status.age.text().replace("\u00a0", " ")
    app.overlay.grab()
    assert app.bridge.history.to_overlay.count == 1


@pytest.mark.parametrize(
    ("capture", "words"),
    [
        ("no-window", "No window"),
        ("minimised", "Minimised"),
        ("covered", "Covered"),
        ("off-screen", "Off the screen"),
        ("too-small", "Too small"),
        ("no-fight", "No fight"),
        ("unsupported", "Unsupported"),
    ],
)
def test_every_state_of_the_window_is_plain_to_see_and_recovers(start, qtbot, capture, words):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    feed(
        qtbot, app, worker, snapshot(2, capture=capture, advice="none", decision=None, view=None, state=None)
    )
    assert app.window.status.capture.text() == words
    assert not app.overlay.isVisible()
    qtbot.waitUntil(lambda: app.window.decision.bars.bars == ())
    feed(qtbot, app, worker, snapshot(3))
    assert app.overlay.isVisible() and app.window.status.capture.text() == "Watching"


def test_pause_and_start(start, qtbot):
    app, (worker,) = start()
    app.window.pause_action.trigger()
    assert worker.sent[-1] == Pause(True) and app.window.pause_action.text() == "Start"
    app.window.pause_action.trigger()
    assert worker.sent[-1] == Pause(False) and app.window.pause_action.text() == "Pause"


def test_settings_go_to_worker_overlay_window_and_file(start, qtbot, tmp_path):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    app.window.settings_action.trigger()
    page = app.page
    assert "cpu" in page.device.in_use.text()
    page.editors["engine.halt_threshold"].spin.setValue(0.7)
    assert isinstance(worker.sent[-1], ApplySettings)
    assert worker.sent[-1].values["engine"]["halt_threshold"] == 0.7
    page.editors["overlay.enabled"].switch.click()
    assert not app.overlay.isVisible() and not app.window.overlay_action.isChecked()
    assert load().settings.engine.halt_threshold == 0.7
    page.close()
    assert app.page is None


def test_settings_that_cannot_be_saved_are_said(start, monkeypatch):
    app, _ = start()
    monkeypatch.setattr(
        app_module.store, "save", lambda settings: (_ for _ in ()).throw(OSError("read-only"))
    )
    app.window.overlay_action.trigger()
    assert "read-only" in app.window.notice.text.text()


def test_language_and_theme_change_without_a_restart(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    worker.deliver(LogLine(logging.INFO, "x", "kept line", 0.0))
    qtbot.waitUntil(lambda: len(app.window.log.lines) == 1)
    app.open_settings()
    app.page.show_group("ui")
    combo = app.page.editors["ui.language"].combo
    combo.setCurrentIndex(combo.findData("fr"))
    qtbot.waitUntil(lambda: app.window.settings_action.text() == "Réglages")
    assert app.page.current_group() == "ui" and app.page.windowTitle() == "botapp - Réglages"
    assert app.window.decision.headline.text() == "Lancer Étincelle sur Thorn Beast"
    assert [line.text for line in app.window.log.lines] == ["kept line"]
    combo = app.page.editors["ui.theme"].combo
    combo.setCurrentIndex(combo.findData("light"))
    qtbot.waitUntil(lambda: theme.current() == "light")
    assert app.window.isVisible()


def test_the_overlay_switch_of_the_tool_bar_shows_on_the_page(start):
    app, _ = start()
    app.open_settings()
    app.window.overlay_action.trigger()
    assert app.settings.overlay.enabled is False
    assert not app.page.editors["overlay.enabled"].switch.isChecked()


def test_a_fault_is_shown_and_a_given_up_worker_can_be_restarted(start, qtbot):
    app, workers = start()
    feed(qtbot, app, workers[0], snapshot(1))
    with qtbot.waitSignal(app.bridge.faulted):
        workers[0].deliver(WorkerFault("It crashed.", True))
    notice = app.window.notice
    assert notice.isVisible() and notice.restart.isHidden() and not app.overlay.isVisible()
    qtbot.waitUntil(lambda: app.window.decision.headline.text() == "It crashed.")
    assert app.window.status.capture.text() == "Stopped"
    with qtbot.waitSignal(app.bridge.faulted):
        workers[0].deliver(WorkerFault("It crashed again.", False))
    assert notice.restart.isVisible()
    notice.restart.click()
    assert len(workers) == 2 and workers[1].running and not notice.isVisible()


def test_messages_of_the_start_are_shown(start):
    app, _ = start(messages=("The settings file x was set aside.",))
    assert "set aside" in app.window.notice.text.text() and app.window.notice.isVisible()
    app.window.notice.put_away()
    assert not app.window.notice.isVisible()


def test_the_window_picker_offers_windows_and_tells_the_one_picked(start, qtbot, monkeypatch):
    windows = [SimpleNamespace(handle=12, title="DOFUS", process="dofus", rect=Rect(0, 0, 800, 600))]
    monkeypatch.setattr(app_module, "_windows", lambda: lambda: windows)
    app, (worker,) = start()
    app.pick_window()
    picker = app.window.findChild(WindowPicker)
    assert picker.list.count() == 2 and "800×600" in picker.list.item(1).text()
    picker.list.setCurrentRow(1)
    picker.accept()
    assert worker.sent[-1] == WatchWindow(12)
    qtbot.waitUntil(lambda: app.window.findChild(WindowPicker) is None)
    app.pick_window()
    app.window.findChild(WindowPicker).accept()
    assert worker.sent[-1] == WatchWindow(None)


def test_another_client_is_looked_for_by_its_title_whatever_was_picked_before(start):
    app, (worker,) = start()
    app.bridge.send(WatchWindow(12))
    app.apply(app.settings.changed("capture.title", "my game"))
    assert worker.sent[-1] == WatchWindow(None)
    app.apply(app.settings.changed("engine.step_limit", 3))
    assert isinstance(worker.sent[-1], ApplySettings)


def test_a_desktop_that_cannot_be_listed_is_explained(qtbot):
    def fails():
        raise RuntimeError("no window manager")

    picker = WindowPicker(fails)
    qtbot.addWidget(picker)
    assert "no window manager" in picker.note.text() and picker.list.count() == 1


def test_the_advice_is_played_once_and_again_only_when_it_stays(qtbot):
    played = []
    pilot = Autopilot(played.append)
    pilot.offer(snapshot(1), 0.0)
    assert played == []
    pilot.on = True
    pilot.offer(snapshot(1), 0.0)
    pilot.offer(snapshot(2, decided_seq=1), 0.1)
    assert pilot.sent == 1
    pilot.offer(snapshot(3, decided_seq=1), AGAIN_S + 0.1)
    pilot.offer(snapshot(4), AGAIN_S + 0.2)
    pilot.offer(snapshot(5, advice="not-my-turn"), 9.0)
    assert pilot.sent == 3 and len(played) == 3


def test_the_play_switch_is_only_there_for_the_arena(start, qtbot):
    app, _ = start()
    assert not app.window.play_action.isVisible()
    played = []
    app, (worker,) = start(play=played.append, play_at_start=True)
    assert app.window.play_action.isVisible() and app.window.play_action.isChecked()
    feed(qtbot, app, worker, snapshot(1))
    assert len(played) == 1
    app.window.play_action.trigger()
    feed(qtbot, app, worker, snapshot(2))
    assert len(played) == 1


def test_pictures_are_taken_when_there_is_advice_to_see(start, qtbot, tmp_path):
    played = []
    app, (worker,) = start(
        screenshots=tmp_path / "shots", screenshot_times=(0.0,), play=played.append, play_at_start=True
    )
    qtbot.waitUntil(lambda: app.shots.due)
    feed(qtbot, app, worker, snapshot(1))
    assert played == []
    qtbot.waitUntil(lambda: app.shots.taken == 1)
    app.shots.close()
    picture = QImage(str(tmp_path / "shots" / "window-1.png"))
    assert picture.size() == app.window.size()
    feed(qtbot, app, worker, snapshot(2))
    assert len(played) == 1


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


def test_the_end_gives_the_figures_and_the_exit_code(qapp, qtbot, tmp_path):
    reports, ticks = [], []
    workers = []

    def make(values):
        workers.append(FakeWorker(values))
        QTimer.singleShot(50, lambda: workers[0].deliver(snapshot(3)))
        return workers[-1]

    options = AppOptions(
        Settings(ui={"language": "en"}),
        seconds=0.4,
        finished=reports.append,
        tick=lambda: ticks.append(1) or True,
        state_dir=tmp_path,
        worker=make,
    )
    assert main(options) == 0
    assert reports[0]["frames"] == 3
    assert not workers[0].running
    assert not (tmp_path / "running").exists()


def test_a_start_that_fails_ends_the_worker_too(qapp, tmp_path):
    made = []

    def make(values):
        made.append(FakeWorker(values))
        return made[-1]

    (tmp_path / "file").touch()
    options = AppOptions(
        Settings(), state_dir=tmp_path / "state", worker=make, screenshots=tmp_path / "file" / "shots"
    )
    with pytest.raises(NotADirectoryError):
        main(options)
    assert not made[0].running
    assert not Keeper(tmp_path / "state").begin()


def test_a_tick_that_says_no_ends_the_app(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(app_module, "TICK_MS", 10)
    options = AppOptions(Settings(), tick=lambda: False, state_dir=tmp_path, worker=FakeWorker)
    assert main(options) == 0


def test_without_a_display_the_remedy_is_named(capsys, monkeypatch):
    assert "xvfb-run" in display_problem({}, "linux")
    assert "XWayland" in display_problem({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert "does not answer" in display_problem({"DISPLAY": ":4711"}, "linux")
    assert display_problem({"QT_QPA_PLATFORM": "offscreen"}, "linux") == ""
    assert display_problem({}, "win32") == ""
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main(AppOptions(Settings())) == 2
    assert "no display" in capsys.readouterr().err


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


def test_a_wayland_session_uses_xwayland():
    environment = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    use_x11(environment)
    assert environment["QT_QPA_PLATFORM"] == "xcb"
    plain = {"DISPLAY": ":0"}
    use_x11(plain)
    assert plain == {"DISPLAY": ":0"}


def test_ctrl_c_ends_the_app_in_order(qapp, tmp_path):
    hook = sys.excepthook
    handler = signal.getsignal(signal.SIGINT)
    QTimer.singleShot(200, lambda: signal.raise_signal(signal.SIGINT))
    workers = []

    def make(values):
        workers.append(FakeWorker(values))
        return workers[-1]

    assert main(AppOptions(Settings(), state_dir=tmp_path, worker=make)) == 0
    assert not workers[0].running and not (tmp_path / "running").exists()
    assert (signal.getsignal(signal.SIGINT), sys.excepthook) == (handler, hook)


def test_a_fault_of_the_app_itself_is_a_notice_and_a_line_in_the_log(start):
    app, _ = start()
    try:
        raise ValueError("a wrong number")
    except ValueError as error:
        app.fault(type(error), error, error.__traceback__)
    assert "a wrong number" in app.window.notice.text.text()
    assert app.window.log.lines[-1].level == logging.ERROR
