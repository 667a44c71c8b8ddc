"""Which desktop session this is, and whether windows can be watched in it.

Next hop: `vision.window.desktop` connects to the session's window system.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
