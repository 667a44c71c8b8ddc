"""A dock's title bar: its name and small buttons to float and to close it. Dragging stays Qt's own."""

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QToolButton

from botapp.ui import theme
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.labels import label, name


class DockTitle(QFrame):
    """Set with `QDockWidget.setTitleBarWidget`."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dockTitle")
        self._dock = dock
        line = row_of(label(dock.windowTitle(), "caption"), None, into=self, margins=(14, 4, 6, 4), spacing=2)
        for icon, tip, slot in (
            ("float", tr("Float or dock this panel"), self._float),
            ("close", tr("Close this panel"), dock.close),
        ):
            button = QToolButton()
            button.setObjectName("tiny")
            button.setIcon(theme.icon(icon, "muted"))
            button.setIconSize(QSize(12, 12))
            name(button, f"{tip} ({dock.windowTitle()})")
            button.clicked.connect(slot)
            line.addWidget(button)

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
