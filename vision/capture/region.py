"""Grabs the part of the screen where the window is: works everywhere, but captures covering windows as well.

Parts that are covered or past the screen's edge are blacked out, so that the reader does not read another
window's pixels.
"""

from typing import Protocol

import mss
import numpy as np
from mss.exception import ScreenShotError

from vision.capture.model import GrabError, Image
from vision.frame import Rect
from vision.message import say
from vision.window.model import WindowState, WindowSystem, area, intersect


class Screen(Protocol):
    """The pixels of the whole screen."""

    def grab(self, x: int, y: int, width: int, height: int) -> Image:
        """Returns a part of it, BGRA.

        Raises:
            GrabError: the system refused.
        """
        ...

    def close(self) -> None:
        """Frees what it holds."""
        ...


class MssScreen:
    """The screen through mss, where the system is not X11."""

    def __init__(self) -> None:
        try:
            self._grabber = mss.MSS()
        except ScreenShotError as error:
            raise GrabError(str(error)) from error

    def grab(self, x: int, y: int, width: int, height: int) -> Image:
        """Returns a part of the screen, BGRA.

        Raises:
            GrabError: the system refused.
        """
        try:
            shot = self._grabber.grab({"left": x, "top": y, "width": width, "height": height})
        except ScreenShotError as error:
            raise GrabError(str(error)) from error
        return np.frombuffer(shot.raw, np.uint8).reshape(height, width, 4)

    def close(self) -> None:
        self._grabber.close()


class RegionBackend:
    """The window's rectangle on the virtual screen."""

    name = "screen-region"
    sees_through = False

    def __init__(self, windows: WindowSystem, screen: Screen) -> None:
        self._windows, self._screen = windows, screen

    def usable(self) -> bool:
        """Returns True: this backend is the fallback."""
        return True

    def grab(self, state: WindowState) -> Image:
        """Returns the client area, BGRA, black where it is covered or off the screen.

        Raises:
            GrabError: none of the window is on the screen, or the screen cannot be grabbed.
        """
        rect = state.rect
        seen = intersect(rect, self._windows.screen())
        if not area(seen):
            raise GrabError(say("no part of the window is on the screen"))
        pixels = self._screen.grab(seen.x, seen.y, seen.width, seen.height)
        if seen == rect and not state.covers:
            return pixels
        picture = np.zeros((rect.height, rect.width, 4), np.uint8)
        _part(picture, rect, seen)[:] = pixels
        for cover in state.covers:
            _part(picture, rect, cover)[:] = 0
        return picture

    def close(self) -> None:
        self._screen.close()


def _part(picture: Image, rect: Rect, part: Rect) -> Image:
    """Returns the view of `picture` (which shows `rect`) that shows `part`."""
    top, left = part.y - rect.y, part.x - rect.x
    return picture[top : top + part.height, left : left + part.width]
