"""Every test of the app starts in English, in the dark theme, and without a language file's leftovers."""

import pytest

from botapp.ui import theme, translation


@pytest.fixture(autouse=True)
def english_and_dark(request):
    translation.use("en")
    if "qtbot" in request.fixturenames:
        theme.apply(request.getfixturevalue("qapp"), "dark")
    yield
    translation.use("en")
