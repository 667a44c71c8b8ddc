"""A dock's title bar: its name and small buttons to float and to close it. Dragging stays Qt's own."""

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QFrame

from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.labels import label, tool


class DockTitle(QFrame):
    """Set with `QDockWidget.setTitleBarWidget`."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dockTitle")
        self._dock = dock
        title = dock.windowTitle()
        float_it, close_it = tr("Float or dock this panel"), tr("Close this panel")
        floats = tool("float", f"{float_it} ({title})", self._float, "tiny")
        closes = tool("close", f"{close_it} ({title})", dock.close, "tiny")
        for button in (floats, closes):
            button.setIconSize(QSize(12, 12))
        row_of(label(title, "caption"), None, floats, closes, into=self, margins=(14, 4, 6, 4), spacing=2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Leaves the mouse to the dock, which drags by its title bar."""
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Leaves the mouse to the dock, which floats on a double click."""
        event.ignore()

    @Slot()
    def _float(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())
