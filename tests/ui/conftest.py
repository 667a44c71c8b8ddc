"""Every test of the app starts in English and in the dark theme, and takes its widgets away with it."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from botapp.ui import theme, translation


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
    """Has Qt delete what `qtbot` only marked for deletion; no event loop runs between tests."""
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
