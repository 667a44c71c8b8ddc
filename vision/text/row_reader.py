"""Reads a row of the log: known words that it begins with by their pixels, the rest by recognition."""

from collections.abc import Callable

from vision.text.engine import TextEngine, TextSeen, doubted
from vision.text.follow import Ink
from vision.text.known import KnownWords, Word, joined, words_of
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
            ink: how strong its ink is, from the panel's left edge on.
        """
        words = words_of(ink, left_of(row))
        before, count = self._known.begin(ink, words)
        if words and count == len(words):
            return joined(before)
        if before:
            seen = self._recognise(engine, panel, row, ink, words, before, count)
            if 0.0 not in seen.sure:
                return seen  # else a number is in doubt, which the whole row may settle
        return self._recognise(engine, panel, row, ink, words, [], 0)

    def _recognise(
        self,
        engine: TextEngine,
        panel: Picture,
        row: Row,
        ink: Ink,
        words: list[Word],
        before: list[TextSeen],
        count: int,
    ) -> TextSeen:
        least = 0
        if count:
            least = (words[count - 1].right + words[count].left + 1) // 2
            row = row._replace(left=words[count].left)
        picture = cut(panel, row, least)
        seen = engine.read(picture)
        text = joined([*before, seen]).text
        start = stamp_length(text)
        text_seen = self._is_log(text[start:])
        if text_seen:
            seen = doubted(engine, picture, seen, max(0, start - len(text) + len(seen.text)))
        if not before or 0.0 not in seen.sure:
            columns = max(least, left_of(row)), picture.shape[1]
            self._known.learn(ink, words[count:], seen, columns, numbers=text_seen)
        return joined([*before, seen])
