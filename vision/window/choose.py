"""Picks the window to watch by title, process or handle, never one of the app's own."""

import os
from collections.abc import Collection, Mapping

from vision.window.desktop import system
from vision.window.model import WindowInfo, WindowState, WindowSystem
from vision.window.titles import GameWindow, character_in, fits, game_of, is_other_program

ARENA_TITLE = "botapp arena"
_OWN_TITLE = "botapp"


def list_windows(
    exclude_pids: Collection[int] = (), windows: WindowSystem | None = None
) -> tuple[WindowInfo, ...]:
    """Returns the windows that can be watched, the topmost first, the app's own left out.

    Args:
        exclude_pids: the app's processes; this process is always left out.

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
    patterns: Collection[str] = (),
    character: str = "",
    only_games: bool = False,
    exclude_pids: Collection[int] = (),
    windows: WindowSystem | None = None,
) -> WindowInfo | None:
    """Returns the window that fits all that is given, or None.

    Args:
        title: part of the title, in any case; a title that equals it is preferred to one that contains it.
        patterns: of whole titles that also fit, preferred to `title`; see `vision.window.titles`.
        character: the one whose window is preferred, by the name that the patterns find in its title.
        only_games: whether the windows of file managers, browsers and the like are left out.
        process: part of the process name, in any case.

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
        if (wanted in info.title.casefold() or fits(info.title, patterns))
        and process.casefold() in info.process.casefold()
        and handle in (None, info.handle)
        and not (only_games and is_other_program(info.process))
    ]

    def rank(info: WindowInfo) -> tuple[bool, int]:
        whose = character and character_in(info.title, patterns) == character
        return not whose, 0 if fits(info.title, patterns) else 1 if info.title.casefold() == wanted else 2

    return min(fitting, key=rank, default=None)


def games(
    clients: Mapping[str, Collection[str]],
    exclude_pids: Collection[int] = (),
    windows: WindowSystem | None = None,
) -> tuple[GameWindow, ...]:
    """Returns the games' windows, the topmost first, with what their titles say.

    Args:
        clients: the patterns of titles by client, as `vision.profiles.titles` returns them.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    windows_known = (game_of(info, clients) for info in list_windows(exclude_pids, windows))
    return tuple(game for game in windows_known if game is not None)


def geometry(
    handle: int,
    ignore_pids: Collection[int] = (),
    windows: WindowSystem | None = None,
    *,
    covers: bool = True,
) -> WindowState:
    """Returns how a window is now; windows of this process and of `ignore_pids` do not count as covering it.

    Args:
        ignore_pids: processes whose windows do not count as covering it.
        covers: whether to look at the windows over it at all, which takes most of the time.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    ignored = frozenset({os.getpid(), *ignore_pids})
    return (windows or system()).state(handle, ignored, covers=covers)


def title(handle: int, windows: WindowSystem | None = None) -> str:
    """Returns a window's present title, "" where it has gone: a game's title names the character played.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    return (windows or system()).title(handle)


def pointer(windows: WindowSystem | None = None) -> tuple[int, int] | None:
    """Returns where the mouse's pointer is on the virtual screen, in physical pixels; None if unknown.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    return (windows or system()).pointer()


def _is_own(title: str) -> bool:
    folded = title.casefold()
    return folded.startswith(_OWN_TITLE) and not folded.startswith(ARENA_TITLE)
