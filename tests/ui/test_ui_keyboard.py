"""Every page can be worked from the keyboard, and says to a screen reader what each of its fields is."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSlider,
    QTableWidget,
    QTextEdit,
    QWidget,
)
from ui_factories import FakeLook, feed, snapshot

from botapp.host.settings import Settings
from botapp.ui.game.effects import KINDS
from botapp.ui.game.spellform import SpellDialog
from botapp.ui.picking.picker import WindowPicker
from botapp.ui.settings.page import SettingsPage

FIELDS = (
    QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QSlider,
    QTextEdit,
)  # fmt: skip
OWNED = (QAbstractSpinBox, QComboBox, QTableWidget, QHeaderView)
"""What Qt builds of several widgets answers for them."""


def nameless(page: QWidget) -> list[str]:
    """The fields of a page that have neither words nor a name nor a label of their own."""
    labelled = {text.buddy() for text in page.findChildren(QLabel) if text.text().strip()}
    fields = [w for w in page.findChildren(QWidget) if isinstance(w, FIELDS) and w.window() is page.window()]
    return [
        f"{type(w).__name__} in {type(w.parent()).__name__}"
        for w in fields
        if not isinstance(w.parent(), OWNED) and not w.objectName().startswith("qt_")
        if not isinstance(w, QHeaderView) and w not in labelled and not w.accessibleName()
        if not (isinstance(w, QAbstractButton) and w.text().strip())
    ]


def reached(page: QWidget) -> list[QWidget]:
    """The visible fields in the order in which Tab comes to them."""
    found, widget = [], page.nextInFocusChain()
    while widget is not page:
        focus = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if focus and widget.isVisible() and widget.isEnabled() and widget.window() is page.window():
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


@pytest.mark.slow
def test_every_field_of_every_page_has_a_name(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    app.pages.open_settings()
    app.pages.open_game()
    app.pages.open_welcome()
    for page in (app.window, app.pages.settings, app.pages.game, app.pages.welcome):
        assert nameless(page) == []


@pytest.mark.slow
def test_every_field_of_every_dialog_has_a_name(qtbot):
    effects = [{"kind": kind} for kind in (*KINDS, "trap")]
    form = SpellDialog({"name": "Spark", "effects": effects}, lambda table: "")
    picker = WindowPicker(FakeLook(), "arena", None)
    for dialog in (form, picker):
        qtbot.addWidget(dialog)
        assert nameless(dialog) == []
    for row in form.effects.rows:
        fields = [w for w in row.findChildren(QWidget) if isinstance(w, QComboBox | QAbstractSpinBox)]
        names = [w.accessibleName() for w in fields]
        assert len(fields) > 8 and len(set(names)) == len(names)
        assert [w.toolTip() for w in fields] == names


def unseen(page: QWidget, qtbot) -> list[str]:
    """The fields of a page that look the same with and without the focus."""
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    same = []
    fields = [widget for widget in reached(page) if widget.focusProxy() is None]
    for widget in fields:
        scroll = next((a for a in page.findChildren(QScrollArea) if a.isAncestorOf(widget)), None)
        if scroll is not None:
            scroll.ensureWidgetVisible(widget)
        around = widget.rect().adjusted(-2, -2, 2, 2).translated(widget.mapTo(page, QPoint()))
        other = next((w for w in fields if w is not widget), page)
        other.setFocus(Qt.FocusReason.TabFocusReason)
        before = page.grab(around).toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if page.grab(around).toImage() == before:
            same.append(f"{type(widget).__name__}#{widget.objectName()} {widget.accessibleName()}")
    return same


@pytest.mark.long
def test_the_focus_is_seen_wherever_it_is(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    app.window.notice.say("Something.", restart=True, action=("Do it", print))
    app.pages.open_settings()
    app.pages.open_game()
    app.pages.open_welcome()
    picker = WindowPicker(FakeLook(), "arena", None)
    qtbot.addWidget(picker)
    picker.show()
    found = {}
    for page in (app.window, app.pages.settings, app.pages.game, app.pages.welcome, picker):
        for row in range(page.pages.list.count() if page is app.pages.settings else 1):
            if page is app.pages.settings:
                page.pages.turn_to(row)
            found |= dict.fromkeys(unseen(page, qtbot))
        if page is app.pages.game:
            for tab in range(page.tabs.count()):
                page.tabs.setCurrentIndex(tab)
                found |= dict.fromkeys(unseen(page, qtbot))
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_nothing_but_the_window_has_the_focus_at_the_start(start):
    app, _ = start()
    assert app.window.focusWidget() in (None, app.window)


@pytest.mark.slow
def test_the_tool_bar_is_reached_from_left_to_right(start):
    app, _ = start()
    bar = app.window.findChild(QWidget, "toolbar")
    buttons = [w for w in reached(app.window) if w.parent() is bar]
    assert [w.text().strip() for w in buttons] == [
        "Pause",
        "Practice arena",
        "Overlay: full",
        "",
        "What the numbers mean",
        "Fights",
        "My game",
        "Settings",
    ]
    places = [w.mapTo(bar, QPoint()).x() for w in buttons]
    assert places == sorted(places)


@pytest.mark.slow
def test_a_panel_behind_another_one_takes_no_focus(start):
    app, _ = start()
    app.window.resize(1280, 720)
    app.window.arrangement.renew()
    docks = app.window.docks
    assert docks["turns"].isEnabled() and not docks["log"].isEnabled()
    docks["log"].raise_()
    assert docks["log"].isEnabled() and not docks["turns"].isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize("group", ["engine", "overlay"])
def test_settings_are_reached_from_top_to_bottom(qtbot, group):
    page = SettingsPage(Settings(engine={"adviser": "model"}))
    qtbot.addWidget(page)
    page.show_group(group)
    page.advanced[group].setChecked(True)
    page.show()
    editors = [w for w in reached(page) if any(e.isAncestorOf(w) for e in page.editors.values())]
    rows = [next(e for e in page.editors.values() if e.isAncestorOf(w)) for w in editors]
    places = [row.mapTo(page, QPoint()).y() for row in rows]
    assert len(set(places)) > 5
    assert places == sorted(places)
