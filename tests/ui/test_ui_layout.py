"""Where the panels stand: in sight at first, kept between runs, set back after a crash."""

import os
from pathlib import Path

import pytest
from own_process import run_python
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QSystemTrayIcon, QTabBar, QToolBar, QToolButton
from ui_factories import FakeLook, snapshot

import botapp.ui.panels
from botapp.content.knowledge.base import KnowledgeBase
from botapp.host.settings import Settings
from botapp.ui import theme, translation
from botapp.ui.game.effects import KINDS
from botapp.ui.game.page import GamePage
from botapp.ui.game.spellform import SpellDialog
from botapp.ui.layout import DockLayout, Keeper
from botapp.ui.panels import base
from botapp.ui.panels.base import PANELS, panels
from botapp.ui.picking.picker import WindowPicker
from botapp.ui.settings.page import SettingsPage
from botapp.ui.welcome import Welcome

SMALL = (853, 424)
"""A screen of 1280x720 at 150 %, less the frame of a window."""


@pytest.mark.long
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
    assert "did not close properly" in third.window.notice.text.text()


def test_a_folder_that_cannot_be_written_keeps_nothing_and_says_nothing(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    keeper = Keeper(blocked / "state")
    assert keeper.begin() is False
    keeper.save(DockLayout(b"a", b"b"))
    keeper.end()
    keeper.forget()
    assert keeper.load() is None


def test_a_layout_that_cannot_be_written_whole_leaves_the_one_before(tmp_path, monkeypatch):
    keeper, before = Keeper(tmp_path), DockLayout(b"a", b"b")
    keeper.save(before)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hrm.atomic.os.fsync", full)
    keeper.save(DockLayout(b"c", b"d"))
    assert keeper.load() == before
    assert [path.name for path in tmp_path.iterdir()] == ["layout.json"]


def test_a_broken_layout_file_is_passed_over(tmp_path):
    (tmp_path / "layout.json").write_text("{broken")
    assert Keeper(tmp_path).load() is None


def test_a_marker_of_this_very_process_is_an_unclean_exit(tmp_path):
    (tmp_path / "running").write_text(str(os.getpid()))
    assert Keeper(tmp_path).begin() is True


@pytest.mark.slow
def test_a_layout_of_another_version_is_not_taken(start):
    app, _ = start()
    app.window.unpack(DockLayout(b"", b"rubbish"))
    assert app.window.docks["decision"].isVisible()


class Trays:
    """A desktop with a tray, or one whose tray has gone."""

    there = True


@pytest.fixture
def trays(monkeypatch):
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: Trays.there))
    monkeypatch.setattr(Trays, "there", True)
    return Trays


@pytest.mark.slow
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")
def test_the_tray_offers_the_windows_actions_and_brings_it_up(start, trays, qtbot):
    app, _ = start()
    tray = app.desktop.tray
    texts = [action.text() for action in tray.contextMenu().actions() if action.text()]
    assert texts == ["Show the window", "Pause", "Overlay: full", "Small advice window", "Settings", "Quit"]
    app.window.hide()
    tray.activated.emit(tray.ActivationReason.Trigger)
    assert app.window.isVisible()
    tray.hide()


@pytest.mark.slow
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")
def test_started_minimised_it_is_in_the_tray_and_a_second_start_shows_it(start, trays, qtbot):
    app, _ = start(settings=Settings(ui={"language": "en", "start_minimised": True}))
    assert not app.window.isVisible() and app.desktop.tray is not None
    app.desktop.bring_up()  # what a second start calls
    assert app.window.isVisible() and not app.window.isMinimized()
    assert app.window.docks["decision"].isVisible() and app.window.width() > 600
    app.desktop.show_or_hide()
    app.desktop.tray.activated.emit(app.desktop.tray.ActivationReason.Trigger)
    assert app.window.isVisible()


@pytest.mark.slow
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")
def test_the_window_is_never_lost_without_a_tray(start, trays, monkeypatch):
    app, _ = start(settings=Settings(ui={"language": "en", "start_minimised": True}))
    trays.there = False
    app._ticked()
    assert app.window.isVisible() and app.window.isMinimized(), "the tray went: the task bar has it"
    app.stop()
    app, _ = start(settings=Settings(ui={"language": "en", "start_minimised": True}))
    assert app.window.isVisible() and app.window.isMinimized() and app.desktop.tray is None


