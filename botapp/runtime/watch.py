"""Watches one window: finds it, grabs it, and says in words what is in the way of seeing it.

Watching goes on by itself: a window that was closed is looked for again, one that is minimised is waited
for. Next hop: `botapp.runtime.loop` has the frame read.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from botapp.host.message import say
from botapp.runtime.messages import CaptureState, WatchedWindow
from vision import window as windows
from vision.capture import Capture, CaptureError, open_capture
from vision.frame import Frame
from vision.window import UnsupportedSession, WindowStatus

_SEARCH_S = 0.5

_STATES: dict[WindowStatus, CaptureState] = {
    "ok": "watching",
    "minimised": "minimised",
    "covered": "covered",
    "off-screen": "off-screen",
    "closed": "no-window",
    "too-small": "too-small",
}


@dataclass(frozen=True, slots=True)
class Sight:
    """What one look gave. `reason` is "" only when the whole window could be seen."""

    capture: CaptureState
    reason: str = ""
    window: WatchedWindow | None = None
    frame: Frame | None = None


class WindowWatch:
    """Watches the window with a title, or the one that a person picked.

    Attributes:
        title: what the title must contain when no window was picked.
        process: part of the name of the game's process; its windows go before others with the title.
        patterns: of the whole titles that the game writes; its windows go before all others.
        handle: the window picked, None for the one with the title.
    """

    def __init__(
        self,
        title: str,
        own_pids: Collection[int] = (),
        find: Callable[..., windows.WindowInfo | None] = windows.find,
        opener: Callable[..., Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts without a window.

        Args:
            title: a part of the title.
            own_pids: the app's processes, whose windows are neither watched nor in the way.
            find: as `vision.window.find`.
            opener: as `vision.capture.open_capture`.
            clock: seconds.
        """
        self.title = title
        self.process = ""
        self.patterns: tuple[str, ...] = ()
        self.handle: int | None = None
        self._own_pids = frozenset(own_pids)
        self._find, self._open, self._clock = find, opener, clock
        self._capture: Capture | None = None
        self._window: windows.WindowInfo | None = None
        self._missing = Sight("no-window")
        self._search_at = 0.0

    def pick(self, handle: int | None) -> None:
        """Watches this window from now on; None goes back to the one with the title."""
        self.handle = handle
        self.close()

    def look(self) -> Sight:
        """Takes a picture of the window, if there is one and it can be seen."""
        if self._capture is None and not self._search():
            return self._missing
        assert self._capture is not None
        try:
            frame = self._capture.grab()
        except CaptureError as error:
            if error.status == "closed":
                self.close()
                self._missing = Sight("no-window", say("The window was closed. Waiting for it to come back."))
                return self._missing
            state = "unsupported" if error.status == "failed" else _STATES[error.status]
            return Sight(state, error.message, self._info())
        obstacle = self._capture.obstacle()
        state = _STATES[self._capture.state.status] if obstacle else "watching"
        return Sight(state, obstacle, self._info(), frame)

    def close(self) -> None:
        """Lets go of the window; the next look searches anew."""
        if self._capture is not None:
            self._capture.close()
        self._capture = self._window = None
        self._search_at = 0.0

    def _search(self) -> bool:
        """Looks for the window, at most twice a second; tells whether there is a capture now."""
        if self._clock() < self._search_at:
            return False
        self._search_at = self._clock() + _SEARCH_S
        try:
            if self.handle is not None:
                found = self._find(handle=self.handle, exclude_pids=self._own_pids)
                sought = say("The window you picked is gone. Pick another one.")
            else:
                found = self._by_title()
                sought = say(
                    'No window is called "{title}". Start the game, or pick its window.', title=self.title
                )
            if found is None:
                self._missing = Sight("no-window", sought)
                return False
            self._capture = self._open(found.handle, self._own_pids)
        except UnsupportedSession as error:
            self._missing = Sight("unsupported", error.message)
            return False
        self._window = found
        return True

    def _by_title(self) -> windows.WindowInfo | None:
        """Returns the game's window; a page about the game in a browser only where there is none."""
        found = None
        if self.process:
            found = self._find(
                title=self.title,
                process=self.process,
                patterns=self.patterns,
                exclude_pids=self._own_pids,
            )
        return found or self._find(title=self.title, patterns=self.patterns, exclude_pids=self._own_pids)

    def _info(self) -> WatchedWindow | None:
        """Returns the window with the rectangle it has now."""
        if self._window is None or self._capture is None:
            return None
        found = self._window
        return WatchedWindow(found.handle, found.title, found.process, self._capture.state.rect)
