"""Grabs a window's own pixmap on X11, unaffected by covering windows and the screen's edge.

A window has a pixmap of its own where a compositor runs; else the server is asked to redirect this window
into one automatically (XComposite).
"""

import time
from contextlib import suppress

from Xlib import error
from Xlib.ext import composite

from vision.capture.model import GrabError, Image
from vision.capture.x11_pixels import X11Pixels
from vision.message import say
from vision.window.model import WindowState
from vision.window.x11 import X11System, connected

_REPAINT_S = 0.2
"""A new pixmap holds what the screen showed there; the game needs time to redraw the hidden parts."""


class WindowBackend:
    """The pixels of the window itself."""

    name = "x11-window"
    sees_through = True

    def __init__(self, handle: int, windows: X11System) -> None:
        """Connects to the display.

        Raises:
            GrabError: the window is gone, or its pixels cannot be understood.
        """
        self._pixels = X11Pixels(windows, handle)
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
        return self._pixels.grab(0, 0, state.rect.width, state.rect.height)

    def close(self) -> None:
        """Frees the connections and the shared memory; the window is drawn straight to the screen again."""
        self._pixels.close()
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
            self._connection = connected()
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
