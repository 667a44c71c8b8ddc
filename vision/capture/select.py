"""Selects a capture backend and keeps capturing through moves, resizes, covers and compositor changes.

Backends are tried in order; the first that returns a picture is kept.
"""

import math
import sys
import time
from collections.abc import Callable, Collection, Sequence
from functools import reduce

from vision.capture.model import CaptureBackend, CaptureError, GrabError, Image
from vision.frame import Frame
from vision.message import Message, say
from vision.window.choose import geometry
from vision.window.desktop import system
from vision.window.model import WindowState, WindowSystem
from vision.window.sessions import UnsupportedSession

_ATTEMPTS = 3
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.25, 10.0
"""Where no backend gave a picture, the next try comes after the first of these, then after twice as long each
time: each costs several connections. The longest is what a player may have to wait once the cause is gone."""

BackendFactory = Callable[[], CaptureBackend]


class Capture:
    """A window being watched. For one thread only.

    Where no picture can be taken, the reason is raised again without another try until it is time for one. A
    window that closes meanwhile is noticed at once: asking for its state opens no connection.

    Attributes:
        state: the window as it was at the last `grab`; what covers it is left out where that does not matter.
        backend: the name of the backend in use, "" before the first picture.
    """

    def __init__(
        self,
        handle: int,
        windows: WindowSystem,
        factories: Sequence[BackendFactory],
        ignore_pids: Collection[int] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.handle = handle
        self.state = WindowState()
        self._windows = windows
        self._factories = factories
        self._ignore_pids = ignore_pids
        self._backend: CaptureBackend | None = None
        self._seq = 0
        self._clock = clock
        self._wait_s, self._again_at = 0.0, -math.inf
        self._failure = ""

    @property
    def backend(self) -> str:
        return self._backend.name if self._backend else ""

    def grab(self) -> Frame:
        """Grabs the window's client area.

        Returns:
            A frame with an array of its own. Where only a part could be seen, the rest is black, and
            `state.status` says so.

        Raises:
            CaptureError: there is no picture now; calling again later may work.
        """
        try:
            frame = self._grab()
            self._failure, self._wait_s = "", 0.0
            return frame
        except UnsupportedSession as error:
            self._drop()
            raise CaptureError("closed", error.message, WindowState()) from error

    def _grab(self) -> Frame:
        problem = ""
        for _ in range(_ATTEMPTS):
            if self._backend is not None and not self._backend.usable():
                self._drop()
            through = self._sees_through
            self.state = geometry(self.handle, self._ignore_pids, self._windows, covers=not through)
            captured_ns = time.monotonic_ns()
            if self.state.status in ("closed", "minimised", "too-small"):
                raise CaptureError(self.state.status, self.state.text, self.state)
            if self._failure and self._clock() < self._again_at:
                raise CaptureError("failed", self._failure, self.state)
            try:
                pixels = self._picture()
            except GrabError as error:
                problem = error.message
                continue
            frame = Frame(pixels, self.state.rect, captured_ns, self._seq)
            self._seq += 1
            return frame
        if self.state.on_screen == 0:
            raise CaptureError("off-screen", self.state.text, self.state)
        text = say("The window cannot be grabbed: {problem}.", problem=problem)
        self._wait_s = min(_LONGEST_WAIT_S, 2 * self._wait_s or _FIRST_WAIT_S)
        self._again_at = self._clock() + self._wait_s
        self._failure = text
        raise CaptureError("failed", text, self.state)

    def obstacle(self) -> str:
        """Returns as a sentence what hid part of the window in the last frame, "" for nothing."""
        return "" if self._sees_through or self.state.status == "ok" else self.state.text

    def close(self) -> None:
        self._drop()

    def __enter__(self) -> "Capture":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _sees_through(self) -> bool:
        return self._backend is not None and self._backend.sees_through

    def _drop(self) -> None:
        if self._backend is not None:
            self._backend.close()
            self._backend = None

    def _picture(self) -> Image:
        if self._backend is None:
            return self._first_picture()
        try:
            return self._backend.grab(self.state)
        except GrabError:
            self._drop()
            raise

    def _first_picture(self) -> Image:
        problems: list[str] = []
        for make in self._factories:
            try:
                candidate = make()
            except GrabError as error:
                problems.append(error.message)
                continue
            try:
                if not candidate.usable():
                    raise GrabError(say("{backend} cannot be used here", backend=candidate.name))
                picture = candidate.grab(self.state)
            except GrabError as error:
                problems.append(error.message)
                candidate.close()
                continue
            self._backend = candidate
            return picture
        raise GrabError(reduce(_both, problems))


def open_capture(
    handle: int, ignore_pids: Collection[int] = (), windows: WindowSystem | None = None
) -> Capture:
    """Starts watching a window; the backend is chosen at the first `grab`.

    Args:
        ignore_pids: the app's processes, whose windows (the overlay) do not count as covering the game.

    Raises:
        UnsupportedSession: this desktop session cannot be watched.
    """
    windows = windows or system()
    return Capture(handle, windows, _factories(handle, windows), ignore_pids)


def _both(first: str, second: str) -> Message:
    return say("{first}; {second}", first=first, second=second)


def _factories(handle: int, windows: WindowSystem) -> Sequence[BackendFactory]:
    def region() -> CaptureBackend:
        from vision.capture.region import MssScreen, RegionBackend  # noqa: PLC0415

        if sys.platform == "win32":
            return RegionBackend(windows, MssScreen())
        from vision.capture.x11_pixels import X11Pixels  # noqa: PLC0415
        from vision.window.x11 import X11System  # noqa: PLC0415

        return RegionBackend(windows, X11Pixels(windows) if isinstance(windows, X11System) else MssScreen())

    def window() -> CaptureBackend:
        if sys.platform == "win32":
            raise GrabError(say("single windows can be grabbed on X11 only"))
        from vision.capture.x11 import WindowBackend  # noqa: PLC0415
        from vision.window.x11 import X11System  # noqa: PLC0415

        if not isinstance(windows, X11System):
            raise GrabError(say("single windows can be grabbed on X11 only"))
        return WindowBackend(handle, windows)

    return (window, region)
