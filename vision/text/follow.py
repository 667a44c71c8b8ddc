"""Follows a log: which of its rows are new since the last picture, so that each is recognised once.

Rows are compared by their ink, without being read. A log shows its last rows only: what is below the longest
run of rows known from before is new.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.text.rows import Picture, Row, ink_of, rows_of, strength_of

Ink = npt.NDArray[np.uint8]
"""How strong the ink of a row is, from the panel's left edge on, 0..255."""

_KEPT = 80
_UNLIKE, _POSSIBLE, _ENOUGH, _CLEARLY = 0.3, 0.55, 3, 0.06
_FAINT, _ANY_INK, _SURELY = 0.3, 120.0, 0.1
_TALLER, _WIDER = 8, 3
_SHIFTS = (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6)


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a panel.

    Attributes:
        rows: the rows of text that it shows, the uppermost first.
        new: how many of them, the lowest, were not there before.
        linked: whether a row above those was known; where none was, lines may have been missed in between.
        inks: of the rows.
    """

    rows: tuple[Row, ...] = ()
    new: int = 0
    linked: bool = True
    inks: tuple[Ink, ...] = ()


@dataclass(slots=True)
class RowFollower:
    """Remembers the rows that a panel has shown, newest last."""

    _known: list[Ink] = field(default_factory=list)

    def look(self, panel: Picture) -> Look:
        """Takes in a picture of the panel (BGR or BGRA) and returns what is new in it."""
        strength = strength_of(panel)
        rows = rows_of(ink_of(strength))
        shown = [strength[row.top : row.bottom, : row.right] for row in rows]
        count, linked = self._unseen(shown)
        if count:
            self._known = [*self._known, *(one.copy() for one in shown[len(shown) - count :])][-_KEPT:]
        return Look(tuple(rows), count, linked, tuple(shown))

    def forget(self) -> None:
        """Takes the next picture for the first one."""
        self._known = []

    def _unseen(self, shown: Sequence[Ink]) -> tuple[int, bool]:
        """Returns how many of the rows shown are new, and whether those above them are known.

        The rows shown are laid beside the last of those known, at every place. Where they are alike at
        several, that with the most rows counts, if they are not clearly more alike at another. Else they may
        be all of earlier ones: the log was scrolled up, and nothing is new.
        """
        known = self._known
        if not shown or not known:
            return len(shown), not known
        apart: dict[tuple[int, int], float] = {}

        def unlike(old: int, new: int) -> float:
            if (old, new) not in apart:
                apart[old, new] = unlikeness(known[old], shown[new])
            return apart[old, new]

        end = len(known) - len(shown)
        for places in (range(max(end, 1 - len(shown)), len(known)), range(end - 1, -1, -1)):
            best, least = None, 1.0
            for start in places:
                rows = [(old, old - start) for old in range(len(known)) if 0 <= old - start < len(shown)]
                far = _far(unlike(*pair) for pair in rows)
                if far < least - _CLEARLY:
                    best, least = start, far
            if best is not None:
                return max(0, best - end), True
        return len(shown), False


def _far(rows: Iterator[float]) -> float:
    """Returns how unlike rows are on the whole, 1 where they are not the same; it stops at the first such."""
    found = []
    for one in rows:
        if one >= _POSSIBLE:
            return 1.0
        found.append(one)
    usual = float(np.median(found)) if found else 1.0
    doubtful = sum(one >= _UNLIKE for one in found)
    return 1.0 if usual >= _UNLIKE or (doubtful and len(found) < _ENOUGH) else float(np.mean(found))


def unlikeness(one: Ink, other: Ink) -> float:
    """Returns how unlike two rows of ink are, from the panel's left edge on: 0 for the same text, up to 1.

    They are compared letter by letter, so that a row that differs in one digit is another row. Where a row's
    first and last line of pixels lie depends on its neighbours, so they may be some pixels apart.
    """
    if abs(one.shape[0] - other.shape[0]) > _TALLER or abs(one.shape[1] - other.shape[1]) > _WIDER:
        return 1.0
    height, width = max(one.shape[0], other.shape[0]), max(one.shape[1], other.shape[1])
    first, second = _placed(one, height, width), _placed(other, height, width)
    straight = _unlike(first, second)
    if straight < _SURELY:
        return straight
    shift = min(_SHIFTS, key=lambda by: float(np.abs(first - np.roll(second, by, axis=0)).sum()))
    return _unlike(first, np.roll(second, shift, axis=0)) if shift else straight


def _placed(ink: Ink, height: int, width: int) -> npt.NDArray[np.float32]:
    whole = np.zeros((height + 2 * _TALLER, width), np.float32)
    whole[_TALLER : _TALLER + ink.shape[0], : ink.shape[1]] = ink
    whole[whole < _FAINT * whole.max(initial=1)] = 0
    return whole


def _unlike(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """Returns how unlike the least alike letters of two rows are, 0..1.

    Lines of pixels that only one of them has ink in are left out: those are the neighbours'.
    """
    rows = one.any(axis=1) & other.any(axis=1)
    letter = max(3, int(np.count_nonzero(rows)) // 2)
    if one.shape[1] < letter or not rows.any():
        return 1.0
    apart, both = np.abs(one - other)[rows].sum(axis=0), np.maximum(one, other)[rows].sum(axis=0)
    window = np.ones(letter)
    differing, there = np.convolve(apart, window, "valid"), np.convolve(both, window, "valid")
    return float((differing / np.maximum(there, _ANY_INK * letter)).max())
