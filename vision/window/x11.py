"""Windows of an X11 display, through python-xlib: EWMH where there is a window manager, the tree where not.

A window may vanish between two requests: every query about a window then returns None or `CLOSED` instead
of raising.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from Xlib import X, display, error, protocol
from Xlib.xobject.drawable import Window

from vision.frame import Rect
from vision.message import say
from vision.window.model import CLOSED, PixelForm, Standing, WindowInfo, WindowState, describe, process_name
from vision.window.sessions import UnsupportedSession

P = ParamSpec("P")
T = TypeVar("T")

_ICONIC = 3
_PALETTE_BITS = 8  # Up to this depth a screen may have a colour map of its own
_GONE = (error.BadWindow, error.BadDrawable, error.BadMatch)


def _while_connected(
    ask: Callable[Concatenate["X11System", P], T],
) -> Callable[Concatenate["X11System", P], T]:
    """Raises `UnsupportedSession` where the connection has ended, after calling `on_lost`."""

    @wraps(ask)
    def asked(system: "X11System", /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return ask(system, *args, **kwargs)
        except (error.ConnectionClosedError, OSError) as problem:
            system.on_lost()
            raise UnsupportedSession(
                say("The X11 display went away ({problem}).", problem=str(problem))
            ) from problem

    return asked


def connected(name: str | None = None) -> display.Display:
    """Connects to a display, None for the environment's.

    python-xlib keeps the events of all servers' extensions in one table, by numbers that differ between
    servers; left as it is, a second server with other extensions ends in a TypeError.
    """
    protocol.display.Display.event_classes = protocol.event.event_class.copy()
    return display.Display(name)


class X11System:
    """The windows of one X11 display. Not for use by two threads at once.

    Every method raises `UnsupportedSession` when the display has gone.
    """

    def __init__(self, name: str | None = None, on_lost: Callable[[], None] = lambda: None) -> None:
        """Connects to a display.

        Args:
            name: the display, None for the environment's.
            on_lost: is called once a method finds that the display has gone.

        Raises:
            UnsupportedSession: the display does not answer.
        """
        try:
            self._display = connected(name or None)
        except (error.DisplayError, error.XError, OSError) as problem:
            raise UnsupportedSession(
                say(
                    "The X11 display {name} does not answer ({problem}): check DISPLAY and XAUTHORITY.",
                    name=name or "(DISPLAY)",
                    problem=str(problem),
                )
            ) from problem
        self.on_lost = on_lost
        self._display.set_error_handler(_ignore)
        self._screen = self._display.screen()
        self._root: Window = self._screen.root
        self._atoms: dict[str, int] = {}
        self._shaped = bool(self._display.has_extension("SHAPE"))
        self._compositor = self._atom(f"_NET_WM_CM_S{self._display.get_default_screen()}")

    def close(self) -> None:
        self._display.close()

    @_while_connected
    def screen(self) -> Rect:
        """Returns the virtual screen, in pixels."""
        size = self._root.get_geometry()
        return Rect(0, 0, size.width, size.height)

    @_while_connected
    def pointer(self) -> tuple[int, int] | None:
        """Returns where the mouse's pointer is, in pixels; None where it is on another screen."""
        reply = self._root.query_pointer()
        return (int(reply.root_x), int(reply.root_y)) if reply.same_screen else None

    @_while_connected
    def composited(self) -> bool:
        """Returns whether a compositor runs, so that windows have pixmaps of their own."""
        return bool(self._display.get_selection_owner(self._compositor) != X.NONE)

    @property
    def root(self) -> int:
        """The screen as a drawable."""
        return int(self._root.id)

    @_while_connected
    def pixel_form(self, handle: int) -> PixelForm | None:
        """Returns how the pixels of a window, or of the screen (0), are written; None when it is gone."""
        window = self._window(handle) if handle else self._root
        try:
            attributes, depth = window.get_attributes(), window.get_geometry().depth
            palette = self._palette(attributes.colormap, depth) if depth <= _PALETTE_BITS else ()
        except (*_GONE, error.BadColor):
            return None
        visuals = (v for depth_row in self._screen.allowed_depths for v in depth_row.visuals)
        visual = next((v for v in visuals if v.visual_id == attributes.visual), None)
        info = self._display.display.info
        written = next((depth_row for depth_row in info.pixmap_formats if depth_row.depth == depth), None)
        if visual is None or written is None:
            return None
        direct = visual.visual_class in (X.TrueColor, X.DirectColor)
        return PixelForm(
            depth,
            attributes.visual,
            written.bits_per_pixel,
            written.scanline_pad,
            (visual.red_mask, visual.green_mask, visual.blue_mask) if direct else (0, 0, 0),
            info.image_byte_order == X.LSBFirst,
            () if direct else palette,
        )

    def _palette(self, colours: Any, depth: int) -> tuple[tuple[int, int, int], ...]:
        """Returns what the pixels of a colour map mean, blue, green and red from 0 to 255."""
        entries = colours.query_colors(range(1 << depth))
        return tuple((entry.blue >> 8, entry.green >> 8, entry.red >> 8) for entry in entries)

    @_while_connected
    def list_windows(self) -> tuple[WindowInfo, ...]:
        """Returns the windows with a title, the topmost first."""
        described = (self._info(window) for window in self._clients())
        return tuple(info for info in described if info is not None)

    @_while_connected
    def title(self, handle: int) -> str:
        """Returns what a window is called now, "" where it has gone."""
        return self._title(self._window(handle))

    @_while_connected
    def state(
        self, handle: int, ignore_pids: frozenset[int] = frozenset(), *, covers: bool = True
    ) -> WindowState:
        """Returns how a window is now; windows of `ignore_pids` do not count as covering it."""
        window = self._window(handle)
        rect = self._rect(window)
        if rect is None:
            return CLOSED
        above = self._above(window, ignore_pids) if covers else ()
        return describe(rect, self.screen(), above, self._is_shown(window))

    @_while_connected
    def standing(self, handle: int, other: int) -> Standing:
        """Returns whether a window is shown, and whether it is stacked over another one."""
        window = self._window(handle)
        if self._map_state(window) != X.IsViewable:
            return "hidden"
        order = [child.id for child in self._root.query_tree().children]
        top, lower = self._top(window), self._top(self._window(other))
        if top in order and lower in order and order.index(top) < order.index(lower):
            return "under"
        return "over"

    def _window(self, handle: int) -> Window:
        return self._display.create_resource_object("window", handle)

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = int(self._display.intern_atom(name))
        return self._atoms[name]

    def _property(self, window: Window, name: str) -> Any:
        try:
            value = window.get_full_property(self._atom(name), X.AnyPropertyType)
        except _GONE:
            return None
        return None if value is None else value.value

    def _numbers(self, window: Window, name: str) -> list[int]:
        value = self._property(window, name)
        return [int(v) for v in value] if value is not None and not isinstance(value, (bytes, str)) else []

    def _clients(self) -> list[Window]:
        """Returns the top-level client windows, the topmost first.

        Some window managers (xfwm4) say how windows are stacked only once one has been put before another.
        """
        if self._numbers(self._root, "_NET_SUPPORTING_WM_CHECK"):
            if stacked := self._numbers(self._root, "_NET_CLIENT_LIST_STACKING"):
                return [self._window(handle) for handle in reversed(stacked)]
            listed = [self._window(handle) for handle in self._numbers(self._root, "_NET_CLIENT_LIST")]
            order = {child.id: place for place, child in enumerate(self._root.query_tree().children)}
            if listed:
                return sorted(listed, key=lambda window: -order.get(self._top(window), -1))
        return [w for w in reversed(self._root.query_tree().children) if self._map_state(w) == X.IsViewable]

    def _info(self, window: Window) -> WindowInfo | None:
        title = self._title(window)
        rect = self._rect(window)
        if not title or rect is None:
            return None
        pid = self._pid(window)
        return WindowInfo(window.id, title, process_name(pid), pid, rect)

    def _title(self, window: Window) -> str:
        for name in ("_NET_WM_NAME", "WM_NAME"):
            value = self._property(window, name)
            if isinstance(value, bytes) and value:
                return value.decode("utf-8" if name == "_NET_WM_NAME" else "latin-1", "replace")
            if isinstance(value, str) and value:
                return value
        return ""

    def _pid(self, window: Window) -> int:
        return next(iter(self._numbers(window, "_NET_WM_PID")), 0)

    def _map_state(self, window: Window) -> int | None:
        try:
            return int(window.get_attributes().map_state)
        except _GONE:
            return None

    def _is_shown(self, window: Window) -> bool:
        if next(iter(self._numbers(window, "WM_STATE")), 1) == _ICONIC:
            return False
        if self._atom("_NET_WM_STATE_HIDDEN") in self._numbers(window, "_NET_WM_STATE"):
            return False
        return bool(self._map_state(window) == X.IsViewable)

    def _rect(self, window: Window) -> Rect | None:
        """Returns the client area on the root window, None when the window is gone."""
        try:
            size = window.get_geometry()
            corner = self._root.translate_coords(window, 0, 0)
        except _GONE:
            return None
        return Rect(corner.x, corner.y, size.width, size.height)

    def _top(self, window: Window) -> int | None:
        """Returns the child of the root that holds a window: the frame around it, if it has one."""
        try:
            while True:
                parent = window.query_tree().parent
                if parent in (self._root, X.NONE):
                    return int(window.id)
                window = parent
        except _GONE:
            return None

    def _above(self, window: Window, ignore_pids: frozenset[int]) -> Iterator[Rect]:
        top = self._top(window)
        stack = self._root.query_tree().children
        order = [w.id for w in stack]
        if top not in order:
            return
        higher = [w for w in stack[order.index(top) + 1 :] if self._covers(w)]
        if not higher:
            return
        owner = {self._top(client): self._pid(client) for client in self._clients()}
        for other in higher:
            if (owner.get(other.id) or self._pid(other)) not in ignore_pids:
                yield from self._pieces(other)

    def _covers(self, window: Window) -> bool:
        """Returns whether a window draws anything: mapped, and not a compositor's input-only overlay."""
        try:
            attributes = window.get_attributes()
        except _GONE:
            return False
        return bool(attributes.map_state == X.IsViewable and attributes.win_class == X.InputOutput)

    def _pieces(self, window: Window) -> list[Rect]:
        """Returns the rectangles of a window's shape, on the root window."""
        try:
            size = window.get_geometry()
            if not self._shaped:
                return [Rect(size.x, size.y, size.width, size.height)]
            parts = window.shape_get_rectangles(0).rectangles
        except _GONE:
            return []
        return [Rect(size.x + p.x, size.y + p.y, p.width, p.height) for p in parts]


def _ignore(*_: object) -> None:
    """Takes errors of requests without an answer: the window they were about is gone."""
