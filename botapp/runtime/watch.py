"""Watches one window: finds it, grabs it, and says in words what is in the way of seeing it.

Watching goes on by itself: a window that was closed is looked for again, one that is minimised is waited
for.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from botapp.host.message import mark, say
from botapp.runtime.messages import CaptureState, WatchedWindow
from vision import window as windows
from vision.capture import Capture, CaptureError, open_capture
from vision.frame import Frame
from vision.window import UnsupportedSession, WindowStatus
from vision.window.titles import character_in, fits, game_of

OTHER_CLIENT = mark("{client} is open, but the settings say to watch {watched}.")
NO_GAME = mark(
    "No game is open. DOFUS is found by itself when you start it; the practice arena can be tried at once."
)
NOT_OPEN = mark("{client} is not open. It is found by itself when you start it.")
_SEARCH_S, _RARELY_S, _LONG_S = 0.5, 1.0, 10.0
"""How often a missing window is looked for, and how often once it has been missing for long."""
_TITLE_S = 1.0

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


@dataclass(slots=True)
class Wanted:
    """Which window is watched while none was picked."""

    title: str = ""  # What the title must contain
    process: str = ""  # Part of the name of the game's process; its windows go before others with the title
    patterns: tuple[str, ...] = ()  # Of titles that the game writes; its windows go before all others
    character: str = (
        ""  # The one whose window is preferred to other characters', and waited for once it is gone
    )
    client: str = ""  # A name of `vision.profiles`, "" where a part of a title is given
    follow: bool = True  # Whether another client that is opened is watched in its place
    # The patterns of titles by client; those open are named where the window is missing
    others: Mapping[str, Collection[str]] = field(default_factory=dict)


class WindowWatch:
    """Watches the window that is wanted, or the one that a person picked.

    Attributes:
        handle: the window picked, None for the one wanted.
    """

    def __init__(
        self,
        wanted: Wanted,
        own_pids: Collection[int] = (),
        find: Callable[..., windows.WindowInfo | None] = windows.find,
        opener: Callable[..., Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
        called: Callable[[int], str] = windows.title,
        games: Callable[..., tuple[windows.GameWindow, ...]] = windows.games,
    ) -> None:
        """Starts without a window.

        Args:
            own_pids: the app's processes, whose windows are neither watched nor in the way.
            find: as `vision.window.find`.
            opener: as `vision.capture.open_capture`.
            clock: seconds.
            called: as `vision.window.title`.
            games: as `vision.window.games`.
        """
        self.wanted = wanted
        self.handle: int | None = None
        self._own_pids = frozenset(own_pids)
        self._find, self._open, self._clock, self._called = find, opener, clock, called
        self._games = games
        self._capture: Capture | None = None
        self._window: windows.WindowInfo | None = None
        self._missing = Sight("no-window")
        self._search_at = self._title_at = 0.0
        self._sought_since: float | None = None
        self._rivals = 0

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
        """Looks for the window, at most twice a second; tells whether there is a capture now.

        Listing the windows costs about 5 ms of processor time where there are 25.
        """
        if self._clock() < self._search_at:
            return False
        missing_s = self._clock() - self._sought_since if self._sought_since is not None else 0.0
        self._sought_since = self._clock() - missing_s
        self._search_at = self._clock() + (_SEARCH_S if missing_s < _LONG_S else _RARELY_S)
        try:
            if self.handle is not None:
                found = self._find(handle=self.handle, exclude_pids=self._own_pids) or self._come_back()
                sought: str = say("The window you picked is gone. Pick another one.")
            else:
                found = self._by_title()
                sought = ""
            if found is None:
                self._missing = Sight("no-window", sought or self._why_missing())
                return False
            self._capture = self._open(found.handle, self._own_pids)
        except UnsupportedSession as error:
            self._missing = Sight("unsupported", error.message)
            return False
        self._sought_since = None
        self._window = found
        self._rivals = self._count_rivals(found)
        self._title_at = self._clock() + _TITLE_S
        return True

    def _why_missing(self) -> str:
        if not self.wanted.client:
            return say(
                'No window is called "{title}". Start the game, or pick its window.', title=self.wanted.title
            )
        others = [game.client for game in self._games(self.wanted.others, self._own_pids)]
        if others:
            return say(OTHER_CLIENT, client=others[0], watched=self.wanted.client)
        return say(NO_GAME) if self.wanted.follow else say(NOT_OPEN, client=self.wanted.client)

    def _count_rivals(self, found: windows.WindowInfo) -> int:
        """Returns how many other windows of the client are open, 0 where this one was chosen."""
        chosen = self.handle is not None or (
            self.wanted.character and character_in(found.title, self.wanted.patterns) == self.wanted.character
        )
        if chosen or not self.wanted.patterns:
            return 0
        return len(
            {game.window.handle for game in self._games({"": self.wanted.patterns}, self._own_pids)}
            - {found.handle}
        )

    def _rivals_now(self) -> int:
        """Counts anew: another window of the game may have been closed since."""
        try:
            return self._count_rivals(self._window) if self._window is not None else 0
        except UnsupportedSession:
            return self._rivals

    def _come_back(self) -> windows.WindowInfo | None:
        """Returns a new window like the picked one, as after a restart; never another character's."""
        found = self._by_title()
        if found is None or not self.wanted.patterns:
            return found
        same = fits(found.title, self.wanted.patterns)
        return (
            found
            if same and character_in(found.title, self.wanted.patterns) == self.wanted.character
            else None
        )

    def _by_title(self) -> windows.WindowInfo | None:
        """Returns the game's window; a folder or a page that is called like the game is none."""
        wanted: dict[str, Any] = {
            "title": self.wanted.title,
            "patterns": self.wanted.patterns,
            "character": self.wanted.character,
        }
        if self.wanted.patterns:
            wanted["only_games"] = True
        found = None
        if self.wanted.process:
            found = self._find(**wanted, process=self.wanted.process, exclude_pids=self._own_pids)
        found = found or self._find(**wanted, exclude_pids=self._own_pids)
        return None if found is not None and self._is_anothers(found) else found

    def _is_anothers(self, found: windows.WindowInfo) -> bool:
        """Tells whether a window's title is one that another client writes: "Dofus 2" has "Dofus" in it."""
        if not self.wanted.client or fits(found.title, self.wanted.patterns):
            return False
        game = game_of(found, self.wanted.others)
        return game is not None and game.client != self.wanted.client

    def _info(self) -> WatchedWindow | None:
        """Returns the window with the rectangle it has now, and the title, which tells who is played."""
        if self._window is None or self._capture is None:
            return None
        if self._clock() >= self._title_at:
            self._title_at = self._clock() + _TITLE_S
            if self._rivals:
                self._rivals = self._rivals_now()
            self._window = replace(self._window, title=self._title_now() or self._window.title)
        found = self._window
        place = self._capture.state.rect
        return WatchedWindow(found.handle, found.title, found.process, place, self._rivals)

    def _title_now(self) -> str:
        try:
            return self._called(self._window.handle) if self._window is not None else ""
        except UnsupportedSession:
            return ""
