"""Where the panels of the main window stand at first, as its size allows.

The decision is on the left and all others on the right; in a narrow window all share one place. In the layout
`reasoning` that panel is in sight beside the decision, or below it, wherever there is height for both.
They stand so at the start, when the person resets the layout, and as long as none was moved by hand.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from botapp.ui.panels.base import Panel, Place, panels
from botapp.ui.timers import timer
from botapp.ui.translation import tr
from botapp.ui.widgets.title import DockTitle

TAB_FRAME = 34  # What a tab of the docks takes beside its name, in logical pixels, where there is room
SETTLED_MS = 200
"""After so long at one size the panels are arranged for it, where it asks for another arrangement."""
_UNPLACED = QRect(0, 0, 100, 30)  # Where Qt makes a widget that has got no place yet

NARROW = 1.3  # Below this ratio of width to height, Latency, Memory and Log go below the decision
SLIM = 700  # In a window of less width all panels share one place
TIGHT = QSize(1010, 740)  # In a smaller window all panels beside the decision share one place
COLUMN = 600  # From this height on, few panels stand one over the other beside the decision
_DECISION_LEAST = 340  # What the decision wants at least where it has another panel beside it
_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_SIDEWAYS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical

Docks = Mapping[str, QDockWidget]  # By the panel's key, in the panels' order


class Arrangement(QObject):
    """The panels in their docks, arranged for a layout and the window's size.

    Attributes:
        docks: by the panel's key, in the panels' order.
        layout: the settings' `ui.layout`.
        name: which arrangement they have, as `kind` names it; "" once one was moved by hand.
    """

    def __init__(self, window: QMainWindow, shown: Iterable[Panel], layout: str) -> None:
        super().__init__(window)
        self._window = window
        self.layout, self.name = layout, ""
        self.docks = {panel.key: self._dock(panel) for panel in shown}
        self._settled = timer(self, self._suit, SETTLED_MS, once=True)
        self._fitting = timer(self, self._fit_tabs, once=True)

    @Slot()
    def renew(self, size: QSize | None = None) -> None:
        """Puts the docks where they are at first, as a size allows, that of the window if None."""
        size = size or self._window.size()
        self._fitting.start()
        arrange(self._window, self.docks, size, self.layout)
        self.name = kind(size, self.layout)

    def keep(self, *, by_hand: bool) -> None:
        """Takes the docks as they stand, which a kept layout has put there."""
        self.name = "" if by_hand else kind(self._window.size(), self.layout)

    def resized(self) -> None:
        self._fitting.start()
        self._settled.start()

    def close(self) -> None:
        self._settled.stop()
        self._fitting.stop()

    @Slot()
    def _suit(self) -> None:
        """Arranges the panels for the new size of the window, unless one was moved by hand.

        Panels that were opened or closed stay so.
        """
        if self.name in ("", kind(self._window.size(), self.layout)):
            return
        hidden = {key: dock.isHidden() for key, dock in self.docks.items()}
        self.renew()
        for key, dock in self.docks.items():
            if dock.isHidden() is not hidden[key]:
                dock.setHidden(hidden[key])

    @Slot(bool)
    def _taken_out(self, floating: bool) -> None:
        if floating:
            self.name = ""

    def _dock(self, panel: Panel) -> QDockWidget:
        dock = QDockWidget(tr(panel.title), self._window)
        dock.setObjectName(f"dock-{panel.key}")
        dock.setWidget(panel)
        dock.setTitleBarWidget(DockTitle(dock))
        dock.visibilityChanged.connect(panel.set_in_sight)
        dock.visibilityChanged.connect(dock.setEnabled)
        dock.topLevelChanged.connect(self._taken_out)
        dock.toggleViewAction().setShortcut(QKeySequence(panel.shortcut))
        self._window.addAction(dock.toggleViewAction())
        return dock

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fits the tabs of the docks once their bar has its width."""
        if event.type() is QEvent.Type.Resize:
            self._fitting.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _fit_tabs(self) -> None:
        """Puts the tabs of the docks closer together where there is little room; then they scroll.

        Their names are never cut.
        """
        self.hide_former_tabs()
        for tabs in self._window.findChildren(QTabBar):
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

    def hide_former_tabs(self) -> None:
        """Hides tabs of the arrangement before, which Qt leaves over the tool bar for a moment at a start."""
        bars = self._window.findChildren(QTabBar)
        placed = [tabs for tabs in bars if tabs.geometry() != _UNPLACED]
        named = {tabs.tabText(index) for tabs in placed for index in range(tabs.count())}
        for tabs in bars:
            if tabs not in placed and tabs.tabText(0) in named:
                tabs.hide()


def shown(layout: str) -> list[str]:
    return [kind.key for kind in panels() if layout in kind.layouts]


def _sharing(place: Place, layout: str) -> list[str]:
    in_reasoning = layout == "reasoning"
    kinds = (kind for kind in panels() if place == ((in_reasoning and kind.place_in_reasoning) or kind.place))
    return [kind.key for kind in sorted(kinds, key=lambda kind: kind.tab or kind.order)]


