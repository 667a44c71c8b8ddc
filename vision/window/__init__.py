"""Finds the game's window and follows it: where it is, whether it can be seen, whether it still exists.

`find` and `list_windows` pick a window, `geometry` follows it from frame to frame. Each platform implements
the `WindowSystem` protocol of `vision.window.model`.
"""

from vision.window.choose import find, games, geometry, list_windows, pointer, title
from vision.window.desktop import connect, system
from vision.window.model import Standing, WindowInfo, WindowState, WindowStatus, WindowSystem
from vision.window.sessions import Session, UnsupportedSession, session
from vision.window.titles import GameWindow

__all__ = [
    "GameWindow",
    "Session",
    "Standing",
    "UnsupportedSession",
    "WindowInfo",
    "WindowState",
    "WindowStatus",
    "WindowSystem",
    "connect",
    "find",
    "games",
    "geometry",
    "list_windows",
    "pointer",
    "session",
    "system",
    "title",
]