@pytest.mark.slow
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")
def test_by_itself_it_starts_with_its_window_and_what_is_to_be_said_is_seen(start, trays):
    app, _ = start()
    assert app.window.isVisible() and not app.window.isMinimized()
    app.stop()
    settings = Settings(ui={"language": "en", "start_minimised": True})
    for options in ({"messages": ("Something is wrong.",)}, {"seconds": 60.0}):
        app, _ = start(settings=settings, **options)
        assert app.window.isVisible() and not app.window.isMinimized()
        app.stop()


@pytest.mark.long
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")
def test_a_window_that_was_put_away_stays_so_in_another_theme(start, trays, qtbot):
    app, _ = start(settings=Settings(ui={"language": "en", "start_minimised": True}))
    before = app.window
    app.apply(app.settings.changed("ui.theme", "light"))
    qtbot.waitUntil(lambda: app.window is not before)
    assert not app.window.isVisible() and theme.current() == "light"
    app.desktop.bring_up()
    assert app.window.isVisible() and not app.window.isMinimized()


@pytest.mark.slow
def test_a_dock_floats_and_comes_back(start, qtbot):
    app, _ = start()
    dock = app.window.docks["decision"]
    floating = dock.titleBarWidget().findChildren(QToolButton)[0]
    floating.click()
    assert dock.isFloating()
    floating.click()
    assert not dock.isFloating()


@pytest.mark.slow
def test_another_size_brings_its_arrangement_unless_somebody_has_moved_a_panel(start, qtbot, tmp_path):
    app, _ = start(size=(1000, 660), settings=Settings(ui={"layout": "reasoning"}))
    docks = app.window.docks
    docks["course"].close()
    assert docks["turns"] not in app.window.tabifiedDockWidgets(docks["decision"])
    app.window.resize(560, 640)
    qtbot.waitUntil(lambda: docks["turns"] in app.window.tabifiedDockWidgets(docks["decision"]))
    assert docks["course"].isHidden() and docks["state"].isEnabled() is False
    assert app.window.packed().own is False
    docks["turns"].setFloating(True)
    docks["turns"].setFloating(False)
    app.window.resize(1000, 660)
    qtbot.wait(400)
    assert app.window.packed().own
    app.stop()
    again, _ = start()
    assert again.window.packed().own


@pytest.mark.long
def test_after_a_start_no_tabs_of_before_lie_over_the_tools(start, qtbot):
    chosen = Settings(ui={"layout": "reasoning"})
    app, _ = start(settings=chosen, size=(1280, 660))
    qtbot.wait(100)
    app.stop()
    again, _ = start(settings=chosen)
    shown = [bar for bar in again.window.findChildren(QTabBar) if bar.isVisible()]
    assert shown and all(bar.y() > again.window.findChild(QToolBar).geometry().bottom() for bar in shown)


@pytest.mark.slow
def test_the_window_stands_on_the_screen_wherever_it_is_asked_to(start):
    app, _ = start()
    room = app.window.screen().availableGeometry()
    for place in ((700, 700, 1480, 920), (-300, -200, 640, 480), (100, 100, 300, 300)):
        app.window.stand(QRect(*place))
        assert room.contains(app.window.geometry())
        assert app.window.size() == app.window.size().expandedTo(app.window.minimumSizeHint())