def kind(size: QSize, layout: str) -> str:
    """Returns which arrangement suits a window of a size, in a word."""
    if size.width() < SLIM:
        return "pair" if layout == "reasoning" and size.height() >= COLUMN else "pile"
    if size.width() >= TIGHT.width() and size.height() >= TIGHT.height():
        return "narrow" if size.width() < NARROW * size.height() else "spread"
    return "column" if layout != "engineer" and size.height() >= COLUMN else "stack"


def arrange(window: QMainWindow, docks: Docks, size: QSize, layout: str = "engineer") -> None:
    """Shows the docks of a layout, in the places that suit a window of a size, in logical pixels.

    The others keep a place, hidden, in which the menu of panels shows them.
    """
    for dock in docks.values():
        if dock.isFloating():
            dock.setFloating(False)
        window.removeDockWidget(dock)
    window.addDockWidget(_LEFT, docks["decision"])
    suits = kind(size, layout)
    if suits in ("pair", "pile"):
        if suits == "pair":
            _pair(window, docks, size, layout)
        else:
            _pile(window, docks, layout)
        return
    window.addDockWidget(_RIGHT, docks["turns"])
    if suits in ("spread", "narrow"):
        _spread(window, docks, size, layout)
    elif suits == "column":
        _column(window, docks, size, layout)
    else:
        _stack(window, docks, size, layout)


def _show(docks: Docks, layout: str) -> None:
    """Shows the docks that a layout has; `removeDockWidget` has hidden them all."""
    for key in shown(layout):
        docks[key].show()


def _pile(window: QMainWindow, docks: Docks, layout: str) -> None:
    for panel, dock in docks.items():
        if panel != "decision":
            window.tabifyDockWidget(docks["decision"], dock)
    _show(docks, layout)
    docks["decision"].raise_()


def _pair(window: QMainWindow, docks: Docks, size: QSize, layout: str) -> None:
    window.splitDockWidget(docks["decision"], docks["reasoning"], _DOWN)
    for panel, dock in docks.items():
        if panel not in ("decision", "reasoning"):
            window.tabifyDockWidget(docks["decision"], dock)
    _show(docks, layout)
    docks["decision"].raise_()
    upper = int(size.height() * 0.78)
    window.resizeDocks([docks["decision"], docks["reasoning"]], [upper, size.height() - upper], _DOWN)


def _stack(window: QMainWindow, docks: Docks, size: QSize, layout: str) -> None:
    for panel, dock in docks.items():
        if panel not in ("decision", "turns"):
            window.tabifyDockWidget(docks["turns"], dock)
    _show(docks, layout)
    docks["turns"].raise_()
    left = max(_DECISION_LEAST, int(size.width() * 0.4))
    window.resizeDocks([docks["decision"], docks["turns"]], [left, size.width() - left], _SIDEWAYS)


def _column(window: QMainWindow, docks: Docks, size: QSize, layout: str) -> None:
    front, upper = ("reasoning" if layout == "reasoning" else "threat"), 0.62
    window.splitDockWidget(docks["turns"], docks["threat"], _DOWN)
    for panel, dock in docks.items():
        if panel not in ("decision", "turns", "threat"):
            window.tabifyDockWidget(docks["threat"], dock)
    _show(docks, layout)
    docks[front].raise_()
    left = max(_DECISION_LEAST, int(size.width() * 0.42))
    window.resizeDocks([docks["decision"], docks["turns"]], [left, size.width() - left], _SIDEWAYS)
    height = int(size.height() * upper)
    window.resizeDocks([docks["turns"], docks["threat"]], [height, size.height() - height], _DOWN)


def _spread(window: QMainWindow, docks: Docks, size: QSize, layout: str) -> None:
    narrow = kind(size, layout) == "narrow"
    upper, below, aside = (_sharing(place, layout) for place in ("upper", "below", "aside"))
    window.splitDockWidget(docks["turns"], docks[below[0]], _DOWN)
    if narrow:
        window.splitDockWidget(docks["decision"], docks[aside[0]], _DOWN)
    else:
        window.splitDockWidget(docks[below[0]], docks[aside[0]], _SIDEWAYS)
    for group in (upper, below, aside):
        for first, second in pairwise(group):
            window.tabifyDockWidget(docks[first], docks[second])
    _show(docks, layout)
    for key in ("turns", below[0], aside[0]):
        docks[key].raise_()

    def share(first: str, second: str, length: int, shares: tuple[float, float], way: Qt.Orientation) -> None:
        lengths = [int(length * part) for part in shares]
        window.resizeDocks([docks[first], docks[second]], lengths, way)

    width, height = size.width(), size.height()
    left, above = (0.47, 0.64) if narrow else (0.42, 0.6)
    share("decision", "turns", width, (left, 1 - left), _SIDEWAYS)
    share("turns", below[0], height, (above, 1 - above), _DOWN)
    if narrow:
        share("decision", aside[0], height, (0.61, 0.39), _DOWN)
    else:
        share(below[0], aside[0], width, (0.27, 0.31) if layout == "reasoning" else (0.34, 0.24), _SIDEWAYS)
