"""The main window: a tool bar, the panels in docks, notices and a status bar.

It only shows and asks; `botapp.ui.app` owns the worker, the overlay and the settings, and connects them.
"""

from collections.abc import Callable
from typing import TypeVar, get_args

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QFontMetrics,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QTabBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.settings import HotkeySettings, Layout, OverlaySettings, Settings
from botapp.runtime.messages import LogLine, Snapshot
from botapp.ui import positions, theme
from botapp.ui.arrangement import arrange, kind
from botapp.ui.device_line import DeviceLine
from botapp.ui.layout import DockLayout
from botapp.ui.panels.base import Panel, panels
from botapp.ui.panels.course import CoursePanel
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.log import LogPanel
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.panels.vision import Picture, VisionPanel
from botapp.ui.samples import History
from botapp.ui.settings.editors import CHOICES
from botapp.ui.status import StatusBar
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.labels import TITLE_HEIGHT, fitting, name
from botapp.ui.widgets.notice import Notice
from botapp.ui.widgets.title import DockTitle

_P = TypeVar("_P", bound=Panel)
TITLE = mark("botapp - DOFUS advisor")
LAYOUT_VERSION = 3
SIZE = QSize(1480, 920)
TAB_FRAME = 34  # What a tab of the docks takes beside its name, in logical pixels, where there is room
SETTLED_MS = 200
"""After so long at one size the panels are arranged for it, where it asks for another arrangement."""
_UNPLACED = QRect(0, 0, 100, 30)  # Where Qt makes a widget that has got no place yet
WITH_HELP = 480
"""From this width on the tool bar has room for the explanation; below, its menu and F1 open it."""
OVERLAY_NAMES = {
    "full": mark("Overlay: full"),
    "minimal": mark("Overlay: minimal"),
    "off": mark("Overlay: off"),
}
"""What the overlay can show, in the order in which its key goes through them."""


