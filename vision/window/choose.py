"""Picks the window to watch by title, process or handle, never one of the app's own.

Next hop: `vision.capture.open_capture` takes the handle found.
"""

import os
from collections.abc import Collection

from vision.window.desktop import system
from vision.window.model import WindowInfo, WindowState, WindowSystem

ARENA_TITLE = "botapp arena"
_OWN_TITLE = "botapp"


def list_windows(
    exclude_pids: Collection[int] = (), windows: WindowSystem | None = None
) -> tuple[WindowInfo, ...]:
    """Returns the windows that can be watched, the topmost first, the app's own left out.

    Args:
        exclude_pids: the app's processes; this process is always left out.
        windows: the window system, by default this session's.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    hidden = {os.getpid(), *exclude_pids}
    return tuple(
        info
        for info in (windows or system()).list_windows()
        if info.pid not in hidden and not _is_own(info.title)
    )


def find(
    *,
    title: str = "",
    process: str = "",
    handle: int | None = None,
    exclude_pids: Collection[int] = (),
    windows: WindowSystem | None = None,
) -> WindowInfo | None:
    """Returns the window that fits all that is given, or None.

    Args:
        title: part of the title, in any case; a title that equals it is preferred to one that contains it.
        process: part of the process name, in any case.
        handle: the window's own id.
        exclude_pids: the app's processes.
        windows: the window system, by default this session's.

    Raises:
        ValueError: nothing was asked for.
        UnsupportedSession: this desktop session cannot be watched.
    """
    if not title and not process and handle is None:
        raise ValueError("say which window: a title, a process or a handle")
    wanted = title.casefold()
    fitting = [
        info
        for info in list_windows(exclude_pids, windows)
        if wanted in info.title.casefold()
        and process.casefold() in info.process.casefold()
        and handle in (None, info.handle)
    ]
    return min(fitting, key=lambda info: info.title.casefold() != wanted, default=None)


def geometry(
    handle: int, ignore_pids: Collection[int] = (), windows: WindowSystem | None = None
) -> WindowState:
    """Returns how a window is now; windows of this process and of `ignore_pids` do not count as covering it.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    return (windows or system()).state(handle, frozenset({os.getpid(), *ignore_pids}))


def _is_own(title: str) -> bool:
    folded = title.casefold()
    return folded.startswith(_OWN_TITLE) and not folded.startswith(ARENA_TITLE)
