"""Joins a log's rows to lines: a long line goes on in the next row.

Where the log shows the time, a row without it goes on; elsewhere one after a row that is full and has no end.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from vision.text.engine import TextSeen

_STAMP = re.compile(r"^\W{0,3}\d{0,2}[:;.]?\d{2}[\]\)1Il|]\s*")
_WHOLE_STAMP = re.compile(r"^[\[\(]?\d{1,2}[:;.]\d{2}(?:[:;.]\d{2})?[\]\)1Il|]\s*")
_END = re.compile(r"[.!?…)\]]\s*$")
_FULL = 0.62
_MOST_ROWS = 4


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log, without its time."""

    text: str  # The characters, a blank where two rows were joined
    sure: tuple[float, ...]  # Confidence in each of them, 0..1
    captured_ns: int = 0  # When the picture was taken that first showed it
    read_ns: int = 0  # When it had been recognised, by the same clock
    old: bool = False  # Whether it was there when the log was first looked at: of what happened before
    linked: bool = True  # Whether the lines before it are known; False where some may have been missed


@dataclass(frozen=True, slots=True)
class RowText:
    """A row as recognised, and which share of the panel's width it takes."""

    seen: TextSeen
    share: float
    captured_ns: int = 0
    read_ns: int = 0
    old: bool = False
    linked: bool = True


class LineJoiner:
    """Takes rows in the order of the log and returns lines; the last one waits until it is whole."""

    def __init__(self, is_log: Callable[[str], bool] = lambda _: False) -> None:
        """Begins without a line.

        Args:
            is_log: tells whether a text is a whole line of a log.
        """
        self._is_log = is_log
        self._open: LogLine | None = None
        self._rows = 0
        self._full = False

    @property
    def waits(self) -> bool:
        """Whether a line may go on in a row that is yet to come."""
        return self._open is not None

    def add(self, row: RowText) -> list[LogLine]:
        """Returns the lines that are whole with this row."""
        stamp = stamp_length(row.seen.text)
        done: list[LogLine] = []
        text, sure = row.seen.text[stamp:], row.seen.sure[stamp:]
        if self._open is not None and not self._goes_on(stamp > 0, text):
            done += self.flush()
        if self._open is None:
            self._open = LogLine(text, sure, row.captured_ns, row.read_ns, row.old, row.linked)
            self._rows = 1
        else:
            joined = replace(self._open, text=f"{self._open.text} {text}", read_ns=row.read_ns)
            self._open = replace(joined, sure=(*self._open.sure, 1.0, *sure))
            self._rows += 1
        self._full = row.share >= _FULL
        if _END.search(text) or not self._full:
            done += self.flush()
        return done

    def flush(self) -> list[LogLine]:
        """Returns the line that waits, as it is."""
        line, self._open = self._open, None
        return [line] if line is not None and line.text.strip() else []

    def _goes_on(self, stamped: bool, text: str) -> bool:
        """Tells whether a row belongs to the line before it; after a whole line, none that is whole does."""
        if stamped or not self._full or self._rows >= _MOST_ROWS or self._open is None:
            return False
        whole = ":" in self._open.text or self._is_log(self._open.text)
        return not (whole and self._is_log(text))


def stamp_length(text: str) -> int:
    stamp = _WHOLE_STAMP.match(text) or _STAMP.match(text)
    return stamp.end() if stamp is not None else 0
