"""Words that are known by their pixels: letters are blocks here, told apart by how high they are."""

import numpy as np

from vision.text.engine import TextEngine, TextSeen
from vision.text.row_reader import RowReader
from vision.text.rows import Picture, Row, strength_of

_LETTERS = "abcdefgh0123456789"
_WIDE, _APART, _BLANK = 4, 1, 8
_FOOT = 30


class _Blocks(TextEngine):
    """Reads blocks as letters and keeps how wide the pictures were."""

    def __init__(self, sure: float = 1.0) -> None:
        self.sure, self.widths = sure, []

    def read(self, line: Picture) -> TextSeen:
        self.widths.append(line.shape[1])
        ink = strength_of(line) > 60
        starts = np.flatnonzero(np.diff(ink.any(axis=0).astype(int), prepend=0) == 1)
        text, at = "", []
        for number, start in enumerate(starts.tolist()):
            if number and start - starts[number - 1] > _BLANK:
                text += " "
                at.append((start - _BLANK / 2) / line.shape[1])
            text += _LETTERS[int(ink[:, start].sum()) - 8]
            at.append((start + _WIDE / 2) / line.shape[1])
        return TextSeen(text, (self.sure,) * len(text), tuple(at))


def _panel(text: str, left: int = 10) -> Picture:
    panel = np.full((40, 400, 3), 30, np.uint8)
    for letter in text:
        if letter == " ":
            left += _BLANK - _APART
            continue
        panel[_FOOT - 8 - _LETTERS.index(letter) : _FOOT, left : left + _WIDE] = 200
        left += _WIDE + _APART
    return panel


def _read(reader: RowReader, engine: TextEngine, panel: Picture) -> str:
    strength = strength_of(panel)
    lines, columns = np.flatnonzero((strength > 60).any(axis=1)), np.flatnonzero((strength > 60).any(axis=0))
    row = Row(int(lines[0]), int(lines[-1]) + 1, int(columns[0]), int(columns[-1]) + 1)
    return reader.read(engine, panel, row, strength[row.top : row.bottom, : row.right]).text


def _reader(log: bool = True) -> RowReader:
    return RowReader(lambda _: log)


def test_a_row_that_is_drawn_alike_is_recognised_once() -> None:
    reader, engine = _reader(), _Blocks()
    assert _read(reader, engine, _panel("abc defg hab")) == "abc defg hab"
    assert _read(reader, engine, _panel("abc defg hab")) == "abc defg hab"
    assert len(engine.widths) == 1


def test_only_what_comes_after_known_words_is_recognised() -> None:
    reader, engine = _reader(), _Blocks()
    _read(reader, engine, _panel("abc defg hab"))
    assert _read(reader, engine, _panel("abc defg ccc")) == "abc defg ccc"
    assert engine.widths[1] < engine.widths[0] / 2


def test_words_are_known_in_another_order_and_place() -> None:
    reader, engine = _reader(), _Blocks()
    _read(reader, engine, _panel("abc defg hab"))
    assert _read(reader, engine, _panel("hab abc defg abc", left=23)) == "hab abc defg abc"
    assert len(engine.widths) == 1


def test_a_word_that_differs_in_one_letter_is_another() -> None:
    reader, engine = _reader(), _Blocks()
    _read(reader, engine, _panel("abc defg"))
    assert _read(reader, engine, _panel("abd defg")) == "abd defg"
    assert len(engine.widths) == 2


def test_what_shines_through_the_panel_makes_no_other_word() -> None:
    reader, engine = _reader(), _Blocks()
    _read(reader, engine, _panel("abc defg"))
    dice = np.random.default_rng(2)
    shimmering = _panel("abc defg") + dice.integers(0, 9, (40, 400, 1)).astype(np.uint8)
    assert _read(reader, engine, shimmering) == "abc defg"
    assert len(engine.widths) == 1


def test_an_unsure_word_is_recognised_again_in_another_row() -> None:
    reader, engine = _reader(), _Blocks(sure=0.6)
    _read(reader, engine, _panel("abc defg"))
    _read(reader, engine, _panel("abc hab"))
    assert engine.widths[1] > 0.8 * engine.widths[0]


def test_a_number_of_a_line_that_is_none_of_the_log_is_not_taken_for_looked_at_twice() -> None:
    reader, engine = _reader(log=False), _Blocks()
    _read(reader, engine, _panel("abc 12"))
    assert _read(reader, engine, _panel("abc 12")) == "abc 12"
    assert len(engine.widths) == 2


class _Misled(_Blocks):
    """Reads another number when it first looks at one alone, and the right one the second time."""

    def read(self, line: Picture) -> TextSeen:
        seen = super().read(line)
        alone = {2: "9", 4: "12"}.get(len(self.widths))
        return seen if alone is None else TextSeen(alone, (1.0,) * len(alone))


def test_where_a_part_leaves_a_number_in_doubt_the_whole_row_is_recognised() -> None:
    reader, engine = _reader(), _Misled()
    _read(reader, _Blocks(), _panel("abc defg"))
    assert _read(reader, engine, _panel("abc 12")) == "abc 12"
    part, _, whole, _ = engine.widths
    assert whole > 1.5 * part
    assert _read(reader, engine, _panel("abc 12")) == "abc 12"
    assert len(engine.widths) == 4
