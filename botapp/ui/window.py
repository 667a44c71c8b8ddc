"""The main window: a tool bar, the panels in docks, notices and a status bar.

It only shows and asks; `botapp.ui.app` owns the worker, the overlay and the settings, and connects them.
"""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.settings import Settings
from botapp.runtime.messages import Snapshot
from botapp.ui import positions
from botapp.ui.arrangement import Arrangement
from botapp.ui.controls import Controls, ToolBar
from botapp.ui.device_line import DeviceLine
from botapp.ui.layout import DockLayout
from botapp.ui.panels.base import Panel, panels
from botapp.ui.panels.course import CoursePanel
from botapp.ui.panels.decision import DecisionPanel
from botapp.ui.panels.log import LogPanel
from botapp.ui.panels.turns import TurnsPanel
from botapp.ui.panels.vision import Picture, VisionPanel
from botapp.ui.samples import History
from botapp.ui.status import StatusBar
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.labels import TITLE_HEIGHT, fitting
from botapp.ui.widgets.notice import Notice

_P = TypeVar("_P", bound=Panel)
TITLE = mark("botapp - DOFUS advisor")
LAYOUT_VERSION = 3
SIZE = QSize(1480, 920)


class MainWindow(QMainWindow):
    """Its parts, each with signals of its own for what the person asks for there.

    Signals:
        layout_asked: another of the settings `ui.layout`.
        position_asked: the `FightState` that the person wants to play in the practice arena.
        paste_asked: the person wants to play the position on the clipboard.
    """

    layout_asked = Signal(str)
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
        self._position: FightState | None = None
        self.setDockNestingEnabled(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks
        )  # animated, tabs lie over the tool bar for a moment after a start
        self.panels = [kind(history) for kind in panels()]
        self.arrangement = Arrangement(self, self.panels, settings.ui.layout)
        self.docks = self.arrangement.docks
        self.decision = self._panel(DecisionPanel)
        self._panel(VisionPanel).picture = picture
        self.course = self._panel(CoursePanel)
        self.turns = self._panel(TurnsPanel)
        self.log = self._panel(LogPanel)
        self.status = StatusBar(history)
        self.setStatusBar(self.status)
        self.device_line = DeviceLine()
        self.notice = Notice()
        self.decision.tried_out.connect(self._try_out)
        self.decision.explained.connect(self.turns.explain)
        for panel in self.panels:
            panel.apply(settings)
            if panel.menu is not None:
                panel.menu.copied.connect(self._say_copied)
                panel.menu.arena_asked.connect(self.position_asked)
                panel.menu.paste_asked.connect(self.paste_asked)
        self.controls = Controls(self, settings, can_play=can_play)
        self.controls.copy.triggered.connect(self._copy_position)
        self.controls.paste.triggered.connect(self.paste_asked)
        self.controls.quit.triggered.connect(self.close)
        self.controls.layout_chosen.connect(self._ask_layout)
        self._bar = ToolBar(self.controls, self.createPopupMenu())
        self._add_bars()
        self.resize(fitting(SIZE.width(), SIZE.height()))
        self.arrangement.renew()

    def show_snapshot(self, snapshot: Snapshot) -> None:
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

    def apply(self, settings: Settings) -> None:
        for panel in self.panels:
            panel.apply(settings)
        self.controls.apply(settings)
        if settings.ui.layout != self.arrangement.layout:
            self.arrangement.layout = settings.ui.layout
            self.arrangement.renew()

    def stand(self, place: QRect) -> None:
        """Takes a place, in logical pixels, as far as it is on the screen and the panels have room in it."""
        screen = QGuiApplication.screenAt(place.center()) or self.screen()
        room = screen.availableGeometry().adjusted(0, TITLE_HEIGHT, 0, 0)
        size = place.size().boundedTo(room.size())
        if self.minimumSizeHint().boundedTo(size) != self.minimumSizeHint():
            self.arrangement.renew(size)
        self.resize(size)
        size = size.expandedTo(self.minimumSizeHint())
        x = max(room.left(), min(place.x(), room.right() + 1 - size.width()))
        y = max(room.top(), min(place.y(), room.bottom() + 1 - size.height()))
        self.setGeometry(QRect(QPoint(x, y), size))
        self.arrangement.hide_former_tabs()

    def packed(self) -> DockLayout:
        docks = bytes(self.saveState(LAYOUT_VERSION).data())
        return DockLayout(bytes(self.saveGeometry().data()), docks, own=not self.arrangement.name)

    def unpack(self, layout: DockLayout) -> None:
        """Restores a layout that was kept; one of another version changes nothing."""
        self.restoreGeometry(QByteArray(layout.geometry))
        if self.restoreState(QByteArray(layout.docks), LAYOUT_VERSION):
            self.arrangement.keep(by_hand=layout.own)
        else:
            self.arrangement.renew()
        self.notice.setVisible(bool(self.notice.text.text()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bar.fit(self.width())
        self.arrangement.resized()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.arrangement.close()
        self.closed.emit()

    def createPopupMenu(self) -> QMenu:
        """The menu of panels, which the docks open too."""
        menu = QMenu(self)
        menu.addActions(list(self.controls.layouts.values()))
        menu.addSeparator()
        menu.addActions([dock.toggleViewAction() for dock in self.docks.values()])
        menu.addSeparator()
        menu.addAction(self.controls.explain)
        menu.addAction(tr("Reset the layout"), self.arrangement.renew)
        menu.addActions([self.controls.badge, self.controls.compact])
        menu.addSeparator()
        menu.addActions([self.controls.copy, self.controls.paste])
        return menu

    def _add_bars(self) -> None:
        self.addToolBar(self._bar)
        self.addToolBarBreak()
        self.addToolBar(self.notice)
        self.notice.hide()
        lower = QToolBar(tr("Where the advice is worked out"))
        lower.setObjectName("device")
        lower.setMovable(False)
        lower.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        lower.addWidget(self.device_line)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, lower)

    def _panel(self, kind: type[_P]) -> _P:
        return next(panel for panel in self.panels if isinstance(panel, kind))

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

    @Slot(str)
    def _ask_layout(self, layout: str) -> None:
        """Asks for another layout; the one that is there already is put in order."""
        if layout == self.arrangement.layout:
            self.arrangement.renew()
        else:
            self.layout_asked.emit(layout)
