"""Windows of a Windows desktop, through user32 and the desktop window manager.

The few calls needed are the `Api` protocol, so that the logic can be tested anywhere. Windows reports
physical pixels only to a DPI-aware process, so awareness is declared before the first call.
"""

import ctypes
import sys
from collections.abc import Iterator
from typing import Any, Protocol

from vision.frame import Rect
from vision.window.model import CLOSED, Standing, WindowInfo, WindowState, describe, process_name

_VIRTUAL_SCREEN = (76, 77, 78, 79)
_CLOAKED = 14
_EXTENDED_FRAME = 9
_PER_MONITOR_AWARE_V2 = -4


class Api(Protocol):
    """The calls to Windows that are needed; handles are HWNDs."""

    def windows(self) -> list[int]:
        """Returns the top-level windows, the topmost first."""
        ...

    def exists(self, handle: int) -> bool:
        """Returns whether the window exists."""
        ...

    def visible(self, handle: int) -> bool:
        """Returns whether the window is shown: neither hidden, minimised nor cloaked."""
        ...

    def title(self, handle: int) -> str:
        """Returns the window's title."""
        ...

    def pid(self, handle: int) -> int:
        """Returns the id of the process that made the window."""
        ...

    def client(self, handle: int) -> Rect:
        """Returns the client area on the virtual screen."""
        ...

    def frame(self, handle: int) -> Rect:
        """Returns what the window covers of the virtual screen, without its shadow."""
        ...

    def screen(self) -> Rect:
        """Returns the virtual screen."""
        ...

    def pointer(self) -> tuple[int, int] | None:
        """Returns where the mouse's pointer is, None where that cannot be asked."""
        ...


class Win32System:
    """The windows of a Windows desktop."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def screen(self) -> Rect:
        """Returns the virtual screen, in physical pixels."""
        return self._api.screen()

    def pointer(self) -> tuple[int, int] | None:
        """Returns where the mouse's pointer is, in physical pixels; None where that cannot be asked."""
        return self._api.pointer()

    def composited(self) -> bool:
        """False: nothing here grabs a window's own picture, the screen is grabbed where the window is."""
        return False

    def list_windows(self) -> tuple[WindowInfo, ...]:
        """Returns the shown windows with a title, the topmost first."""
        api = self._api
        return tuple(
            WindowInfo(h, api.title(h), process_name(api.pid(h)), api.pid(h), api.client(h))
            for h in api.windows()
            if api.visible(h) and api.title(h)
        )

    def title(self, handle: int) -> str:
        """Returns what a window is called now, "" where it has gone."""
        return self._api.title(handle)

    def state(
        self, handle: int, ignore_pids: frozenset[int] = frozenset(), *, covers: bool = True
    ) -> WindowState:
        """Returns how a window is now; windows of `ignore_pids` do not count as covering it."""
        if not self._api.exists(handle):
            return CLOSED
        above = self._above(handle, ignore_pids) if covers else ()
        return describe(self._api.client(handle), self.screen(), above, self._api.visible(handle))

    def standing(self, handle: int, other: int) -> Standing:
        """Returns whether a window is shown, and whether it is stacked over another one."""
        if not self._api.visible(handle):
            return "hidden"
        order = self._api.windows()
        if handle in order and other in order and order.index(other) < order.index(handle):
            return "under"
        return "over"

    def _above(self, handle: int, ignore_pids: frozenset[int]) -> Iterator[Rect]:
        for other in self._api.windows():
            if other == handle:
                return
            if self._api.visible(other) and self._api.pid(other) not in ignore_pids:
                yield self._api.frame(other)


def user32() -> Api:
    """Returns the implementation by user32.dll.

    Raises:
        OSError: this is not Windows.
    """
    if sys.platform != "win32":
        raise OSError("user32 exists on Windows only")
    return _User32()


class _User32:
    """`Api` over user32.dll and dwmapi.dll."""

    def __init__(self) -> None:
        loader: Any = ctypes
        self._user, self._dwm = loader.windll.user32, loader.windll.dwmapi
        self._user.SetProcessDpiAwarenessContext(ctypes.c_void_p(_PER_MONITOR_AWARE_V2))
        self._callback = loader.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)

    def windows(self) -> list[int]:
        handles: list[int] = []

        def keep(handle: int, _: object) -> bool:
            handles.append(handle)
            return True

        self._user.EnumWindows(self._callback(keep), 0)
        return handles

    def exists(self, handle: int) -> bool:
        return bool(self._user.IsWindow(ctypes.c_void_p(handle)))

    def visible(self, handle: int) -> bool:
        window = ctypes.c_void_p(handle)
        if not self._user.IsWindowVisible(window) or self._user.IsIconic(window):
            return False
        cloaked = ctypes.c_int(0)
        self._dwm.DwmGetWindowAttribute(window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        return cloaked.value == 0

    def title(self, handle: int) -> str:
        buffer = ctypes.create_unicode_buffer(512)
        self._user.GetWindowTextW(ctypes.c_void_p(handle), buffer, len(buffer))
        return buffer.value

    def pid(self, handle: int) -> int:
        number = ctypes.c_ulong(0)
        self._user.GetWindowThreadProcessId(ctypes.c_void_p(handle), ctypes.byref(number))
        return number.value

    def client(self, handle: int) -> Rect:
        window, size, corner = ctypes.c_void_p(handle), (ctypes.c_long * 4)(), (ctypes.c_long * 2)()
        self._user.GetClientRect(window, ctypes.byref(size))
        self._user.ClientToScreen(window, ctypes.byref(corner))
        return Rect(corner[0], corner[1], size[2], size[3])

    def frame(self, handle: int) -> Rect:
        edges = (ctypes.c_long * 4)()
        self._dwm.DwmGetWindowAttribute(
            ctypes.c_void_p(handle), _EXTENDED_FRAME, ctypes.byref(edges), ctypes.sizeof(edges)
        )
        left, top, right, bottom = edges
        return Rect(left, top, right - left, bottom - top)

    def screen(self) -> Rect:
        left, top, width, height = (self._user.GetSystemMetrics(i) for i in _VIRTUAL_SCREEN)
        return Rect(left, top, width, height)

    def pointer(self) -> tuple[int, int] | None:
        place = (ctypes.c_long * 2)()
        succeeded = self._user.GetCursorPos(ctypes.byref(place))
        return (int(place[0]), int(place[1])) if succeeded else None
