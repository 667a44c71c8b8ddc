"""The whole app on a worker that a test plays: what it shows, how it begins and how it ends."""

import logging
import signal
import sys

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from ui_factories import WALK, FakeWorker, decision, feed, snapshot

from botapp.host.settings import Settings
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import WorkerFault
from botapp.ui import app as app_module
from botapp.ui.app import main
from botapp.ui.layout import Keeper
from botapp.ui.session import display_problem, use_x11
from botapp.ui.window import TITLE


@pytest.mark.slow
def test_advice_reaches_panels_overlay_and_status_bar(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    assert app.window.windowTitle() == TITLE
    qtbot.waitUntil(lambda: app.window.decision.headline.text() == "Cast Spark on Thorn Beast")
    assert app.overlay.isVisible()
    app.window.status.refresh()
    assert app.window.status.capture.text() == "Watching"
    assert app.window.device_line.whole_text().startswith("processor  ·  fp32  ·  no card in use")
    assert " s" in app.window.status.age.text().replace("\u00a0", " ")
    app.overlay.grab()
    assert app.bridge.history.to_overlay.count == 1


@pytest.mark.slow
def test_other_advice_is_painted_on_the_game_and_in_the_panels_in_one_go(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    qtbot.waitUntil(lambda: app.overlay.shown_look.mode == "advice")
    qtbot.wait(50)
    painted, panel = [], app.window.decision.headline
    app.overlay.painted.connect(lambda _: painted.append(("overlay", app.overlay.scene.badge.lines[0])))
    seen = _Paints(panel, lambda: painted.append(("panel", panel.text())))
    panel.installEventFilter(seen)
    app.bridge.snapshot_ready.emit(
        snapshot(2, decision=decision(WALK, WALK), turn=None)
    )  # no event loop runs
    panel.removeEventFilter(seen)
    assert painted == [("overlay", "Walk 3 cells down right"), ("panel", "Walk 3 cells down right")]


class _Paints(QObject):
    def __init__(self, parent, told):
        super().__init__(parent)
        self.told = told

    def eventFilter(self, _, event):
        if event.type() is QEvent.Type.Paint:
            self.told()
        return False


@pytest.mark.long
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
    panel = app.window.decision
    qtbot.waitUntil(lambda: panel.state_chip.text() == words)
    assert not panel.advised.isVisible() or not panel.advised.chance.isEnabled()
    feed(qtbot, app, worker, snapshot(3))
    assert app.overlay.isVisible() and app.window.status.capture.text() == "Watching"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_fault_of_the_app_itself_is_a_notice_and_a_line_in_the_log(start):
    app, _ = start()
    try:
        raise ValueError("a wrong number")
    except ValueError as error:
        app.notices.app_fault(type(error), error, error.__traceback__)
    assert "a wrong number" in app.window.notice.text.text()
    assert app.window.log.lines[-1].level == logging.ERROR


@pytest.mark.slow
def test_messages_of_the_start_are_shown(start):
    app, _ = start(messages=("The settings file x was set aside.",))
    assert "set aside" in app.window.notice.text.text() and app.window.notice.isVisible()
    app.window.notice.put_away()
    assert not app.window.notice.isVisible()


@pytest.mark.slow
def test_the_end_gives_the_figures_and_the_exit_code(qapp, qtbot, tmp_path):
    reports, ticks = [], []
    workers = []

    def make(settings):
        workers.append(FakeWorker(settings))
        QTimer.singleShot(0, lambda: workers[0].deliver(snapshot(3)))
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


@pytest.mark.slow
def test_a_start_that_fails_ends_the_worker_too(qapp, tmp_path):
    made = []

    def make(settings):
        made.append(FakeWorker(settings))
        return made[-1]

    (tmp_path / "file").touch()
    options = AppOptions(
        Settings(), state_dir=tmp_path / "state", worker=make, screenshots=tmp_path / "file" / "shots"
    )
    with pytest.raises(NotADirectoryError):
        main(options)
    assert not made[0].running
    assert not Keeper(tmp_path / "state").begin()


@pytest.mark.slow
def test_a_tick_that_says_no_ends_the_app(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(app_module, "TICK_MS", 10)
    options = AppOptions(Settings(), tick=lambda: False, state_dir=tmp_path, worker=FakeWorker)
    assert main(options) == 0


@pytest.mark.slow
def test_ctrl_c_ends_the_app_in_order(qapp, tmp_path):
    hook = sys.excepthook
    handler = signal.getsignal(signal.SIGINT)
    QTimer.singleShot(200, lambda: signal.raise_signal(signal.SIGINT))
    workers = []

    def make(settings):
        workers.append(FakeWorker(settings))
        return workers[-1]

    assert main(AppOptions(Settings(), state_dir=tmp_path, worker=make)) == 0
    assert not workers[0].running and not (tmp_path / "running").exists()
    assert (signal.getsignal(signal.SIGINT), sys.excepthook) == (handler, hook)


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


def test_a_wayland_session_uses_xwayland():
    environment = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    use_x11(environment)
    assert environment["QT_QPA_PLATFORM"] == "xcb"
    plain = {"DISPLAY": ":0"}
    use_x11(plain)
    assert plain == {"DISPLAY": ":0"}


@pytest.mark.slow
def test_a_fight_that_is_not_kept_is_said_in_the_window_and_in_the_terminal(start, qtbot, capsys):
    """A full disk was said in the window alone, and nowhere once that had closed."""
    app, _ = start()
    why = "The fight is not kept: the disk is full; make room on it."
    app._tell_not_kept(why)
    assert capsys.readouterr().err == f"botapp: {why}\n"
    qtbot.waitUntil(lambda: app.window.notice.text.text() == why)
