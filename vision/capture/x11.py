"""Grabs a window's own pixmap on X11: what the game drew, without what lies over it or the screen's edge.

Needs a compositor, because only then has each window a pixmap of its own; mss does the transfer through
shared memory, pointed at the window instead of the root. Next hop: `vision.capture.select`.
"""

import os

import numpy as np
from mss.exception import ScreenShotError

from vision.capture.model import BackendError, Image
from vision.window.model import WindowState
from vision.window.x11 import X11System


class WindowBackend:
    """mss' shared-memory grab with the window as its drawable."""

    name = "x11-window"
    sees_through = True

    def __init__(self, handle: int, windows: X11System) -> None:
        """Connects to the display.

        Raises:
            BackendError: this mss has no shared-memory implementation, or the window is gone.
        """
        try:
            from mss.linux.xcbgen import Visualid, Window  # noqa: PLC0415
            from mss.linux.xshmgetimage import MSSImplXShmGetImage  # noqa: PLC0415
        except ImportError as error:
            raise BackendError(
                "this mss cannot grab single windows: version 10.2 or later is needed"
            ) from error
        visual = windows.visual(handle)
        if visual is None:
            raise BackendError("the window is gone")
        try:
            self._grabber = MSSImplXShmGetImage(display=os.environ.get("DISPLAY"))
        except ScreenShotError as error:
            raise BackendError(str(error)) from error
        self._grabber.drawable = Window(handle)
        self._grabber.drawable_depth, self._grabber.drawable_visual_id = visual[0], Visualid(visual[1])
        self._windows = windows

    def usable(self) -> bool:
        """Tells whether a compositor is running."""
        return self._windows.composited()

    def grab(self, state: WindowState) -> Image:
        """Returns the client area, BGRA.

        Raises:
            BackendError: the server refused, as when the window was resized since `state`.
        """
        width, height = state.rect.width, state.rect.height
        box = {"left": 0, "top": 0, "width": width, "height": height}
        try:
            data = self._grabber.grab(box)
        except ScreenShotError as error:
            raise BackendError(str(error)) from error
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def close(self) -> None:
        """Frees the connection and the shared memory."""
        self._grabber.close()
