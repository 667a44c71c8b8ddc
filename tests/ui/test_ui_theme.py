"""Both themes name the same colours, and every text can be read on every ground it stands on."""

from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStatusBar

from botapp.host.settings import Settings
from botapp.ui import theme
from botapp.ui.widgets.labels import Elided

GROUNDS = ("background", "surface", "raised")


def _luminance(name: str) -> float:
    parts = [part / 255 for part in QColor(name).getRgb()[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first: str, second: str) -> float:
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def test_both_themes_name_the_same_colours():
    assert theme.colours("dark").keys() == theme.colours("light").keys()


TEXTS = ("text", "muted", "accent", "good", "warn", "bad", "info", "violet", "own", "ally", "enemy")


@pytest.mark.parametrize("name", ["dark", "light"])
def test_texts_can_be_read(name):
    colours = theme.colours(name)
    for text, ground in product(TEXTS, GROUNDS):
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_floor_of_a_board_stands_out_from_its_ground(name):
    colours = theme.colours(name)
    assert contrast(colours["floor"], colours["surface"]) >= 1.3


@pytest.mark.parametrize("icon", ["left", "right", "first"])
def test_icons_are_drawn_in_the_colour_asked_for(qapp, icon):
    image = theme.icon(icon, "text").pixmap(64, 64).toImage()
    shades = {
        image.pixelColor(x, y).name()
        for x in range(64)
        for y in range(64)
        if image.pixelColor(x, y).alpha() == 255
    }
    assert theme.colours("dark")["text"] in shades and "#8592ab" not in shades


@pytest.mark.parametrize("name", ["dark", "light"])
def test_what_is_faint_can_still_be_made_out(name):
    colours = theme.colours(name)
    assert all(contrast(colours["faint"], colours[ground]) >= 3.0 for ground in GROUNDS[1:])
    assert contrast(colours["accent_text"], colours["accent"]) >= 4.5


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_style_sheet_has_no_colour_left_open(name):
    assert "$" not in theme.style_sheet(name)


def test_icons_take_the_themes_colour(qapp):
    theme.apply(qapp, "dark")
    image = theme.icon("play", "accent").pixmap(64, 64).toImage()
    assert QColor(image.pixelColor(28, 32)).name() == theme.colours("dark")["accent"]


@pytest.mark.parametrize("width", range(100, 400, 47))
def test_a_line_that_is_cut_shows_its_ellipsis_whole(qtbot, width):
    """The theme gives a label room at its sides, which the words cannot take."""
    bar = QStatusBar()
    line = Elided("Something moves. The advice comes once it is still, in a moment.", "muted")
    bar.addWidget(line, 1)
    qtbot.addWidget(bar)
    bar.show()
    bar.resize(width, 30)
    qtbot.wait(1)
    assert line.text().endswith("…")
    assert line.fontMetrics().horizontalAdvance(line.text()) <= max(line.contentsRect().width(), 40)


@pytest.fixture
def system(monkeypatch):
    """A system whose colours a test chooses."""

    class System:
        scheme = Qt.ColorScheme.Unknown

        @classmethod
        def styleHints(cls):
            return cls

        @classmethod
        def colorScheme(cls):
            return cls.scheme

    monkeypatch.setattr(theme, "QGuiApplication", System)
    return System


def test_the_theme_is_the_systems_unless_one_is_chosen(system):
    assert Settings().ui.theme == "system" and theme.resolve("system") == "dark"
    system.scheme = Qt.ColorScheme.Light
    assert [theme.resolve(wanted) for wanted in ("system", "dark", "light")] == ["light", "dark", "light"]


@pytest.mark.long
def test_the_system_changes_its_colours_while_the_app_runs(start, qapp, qtbot, system):
    app, _ = start()

    def switch(scheme):
        system.scheme = scheme
        qapp.styleHints().colorSchemeChanged.emit(scheme)
        qtbot.wait(50)

    window = app.window
    switch(Qt.ColorScheme.Dark)
    assert theme.current() == "dark" and app.window is window, "it looks so already"
    switch(Qt.ColorScheme.Light)
    assert theme.current() == "light" and app.window is not window and app.window.isVisible()
    app.apply(app.settings.changed("ui.theme", "light"))
    window = app.window
    switch(Qt.ColorScheme.Dark)
    assert theme.current() == "light" and app.window is window, "a theme that was chosen stays"
    app.apply(app.settings.changed("ui.theme", "system"))
    qtbot.waitUntil(lambda: theme.current() == "dark")
