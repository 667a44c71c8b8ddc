"""The overlay's window: click-through, on top, over the game, painted only when what it shows changes.

On X11 no window manager has a hand in it (override-redirect): openbox would put a frame around it that takes
the clicks on the game. So it looks by itself whether it is still seen over the game. It tells when a snapshot
reached the screen, which is the end of the way of a frame.
"""

import sys
import time

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QRegion, QShowEvent
from PySide6.QtWidgets import QWidget

from botapp.host.settings import OverlaySettings
from botapp.runtime.messages import Snapshot
from botapp.runtime.turns import TurnLine
from botapp.ui.overlay import paint, platform
from botapp.ui.overlay.geometry import OverlayGeometry, ScreenArea, place
from botapp.ui.overlay.platform import Covers
from botapp.ui.overlay.scene import EMPTY, OverlayScene, build
from botapp.ui.overlay.visibility import HIDDEN, OverlayLook, Visibility, WindowFacts
from botapp.ui.timers import timer

TICK_MS = 100
_NOTHING = QRegion(-2, -2, 1, 1)  # A mask that hides all; an empty one would hide nothing
FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowTransparentForInput
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
)
if sys.platform.startswith("linux"):
    FLAGS |= Qt.WindowType.X11BypassWindowManagerHint


class Overlay(QWidget):
    """The advice over the game.

    Signals:
        painted: a new scene is on the surface; carries the `captured_ns` of its snapshot.
        trouble: something the person should know, in English words.
    """

    painted = Signal(object)
    trouble = Signal(str)

    def __init__(self, settings: OverlaySettings, covers: Covers | None = None) -> None:
        super().__init__(None, FLAGS)
        self.setWindowTitle("botapp overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.visibility = Visibility(settings.stale_after_ms, enabled=settings.enabled)
        self.scene: OverlayScene = EMPTY
        self.shown_look: OverlayLook = HIDDEN
        self.placement = OverlayGeometry(0, 0, 0, 0)
        self._settings = settings
        self._snapshot: Snapshot | None = None
        self._chosen: TurnLine | None = None
        self._turn: object = None
        self._corner: paint.Corner = "own"
        self._unpainted_ns: int | None = None
        self._covers = covers or Covers()
        self._covered = QRegion()
        self._compositor = platform.Compositor()
        self._excluded = False
        self._timer = timer(self, self.refresh, TICK_MS)

    def apply(self, settings: OverlaySettings) -> None:
        self._settings = settings
        self.visibility.enabled = settings.enabled
        self.visibility.stale_after_ms = settings.stale_after_ms
        self.refresh()
        self.update()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        if self._snapshot is None or self._snapshot.decided_seq != snapshot.decided_seq:
            self._chosen = None
        self._snapshot = snapshot
        self.visibility.feed(
            WindowFacts(snapshot.capture, snapshot.advice, snapshot.captured_ns, snapshot.reason)
        )
        if not self._timer.isActive():
            self._timer.start()
        self.refresh()

    @Slot(object)
    def show_line(self, line: TurnLine | None) -> None:
        """Shows another turn in place of the advised one, until there is other advice; None goes back."""
        if line != self._chosen:
            self._chosen = line
            self.refresh()

    def clear(self) -> None:
        """Shows nothing until the next snapshot, as when the worker ended."""
        self.visibility.clear()
        self.refresh()

    def refresh(self) -> None:
        look = self.visibility.look(time.monotonic_ns())
        snapshot, there = self._snapshot, self.isVisible()
        if look.mode == "hidden" or snapshot is None or snapshot.window is None:
            self.shown_look, self.scene = HIDDEN, EMPTY
            self.hide()
            self._timer.stop()
            return
        if look.mode == "blank" and not there:
            return
        if there:
            there = self._assert_seen(snapshot.window.handle)
        placement = place(snapshot.window.rect, screens())
        scene = build(snapshot, look, self._settings, placement, self._chosen)
        scene = self._out_of_the_way(scene, placement)
        moved = placement != self.placement
        urgent = look.mode == "advice" and scene != self.scene
        covered = self._covered
        if not urgent or moved or not there:  # else the next tick asks
            covered = self._covers.over(snapshot.window.handle, snapshot.window.rect, placement, self)
        moved = self._compositor.look() or moved or not there
        if (scene, look, covered) == (self.scene, self.shown_look, self._covered) and not moved:
            return
        if urgent:
            self._unpainted_ns = snapshot.captured_ns
        dirty = paint.bounds(self.scene).united(paint.bounds(scene)).toAlignedRect()
        self.placement, self.scene, self.shown_look = placement, scene, look
        if moved:
            self.setGeometry(placement.x, placement.y, placement.width, placement.height)
        if not there:
            self.show()
        self._covered = covered
        self._cut()
        if urgent and there and not moved:
            self.repaint(dirty)
        else:
            self.update(dirty if not moved else QRect(0, 0, placement.width, placement.height))

    def _out_of_the_way(self, scene: OverlayScene, placement: OverlayGeometry) -> OverlayScene:
        """Returns the scene with its badge where it hides least.

        That is looked for with the first advice of a turn, and after a move of the badge or the window; from
        then on the badge keeps its corner, whatever is shown: one that jumps cannot be read.
        """
        room = placement.width, placement.height
        state = self._snapshot.state if self._snapshot is not None else None
        if scene.marks.steps and state is not None and not scene.looked_at:
            settings = self._settings
            put = settings.badge_x, settings.badge_y, settings.badge_scale
            turn = (state.turn, state.actor.id, state.placing, room, put)
            if turn != self._turn:
                self._turn, self._corner = turn, paint.free_corner(scene, room)
        return paint.in_corner(scene, room, self._corner)

    def _assert_seen(self, game: int) -> bool:
        """Comes to the front where the game lies over it; returns whether it is shown at all."""
        standing = self._covers.standing(self, game)
        if standing == "hidden":
            self.hide()
        elif standing == "under":
            self.raise_()
            self.update()  # Qt sends the request with the next picture
        return standing != "hidden"

    def _cut(self) -> None:
        """Leaves out what other windows cover and, where nothing is blended, all but the shapes."""
        whole = QRegion(0, 0, self.placement.width, self.placement.height)
        shown = (whole if self._compositor.blends else paint.covered(self.scene)) - self._covered
        if shown == whole:
            self.clearMask()
        else:
            self.setMask(shown if not shown.isEmpty() else _NOTHING)

    def showEvent(self, event: QShowEvent) -> None:
        """Keeps the window out of captures the first time it has a native handle."""
        super().showEvent(event)
        if not self._excluded:
            self._excluded = True
            if problem := platform.hide_from_captures(int(self.winId())):
                self.trouble.emit(problem)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the scene, and tells once for each new one."""
        painter = QPainter(self)
        opacity = self.shown_look.opacity * self._settings.opacity
        paint.paint(
            painter, self.scene, QColor(self._settings.colour), opacity, solid=not self._compositor.blends
        )
        painter.end()
        if self._unpainted_ns is not None:
            captured_ns, self._unpainted_ns = self._unpainted_ns, None
            self.painted.emit(captured_ns)


def screens() -> list[ScreenArea]:
    return [
        ScreenArea(area.x(), area.y(), area.width(), area.height(), screen.devicePixelRatio())
        for screen in QGuiApplication.screens()
        for area in (screen.geometry(),)
    ]
