"""What only the platform can do for the overlay: are windows blended, keep it out of captures."""

import ctypes
import os
import sys
from functools import cache
from typing import Any

from botapp.ui.translation import mark

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
