"""Finds the game's window and follows it: where it is, whether it can be seen, whether it still exists.

`find` and `list_windows` pick a window, `geometry` follows it from frame to frame. Everything a platform
must offer is the `WindowSystem` protocol of `vision.window.model`. Next hop: `vision.capture` grabs the
window's pixels.
"""

from vision.window.find import find, geometry, list_windows
from vision.window.model import WindowInfo, WindowState, WindowStatus, WindowSystem
from vision.window.session import Session, UnsupportedSession, session, system

__all__ = [
    "Session",
    "UnsupportedSession",
    "WindowInfo",
    "WindowState",
    "WindowStatus",
    "WindowSystem",
    "find",
    "geometry",
    "list_windows",
    "session",
    "system",
]
