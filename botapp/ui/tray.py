"""The icon in the system tray, where there is one: show, start or pause, overlay, quit."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from botapp.ui.translation import tr


class Tray(QSystemTrayIcon):
    """Offers the window's own actions; a click brings the window to the front."""

    def __init__(self, window: QWidget, actions: list[QAction]) -> None:
        super().__init__(window.windowIcon(), window)
        self._window = window
        self._menu = QMenu(window)
        show = self._menu.addAction(tr("Show the window"))
        show.triggered.connect(self.bring_up)
        self._menu.addSeparator()
        for action in actions:
            self._menu.addAction(action)
        self.setContextMenu(self._menu)
        self.setToolTip(window.windowTitle())
        self.activated.connect(self._clicked)

    @Slot()
    def bring_up(self) -> None:
        """Brings the window to the front."""
        self._window.showNormal()
        self._window.raise_()
        self._window.activateWindow()

    @Slot(QSystemTrayIcon.ActivationReason)
    def _clicked(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.bring_up()
