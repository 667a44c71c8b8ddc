"""Timers that belong to an object and call one thing."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def timer(owner: QObject, do: Callable[[], object], ms: int = 0, *, once: bool = False) -> QTimer:
    """Returns a timer, not started yet, that calls `do` every so many milliseconds, or `once` a start."""
    made = QTimer(owner, interval=ms, singleShot=once)
    made.timeout.connect(do)
    return made
