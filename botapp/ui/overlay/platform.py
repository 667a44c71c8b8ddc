"""What only the window system knows and does for the overlay.

Are windows blended, what hides the game, does the overlay lie over it, keep it out of captures.
"""

import ctypes
import os
import sys
import time
from functools import cache
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QApplication, QWidget

from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.translation import mark
from vision.frame import Rect
from vision.window import Standing, UnsupportedSession, WindowSystem, system

CHECK_S = 1.0  # How often it is seen whether windows are blended, which takes some milliseconds
_EXCLUDE_FROM_CAPTURE = 0x11


def blends() -> bool:
    """Tells whether translucent windows are blended: on X11 only where a compositing manager runs."""
    if not sys.platform.startswith("linux"):
        return True
    connection = _connection(os.environ.get("DISPLAY"))
    if connection is None:
        return True
    selection = connection.intern_atom(f"_NET_WM_CM_S{connection.get_default_screen()}")
    return bool(connection.get_selection_owner(selection))


@cache
def _connection(name: str | None) -> Any:
    """Returns a connection to an X server, None where it does not answer.

    It is asked every second, and opening one takes nine milliseconds.
    """
    from Xlib import display, error  # noqa: PLC0415

    try:
        return display.Display(name)
    except (error.DisplayError, OSError):
        return None


class Compositor:
    """Whether windows are blended; one that came or went is noticed a little later."""

    def __init__(self) -> None:
        self.blends = True
        self._checked_s = -CHECK_S

    def look(self) -> bool:
        """Asks again if it is time to; returns whether that has changed."""
        before, now = self.blends, time.monotonic()
        if now - self._checked_s >= CHECK_S:
            self._checked_s, self.blends = now, blends()
        return self.blends is not before


def hide_from_captures(handle: int, user32: Any = None) -> str:
    """Asks Windows to leave a window out of all captures; returns what went wrong, "" for nothing.

    Elsewhere nothing has to be done: on X11 the capture takes the game's own picture.
    """
    if user32 is None:
        if sys.platform != "win32":
            return ""
        user32 = ctypes.windll.user32
    if user32.SetWindowDisplayAffinity(handle, _EXCLUDE_FROM_CAPTURE):
        return ""
    return mark(
        "Windows did not hide the overlay from screen captures. Turn the overlay off if "
        "the screen is misread."
    )


EVERY_S = 0.5  # Asking costs a hundredth of a second where there are twenty windows


class Covers:
    """Asks the window system twice a second at most."""

    def __init__(self, windows: WindowSystem | None = None) -> None:
        self._windows = windows
        self._usable = True
        self._asked_s = self._looked_s = -EVERY_S
        self._game: tuple[int, Rect] | None = None
        self._found = QRegion()

    def standing(self, overlay: QWidget, game: int) -> Standing:
        """Returns whether the overlay is seen over the game; "over" where that cannot be known or was asked
        just now.

        What was asked of the window system is not always what is: a window manager, a full-screen game or
        another program may have hidden the overlay or put the game in front of it.
        """
        now = time.monotonic()
        if not self._usable or now - self._looked_s < EVERY_S:
            return "over"
        self._looked_s = now
        try:
            if self._windows is None:
                self._windows = system()
            return self._windows.standing(int(overlay.winId()), game)
        except UnsupportedSession:
            self._usable = False
            return "over"

    def over(self, handle: int, game: Rect, placement: OverlayGeometry, overlay: QWidget) -> QRegion:
        """Returns what other windows hide of the game, in the overlay's coordinates.

        Args:
            game: its client area, in physical pixels.
            placement: where the overlay lies.
            overlay: the overlay itself, which hides nothing.
        """
        now = time.monotonic()
        if not self._usable or (now - self._asked_s < EVERY_S and self._game == (handle, game)):
            return self._found
        self._asked_s, self._game = now, (handle, game)
        try:
            if self._windows is None:
                self._windows = system()
            others = self._windows.state(handle, frozenset({os.getpid()})).covers
            handles = [window.handle for window in self._windows.list_windows()]
        except UnsupportedSession:
            self._usable = False
            return self._found
        higher = handles[: handles.index(handle)] if handle in handles else []
        covered = QRegion()
        for rect in others:
            left, top = placement.point((rect.x - game.x, rect.y - game.y))
            right, bottom = placement.point((rect.right - game.x, rect.bottom - game.y))
            covered += QRegion(round(left), round(top), round(right - left), round(bottom - top))
        for widget in QApplication.topLevelWidgets():
            seen = widget is not overlay and widget.isVisible() and not widget.isMinimized()
            if seen and int(widget.winId()) in higher:
                frame = widget.frameGeometry().translated(-placement.x, -placement.y)
                covered += QRegion(frame.intersected(QRect(0, 0, placement.width, placement.height)))
        self._found = covered
        return covered
