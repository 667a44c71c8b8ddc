"""Reads a log in a thread of its own at low priority: looks at the latest picture, recognises what is new.

The thread that takes the pictures hands them over and never waits. The log's window is looked for once; then
its pixels are compared, its rows counted, and each new row recognised once. Names in boxes (over a fighter,
on a card) are recognised on demand and remembered by their key.
"""

import logging
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from difflib import SequenceMatcher
from typing import Any, Generic, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame, Rect
from vision.text.engine import NO_TEXT, TextEngine, TextEngineError, TextSeen
from vision.text.follow import RowFollower
from vision.text.lines import LineJoiner, LogLine, RowText
from vision.text.panel import find_panels, words_in
from vision.text.row_reader import RowReader
from vision.text.rows import cut, ink_of, rows_of, strength_of

_log = logging.getLogger(__name__)
Picture = npt.NDArray[np.uint8]
IsLog = Callable[[str], bool]

_LOOK_EVERY_S = 0.1
SEARCH_EVERY_S = (2.0, 45.0)
_CANDIDATES, _TRIED = 6, 3
_WAITS_NS = 350_000_000  # How long a line that may go on in the next row is waited for
_KEPT_NAMES, _KEPT_LINES, _KEPT_TEXTS = 200, 400, 60
_MOST_WORDS = 12  # As many stretches of text are read in a part of a HUD, the lowest first
_LEAST = (60, 24)
_NICER = 5
_APART, _FEW_LETTERS = 40, 60
_ENDS_S = 10.0  # How long a row that is being read at the end is waited for
_SAME_TEXT, _ONE_SLIP_IN = 0.86, 4
_LIKE_DIGITS = str.maketrans("oOlI|", "00111")
_BLANK_ROWS = 40  # After so many looks at a panel without any row it is looked for anew


Told = TypeVar("Told")


