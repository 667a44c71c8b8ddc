"""The log's panel: found by its lines once, then each new row of it is recognised once.

Its pixels are compared with those of the picture before, its rows counted (`follow`), rows joined to lines.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

import cv2
import numpy as np

from vision.frame import Frame, Rect
from vision.text.engine import TextEngine
from vision.text.follow import RowFollower
from vision.text.lines import LineJoiner, LogLine, RowText
from vision.text.panel import find_panels
from vision.text.row_reader import RowReader
from vision.text.rows import Picture, ink_of, rows_of, strength_of

_CANDIDATES, _TRIED = 6, 3  # Windows of text that are looked at, and rows of each, from the foot
_WAITS_NS = 350_000_000  # How long a line that may go on in the next row is waited for
_KEPT_TEXTS = 60
_LEAST = (60, 24)
_APART, _FEW_LETTERS = 40, 60
_SAME_TEXT, _ONE_SLIP_IN = 0.86, 4
_LIKE_DIGITS = str.maketrans("oOlI|", "00111")
_BLANK_ROWS = 40  # After so many looks at a panel without any row it is looked for anew


class LogPanel:
    """Finds the panel and reads it, picture by picture.

    Args:
        is_log: tells whether a line is one of a fight's log; the window that has such lines is the log.
        search_every_s: how long it is not looked for after it was not found: at first, and at most.

    Attributes:
        box: where it lies in the picture, None where it was not found.
        works: whether a picture is being read.
    """

    def __init__(self, is_log: Callable[[str], bool], search_every_s: tuple[float, float]) -> None:
        self._is_log, self._search_every_s = is_log, search_every_s
        self._row_reader, self._rows = RowReader(is_log), RowFollower()
        self._texts: deque[str] = deque(maxlen=_KEPT_TEXTS)
        self._open_since = 0
        self.works = False
        self.box: Rect | None
        self._before: Picture | None
        self._size: tuple[int, ...]
        self._first, self._blank = True, 0
        self._start_anew(())

    @property
    def follows(self) -> bool:
        """Whether what stood in it when it was found has been read; what comes now is new."""
        return self.box is not None and not self._first

    def forget(self) -> None:
        """Takes the next picture for the first one of another window."""
        self._size = ()

    def shows_more(self, frame: Frame) -> bool:
        """Tells whether a picture shows what has not been recognised yet; takes a tenth of a ms."""
        box, before = self.box, self._before
        if self.works:
            return True
        if box is None or before is None or self._size != frame.pixels.shape:
            return False
        return has_changed(before, frame.pixels[box.y : box.bottom, box.x : box.right])

    def read(self, engine: TextEngine, frame: Frame, client: Rect) -> Iterator[list[LogLine]]:
        """Reads a picture; yields, after each new row, the lines that are whole with it."""
        pixels = frame.pixels
        if self._size != pixels.shape:
            self._start_anew(pixels.shape)
        if self.box is None:
            self._search(engine, pixels, client)
        box = self.box
        if box is None:
            return
        part = pixels[box.y : box.bottom, box.x : box.right]
        if self._before is not None and not has_changed(self._before, part):
            return
        self.works = True
        try:
            yield from self._take_in(engine, part, frame)
        finally:
            self.works = False

    def waited_for(self) -> list[LogLine]:
        """Returns the line that might have gone on in another row, once none has come for a while."""
        late = self._joiner.waits and time.monotonic_ns() - self._open_since > _WAITS_NS
        return self._joiner.flush() if late else []

    def _take_in(self, engine: TextEngine, part: Picture, frame: Frame) -> Iterator[list[LogLine]]:
        self._before = part.copy()
        look = self._rows.look(part)
        self._blank = 0 if look.rows else self._blank + 1
        if self._blank > _BLANK_ROWS:
            self._start_anew(frame.pixels.shape)
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
            self._open_since = now = time.monotonic_ns()
            text = RowText(seen, row.right / part.shape[1], frame.captured_ns, now, self._first, linked)
            yield self._joiner.add(text)
        self._first = False

    def _start_anew(self, size: tuple[int, ...]) -> None:
        self._size = size
        self.box = self._before = None
        self._rows.forget()
        self._joiner = LineJoiner(self._is_log)
        self._texts.clear()
        self._first, self._blank = True, 0
        self._search_at, self._pause_s = 0.0, self._search_every_s[0]

    def _search(self, engine: TextEngine, pixels: Picture, client: Rect) -> None:
        """Looks for the window of text that has a log's lines, ever less often while there is none."""
        now = time.monotonic()
        if now < self._search_at:
            return
        for box in find_panels(pixels, client)[:_CANDIDATES]:
            part = pixels[box.y : box.bottom, box.x : box.right]
            wide = box.width >= _LEAST[0] and box.height >= _LEAST[1]
            if wide and self._has_log_line(engine, part):
                self.box = box
                self._pause_s = self._search_every_s[0]
                return
        self._search_at = now + self._pause_s
        self._pause_s = min(self._search_every_s[1], 2 * self._pause_s)

    def _has_log_line(self, engine: TextEngine, part: Picture) -> bool:
        strength, below = strength_of(part), ""
        for row in reversed(rows_of(ink_of(strength))[-_TRIED:]):
            ink = strength[row.top : row.bottom, : row.right]
            text = self._row_reader.read(engine, part, row, ink).text
            if self._is_log(text) or (below and self._is_log(f"{text} {below}")):
                return True
            below = text
        return False


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


def _same_numbers(first: str, second: str) -> bool:
    """Tells whether two readings of a row have the same digits, what looks like a digit counted as one."""
    return any(
        [letter for letter in first.translate(table) if letter.isdigit()]
        == [letter for letter in second.translate(table) if letter.isdigit()]
        for table in ({}, _LIKE_DIGITS)
    )


def has_changed(before: Picture, now: Picture) -> bool:
    """Tells whether as much of a panel has changed as letters take; what shines through does not count."""
    if before.shape != now.shape:
        return True
    if cv2.norm(before, now, cv2.NORM_INF) <= _APART:
        return False
    return int(np.count_nonzero(cv2.absdiff(before, now) > _APART)) >= _FEW_LETTERS