@pytest.mark.slow
def test_the_smaller_the_window_the_more_panels_share_a_place(start, qtbot, tmp_path):
    app, _ = start()
    docks = app.window.docks
    app.window.resize(1366, 768)
    app.window.arrangement.renew()
    areas = {key: dock.width() * dock.height() for key, dock in docks.items() if dock.widget().in_sight}
    assert max(areas, key=areas.get) == "decision"
    assert list(docks) == [kind.key for kind in panels()]
    assert set(areas) == {"decision", "turns", "course", "latency"}
    assert {dock.objectName() for dock in app.window.tabifiedDockWidgets(docks["latency"])} == {
        "dock-memory",
        "dock-threat",
        "dock-log",
    }
    small, _ = start(state_dir=tmp_path / "small")
    small.window.resize(*SMALL)
    small.window.arrangement.renew()
    docks = small.window.docks
    assert len(small.window.tabifiedDockWidgets(docks["turns"])) == len(docks) - 2
    assert docks["turns"].isEnabled() and not docks["log"].isEnabled()
    assert (small.window.width(), small.window.height()) == SMALL
    slim, _ = start(size=(400, 500), state_dir=tmp_path / "slim")
    docks = slim.window.docks
    assert len(slim.window.tabifiedDockWidgets(docks["decision"])) == len(docks) - 1
    assert docks["decision"].isEnabled() and not docks["log"].isEnabled()
    button = slim.window.findChild(QToolBar).widgetForAction(slim.window.controls.settings)
    assert button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    assert (slim.window.width(), slim.window.height()) == (400, 500)
    whole = Qt.TextElideMode.ElideNone
    qtbot.waitUntil(lambda: {bar.elideMode() for bar in slim.window.findChildren(QTabBar)} == {whole})


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_tab_is_out_of_sight_beside_the_arena(start, qtbot, language):
    app, _ = start(size=(640, 700), settings=Settings(ui={"language": language, "layout": "engineer"}))
    (tabs,) = [bar for bar in app.window.findChildren(QTabBar) if bar.count() > 1]
    qtbot.waitUntil(lambda: tabs.property("tight") is True)
    assert tabs.count() == len(app.window.docks)
    assert tabs.sizeHint().width() <= app.window.width()


SCALED = """
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication
qt = QApplication([])
from botapp.host.settings import Settings
from botapp.runtime.app_options import AppOptions
from botapp.ui.app import App
from ui_factories import FakeWorker
options = {"size": (640, 700), "position": (700, 60), "worker": FakeWorker}
app = App(qt, AppOptions(Settings(), **options))
app.start()
qt.processEvents()
screen = qt.primaryScreen()
assert screen.availableGeometry().contains(app.window.geometry()), app.window.geometry()
assert app.window.width() == round(640 / screen.devicePixelRatio()), app.window.geometry()
app.stop()
"""


@pytest.mark.long
@pytest.mark.parametrize("scale", ["1.5", *(pytest.param(one, marks=pytest.mark.long) for one in "12")])
def test_a_place_in_pixels_of_the_screen_is_taken_at_every_scale(scale, tmp_path):
    told = {"QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen", "BOTAPP_CONFIG_DIR": str(tmp_path)}
    paths = os.pathsep.join((str(Path(__file__).parent), str(Path(botapp.__file__).parents[1])))
    environment = {**os.environ, **told, "PYTHONPATH": paths}
    run_python("-c", SCALED, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "fr"])
def test_every_page_fits_a_small_screen(qtbot, language, tmp_path):
    translation.use(language)
    form = SpellDialog({"effects": [{"kind": kind} for kind in KINDS]}, lambda table: "")
    pages = (
        GamePage(Settings(), KnowledgeBase(tmp_path)),
        SettingsPage(Settings()),
        Welcome(Settings),
        WindowPicker(FakeLook(), "arena", None),
        form,
    )
    for page in pages:
        qtbot.addWidget(page)
        least = page.minimumSizeHint()
        assert least.width() <= SMALL[0] and least.height() <= SMALL[1], type(page).__name__
    rows = form.effects.widget().minimumSizeHint().width()
    assert rows <= form.width() - 2 * form.layout().contentsMargins().left()


@pytest.mark.slow
@pytest.mark.parametrize(("layout", "size"), [("reasoning", (1400, 800)), ("player", SMALL)])
def test_a_layout_shows_its_panels_and_the_menu_brings_the_others(start, qtbot, layout, size):
    app, _ = start(settings=Settings(ui={"language": "en", "layout": layout}))
    app.window.resize(*size)
    app.window.arrangement.renew()
    shown = {key for key, dock in app.window.docks.items() if not dock.isHidden()}
    assert shown == {kind.key for kind in panels() if layout in kind.layouts}
    assert {"decision", "turns", "course", "threat"} <= shown and "log" not in shown
    app.window.docks["log"].toggleViewAction().trigger()
    assert not app.window.docks["log"].isHidden() and not app.window.docks["log"].isFloating()
    app.window.controls.layouts["engineer"].trigger()
    assert app.settings.ui.layout == "engineer"
    assert not any(dock.isHidden() for dock in app.window.docks.values())


