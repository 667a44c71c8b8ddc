"""Grabs a window's own pixmap on X11, unaffected by covering windows and the screen's edge.

A window has a pixmap of its own where a compositor runs; else the server is asked to redirect this window
into one automatically (XComposite). mss does the transfer through shared memory, pointed at the window
instead of the root.
"""

import os
import time
from contextlib import suppress

import numpy as np
from mss.exception import ScreenShotError
from Xlib import display, error
from Xlib.ext import composite

from vision.capture.model import GrabError, Image
from vision.message import say
from vision.window.model import WindowState
from vision.window.x11 import X11System

_REPAINT_S = 0.2
"""A new pixmap holds what the screen showed there; the game needs time to redraw the hidden parts."""


class WindowBackend:
    """mss' shared-memory grab with the window as its drawable."""

    name = "x11-window"
    sees_through = True

    def __init__(self, handle: int, windows: X11System) -> None:
        """Connects to the display.

        Raises:
            GrabError: this mss has no shared-memory implementation, or the window is gone.
        """
        try:
            from mss.linux.xcbgen import Visualid, Window  # noqa: PLC0415
            from mss.linux.xshmgetimage import MSSImplXShmGetImage  # noqa: PLC0415
        except ImportError as error:
            raise GrabError(
                say("this mss cannot grab single windows: version 10.2 or later is needed")
            ) from error
        visual = windows.visual(handle)
        if visual is None:
            raise GrabError(say("the window is gone"))
        try:
            self._grabber = MSSImplXShmGetImage(display=os.environ.get("DISPLAY"))
        except ScreenShotError as error:
            raise GrabError(str(error)) from error
        self._grabber.drawable = Window(handle)
        self._grabber.drawable_depth, self._grabber.drawable_visual_id = visual[0], Visualid(visual[1])
        self._handle, self._windows = handle, windows
        self._redirection: Redirection | None = None

    def usable(self) -> bool:
        """Returns whether the window has a pixmap of its own: a compositor's, or else one asked for here."""
        if self._redirection is not None or self._windows.composited():
            return True
        with suppress(GrabError):
            self._redirection = Redirection(self._handle)
        return self._redirection is not None

    def grab(self, state: WindowState) -> Image:
        """Returns the client area, BGRA.

        Raises:
            GrabError: the server refused, as when the window was resized since `state`.
        """
        width, height = state.rect.width, state.rect.height
        box = {"left": 0, "top": 0, "width": width, "height": height}
        try:
            data = self._grabber.grab(box)
        except ScreenShotError as error:
            raise GrabError(str(error)) from error
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def close(self) -> None:
        """Frees the connections and the shared memory; the window is drawn straight to the screen again."""
        self._grabber.close()
        if self._redirection is not None:
            self._redirection.close()


class Redirection:
    """Redirects a window into a pixmap of its own; the server still shows it on the screen.

    It lasts as long as the connection, and so also ends with the process; resizing does not end it.
    """

    def __init__(self, handle: int) -> None:
        """Redirects the window and waits until the game has redrawn hidden parts.

        Raises:
            GrabError: the server cannot, or the window is gone.
        """
        try:
            self._connection = display.Display()
        except (error.DisplayError, error.XError, OSError) as problem:
            raise GrabError(str(problem)) from problem
        try:
            self._redirect(handle)
        except GrabError:
            self.close()
            raise
        except (error.ConnectionClosedError, OSError) as problem:
            self.close()
            raise GrabError(str(problem)) from problem
        time.sleep(_REPAINT_S)

    def close(self) -> None:
        """Ends the redirection."""
        with suppress(error.ConnectionClosedError, OSError):
            self._connection.close()

    def _redirect(self, handle: int) -> None:
        if not self._connection.has_extension(composite.extname):
            raise GrabError(say("the X11 server has no Composite extension"))
        self._connection.composite_query_version()
        refusal = error.CatchError()
        window = self._connection.create_resource_object("window", handle)
        window.composite_redirect_window(composite.RedirectAutomatic, onerror=refusal)
        self._connection.sync()
        if refusal.get_error() is not None:
            raise GrabError(say("the X11 server gives the window no pixmap of its own"))