class MainWindow(QMainWindow):
    """Signals: what the person asks for by the tool bar and the notices."""

    pause_asked = Signal(bool)
    pick_asked = Signal()
    settings_asked = Signal()
    game_asked = Signal()
    review_asked = Signal()
    moment_asked = Signal(object)
    overlay_switched = Signal(str)
    badge_asked = Signal()
    compact_asked = Signal()
    line_shown = Signal(object)
    what_if_asked = Signal(object)
    play_switched = Signal(bool)
    restart_asked = Signal()
    remedy_asked = Signal(str)
    layout_asked = Signal(str)
    explanation_asked = Signal()
    position_asked = Signal(object)
    paste_asked = Signal()
    closed = Signal()

    def __init__(
        self,
        settings: Settings,
        history: History,
        picture: Callable[[bool], Picture | None],
        *,
        can_play: bool = False,
    ) -> None:
        super().__init__()
        self.setWindowTitle(tr(TITLE))
        self._layout = settings.ui.layout
        self._arranged = ""
        self._position: FightState | None = None
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._suit)
        self._fitting = QTimer(self, singleShot=True, interval=0)
        self._fitting.timeout.connect(self._fit_tabs)
        self.setDockNestingEnabled(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks
        )  # animated, tabs lie over the tool bar for a moment after a start
        self.panels = [kind(history) for kind in panels()]
        self.docks = {panel.key: self._dock(panel) for panel in self.panels}
        self.decision = self._panel(DecisionPanel)
        self.decision.remedy_asked.connect(self.remedy_asked)
        self._panel(VisionPanel).picture = picture
        self.course = self._panel(CoursePanel)
        self.course.opened.connect(self.moment_asked)
        self.turns = self._panel(TurnsPanel)
        self.turns.looked_at.connect(self.line_shown)
        self.turns.asked.connect(self.what_if_asked)
        self.log = self._panel(LogPanel)
        self.status = StatusBar(history)
        self.setStatusBar(self.status)
        self.device_line = DeviceLine()
        self.status.pick_asked.connect(self.pick_asked)
        self.notice = Notice()
        self.notice.restart_asked.connect(self.restart_asked)
        self.decision.tried_out.connect(self._try_out)
        self.decision.explained.connect(self.turns.explain)
        for panel in self.panels:
            panel.apply(settings)
            if panel.menu is not None:
                panel.menu.copied.connect(self._say_copied)
                panel.menu.arena_asked.connect(self.position_asked)
                panel.menu.paste_asked.connect(self.paste_asked)
        self._make_actions(settings, can_play=can_play)
        self._make_bars()
        self.resize(fitting(SIZE.width(), SIZE.height()))
        self.arrange()

    @Slot(object)
    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Hands a snapshot to all panels and the status bar."""
        self.show_answer(snapshot)
        self.show_rest(snapshot)

    def show_answer(self, snapshot: Snapshot) -> None:
        """Hands a snapshot to what names its advice or a figure of it."""
        if snapshot.decision is not None and snapshot.state is not None:
            self._position = snapshot.state
        for panel in self.panels:
            if panel.of_decision:
                panel.offer(snapshot)
        self.status.show_snapshot(snapshot)
        self.device_line.show_snapshot(snapshot)

    def show_rest(self, snapshot: Snapshot) -> None:
        for panel in self.panels:
            if not panel.of_decision:
                panel.offer(snapshot)

    @Slot(object)
    def add_line(self, line: LogLine) -> None:
        self.log.add(line)

    def apply(self, settings: Settings) -> None:
        for panel in self.panels:
            panel.apply(settings)
        self._show_overlay(settings.overlay)
        self._show_keys(settings.hotkeys)
        _name(self.pick_action, tr(CHOICES[settings.capture.target]))
        if settings.ui.layout != self._layout:
            self._layout = settings.ui.layout
            self.layout_actions[self._layout].setChecked(True)
            self.arrange()

    def _show_keys(self, hotkeys: HotkeySettings) -> None:
        overlay = tr("Draw the advice on top of the game: the whole turn, the next action only, nothing")
        for action, text, chosen in (
            (self.pause_action, tr("Start or pause watching"), hotkeys.pause),
            (self.overlay_action, overlay, hotkeys.overlay_next),
        ):
            native = QKeySequence.SequenceFormat.NativeText
            own, hotkey = action.shortcut().toString(native), QKeySequence(chosen).toString(native)
            keys = tr("{key} in botapp", key=own)
            if hotkey:
                keys = tr("{key} in botapp, {hotkey} everywhere", key=own, hotkey=hotkey)
            action.setToolTip(f"{text} ({keys})")

    def show_paused(self, paused: bool) -> None:
        _name(self.pause_action, tr("Start") if paused else tr("Pause"))
        self.pause_action.setIcon(theme.icon("play" if paused else "pause", "accent_text"))
        self.pause_action.setData(paused)

    @Slot()
    def arrange(self) -> None:
        """Puts the docks where they are at first, as the window's size allows."""
        self._arrange_for(self.size())

    def _arrange_for(self, size: QSize) -> None:
        self._fitting.start()
        arrange(self, self.docks, size, self._layout)
        self._arranged = kind(size, self._layout)

    @Slot()
    def _suit(self) -> None:
        """Arranges the panels for the new size of the window, unless one was moved by hand.

        Panels that were opened or closed stay so.
        """
        if self._arranged in ("", kind(self.size(), self._layout)):
            return
        hidden = {key: dock.isHidden() for key, dock in self.docks.items()}
        self._arrange_for(self.size())
        for key, dock in self.docks.items():
            if dock.isHidden() is not hidden[key]:
                dock.setHidden(hidden[key])

    @Slot(bool)
    def _taken_out(self, floating: bool) -> None:
        if floating:
            self._arranged = ""

    def stand(self, place: QRect) -> None:
        """Takes a place, in logical pixels, as far as it is on the screen and the panels have room in it."""
        screen = QGuiApplication.screenAt(place.center()) or self.screen()
        room = screen.availableGeometry().adjusted(0, TITLE_HEIGHT, 0, 0)
        size = place.size().boundedTo(room.size())
        if self.minimumSizeHint().boundedTo(size) != self.minimumSizeHint():
            self._arrange_for(size)
        self.resize(size)
        size = size.expandedTo(self.minimumSizeHint())
        x = max(room.left(), min(place.x(), room.right() + 1 - size.width()))
        y = max(room.top(), min(place.y(), room.bottom() + 1 - size.height()))
        self.setGeometry(QRect(QPoint(x, y), size))
        self._hide_former_tabs()

    def packed(self) -> DockLayout:
        docks = bytes(self.saveState(LAYOUT_VERSION).data())
        return DockLayout(bytes(self.saveGeometry().data()), docks, own=not self._arranged)

    def unpack(self, layout: DockLayout) -> None:
        """Restores a layout that was kept; one of another version changes nothing."""
        self.restoreGeometry(QByteArray(layout.geometry))
        if self.restoreState(QByteArray(layout.docks), LAYOUT_VERSION):
            self._arranged = "" if layout.own else kind(self.size(), self._layout)
        else:
            self.arrange()
        self.notice.setVisible(bool(self.notice.text.text()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the words off the tool bar where there is no room for them."""
        super().resizeEvent(event)
        styles = Qt.ToolButtonStyle
        wide = self.width() >= self._bar_width
        if self._bar.property("tight") is wide:
            self._bar.setProperty("tight", not wide)
            for button in self._bar.findChildren(QToolButton):
                button.style().unpolish(button)
                button.style().polish(button)
        self._explain_place.setVisible(self.width() >= WITH_HELP)
        self._fitting.start()
        self._settled.start()
        self._bar.setToolButtonStyle(styles.ToolButtonTextBesideIcon if wide else styles.ToolButtonIconOnly)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fits the tabs of the docks once their bar has its width."""
        if event.type() is QEvent.Type.Resize and isinstance(watched, QTabBar):
            self._fitting.start()
        return super().eventFilter(watched, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the window ends the app."""
        super().closeEvent(event)
        self._settled.stop()
        self._fitting.stop()
        self.closed.emit()

    def createPopupMenu(self) -> QMenu:
        return self._panel_menu()

    def _dock(self, panel: Panel) -> QDockWidget:
        dock = QDockWidget(tr(panel.title), self)
        dock.setObjectName(f"dock-{panel.key}")
        dock.setWidget(panel)
        dock.setTitleBarWidget(DockTitle(dock))
        dock.visibilityChanged.connect(panel.set_in_sight)
        dock.visibilityChanged.connect(dock.setEnabled)
        dock.topLevelChanged.connect(self._taken_out)
        dock.toggleViewAction().setShortcut(QKeySequence(panel.shortcut))
        self.addAction(dock.toggleViewAction())
        return dock

    def _panel(self, kind: type[_P]) -> _P:
        return next(panel for panel in self.panels if isinstance(panel, kind))

    def _make_actions(self, settings: Settings, *, can_play: bool) -> None:
        self.pause_action = QAction(self)
        self.pause_action.setShortcut(QKeySequence("F9"))
        self.pause_action.triggered.connect(self._pause)
        self.show_paused(False)
        self.pick_action = QAction(theme.icon("target"), "", self)
        _name(self.pick_action, tr(CHOICES[settings.capture.target]))
        self.pick_action.setToolTip(tr("Pick the window to watch"))
        self.pick_action.triggered.connect(self.pick_asked)
        self.overlay_action = QAction(theme.icon("layers"), "", self)
        _name(self.overlay_action, tr("Overlay"))
        self.overlay_action.setCheckable(True)
        self._show_overlay(settings.overlay)
        self.overlay_action.setShortcut(QKeySequence("F8"))
        self.overlay_action.setWhatsThis(tr("The overlay: the whole turn, the next action only, or nothing"))
        self._show_keys(settings.hotkeys)
        self.overlay_action.triggered.connect(self._switch_overlay)
        self.badge_action = QAction(tr("Move the advice box"), self)
        self.badge_action.setShortcut(QKeySequence("Shift+F8"))
        self.badge_action.triggered.connect(self.badge_asked)
        self.addAction(self.badge_action)
        self.compact_action = QAction(tr("Small advice window"), self)
        self.compact_action.setShortcut(QKeySequence("F6"))
        self.compact_action.triggered.connect(self.compact_asked)
        self.addAction(self.compact_action)
        self.play_action = QAction(theme.icon("robot"), "", self)
        _name(self.play_action, tr("Play the advice"))
        self.play_action.setCheckable(True)
        self.play_action.setToolTip(tr("Play the advice (practice arena only)"))
        self.play_action.setVisible(can_play)
        self.play_action.toggled.connect(self.play_switched)
        self.game_action = QAction(theme.icon("book"), "", self)
        _name(self.game_action, tr("My game"))
        self.game_action.setToolTip(tr("Your spells, the fighters you know, the board's position (F7)"))
        self.game_action.setShortcut(QKeySequence("F7"))
        self.game_action.triggered.connect(self.game_asked)
        self.review_action = QAction(theme.icon("history"), "", self)
        _name(self.review_action, tr("Fights"))
        self.review_action.setToolTip(tr("Kept fights: look at them again, step by step (F5)"))
        self.review_action.setShortcut(QKeySequence("F5"))
        self.review_action.triggered.connect(self.review_asked)
        self._make_page_actions(settings)

    def _make_page_actions(self, settings: Settings) -> None:
        self.settings_action = QAction(theme.icon("settings"), "", self)
        _name(self.settings_action, tr("Settings"))
        self.settings_action.setShortcut(QKeySequence("Ctrl+,"))
        self.settings_action.triggered.connect(self.settings_asked)
        self.explain_action = QAction(theme.icon("help"), "", self)
        _name(self.explain_action, tr("What the numbers mean"))
        self.explain_action.setToolTip(tr("Explains every number on the screen in a sentence (F1)"))
        self.explain_action.setShortcut(QKeySequence("F1"))
        self.explain_action.triggered.connect(self.explanation_asked)
        self._make_layout_actions(settings.ui.layout)
        self.copy_action = QAction(tr("Copy position"), self)
        self.copy_action.setShortcut(QKeySequence("Ctrl+Shift+C"))
        self.copy_action.triggered.connect(self._copy_position)
        self.paste_action = QAction(tr("Paste position"), self)
        self.paste_action.setShortcut(QKeySequence("Ctrl+Shift+V"))
        self.paste_action.triggered.connect(self.paste_asked)
        self.addActions([self.copy_action, self.paste_action])
        self.quit_action = QAction(tr("Quit"), self)
        self.quit_action.setShortcut(QKeySequence.StandardKey.Quit)
        self.quit_action.triggered.connect(self.close)
        self.addAction(self.quit_action)

    def _make_layout_actions(self, chosen: str) -> None:
        self.layout_actions: dict[str, QAction] = {}
        layouts = QActionGroup(self)
        for key in get_args(Layout):
            action = QAction(
                tr("Layout: {name}", name=tr(CHOICES[key])), self
            )  # a panel has one of the names
            action.setCheckable(True)
            action.setChecked(key == chosen)
            action.setData(key)
            layouts.addAction(action)
            self.layout_actions[key] = action
        layouts.triggered.connect(self._ask_layout)

    def _make_bars(self) -> None:
        bar = QToolBar(tr("Tools"))
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(17, 17))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addAction(self.pause_action)
        bar.widgetForAction(self.pause_action).setObjectName("primary")
        bar.addAction(self.pick_action)
        bar.addSeparator()
        bar.addAction(self.overlay_action)
        bar.addAction(self.play_action)
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(gap)
        panels = QToolButton()
        name(panels, tr("Panels"))
        panels.setIcon(theme.icon("panels"))
        panels.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        panels.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._panels_shown = self._panel_menu()
        panels.setMenu(self._panels_shown)
        bar.addWidget(panels)
        explain = QToolButton()
        explain.setDefaultAction(self.explain_action)
        explain.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        name(explain, self.explain_action.toolTip())
        self._explain_place = bar.addWidget(explain)
        bar.addAction(self.review_action)
        bar.addAction(self.game_action)
        bar.addAction(self.settings_action)
        bar.setProperty("tight", False)
        self._bar, self._bar_width = bar, bar.sizeHint().width()
        self.addToolBar(bar)
        self.addToolBarBreak()
        self.addToolBar(self.notice)
        self.notice.hide()
        lower = QToolBar(tr("Where the advice is worked out"))
        lower.setObjectName("device")
        lower.setMovable(False)
        lower.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        lower.addWidget(self.device_line)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, lower)
        for action in bar.actions():
            button = bar.widgetForAction(action)
            if isinstance(button, QToolButton):
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @Slot()
    def _fit_tabs(self) -> None:
        """Puts the tabs of the docks closer together where there is little room; then they scroll.

        Their names are never cut.
        """
        self._hide_former_tabs()
        for tabs in self.findChildren(QTabBar):
            if tabs.property("tight") is None:  # Qt makes a bar for each place, at a size of its own at first
                tabs.installEventFilter(self)
            tabs.setElideMode(Qt.TextElideMode.ElideNone)
            tabs.setUsesScrollButtons(True)
            letters = QFontMetrics(tabs.font())
            names = sum(letters.horizontalAdvance(tabs.tabText(index)) for index in range(tabs.count()))
            tight = names + TAB_FRAME * tabs.count() > tabs.width()
            if tabs.property("tight") is not tight:
                tabs.setProperty("tight", tight)
                tabs.style().unpolish(tabs)
                tabs.style().polish(tabs)
                tabs.updateGeometry()

    def _hide_former_tabs(self) -> None:
        """Hides tabs of the arrangement before, which Qt leaves over the tool bar for a moment at a start."""
        bars = self.findChildren(QTabBar)
        placed = [tabs for tabs in bars if tabs.geometry() != _UNPLACED]
        named = {tabs.tabText(index) for tabs in placed for index in range(tabs.count())}
        for tabs in bars:
            if tabs not in placed and tabs.tabText(0) in named:
                tabs.hide()

    def _panel_menu(self) -> QMenu:
        menu = QMenu(self)
        for action in self.layout_actions.values():
            menu.addAction(action)
        menu.addSeparator()
        for dock in self.docks.values():
            menu.addAction(dock.toggleViewAction())
        menu.addSeparator()
        menu.addAction(self.explain_action)
        menu.addAction(tr("Reset the layout"), self.arrange)
        menu.addAction(self.badge_action)
        menu.addAction(self.compact_action)
        menu.addSeparator()
        menu.addAction(self.copy_action)
        menu.addAction(self.paste_action)
        return menu

    @Slot(object)
    def _try_out(self, action: Action) -> None:
        self.docks[self.turns.key].show()
        self.docks[self.turns.key].raise_()
        self.turns.try_out(action)

    @Slot()
    def _copy_position(self) -> None:
        if self._position is None:
            text = tr("There is no position to copy yet: it appears with the first advice.")
            self.notice.say(text, "warn", cause="position")
        else:
            self._say_copied(positions.copy(self._position))

    @Slot(str)
    def _say_copied(self, text: str) -> None:
        self.notice.say(text, "info", cause="position")

    @Slot(QAction)
    def _ask_layout(self, action: QAction) -> None:
        """Asks for another layout; the one that is there already is put in order."""
        if action.data() == self._layout:
            self.arrange()
        else:
            self.layout_asked.emit(action.data())

    @Slot()
    def _switch_overlay(self) -> None:
        presets = list(OVERLAY_NAMES)
        self.overlay_switched.emit(presets[(presets.index(self._preset) + 1) % len(presets)])

    def _show_overlay(self, settings: OverlaySettings) -> None:
        self._preset = settings.preset if settings.enabled else "off"
        _name(self.overlay_action, tr(OVERLAY_NAMES[self._preset]))
        self.overlay_action.setChecked(settings.enabled)

    @Slot()
    def _pause(self) -> None:
        self.pause_asked.emit(not self.pause_action.data())


def _name(action: QAction, text: str) -> None:
    """Names an action; on the tool bar a space keeps the name off the icon."""
    action.setText(text)
    action.setIconText(f" {text}")
