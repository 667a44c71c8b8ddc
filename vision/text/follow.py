"""Follows a log: which of its rows are new since the last picture, so that each is recognised once.

What the panel has shown is kept as one long picture, the log unrolled. Each look is laid on it by the rows
that are the same there, pixel by pixel and without being read; what reaches below the last row told is new.
Where rows begin and end may be seen otherwise in each picture, so nothing depends on that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.text.rows import Picture, Row, ink_of, rows_of, strength_of

Ink = npt.NDArray[np.uint8]  # How strong the ink of a row is, from the panel's left edge on, 0..255

_KEPT = 5  # As many heights of the panel of what it has shown are kept
_SAME, _AGAINST, _LEAST = 0.17, 3.0, 0.06
"""Rows more unlike are others: one other digit makes 0.2 and more, JPEG of the same row 0.05."""
_COVERED, _AS_MANY = 0.75, 2
"""A row as unlike as that may be covered by something: it weighs as much as so many that are alike."""
_SHINE, _FAINTEST = 24, 0.12
"""What is no stronger than that shines through the panel; less than so much of a row's ink is none."""
_FARTHER = 0.05
"""What speaks against a place a whole panel away from the last one, for equal lines again and again."""
_OFF, _SAME_PLACE, _EDGES = 3, 2, (0.15, 0.3)


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a panel."""

    rows: tuple[Row, ...] = ()  # The rows of text that it shows, the uppermost first
    new: int = 0  # How many of them, the lowest, were not there before
    # Whether a row above those was known; where none was, lines may have been missed in between
    linked: bool = True
    inks: tuple[Ink, ...] = ()


@dataclass(slots=True)
class RowFollower:
    """Remembers what a panel has shown, the newest at the foot."""

    _log: Ink = field(default_factory=lambda: np.empty((0, 0), np.uint8))
    _tops: list[int] = field(default_factory=list)  # Where rows began in it
    _told: int = 0  # Where the last row that was told ends in it
    _at: int = 0  # Where the last picture began in it

    def look(self, panel: Picture) -> Look:
        """Takes in a picture of the panel (BGR or BGRA) and returns what is new in it."""
        strength = strength_of(panel)
        rows = rows_of(ink_of(strength))
        ink = np.asarray(cv2.subtract(strength, np.full_like(strength, _SHINE)), np.uint8)
        shown = tuple(strength[row.top : row.bottom, : row.right] for row in rows)
        if not rows:
            return Look((), 0, not self._tops)
        if self._log.shape[1] != ink.shape[1]:
            self.forget()
        at = self._place(ink, rows) if self._tops else None
        linked = at is not None or not self._tops
        if at is None:
            self.forget()
            at = 0
        count = sum(at + _middle(row) > self._told for row in rows)
        self._lay(ink, rows, at)
        return Look(tuple(rows), count, linked, shown)

    def forget(self) -> None:
        """Takes the next picture for the first one."""
        self._log, self._tops, self._told, self._at = np.empty((0, 0), np.uint8), [], 0, 0

    def _lay(self, ink: Ink, rows: Sequence[Row], at: int) -> None:
        """Puts a picture of the panel where it belongs in the log."""
        height, width = ink.shape
        end = max(len(self._log), at + height)
        log = np.zeros((end, width), np.uint8)
        if len(self._log):
            log[: len(self._log)] = self._log
        log[max(0, at) : at + height] = ink[max(0, -at) :]
        tops = [top for top in self._tops if not at <= top < at + height]
        tops = sorted([*tops, *(at + row.top for row in rows if at + row.top >= 0)])
        past = max(0, end - _KEPT * height)
        self._log, self._tops = log[past:], [top - past for top in tops if top >= past]
        self._told, self._at = max(self._told, at + rows[-1].bottom) - past, at - past

    def _place(self, ink: Ink, rows: Sequence[Row]) -> int | None:
        """Returns at which row of the log's pixels a picture of the panel begins, None where nowhere.

        It is tried wherever one of its rows would come upon one of the log, and where most rows are alike is
        its place; where as many are, the nearest to that of the picture before. Places above all that, where
        nothing is new, count only where there is none: the log was scrolled up.
        """
        apart: list[int] = []
        for at in sorted({top - row.top for top in self._tops for row in rows}):
            if not apart or at - apart[-1] > _SAME_PLACE:
                apart.append(at)
        level = self._told - rows[-1].bottom - _SAME_PLACE
        for tried in ([at for at in apart if at >= level], [at for at in apart[::-1] if at < level]):
            places = [(self._alike(ink, rows, at), at) for at in tried]
            likely = [place for place in places if place[0] >= _LEAST]
            if likely:
                height = len(ink)
                return max(likely, key=lambda place: place[0] - _FARTHER * abs(place[1] - self._at) / height)[
                    1
                ]
        return None

    def _alike(self, ink: Ink, rows: Sequence[Row], at: int) -> float:
        """Returns how much speaks for a place: each row that is alike for it, each other more against it."""
        known = [row for row in rows if at + row.top >= 0 and at + _middle(row) < self._told]
        for_it = 0.0
        for place, row in enumerate(known):
            unlike = self._unlike(ink, row, at)
            if unlike >= _COVERED:
                for_it -= _AS_MANY * _SAME
            else:
                for_it += (_SAME - unlike) * (1 if unlike <= _SAME else _AGAINST)
            if for_it + _SAME * (len(known) - place - 1) < _LEAST:
                break
        return for_it

    def _unlike(self, ink: Ink, row: Row, at: int) -> float:
        """Returns how unlike a row is what the log has at its place, a few pixels up or down.

        Neighbours' letters may reach into a row; where it is not the same its middle alone is compared.
        """
        height = row.bottom - row.top
        wide, least = row.right + height, 1.0
        for edge in (round(share * height) for share in _EDGES):
            first, last = row.top + edge, row.bottom - edge
            here: Ink = ink[first:last, :wide]
            places = range(max(0, at + first - _OFF), at + first + _OFF + 1)
            parts = [self._log[start : start + last - first, :wide] for start in places]
            parts = [part for part in parts if len(part) == last - first]
            if parts:
                nearest = min(parts, key=lambda part: cv2.norm(here, part, cv2.NORM_L1))
                least = min(least, _apart(here.astype(np.float32), nearest.astype(np.float32)))
            if least < _SAME:
                break
        return least


def _apart(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]) -> float:
    """Returns how unlike the least alike letters of two stretches of one size are, 0..1, by their squares."""
    letter = max(3, left.shape[0] // 2)
    if left.shape[1] < letter:
        return 1.0
    window = np.ones(letter)
    apart = np.convolve(((left - right) ** 2).sum(axis=0), window, "valid")
    both = np.convolve((left**2 + right**2).sum(axis=0), window, "valid")
    least = 2 * letter * left.shape[0] * (_FAINTEST * max(left.max(), right.max())) ** 2
    return float((apart / np.maximum(np.maximum(both, least), 1.0)).max())


def _middle(row: Row) -> int:
    return (row.top + row.bottom) // 2
