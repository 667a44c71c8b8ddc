"""A person at the app: real mouse and keys of the X server on what is in sight, each click counted.

A journey is a generator; each `yield` waits until what it yields, a function, returns something true. It goes
on in dialogs that hold up the rest of the app as well.
"""

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

Journey = Iterator[Callable[[], object]]
_EVERY_MS = 60
_LONGEST_S = 60.0


class Person(QObject):
    """Goes a journey's way while the app runs.

    Attributes:
        clicks: what was clicked, in words, in its order.
        trouble: why the journey could not go on, "" where it came to its end.

    Signals:
        done: the journey has come to its end.
    """

    done = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.clicks: list[str] = []
        self.trouble = ""
        self._x = Display()
        self._journey: Journey | None = None
        self._until: Callable[[], object] = lambda: True
        self._since = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._go_on)

    def go(self, journey: Journey) -> None:
        self._journey, self._since = journey, time.monotonic()
        self._timer.start()

    def see(self, what: Callable[[], QWidget | None]) -> Journey:
        """Waits until a widget is in sight."""
        yield lambda: _in_sight(what())

    def click(
        self, what: Callable[[], QWidget | None], words: str, at: Callable[[], QPoint] | None = None
    ) -> Journey:
        """Clicks a widget once it is in sight and can be used, in its middle or at a place of its own."""
        yield from self.see(what)
        yield lambda: what() is not None and what().isEnabled()
        widget = what()
        spot = widget.mapToGlobal(at() if at is not None else widget.rect().center())
        spot *= widget.devicePixelRatioF()
        xtest.fake_input(self._x, X.MotionNotify, x=spot.x(), y=spot.y())
        for kind in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self._x, kind, 1)
        self._x.sync()
        self.clicks.append(words)
        yield from self.wait(0.4)

    def type(self, text: str) -> Journey:
        """Types plain text, which is no click."""
        for character in text:
            special = {"/": "slash", "-": "minus", "_": "underscore", ".": "period", "\n": "Return"}
            sym = XK.string_to_keysym(special.get(character, character))
            code = self._x.keysym_to_keycode(sym)
            plain = self._x.keycode_to_keysym(code, 0) == sym
            shift = 0 if plain else self._x.keysym_to_keycode(XK.XK_Shift_L)
            for kind, keys in ((X.KeyPress, (shift, code)), (X.KeyRelease, (code, shift))):
                for key in filter(None, keys):
                    xtest.fake_input(self._x, kind, key)
            self._x.sync()
        yield from self.wait(0.4)

    @staticmethod
    def wait(seconds: float) -> Journey:
        end = time.monotonic() + seconds
        yield lambda: time.monotonic() >= end

    def _go_on(self) -> None:
        assert self._journey is not None
        try:
            if not self._until():
                if time.monotonic() - self._since > _LONGEST_S:
                    raise TimeoutError(f"after {self.clicks} nothing came of what was waited for")
                return
            self._since = time.monotonic()
            self._until = next(self._journey)
        except StopIteration:
            self._end("")
        except Exception as error:
            self._end(f"{type(error).__name__}: {error}")

    def _end(self, trouble: str) -> None:
        self._timer.stop()
        self.trouble = trouble
        self._x.close()
        self.done.emit()


def shown(kind: type, check: Callable[[QWidget], bool] = lambda _: True) -> QWidget | None:
    """Returns the widget of a kind that is in sight, None where there is none."""
    found = (widget for top in QApplication.topLevelWidgets() for widget in (top, *top.findChildren(kind)))
    return next((one for one in found if isinstance(one, kind) and _in_sight(one) and check(one)), None)


def _in_sight(widget: QWidget | None) -> bool:
    if widget is None or not widget.isVisible():
        return False
    return bool(widget.visibleRegion().boundingRect().contains(widget.rect().center()))
