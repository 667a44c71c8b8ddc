"""What all panels share: they draw the newest snapshot, seldom enough for slow cores, and only while seen.

A module of this package holds a panel: a `Panel` under `@panel`. The window, its arrangement, the menu and
*F1* take theirs from `panels`.
"""

import time
from typing import ClassVar, Literal, TypeVar

from PySide6.QtCore import Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from botapp.host.registry import Registry
from botapp.host.settings import Layout, Settings
from botapp.runtime.messages import Snapshot
from botapp.ui.samples import History
from botapp.ui.timers import timer
from botapp.ui.widgets.boxes import settle
from botapp.ui.widgets.position_menu import PositionMenu

Place = Literal["left", "upper", "below", "aside"]
"""Where a panel stands in a window with room for several: on the left, at the top beside that, below it, or
in the last place. Those of one place share it as tabs."""
LEAST = (260, 150)  # Width and height that a panel can do with, on a small screen at a large scale


class Panel(QFrame):
    """A dock's content.

    `offer` is called for every snapshot; `render` draws one, at most every `interval_ms` and only while the
    panel is on screen. A panel that appears draws the newest one at once. While no fight is watched, and what
    is said of that stays the same, it is drawn every `resting_ms` only. Panels `of_decision` draw another
    answer at once, all of them in the same round: else their figures would be of different moments.

    Attributes:
        key: its name in the kept layout and the window's `docks`.
        title: an English message, as are `sentences`.
        sentences: each figure on it and what *F1* says of that.
        order: panels with a lower number come first in the menu, in *F1* and among tabs.
        layouts: the settings `ui.layout` that show it; the menu shows it in the others.
        place: where it stands.
        place_in_reasoning: the same in the layout `reasoning`; "" where it is the same.
        tab: as `order`, among the tabs of `place` alone; 0 for its `order`.
        shortcut: the keys that show and hide it, "" for none.
        menu: its menu of a position, None without one.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    sentences: ClassVar[tuple[tuple[str, str], ...]] = ()
    order: ClassVar[int] = 1000  # behind those that come with the app
    layouts: ClassVar[tuple[Layout, ...]] = ("engineer",)
    place: ClassVar[Place] = "aside"
    place_in_reasoning: ClassVar[Place | Literal[""]] = ""
    tab: ClassVar[int] = 0
    shortcut: ClassVar[str] = ""
    menu: PositionMenu | None = None
    interval_ms: ClassVar[int] = 100
    resting_ms: ClassVar[int] = 5000
    of_decision: ClassVar[bool] = False

    def __init__(self, history: History) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setMinimumSize(*LEAST)
        self.history = history
        self._waiting: Snapshot | None = None
        self.last: Snapshot | None = None
        self._rendered_s = 0.0
        self._in_sight = True
        self._timer = timer(self, self._flush, once=True)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(14, 12, 14, 12)
        self.box.setSpacing(8)

    def apply(self, settings: Settings) -> None:
        """Takes over settings that the panel itself shows: at the start, and when they are changed."""

    def offer(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot; it is drawn now, a little later, or never when a newer one comes."""
        self._waiting = snapshot
        if not self.in_sight:
            return
        interval_ms = self.resting_ms if _rests(snapshot, self.last) else self.interval_ms
        left_ms = interval_ms - (time.monotonic() - self._rendered_s) * 1000
        if left_ms <= 0 or (self.of_decision and _answered(snapshot, self.last)):
            self._flush()
        elif not self._timer.isActive() or self._timer.remainingTime() > left_ms:
            self._timer.start(int(left_ms))

    @property
    def in_sight(self) -> bool:
        """Tells whether the panel can be seen; a dock behind another tab counts as visible to Qt."""
        return self._in_sight and self.isVisible()

    @Slot(bool)
    def set_in_sight(self, in_sight: bool) -> None:
        self._in_sight = in_sight
        self._flush()

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Draws a snapshot; each panel has its own."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._flush()

    def hideEvent(self, event: QHideEvent) -> None:
        """Pauses updates while hidden; what is pending is drawn when the panel is shown again."""
        super().hideEvent(event)
        self._timer.stop()

    def _flush(self) -> None:
        if self._waiting is None or not self.in_sight:
            return
        snapshot, self._waiting = self._waiting, None
        self.last, self._rendered_s = snapshot, time.monotonic()
        self.render_snapshot(snapshot)
        settle()


PANELS: Registry[type[Panel]] = Registry("botapp.ui.panels")
_P = TypeVar("_P", bound=Panel)


def panel(kind: type[_P]) -> type[_P]:
    """Registers a panel by its key."""
    PANELS.add(kind.key, kind)
    return kind


def panels() -> list[type[Panel]]:
    """Returns every panel there is, by `order`."""
    return sorted(PANELS.all().values(), key=lambda kind: kind.order)


def _answered(snapshot: Snapshot, before: Snapshot | None) -> bool:
    """Tells whether a snapshot has another answer or a deeper one than the one before, or none any more."""
    if before is not None and snapshot.advice != before.advice:
        return True
    if snapshot.decision is None or before is None or before.decision is None:
        return snapshot.decision is not None
    return (snapshot.decided_seq, snapshot.decision.effort.depth) != (
        before.decided_seq,
        before.decision.effort.depth,
    )


def _rests(snapshot: Snapshot, before: Snapshot | None) -> bool:
    """Tells whether there is no fight to show, and nothing new to say of that."""
    if before is None or snapshot.capture in ("watching", "covered", "off-screen"):
        return False
    status = snapshot.capture, snapshot.advice, snapshot.reason
    return status == (before.capture, before.advice, before.reason)
