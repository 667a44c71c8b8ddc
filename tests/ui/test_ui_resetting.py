"""*Reset to defaults*: all settings and the panels, copies of both files, one click that undoes it."""

import pytest

from botapp.host import settings_file
from botapp.host.settings import Settings
from botapp.host.settings_file import config_dir
from botapp.ui import theme

MINE = Settings(
    engine={"step_limit": 3},
    capture={"target": "dofus-unity"},
    advisor={"player_class": "ember"},
    ui={"language": "en"},
)


@pytest.fixture
def reset(start, qtbot):
    """Starts the app with settings, moves a panel where asked to, and presses the button."""

    def run(settings, *, moved=False, **options):
        app, _ = start(settings=Settings(ui={"language": "en"}), **options)
        app.take_settings(settings)
        qtbot.wait(50)
        if moved:
            app.window.docks["log"].show()
            app.window.arrangement.name = ""
        app.pages.open_settings()
        app.pages.settings.reset_asked.emit()
        qtbot.wait(100)
        return app

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    "look", ["dark", pytest.param("light", marks=pytest.mark.long)]
)  # builds all anew, twice
def test_all_is_reset_and_undone_in_one_click(reset, qtbot, look):
    mine = MINE.changed("ui.theme", look)
    app = reset(mine, moved=True)
    assert app.settings == Settings() == settings_file.load().settings
    assert theme.current() == "dark" and not app.window.packed().own
    page = app.pages.settings
    assert page.undo.isVisible() and page.undo.button.isVisible()
    assert "settings.toml.bak" in page.undo.text.text() and "layout.json.bak" in page.undo.text.text()
    kept = (config_dir() / "settings.toml.bak").read_text()
    assert all(word in kept for word in ("step_limit = 3", "dofus-unity", "ember"))
    assert ('theme = "light"' in kept) == (look == "light")
    page.undo.button.click()
    qtbot.wait(100)
    assert app.settings == mine == settings_file.load().settings
    assert theme.current() == look and app.window.packed().own
    assert not app.pages.settings.undo.isVisible()


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "moved"), [(Settings(ui={"theme": "light", "language": "en"}), False), (Settings(), True)]
)
def test_a_theme_or_the_panels_alone_are_reset_too(reset, settings, moved):
    app = reset(settings, moved=moved)
    assert app.settings == Settings() and not app.window.packed().own
    assert app.pages.settings.undo.button.isVisible()


@pytest.mark.long
def test_where_nothing_differs_it_is_said(reset):
    app = reset(Settings())
    assert app.pages.settings.undo.text.text() == "Everything is at its defaults already."
    assert not app.pages.settings.undo.button.isVisible()
    assert not list(config_dir().glob("*.bak"))


@pytest.mark.long
def test_another_change_ends_the_offer(reset, qtbot):
    app = reset(Settings(engine={"step_limit": 3}))
    app.pages.settings.editor("overlay.show_path").switch.click()
    qtbot.wait(20)
    assert not app.pages.settings.undo.isVisible()
    app.pages.settings.editor("ui.theme").edited.emit("light")
    qtbot.wait(100)
    assert not app.pages.settings.undo.isVisible(), "nor is it offered again by the page in another theme"


@pytest.mark.slow
def test_a_demo_keeps_settings_and_goes_on_watching_its_arena(start, qtbot):
    """The person's own client and class stay in the file, whatever the demo watches and plays."""
    settings_file.save(Settings(capture={"target": "dofus-2"}, advisor={"player_class": "ember"}))
    given = settings_file.load().settings.changed("capture.target", "arena")
    app, _ = start(settings=given, held=("capture.target",), play=lambda _: None)
    app.pages.open_settings()
    app.pages.settings.editor("overlay.show_path").switch.click()
    app._play_class("hour")
    kept = settings_file.load().settings
    assert kept.overlay.show_path is not Settings().overlay.show_path
    assert (kept.capture.target, kept.advisor.player_class) == ("dofus-2", "ember")
    assert app.settings.advisor.player_class == "hour"
    app.pages.settings.reset_asked.emit()
    qtbot.wait(50)
    assert app.settings == Settings().changed("capture.target", "arena")
    assert settings_file.load().settings.overlay == Settings().overlay
