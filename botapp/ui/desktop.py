"""The main window on the desktop: its place beside a game, put away in the tray or minimised, brought up."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon, QWidget

from botapp.runtime.app_options import AppOptions
from botapp.ui.arenas import APP_LEAST, beside
from botapp.ui.layout import DockLayout, Keeper
from botapp.ui.overlay import geometry
from botapp.ui.overlay.window import screens
from botapp.ui.pages import game_open
from botapp.ui.translation import tr
from botapp.ui.window import MainWindow
from vision.frame import Rect


class Desktop(QObject):
    """Shows the window, puts it away and brings it up.

    Attributes:
        tray: the icon in the tray, None where there is none.
    """

    def __init__(self, window: Callable[[], MainWindow], keeper: Keeper, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._keeper = window, keeper
        self.tray: Tray | None = None

    def place(self, layout: DockLayout | None, unclean: bool, options: AppOptions, *, away: bool) -> None:
        """Shows the window where it was, or where it was asked to be, as far as that is on the screen.

        Put `away`, it takes its place all the same, and shows there when it is brought up.
        """
        window = self._window()
        if unclean:
            self._keeper.forget()
        elif layout is not None:
            window.unpack(layout)
        if options.size is not None:
            asked = geometry.place(Rect(*(options.position or (0, 0)), *options.size), screens())
            window.stand(QRect(asked.x, asked.y, asked.width, asked.height))
        elif layout is None:
            self._clear_of_game()
        if away:
            self.put_away()
        else:
            window.show()
        if layout is None or unclean:
            window.arrangement.renew()
        window.stand(window.geometry())
        window.setFocus()

    def _clear_of_game(self) -> None:
        window = self._window()
        found = game_open()
        if found is None:
            return
        at = geometry.place(found.window.rect, screens())
        game = QRect(at.x, at.y, at.width, at.height)
        room = window.screen().availableGeometry()
        clear = beside(game, room, window.size())
        if clear is not None:
            window.stand(clear)
        else:  # at its least in the corner it covers the least
            corner = QRect(QPoint(0, 0), APP_LEAST)
            corner.moveBottomRight(room.bottomRight())
            window.stand(corner)

    @Slot()
    def bring_up(self) -> None:
        window = self._window()
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    @Slot()
    def show_or_hide(self) -> None:
        """Brings the app to the front, or puts it away where it is in front already."""
        window = self._window()
        shown = window.isVisible() and not window.isMinimized()
        if not shown or QApplication.activeWindow() is None:
            self.bring_up()
        else:
            self.put_away()

    def put_away(self) -> None:
        """Leaves the window in the tray, or minimised where there is none."""
        window = self._window()
        window.showMinimized()
        if self.tray is not None:
            window.hide()

    def make_room(self) -> None:
        """Puts the window away for the small one, whose button brings it back; behind a game it stays."""
        window = self._window()
        if window.isVisible() and window.isActiveWindow():
            window.showMinimized()

    def show_tray(self) -> None:
        """Puts an icon with the window's actions in the tray, where there is one."""
        if self.tray is not None:
            self.tray.hide()
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        window = self._window()
        has = window.controls
        actions = [has.pause, has.overlay, has.compact, has.settings, has.quit]
        self.tray = Tray(window, actions, self.bring_up)
        self.tray.show()

    def mind_tray(self) -> None:
        """Brings a hidden window to the task bar once the tray has gone: else nothing would lead back."""
        window = self._window()
        if not window.isVisible() and not QSystemTrayIcon.isSystemTrayAvailable():
            window.showMinimized()


class Tray(QSystemTrayIcon):
    """The icon: it offers the window's own actions, and a click calls `bring_up`."""

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
