"""Reads a row of the log: known words that it begins with by their pixels, the rest by recognition."""

from collections.abc import Callable

from vision.text.engine import TextEngine, TextSeen, doubted
from vision.text.follow import Ink
from vision.text.known import KnownWords, joined, words_of
from vision.text.lines import stamp_length
from vision.text.rows import Picture, Row, cut, left_of


class RowReader:
    """Reads rows; what stands before the first word that is new is not recognised again.

    Args:
        is_log: tells whether a text is a line of a fight's log; numbers in others are not looked at twice.
    """

    def __init__(self, is_log: Callable[[str], bool]) -> None:
        self._is_log = is_log
        self._known = KnownWords()

    def read(self, engine: TextEngine, panel: Picture, row: Row, ink: Ink) -> TextSeen:
        """Returns the text of a row.

        Args:
            engine: recognises what is not known.
            panel: BGR or BGRA.
            row: where it lies in the panel.
            ink: how strong its ink is, from the panel's left edge on.
        """
        words = words_of(ink, left_of(row))
        before, count = self._known.begin(ink, words)
        if words and count == len(words):
            return joined(before)
        least = 0
        if count:
            least = (words[count - 1].right + words[count].left + 1) // 2
            row = row._replace(left=words[count].left)
        picture = cut(panel, row, least)
        seen = engine.read(picture)
        text = joined([*before, seen]).text
        start = stamp_length(text)
        told = self._is_log(text[start:])
        if told:
            seen = doubted(engine, picture, seen, max(0, start - len(text) + len(seen.text)))
        first = max(least, left_of(row))
        self._known.learn(ink, words[count:], seen, (first, picture.shape[1]), numbers=told)
        return joined([*before, seen])
