"""Words that were read before: known again by their pixels, so that only the rest of a row is recognised.

A log says the same names, spells and times again and again, and draws them alike.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.text.engine import TextSeen
from vision.text.follow import Ink

_FAINT = 40
_GAP, _LEAST_GAP, _NARROW = 0.2, 2, 0.25
"""Words are so far apart, in the row's height and in pixels; what is narrower is a mark after a word."""
_ALIKE = 24  # How much a pixel's strength may differ in the same word: what shines through a panel does
_LEAST_SURE, _LEAST_LETTERS = 0.9, 2
_MOST_PARTS = 6  # Letters far apart make several parts of a word; so many are tried as one
_BEYOND, _TALL = 0.25, 0.4
"""Letters lie no further out of their word; lower stretches are dots and dashes: in the row's height."""
_KEPT = 1000


class Word(NamedTuple):
    """Where a stretch of a row's ink lies: its first column and the one past its last."""

    left: int
    right: int


def words_of(ink: Ink, start: int = 0) -> list[Word]:
    """Returns a row's words from left to right; one whose letters are far apart may be several.

    Args:
        ink: how strong the row's ink is, 0..255, shape (height, width).
        start: the first column that counts.
    """
    height = len(ink)
    columns = start + np.flatnonzero(ink[:, start:].max(axis=0, initial=0) >= _FAINT)
    if not columns.size:
        return []
    ends = np.flatnonzero(np.diff(columns) > max(_LEAST_GAP, _GAP * height))
    lefts, rights = columns[[0, *(ends + 1)]], columns[[*ends, -1]] + 1
    words: list[Word] = []
    for left, right in zip(lefts.tolist(), rights.tolist(), strict=True):
        if words and right - left < _NARROW * height:
            words[-1] = words[-1]._replace(right=right)
        else:
            words.append(Word(left, right))
    return words


class KnownWords:
    """Remembers words by their pixels."""

    def __init__(self) -> None:
        self._by_size: dict[tuple[int, ...], list[tuple[Ink, TextSeen]]] = {}
        self._count = 0

    def begin(self, ink: Ink, words: list[Word]) -> tuple[list[TextSeen], int]:
        """Returns the texts of known words that a row begins with, and how many of its words they take."""
        texts: list[TextSeen] = []
        place = 0
        while place < len(words):
            ends = range(min(place + _MOST_PARTS, len(words)), place, -1)
            for end in dict.fromkeys((len(words), *ends)):
                seen = self._find(ink, Word(words[place].left, words[end - 1].right))
                if seen is not None:
                    texts.append(seen)
                    place = end
                    break
            else:
                break
        return texts, place

    def _find(self, ink: Ink, word: Word) -> TextSeen | None:
        look = _look(ink, word)
        for known, seen in self._by_size.get(look.shape, ()):
            if cv2.norm(known, look, cv2.NORM_INF) <= _ALIKE:
                return seen
        return None

    def learn(
        self, ink: Ink, words: list[Word], seen: TextSeen, picture: tuple[int, int], *, numbers: bool
    ) -> None:
        """Remembers a stretch as a whole, and its words that a blank and a gap set off from the others.

        Args:
            picture: the first column of the picture that was read, and its width.
            numbers: whether words with digits count too.
        """
        if len(seen.at) != len(seen.text) or not words:
            return
        if numbers or not any(map(str.isdigit, seen.text)):
            look = _look(ink, Word(words[0].left, words[-1].right))
            if len(look) > _TALL * len(ink):
                self._add(look, seen)
        at = [picture[0] + share * picture[1] for share in seen.at]
        first, begun = 0, 0
        for number, (word, after) in enumerate(zip(words, [*words[1:], None], strict=True)):
            end = len(at)
            if after is not None:
                end = int(np.searchsorted(at, (word.right + after.left) / 2))
                if not seen.text[max(0, end - 1) : end + 1].count(" "):
                    continue
            self._keep(ink, Word(words[first].left, word.right), seen, at, (begun, end), numbers=numbers)
            first, begun = number + 1, end

    def _keep(
        self, ink: Ink, word: Word, seen: TextSeen, at: list[float], span: tuple[int, int], *, numbers: bool
    ) -> None:
        begin, end = span
        while begin < end and seen.text[begin] == " ":
            begin += 1
        while begin < end and seen.text[end - 1] == " ":
            end -= 1
        text = seen.text[begin:end]
        beyond = _BEYOND * len(ink)
        if (
            seen.least(begin, end) < _LEAST_SURE
            or sum(map(str.isalnum, text)) < _LEAST_LETTERS
            or (not numbers and any(map(str.isdigit, text)))
            or not word.left - beyond <= at[begin] <= at[end - 1] <= word.right + beyond
        ):
            return
        self._add(_look(ink, word), TextSeen(text, seen.sure[begin:end]))

    def _add(self, look: Ink, seen: TextSeen) -> None:
        if self._count >= _KEPT:
            self._by_size.clear()
            self._count = 0
        self._by_size.setdefault(look.shape, []).append((look.copy(), seen))
        self._count += 1


def joined(parts: list[TextSeen]) -> TextSeen:
    parts = [part for part in parts if part.text]
    text = " ".join(part.text for part in parts)
    sure = [sureness for part in parts for sureness in (*part.sure, 1.0)]
    return TextSeen(text, tuple(sure[:-1]))


def _look(ink: Ink, word: Word) -> Ink:
    """Returns a word's pixels without blank lines above and below."""
    part = ink[:, word.left : word.right]
    lines = np.flatnonzero(part.max(axis=1, initial=0) >= _FAINT)
    return part[lines[0] : lines[-1] + 1]
