"""The app around My game: pictures are asked for, what was said reaches the worker, doubts are asked."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QToolBar
from ui_factories import LATTICE, FakeWorker, feed, snapshot

from botapp.host.settings import Settings
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import AskFrame, EngineMoved, FrameSeen, Relearn
from botapp.ui import theme, translation
from botapp.ui.app import App
from botapp.ui.overlay import platform
from botapp.ui.samples import History
from botapp.ui.settings.device import BackendProbe
from botapp.ui.window import MainWindow
from vision.frame import Rect
from vision.view import Seen


@pytest.fixture
def run(qapp, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr(platform, "blends", lambda: True)
    monkeypatch.setattr(BackendProbe, "ask", lambda self: None)
    workers = []

    def make(settings):
        workers.append(FakeWorker(settings))
        return workers[-1]

    settings = Settings(ui={"language": "en"}, capture={"target": "dofus-unity"})
    app = App(qapp, AppOptions(settings=settings, state_dir=tmp_path / "state", worker=make))
    app.start()
    yield app, workers[0]
    app.stop()
    theme.apply(qapp, "dark")


@pytest.mark.slow
def test_my_game_asks_for_a_picture_and_has_the_worker_read_anew_what_was_said(run, qtbot):
    app, worker = run
    app.window.controls.game.trigger()
    assert app.pages.game is not None and any(isinstance(message, AskFrame) for message in worker.sent)
    view = replace(snapshot(1).view, client=Rect(0, 0, 640, 360), lattice=Seen(LATTICE, 0.9))
    with qtbot.waitSignal(app.bridge.framed):
        worker.events.append(FrameSeen(np.zeros((360, 640, 3), np.uint8), view))
        worker.wake()
    app.pages.game.board.accept.click()
    assert any(isinstance(message, Relearn) for message in worker.sent)
    app.pages.game.close()
    assert app.pages.game is None


@pytest.mark.slow
def test_a_board_in_doubt_is_asked_about_once_for_each_size(run, qtbot):
    app, worker = run
    view = replace(snapshot(1).view, client=Rect(0, 0, 640, 360), lattice_ambiguous=(LATTICE,))
    feed(qtbot, app, worker, replace(snapshot(1), view=view))
    assert "Is the board" in app.window.notice.text.text()
    app.window.notice.say("something else")
    feed(qtbot, app, worker, replace(snapshot(2), view=view))
    assert app.window.notice.text.text() == "something else"
    feed(qtbot, app, worker, replace(snapshot(3), view=replace(view, client=Rect(0, 0, 800, 450))))
    assert "Is the board" in app.window.notice.text.text()


@pytest.mark.slow
def test_a_model_that_moved_is_told(run, qtbot):
    app, worker = run
    with qtbot.waitSignal(app.bridge.moved):
        worker.events.append(EngineMoved("cuda:0 in bf16 crashed (SIGSEGV (11)); now cpu in fp32"))
        worker.wake()
    assert "now cpu in fp32" in app.window.notice.text.text()
    assert any("now cpu in fp32" in line.text for line in app.window.log.lines)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_button_of_the_tool_bar_is_cut_off_beside_the_arena(qtbot, language):
    translation.use(language)
    window = MainWindow(Settings(), History(), lambda: None, can_play=True)
    qtbot.addWidget(window)
    window.resize(1048, 900)
    window.show()
    bar = window.findChild(QToolBar, "toolbar")
    assert bar.sizeHint().width() <= bar.width()
    assert bar.widgetForAction(window.controls.settings).isVisible()
