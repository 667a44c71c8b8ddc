"""The state of a window, and the interface to a platform's windows, implemented by `x11` and `win32`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
import psutil

from vision.frame import MIN_SIZE, Rect
from vision.message import Message, say

WindowStatus = Literal["ok", "minimised", "covered", "off-screen", "closed", "too-small"]

_SEEN_ENOUGH = 0.98
_NOWHERE = Rect(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class WindowInfo:
    """A window that can be watched. `handle` is the X11 window id or the Windows HWND."""

    handle: int
    title: str
    process: str
    pid: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class WindowState:
    """Where a window's client area is, and how much of it a person can see."""

    rect: Rect = _NOWHERE  # The client area on the virtual screen, in physical pixels; empty when closed
    on_screen: float = 0.0  # Fraction (0..1) of the client area inside the virtual screen
    # The parts hidden by other windows, on the virtual screen, clipped to `rect`
    covers: tuple[Rect, ...] = ()
    covered: float = 0.0  # Fraction (0..1) of the client area hidden by other windows
    shown: bool = False  # False when the window is minimised or on another desktop
    exists: bool = False  # False once it is closed

    @property
    def status(self) -> WindowStatus:
        """The first reason why the whole window is not visible, or `ok`."""
        if not self.exists:
            return "closed"
        if not self.shown:
            return "minimised"
        if self.rect.width < MIN_SIZE[0] or self.rect.height < MIN_SIZE[1]:
            return "too-small"
        if self.on_screen < _SEEN_ENOUGH:
            return "off-screen"
        return "covered" if self.covered > 1 - _SEEN_ENOUGH else "ok"

    @property
    def text(self) -> Message:
        size = f"{self.rect.width}x{self.rect.height}"
        match self.status:
            case "ok":
                return say("The window is in view, {size}.", size=size)
            case "closed":
                return say("The window was closed.")
            case "minimised":
                return say("The window is minimised or on another desktop.")
            case "too-small":
                least = f"{MIN_SIZE[0]}x{MIN_SIZE[1]}"
                return say(
                    "The window is too small to read: {size}, at least {least} is needed.",
                    size=size,
                    least=least,
                )
            case "off-screen":
                share = f"{1 - self.on_screen:.0%}"
                return say("{share} of the window is past the screen's edge.", share=share)
            case "covered":
                return say("{share} of the window is covered by other windows.", share=f"{self.covered:.0%}")


CLOSED = WindowState()

Standing = Literal["over", "under", "hidden"]
"""How a window is to another one: shown over it, shown under it, or not shown at all."""


class WindowSystem(Protocol):
    """The windows of a platform."""

    def list_windows(self) -> tuple[WindowInfo, ...]:
        """Returns the windows a person could watch, the topmost first."""
        ...

    def title(self, handle: int) -> str:
        """Returns what a window is called now, "" where it has gone."""
        ...

    def state(
        self, handle: int, ignore_pids: frozenset[int] = frozenset(), *, covers: bool = True
    ) -> WindowState:
        """Returns how a window is now.

        Args:
            ignore_pids: processes whose windows do not count as covering it.
            covers: whether to look at the windows over it at all, which takes most of the time.
        """
        ...

    def standing(self, handle: int, other: int) -> Standing:
        """Returns whether a window is shown, and whether it is stacked over another one."""
        ...

    def screen(self) -> Rect:
        """Returns the virtual screen: the box around all monitors, in physical pixels."""
        ...

    def pointer(self) -> tuple[int, int] | None:
        """Returns where the mouse's pointer is on the virtual screen, in physical pixels; None if unknown."""
        ...

    def composited(self) -> bool:
        """Returns whether each window has a picture of its own, unaffected by windows over it."""
        ...


def intersect(a: Rect, b: Rect) -> Rect:
    """Returns the part that two rectangles share; its width and height are 0 when they share none."""
    x, y = max(a.x, b.x), max(a.y, b.y)
    return Rect(x, y, max(0, min(a.right, b.right) - x), max(0, min(a.bottom, b.bottom) - y))


def area(rect: Rect) -> int:
    """Returns the number of pixels in a rectangle."""
    return rect.width * rect.height


class PixelForm(NamedTuple):
    """How the pixels of a window are written."""

    depth: int  # Bits that mean something
    visual: int  # The server's number of this form
    bits: int  # Of a pixel as it is sent
    pad: int  # Bits that each row is filled up to a multiple of
    masks: tuple[int, int, int]  # Which bits are red, green and blue; all 0 where there is a palette
    little_endian: bool  # Whether the lowest byte of a pixel comes first
    palette: tuple[tuple[int, int, int], ...]  # What each pixel means, blue, green and red from 0 to 255

    @property
    def is_plain(self) -> bool:
        """Whether they are 32 bits of blue, green and red, lowest byte first."""
        colours = self.masks == (0xFF0000, 0xFF00, 0xFF)
        return colours and self.bits == self.pad == 32 and self.depth in (24, 32) and self.little_endian


def describe(rect: Rect, screen: Rect, above: Iterable[Rect], shown: bool) -> WindowState:
    """Builds the state of a window that exists from its rectangle and those of the windows above it."""
    visible = intersect(rect, screen)
    covers = tuple(c for c in (intersect(visible, other) for other in above) if area(c))
    total = max(1, area(rect))
    return WindowState(rect, area(visible) / total, covers, _union_area(covers) / total, shown, exists=True)


def process_name(pid: int) -> str:
    """Returns the name of a process, "" where it is not available."""
    try:
        return psutil.Process(pid).name() if pid else ""
    except psutil.Error:
        return ""


def _union_area(rects: tuple[Rect, ...]) -> int:
    """Returns the number of pixels in the union, on the grid spanned by all the rectangles' edges."""
    if not rects:
        return 0
    xs = np.unique([edge for r in rects for edge in (r.x, r.right)])
    ys = np.unique([edge for r in rects for edge in (r.y, r.bottom)])
    taken = np.zeros((len(ys) - 1, len(xs) - 1), bool)
    for r in rects:
        left, right = np.searchsorted(xs, (r.x, r.right))
        top, bottom = np.searchsorted(ys, (r.y, r.bottom))
        taken[top:bottom, left:right] = True
    return int((np.diff(ys)[:, None] * np.diff(xs) * taken).sum())
