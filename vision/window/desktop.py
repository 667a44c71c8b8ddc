"""Which desktop session this is, and the window system that goes with it.

Next hop: `vision.window.x11` on X11 and XWayland, `vision.window.win32` on Windows.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from vision.window.model import WindowSystem

Kind = Literal["x11", "xwayland", "wayland", "windows", "none"]


class UnsupportedSession(Exception):
    """This desktop session cannot be watched; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Session:
    """The kind of desktop session and, where something does not work in it, what a person should know."""

    kind: Kind
    message: str = ""

    @property
    def usable(self) -> bool:
        """Tells whether windows can be watched in this session."""
        return self.kind in ("x11", "xwayland", "windows")


def session(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Session:
    """Tells the session from the environment, without connecting to anything."""
    env = os.environ if environ is None else environ
    if platform == "win32":
        return Session("windows")
    wayland = bool(env.get("WAYLAND_DISPLAY")) or env.get("XDG_SESSION_TYPE") == "wayland"
    if env.get("DISPLAY"):
        if not wayland:
            return Session("x11")
        return Session(
            "xwayland",
            "This is a Wayland session: only games that run through XWayland can be seen. Start the game "
            "with WAYLAND_DISPLAY unset, log in to an X11 session, or read image files with `botapp look`.",
        )
    if wayland:
        return Session(
            "wayland",
            "This is a Wayland session without XWayland: other programs' windows cannot be captured. Log in "
            "to an X11 session, enable XWayland, or read image files with `botapp look`.",
        )
    return Session(
        "none",
        "There is no display: set DISPLAY, or run under `xvfb-run`, or read image files with `botapp look`.",
    )


_systems: dict[str, WindowSystem] = {}


def system() -> WindowSystem:
    """Returns the window system of this session, connected once for each display.

    Raises:
        UnsupportedSession: there is none that can be watched, or it does not answer.
    """
    found = session()
    if not found.usable:
        raise UnsupportedSession(found.message)
    display = os.environ.get("DISPLAY", "")
    if display not in _systems:
        _systems[display] = _connect(found.kind, display)
    return _systems[display]


def forget() -> None:
    """Drops the connection, for a display that went away; the next `system()` connects afresh."""
    _systems.pop(os.environ.get("DISPLAY", ""), None)


def _connect(kind: Kind, display: str) -> WindowSystem:
    if kind == "windows":
        from vision.window.win32 import Win32System, user32  # noqa: PLC0415

        return Win32System(user32())
    try:
        from vision.window.x11 import X11System  # noqa: PLC0415
    except ImportError as error:
        raise UnsupportedSession(
            "python-xlib is missing, so windows cannot be found: run `pip install python-xlib`."
        ) from error
    return X11System(display)
