"""Every test of the app starts in English and in the dark theme, and takes its widgets away with it."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from ui_factories import FakeLook, FakeWorker

from botapp.host.settings import Settings
from botapp.runtime.app_options import AppOptions
from botapp.ui import pages, theme, translation
from botapp.ui.app import App
from botapp.ui.overlay import platform
from botapp.ui.settings.device import BackendProbe

_kept = []


@pytest.fixture(autouse=True)
def english_and_dark(request):
    translation.use("en")
    app = request.getfixturevalue("qapp") if "qtbot" in request.fixturenames else None
    if app is not None and (theme.current() != "dark" or not app.styleSheet()):
        theme.apply(app, "dark")
    yield
    translation.use("en")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item):
    """Has Qt delete every window: no event loop runs between tests, and a theme is set on all there are."""
    if QCoreApplication.instance() is not None:
        for window in QApplication.topLevelWidgets():
            if window in _kept:
                window.hide()
            else:
                window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="session")
def keep():
    """Keeps a window for all tests of a module, hidden between them."""

    def kept(window):
        _kept.append(window)
        yield window
        _kept.remove(window)
        window.deleteLater()

    return kept


@pytest.fixture
def shown(qtbot):
    """Shows a panel and has it take snapshots, one after the other."""

    def show(panel, *snapshots):
        qtbot.addWidget(panel)
        panel.interval_ms = 5
        panel.resize(520, 640)
        panel.show()
        for one in snapshots:
            panel.offer(one)
            qtbot.wait(12 if len(snapshots) > 1 else 5)
        panel.grab()
        return panel

    return show


@pytest.fixture
def start(qapp, qtbot, tmp_path, monkeypatch):
    """Starts the app on a worker that the test plays, with folders of its own and no child process."""
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr(platform, "blends", lambda: True)
    monkeypatch.setattr(pages, "look_for_windows", FakeLook)
    monkeypatch.setattr(BackendProbe, "ask", lambda self: None)
    started = []

    def run(**options):
        workers = []

        def make(settings):
            workers.append(FakeWorker(settings))
            return workers[-1]

        given = {
            "settings": Settings(ui={"language": "en", "layout": "engineer"}),
            "state_dir": tmp_path / "state",
            "worker": make,
        }
        app = App(qapp, AppOptions(**{**given, **options}))
        app.start()
        started.append(app)
        return app, workers

    yield run
    for app in started:
        app.stop()
    if theme.current() != "dark":
        theme.apply(qapp, "dark")
