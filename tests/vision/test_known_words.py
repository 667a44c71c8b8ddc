"""Words that are known by their pixels: letters are blocks here, told apart by how high they are."""

import numpy as np
import pytest

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


@pytest.mark.parametrize(
    ("first", "then", "left", "sure", "log", "share"),
    [
        ("abc defg hab", "abc defg hab", 10, 1.0, True, (0.0, 0.0)),
        ("abc defg hab", "hab abc defg abc", 23, 1.0, True, (0.0, 0.0)),
        ("abc defg hab", "abc defg ccc", 10, 1.0, True, (0.1, 0.5)),
        ("abc defg", "abd defg", 10, 1.0, True, (0.1, 2.0)),
        ("abc defg", "abc hab", 10, 0.6, True, (0.8, 2.0)),
        ("abc 12", "abc 12", 10, 1.0, False, (0.1, 2.0)),
    ],
    ids=["drawn alike", "elsewhere", "what comes after", "another letter", "unsure", "none of the log"],
)
def test_only_what_is_not_known_for_sure_is_recognised(first, then, left, sure, log, share) -> None:
    reader, engine = _reader(log), _Blocks(sure)
    _read(reader, engine, _panel(first))
    assert _read(reader, engine, _panel(then, left)) == then
    whole, *again = engine.widths
    assert len(again) <= 1 and share[0] <= sum(again) / whole <= share[1]


def test_what_shines_through_the_panel_makes_no_other_word() -> None:
    reader, engine = _reader(), _Blocks()
    _read(reader, engine, _panel("abc defg"))
    dice = np.random.default_rng(2)
    shimmering = _panel("abc defg") + dice.integers(0, 9, (40, 400, 1)).astype(np.uint8)
    assert _read(reader, engine, shimmering) == "abc defg"
    assert len(engine.widths) == 1


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
