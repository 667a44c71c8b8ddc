"""The window system of this desktop session, connected once for each display."""

import os
import sys

from vision.message import say
from vision.window.model import WindowSystem
from vision.window.sessions import Kind, UnsupportedSession, session

_systems: dict[str, WindowSystem] = {}


def system() -> WindowSystem:
    """Returns the window system of this session, connected once for each display.

    Raises:
        UnsupportedSession: there is none that can be watched, or it does not answer.
    """
    kind, display = _kind(), os.environ.get("DISPLAY", "")
    if display not in _systems:
        _systems[display] = _connect(kind, display)
    return _systems[display]


def connect() -> WindowSystem:
    """Returns a connection of one's own, for a thread other than the one that uses `system`.

    Raises:
        UnsupportedSession: there is no session that can be watched, or it does not answer.
    """
    return _connect(_kind(), os.environ.get("DISPLAY", ""))


def forget() -> None:
    """Drops the connection, for a display that went away; the next `system()` connects afresh."""
    _systems.pop(os.environ.get("DISPLAY", ""), None)


def _kind() -> Kind:
    desktop = session()
    if not desktop.usable:
        raise UnsupportedSession(desktop.message)
    return desktop.kind


def _connect(kind: Kind, display: str) -> WindowSystem:
    if kind == "windows":
        from vision.window.win32 import Win32System, user32  # noqa: PLC0415

        return Win32System(user32())
    try:
        from vision.window.x11 import X11System  # noqa: PLC0415
    except ImportError as error:
        raise UnsupportedSession(
            say(
                "python-xlib is missing, so windows cannot be found: "
                "run `{python} -m pip install python-xlib`.",
                python=sys.executable,
            )
        ) from error
    return X11System(display, on_lost=forget)