@pytest.mark.slow
def test_few_panels_stand_one_over_the_other_where_there_is_height(start):
    app, _ = start(settings=Settings(ui={"language": "en", "layout": "player"}))
    app.window.resize(800, 720)
    app.window.arrangement.renew()
    docks = app.window.docks
    assert docks["threat"] not in app.window.tabifiedDockWidgets(docks["turns"])
    assert {key for key, dock in docks.items() if dock.widget().in_sight} == {"decision", "turns", "threat"}


@pytest.mark.slow
def test_at_the_first_start_the_reasoning_is_in_sight_with_the_decision(start):
    app, _ = start(settings=Settings(ui={"language": "en"}))
    decision, reasoning = (app.window.docks[key] for key in ("decision", "reasoning"))
    for size in ((552, 650), (1280, 690), (1480, 920)):
        app.window.resize(*size)
        app.window.arrangement.renew()
        assert decision.widget().in_sight and reasoning.widget().in_sight
        assert decision.height() > 2 * reasoning.height() or decision.x() < reasoning.x()


@pytest.mark.slow
def test_f1_explains_every_panel_those_in_sight_first(start, qtbot):
    app, _ = start(settings=Settings(ui={"language": "en", "layout": "player"}))
    app.window.controls.explain.trigger()
    assert app.window.controls.explain.shortcut().toString() == "F1"
    page = app.pages.explanation
    assert page is not None and page.isVisible()
    words = [one.text() for one in page.findChildren(QLabel)]
    order = [
        words.index(title) for title in ("Decision", "Turns", "Along the lower edge", "Vision", "Latency")
    ]
    assert order == sorted(order)
    assert {kind.title for kind in panels()} <= set(words)
    assert all(kind.sentences for kind in panels())
    page.close()
    assert app.pages.explanation is None


PICTURES = """
from botapp.ui.panels.base import Panel, panel
from botapp.ui.widgets.labels import label


@panel
class PicturesPanel(Panel):
    key = "pictures"
    title = "Pictures"
    sentences = (("Frame", "The number of the newest picture."),)
    layouts = ("player", "engineer")
    place = "below"
    shortcut = "Ctrl+Shift+P"

    def __init__(self, history):
        super().__init__(history)
        self.number = label()
        self.box.addWidget(self.number)

    def render_snapshot(self, snapshot):
        self.number.setText(str(snapshot.seq))
"""


@pytest.mark.slow
def test_a_panel_is_one_file(start, made_up, qtbot):
    made_up(botapp.ui.panels, PANELS, "pictures", PICTURES)
    app, _ = start(settings=Settings(ui={"language": "en", "layout": "player"}))
    window = app.window
    dock = window.docks["pictures"]
    assert not dock.isHidden() and dock.windowTitle() == "Pictures"
    for size in ((560, 640), (800, 720), (1000, 560), (1366, 768), (1000, 1000)):
        window.resize(*size)
        window.arrangement.renew()  # it has its place in every arrangement
        assert not dock.isHidden() and dock in window.findChildren(type(dock))
    window.resize(1480, 920)
    window.arrangement.renew()
    assert dock in window.tabifiedDockWidgets(window.docks["course"])
    dock.raise_()
    qtbot.waitUntil(lambda: dock.widget().in_sight)
    window.show_snapshot(snapshot(7))
    qtbot.waitUntil(lambda: dock.widget().number.text() == "7")
    toggle = dock.toggleViewAction()
    assert toggle in window.createPopupMenu().actions() and toggle in window.actions()
    assert toggle.shortcut().toString() == "Ctrl+Shift+P"
    window.controls.explain.trigger()
    said = [one.text() for one in app.pages.explanation.findChildren(QLabel)]
    assert said.index("Pictures") < said.index("Along the lower edge") < said.index("Latency")
    assert "The number of the newest picture." in said


def test_two_panels_of_one_key_are_refused():
    with pytest.raises(ValueError, match="two 'log'"):
        base.panel(type("Other", (base.Panel,), {"key": "log"}))
