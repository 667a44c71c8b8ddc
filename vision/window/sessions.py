"""Detects the desktop session, and whether windows can be captured in it."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from vision.message import Message, say

Kind = Literal["x11", "xwayland", "wayland", "windows", "none"]


class UnsupportedSession(Exception):
    """This desktop session cannot be watched."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Session:
    """The kind of desktop session, and a message about what does not work in it ("" if all does)."""

    kind: Kind
    message: str = ""

    @property
    def usable(self) -> bool:
        return self.kind in ("x11", "xwayland", "windows")


def session(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Session:
    """Returns the session by the environment variables, without connecting to anything."""
    env = os.environ if environ is None else environ
    if platform == "win32":
        return Session("windows")
    wayland = bool(env.get("WAYLAND_DISPLAY")) or env.get("XDG_SESSION_TYPE") == "wayland"
    if env.get("DISPLAY"):
        return Session("xwayland", _xwayland()) if wayland else Session("x11")
    return Session("wayland", _wayland()) if wayland else Session("none", _no_display())


def _xwayland() -> Message:
    return say(
        "This is a Wayland session: only games that run through XWayland can be seen. Start the game with "
        "WAYLAND_DISPLAY unset, log in to an X11 session, or read image files with `botapp look`."
    )


def _wayland() -> Message:
    return say(
        "This is a Wayland session without XWayland: other programs' windows cannot be captured. Log in to "
        "an X11 session, enable XWayland, or read image files with `botapp look`."
    )


def _no_display() -> Message:
    return say(
        "There is no display: set DISPLAY, or run under `xvfb-run`, or read image files with `botapp look`."
    )