class LogReader(Generic[Told]):
    """Reads the lines of one log.

    Args:
        is_log: tells whether a line is one of a fight's log; the window that has such lines is the log.
        meaning: turns a line into what `take` returns, None for a line without meaning; called by the
            reader's own thread.
        engine: makes the engine, in the reader's own thread; the one in the wheel if left out.
        search_every_s: how long the log is not looked for after it was not found: at first, and at most.

    Attributes:
        problem: why no text can be read, words for a person; "" while it can.
        busy_s: processor time that the reader's thread has taken.
    """

    def __init__(
        self,
        is_log: IsLog,
        meaning: Callable[[LogLine], Told | None],
        engine: Callable[[], TextEngine] = TextEngine,
        search_every_s: tuple[float, float] = SEARCH_EVERY_S,
    ) -> None:
        self.problem = ""
        self.busy_s = 0.0
        self._is_log, self._meaning = is_log, meaning
        self._make = engine
        self._engine: TextEngine | None = None
        self._latest: tuple[Frame, Rect] | None = None
        self._wake, self._closing = threading.Event(), False
        self._lines: deque[Told] = deque(maxlen=_KEPT_LINES)
        self._asked: OrderedDict[str, tuple[Picture, bool]] = OrderedDict()
        self._names: OrderedDict[str, tuple[TextSeen, ...]] = OrderedDict()
        self._panel: Rect | None = None
        self._size: tuple[int, ...] = ()
        self._before: Picture | None = None
        self._rows, self._joiner = RowFollower(), LineJoiner(is_log)
        self._row_reader = RowReader(is_log)
        self._texts: deque[str] = deque(maxlen=_KEPT_TEXTS)
        self._first, self._blank = True, 0
        self._working = False
        self._search_every_s = search_every_s
        self._search_at, self._pause_s = 0.0, search_every_s[0]
        self._open_since = 0
        self._thread: threading.Thread | None = None

    @property
    def panel(self) -> Rect | None:
        """Where the log lies in the picture, None where it was not found."""
        return self._panel

    @property
    def follows(self) -> bool:
        """Whether the log was found and what stood in it then has been read; what comes now is new."""
        return self._panel is not None and not self._first

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
        panel, before = self._panel, self._before
        if self._working:
            return True
        if panel is None or before is None or self._size != frame.pixels.shape:
            return False
        return has_changed(before, _crop(frame.pixels, panel))

    def name(self, key: str, picture: Picture) -> TextSeen | None:
        """Returns the text in a box; None while it is yet to be recognised.

        Args:
            key: tells this box's look from others, such as a signature.
            picture: the box's pixels, BGR or BGRA; copied where the text is not known yet.
        """
        known = self._texts_of(key, picture, several=False)
        return known[0] if known else None

    def words(self, key: str, picture: Picture) -> tuple[TextSeen, ...] | None:
        """Returns the stretches of text in a part of a HUD; None while they are yet to be recognised.

        Args:
            picture: its pixels, BGR or BGRA; copied where the text is not known yet.
        """
        return self._texts_of(key, picture, several=True)

    def _texts_of(self, key: str, picture: Picture, *, several: bool) -> tuple[TextSeen, ...] | None:
        known = self._names.get(key)
        if known is None and key not in self._asked and len(self._asked) < _CANDIDATES:
            self._asked[key] = picture[..., :3].copy(), several
            self._wake.set()
        return known

    def forget(self) -> None:
        """Takes the next picture for the first one of another window."""
        self._size = ()

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
                self._size = ()
            self.busy_s = time.thread_time() - started
            time.sleep(max(0.0, _LOOK_EVERY_S - (time.monotonic() - begun)))

    def step(self) -> None:
        """Looks at the latest picture once; what the thread does again and again.

        Raises:
            TextEngineError: there is no engine.
        """
        if self._engine is None:
            self._engine = self._make()
        while self._asked and not self._closing:
            key, (picture, several) = next(iter(self._asked.items()))
            self._names[key] = self._words(picture) if several else (self._box(picture),)
            del self._asked[key]
            while len(self._names) > _KEPT_NAMES:
                self._names.popitem(last=False)
        latest, self._latest = self._latest, None
        if latest is not None:
            self._look(*latest)
        if self._joiner.waits and time.monotonic_ns() - self._open_since > _WAITS_NS:
            self._tell(self._joiner.flush())

    def _look(self, frame: Frame, client: Rect) -> None:
        pixels = frame.pixels
        if self._size != pixels.shape:
            self._start_anew(pixels.shape)
        if self._panel is None:
            self._search(pixels, client)
            if self._panel is None:
                return
        part = _crop(pixels, self._panel)
        if self._before is not None and not has_changed(self._before, part):
            return
        self._working = True
        try:
            self._take_in(part, frame)
        finally:
            self._working = False

    def _take_in(self, part: Picture, frame: Frame) -> None:
        assert self._engine is not None
        pixels, engine = frame.pixels, self._engine
        self._before = part.copy()
        look = self._rows.look(part)
        self._blank = 0 if look.rows else self._blank + 1
        if self._blank > _BLANK_ROWS:
            self._start_anew(pixels.shape)
            return
        known = len(look.rows) - look.new
        fresh, linked = list(zip(look.rows, look.inks, strict=True))[known:], look.linked or self._first
        if not linked:
            again = [self._row_reader.read(engine, part, row, ink).text for row, ink in fresh]
            seen_before = overlap(list(self._texts), again)
            fresh, linked = fresh[seen_before:], seen_before > 0
        for row, ink in fresh:
            seen = self._row_reader.read(engine, part, row, ink)
            self._texts.append(seen.text)
            now = time.monotonic_ns()
            text = RowText(seen, row.right / part.shape[1], frame.captured_ns, now, self._first, linked)
            self._tell(self._joiner.add(text))
            self._open_since = now
            if self._closing:
                return
        self._first = False

    def _tell(self, lines: list[LogLine]) -> None:
        for line in lines:
            told = self._meaning(line)
            if told is not None:
                self._lines.append(told)

    def _start_anew(self, size: tuple[int, ...]) -> None:
        self._size, self._panel, self._before = size, None, None
        self._rows.forget()
        self._joiner = LineJoiner(self._is_log)
        self._texts.clear()
        self._first, self._blank = True, 0
        self._search_at, self._pause_s = 0.0, self._search_every_s[0]

    def _search(self, pixels: Picture, client: Rect) -> None:
        """Looks for the window of text that has a log's lines, ever less often while there is none."""
        now = time.monotonic()
        if now < self._search_at:
            return
        for box in find_panels(pixels, client)[:_CANDIDATES]:
            if box.width < _LEAST[0] or box.height < _LEAST[1]:
                continue
            part = _crop(pixels, box)
            if self._has_log_line(part):
                self._panel = box
                self._pause_s = self._search_every_s[0]
                return
        self._search_at = now + self._pause_s
        self._pause_s = min(self._search_every_s[1], 2 * self._pause_s)

    def _has_log_line(self, part: Picture) -> bool:
        assert self._engine is not None
        strength, below = strength_of(part), ""
        for row in reversed(rows_of(ink_of(strength))[-_TRIED:]):
            ink = strength[row.top : row.bottom, : row.right]
            text = self._row_reader.read(self._engine, part, row, ink).text
            if self._is_log(text) or (below and self._is_log(f"{text} {below}")):
                return True
            below = text
        return False

    def _box(self, picture: Picture) -> TextSeen:
        assert self._engine is not None
        rows = rows_of(ink_of(strength_of(picture)))
        return self._engine.read(cut(picture, rows[0]) if rows else picture) if picture.size else NO_TEXT

    def _words(self, picture: Picture) -> tuple[TextSeen, ...]:
        assert self._engine is not None
        places = sorted(words_in(picture), key=lambda box: -box.bottom)[:_MOST_WORDS]
        return tuple(self._engine.read(np.ascontiguousarray(_crop(picture, box))) for box in places)


def overlap(before: list[str], now: list[str]) -> int:
    """Returns how many of the first of some rows are the last of those before, a letter's slip aside.

    Of several rows, one in four may have another number: a digit is read otherwise now and then.
    """
    for count in range(min(len(before), len(now)), 0, -1):
        pairs = list(zip(before[len(before) - count :], now[:count], strict=True))
        alike = all(SequenceMatcher(None, *pair).ratio() >= _SAME_TEXT for pair in pairs)
        if alike and sum(not _same_numbers(*pair) for pair in pairs) <= count // _ONE_SLIP_IN:
            return count
    return 0


def _same_numbers(one: str, other: str) -> bool:
    """Tells whether two readings of a row have the same digits, what looks like a digit counted as one."""
    return any(
        [letter for letter in one.translate(table) if letter.isdigit()]
        == [letter for letter in other.translate(table) if letter.isdigit()]
        for table in ({}, _LIKE_DIGITS)
    )


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


def has_changed(before: Picture, now: Picture) -> bool:
    """Tells whether as much of a panel has changed as letters take; what shines through does not count."""
    if before.shape != now.shape:
        return True
    if cv2.norm(before, now, cv2.NORM_INF) <= _APART:
        return False
    return int(np.count_nonzero(cv2.absdiff(before, now) > _APART)) >= _FEW_LETTERS


def _crop(pixels: Picture, box: Rect) -> Picture:
    return pixels[box.y : box.bottom, box.x : box.right]
