"""The icon in the system tray, where there is one: show, start or pause, overlay, quit."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from botapp.ui.translation import tr


class Tray(QSystemTrayIcon):
    """Offers the window's own actions; a click brings the window to the front, by `bring_up`."""

    def __init__(self, window: QWidget, actions: list[QAction], bring_up: Callable[[], object]) -> None:
        super().__init__(window.windowIcon(), window)
        self._bring_up = bring_up
        self._menu = QMenu(window)
        show = self._menu.addAction(tr("Show the window"))
        show.triggered.connect(bring_up)
        self._menu.addSeparator()
        for action in actions:
            self._menu.addAction(action)
        self.setContextMenu(self._menu)
        self.setToolTip(window.windowTitle())
        self.activated.connect(self._clicked)

    @Slot(QSystemTrayIcon.ActivationReason)
    def _clicked(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self._bring_up()
