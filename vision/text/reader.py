"""Reads a log in a thread of its own at low priority: looks at the latest picture, recognises what is new.

The thread that takes the pictures hands them over and never waits. Names in boxes (over a fighter, on a card)
are recognised on demand and remembered by their key.
"""

import logging
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

import numpy as np

from vision.frame import Frame, Rect
from vision.text.engine import NO_TEXT, TextEngine, TextEngineError, TextSeen
from vision.text.lines import LogLine
from vision.text.log_panel import LogPanel
from vision.text.panel import words_in
from vision.text.rows import Picture, cut, ink_of, rows_of, strength_of

_log = logging.getLogger(__name__)

_LOOK_EVERY_S = 0.1
SEARCH_EVERY_S = (2.0, 45.0)
_MOST_ASKED, _KEPT_NAMES, _KEPT_LINES = 6, 200, 400
_MOST_WORDS = 12  # As many stretches of text are read in a part of a HUD, the lowest first
_NICER = 5
_ENDS_S = 10.0  # How long a row that is being read at the end is waited for

Told = TypeVar("Told")


class TextsOnDemand:
    """Texts in boxes and parts of a HUD, each recognised once, by a key of its look such as a signature."""

    def __init__(self) -> None:
        self._asked: OrderedDict[str, tuple[Picture, bool]] = OrderedDict()
        self._known: OrderedDict[str, tuple[TextSeen, ...]] = OrderedDict()

    def find(self, key: str, picture: Picture, several: bool) -> tuple[TextSeen, ...] | None:
        """Returns the texts in a picture (BGR or BGRA); None while they are yet to be recognised.

        Args:
            several: whether all stretches of text in it are wanted, else the first row as one.
        """
        known = self._known.get(key)
        if known is None and key not in self._asked and len(self._asked) < _MOST_ASKED:
            self._asked[key] = picture[..., :3].copy(), several
        return known

    def recognise(self, engine: TextEngine) -> bool:
        """Recognises what was asked for first; returns whether there was something."""
        if not self._asked:
            return False
        key, (picture, several) = next(iter(self._asked.items()))
        self._known[key] = _words(engine, picture) if several else (_box(engine, picture),)
        del self._asked[key]
        while len(self._known) > _KEPT_NAMES:
            self._known.popitem(last=False)
        return True


class LogReader(Generic[Told]):
    """Reads the lines of one log.

    Args:
        is_log, search_every_s: see `LogPanel`.
        meaning: turns a line into what `take` returns, None for a line without meaning; called by the
            reader's own thread.
        engine: makes the engine, in the reader's own thread; the one in the wheel if left out.

    Attributes:
        problem: why no text can be read, words for a person; "" while it can.
        busy_s: processor time that the reader's thread has taken.
    """

    def __init__(
        self,
        is_log: Callable[[str], bool],
        meaning: Callable[[LogLine], Told | None],
        engine: Callable[[], TextEngine] = TextEngine,
        search_every_s: tuple[float, float] = SEARCH_EVERY_S,
    ) -> None:
        self.problem = ""
        self.busy_s = 0.0
        self._meaning, self._make = meaning, engine
        self._engine: TextEngine | None = None
        self._latest: tuple[Frame, Rect] | None = None
        self._wake, self._closing = threading.Event(), False
        self._lines: deque[Told] = deque(maxlen=_KEPT_LINES)
        self._texts = TextsOnDemand()
        self._panel = LogPanel(is_log, search_every_s)
        self._thread: threading.Thread | None = None

    @property
    def panel(self) -> Rect | None:
        """Where the log lies in the picture, None where it was not found."""
        return self._panel.box

    @property
    def follows(self) -> bool:
        """Whether the log was found and what stood in it then has been read; what comes now is new."""
        return self._panel.follows

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="text", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Ends the thread; it is waited for while it finishes a row."""
        self._closing = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_ENDS_S)

    def offer(self, frame: Frame, client: Rect) -> None:
        """Hands over the latest picture, whose pixels are not written to any more; takes no time.

        Args:
            frame: the picture, BGR or BGRA.
        """
        self._latest = (frame, client)
        self._wake.set()

    def take(self) -> list[Told]:
        """Returns what the lines mean that were recognised since this was last asked."""
        lines: list[Told] = []
        with suppress(IndexError):
            while True:
                lines.append(self._lines.popleft())
        return lines

    def is_behind(self, frame: Frame) -> bool:
        """Tells whether a picture's log shows what has not been recognised yet; takes a tenth of a ms."""
        return self._panel.shows_more(frame)

    def name(self, key: str, picture: Picture) -> TextSeen | None:
        """Returns the text in a box, see `TextsOnDemand.find`."""
        known = self._find(key, picture, several=False)
        return known[0] if known else None

    def words(self, key: str, picture: Picture) -> tuple[TextSeen, ...] | None:
        """Returns the stretches of text in a part of a HUD, see `TextsOnDemand.find`."""
        return self._find(key, picture, several=True)

    def _find(self, key: str, picture: Picture, several: bool) -> tuple[TextSeen, ...] | None:
        known = self._texts.find(key, picture, several)
        if known is None:
            self._wake.set()
        return known

    def forget(self) -> None:
        """Takes the next picture for the first one of another window."""
        self._panel.forget()

    def _run(self) -> None:
        lower_priority()
        started = time.thread_time()
        try:
            self._engine = self._make()
        except TextEngineError as error:
            self.problem = str(error)
            _log.warning(self.problem)
            return
        while not self._closing:
            self._wake.wait(_LOOK_EVERY_S)
            if self._closing:
                return
            self._wake.clear()
            begun = time.monotonic()
            try:
                self.step()
            except Exception:
                _log.exception("a log could not be read")
                self._panel.forget()
            self.busy_s = time.thread_time() - started
            time.sleep(max(0.0, _LOOK_EVERY_S - (time.monotonic() - begun)))

    def step(self) -> None:
        """Looks at the latest picture once; what the thread does again and again.

        Raises:
            TextEngineError: there is no engine.
        """
        if self._engine is None:
            self._engine = self._make()
        while not self._closing and self._texts.recognise(self._engine):
            pass
        latest, self._latest = self._latest, None
        for lines in self._panel.read(self._engine, *latest) if latest is not None else ():
            self._tell(lines)
            if self._closing:
                return
        self._tell(self._panel.waited_for())

    def _tell(self, lines: list[LogLine]) -> None:
        for line in lines:
            fact = self._meaning(line)
            if fact is not None:
                self._lines.append(fact)


def _box(engine: TextEngine, picture: Picture) -> TextSeen:
    rows = rows_of(ink_of(strength_of(picture)))
    return engine.read(cut(picture, rows[0]) if rows else picture) if picture.size else NO_TEXT


def _words(engine: TextEngine, picture: Picture) -> tuple[TextSeen, ...]:
    places = sorted(words_in(picture), key=lambda box: -box.bottom)[:_MOST_WORDS]
    parts = (picture[box.y : box.bottom, box.x : box.right] for box in places)
    return tuple(engine.read(np.ascontiguousarray(part)) for part in parts)


def lower_priority() -> None:
    """Makes the calling thread give way to others, where the system lets it."""
    with suppress(Exception):
        if sys.platform == "win32":
            import ctypes  # noqa: PLC0415

            kernel: Any = ctypes.WinDLL("kernel32")
            kernel.GetCurrentThread.restype = ctypes.c_void_p
            kernel.SetThreadPriority(ctypes.c_void_p(kernel.GetCurrentThread()), -1)
        else:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICER)
