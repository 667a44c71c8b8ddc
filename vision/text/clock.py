"""The time before a line: read once a minute, since all lines of a minute begin with the same picture."""

from dataclasses import dataclass

import numpy as np

from vision.text.engine import TextSeen
from vision.text.follow import Ink, unlikeness
from vision.text.lines import stamp_length
from vision.text.rows import Row

_SAME = 0.12
_FAINT = 40


@dataclass(frozen=True, slots=True)
class Clock:
    """The time before a line.

    Attributes:
        seen: its text.
        ink: how it looks.
        end: the first column past it, in the panel.
    """

    seen: TextSeen
    ink: Ink
    end: int

    def stands_before(self, ink: Ink) -> bool:
        """Tells whether a row begins with the same time."""
        return ink.shape[1] > self.end and unlikeness(self.ink, ink[:, : self.end]) < _SAME

    def before(self, rest: TextSeen) -> TextSeen:
        """Returns the text of a row that begins with this time."""
        return TextSeen(self.seen.text + rest.text, self.seen.sure + rest.sure)


def clock_of(seen: TextSeen, row: Row, ink: Ink, picture: tuple[int, int]) -> Clock | None:
    """Returns the time that a row begins with, None where it has none or no gap after it.

    Args:
        seen: what was read of the whole row.
        row: where it lies.
        ink: how it looks, from the panel's left edge on.
        picture: the first column of the picture that was read, and its width.
    """
    length = stamp_length(seen.text)
    letters = len(seen.text[:length].rstrip())
    if not length or len(seen.at) <= length:
        return None
    first, last = (round(picture[0] + seen.at[at] * picture[1]) for at in (letters - 1, length))
    blank = ink[:, first:last].max(axis=0, initial=0) < _FAINT
    if not blank.any():
        return None
    runs = np.split(np.arange(len(blank)), np.flatnonzero(np.diff(blank.astype(np.int8))) + 1)
    gap = max((run for run in runs if blank[run[0]]), key=len)
    end = first + int(gap[len(gap) // 2])
    return Clock(TextSeen(seen.text[:length], seen.sure[:length]), ink[:, :end].copy(), end)
