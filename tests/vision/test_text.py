from itertools import product

import numpy as np
import pytest

from vision.frame import Frame, Rect
from vision.synthetic.logs import DrawnLog, blurred, look
from vision.text import engine as engine_module
from vision.text.engine import TextEngine, TextEngineError, TextSeen, doubted
from vision.text.follow import RowFollower
from vision.text.lines import LineJoiner, LogLine, RowText, stamp_length
from vision.text.log_panel import has_changed, overlap
from vision.text.panel import Piece, find_panels, line_starts
from vision.text.reader import LogReader
from vision.text.rows import ink_of, rows_of, strength_of

LINES = ("Vargo lance Épine glacée.", "Vargo : -487PV.", "Ombrelle est mort !", "Vargo lance Vent du soir.")


def _log(manner: str = "unity", scale: float = 1.3, width: int = 560, height: int = 190) -> DrawnLog:
    dice = np.random.default_rng(3)
    return DrawnLog(look(manner, scale, dice, "sans"), width, height, dice)


def _screen(panel: np.ndarray, left: int = 30) -> np.ndarray:
    screen = np.full((700, 1200, 4), (120, 150, 90, 255), np.uint8)
    top = 700 - panel.shape[0] - 20
    screen[top : top + panel.shape[0], left : left + panel.shape[1], :3] = panel
    return screen


def _rows(panel: np.ndarray) -> int:
    return len(rows_of(ink_of(strength_of(panel))))


@pytest.mark.slow
@pytest.mark.parametrize("manner", ["unity", "two", "retro"])
@pytest.mark.parametrize("scale", [0.8, 1.0, 2.0])
def test_every_row_of_a_log_is_found_once(manner: str, scale: float) -> None:
    log = _log(manner, scale, round(600 * scale), round(200 * scale))
    for count, line in enumerate(LINES, start=1):
        log.add([(line, "plain")], "21:04")
        assert _rows(log.picture()) == count


def test_a_scroll_bar_beside_the_rows_is_no_text() -> None:
    log = _log()
    for line in LINES:
        log.add([(line, "plain")])
    panel = log.picture()
    panel[40:120, -14:-6] = 220
    rows = rows_of(ink_of(strength_of(panel)))
    assert len(rows) == len(LINES)
    assert all(row.right < panel.shape[1] - 20 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("manner", ["unity", "two", "retro"])
def test_the_log_is_found_on_the_screen(manner: str) -> None:
    log = _log(manner)
    for line in LINES:
        log.add([(line, "plain")], "21:04")
    screen = _screen(log.picture())
    found = find_panels(screen, Rect(0, 0, 1200, 700))
    assert found
    box = found[0]
    assert abs(box.y - (700 - 190 - 20)) <= 3 and 25 <= box.x <= 45
    assert abs(box.bottom - 680) <= 3


def test_nothing_is_found_where_nothing_is_written() -> None:
    dice = np.random.default_rng(1)
    noise = dice.integers(0, 255, (600, 900, 4)).astype(np.uint8)
    assert find_panels(np.full((600, 900, 4), 90, np.uint8), Rect(0, 0, 900, 600)) == []
    assert all(
        _rows(noise[b.y : b.bottom, b.x : b.right]) < 40 for b in find_panels(noise, Rect(0, 0, 900, 600))
    )


@pytest.mark.parametrize(
    ("height", "times", "step"), [(120, 14, 7), (190, 6, 0)], ids=["scrolls", "equal lines"]
)
def test_only_rows_that_came_are_new(height: int, times: int, step: int) -> None:
    log, follower = _log(height=height), RowFollower()
    told = []
    for number in range(times):
        log.add([(f"Vargo lance Sort {number * step}.", "plain")], "21:04")
        told.append(follower.look(log.picture()).new)
    assert told == [1] * times
    assert follower.look(log.picture()).new == 0


def test_a_row_that_differs_in_one_digit_is_another_row() -> None:
    log, follower = _log(height=60), RowFollower()
    for amount in (118, 113, 118, 123, 128, 123):
        log.add([(f"Vargo : -{amount}PV.", "plain")], "21:04")
        assert follower.look(log.picture()).new == 1


def test_a_log_that_shows_nothing_known_is_not_linked() -> None:
    one, other, follower = _log(height=100), _log(height=100), RowFollower()
    for line in LINES[:3]:
        one.add([(line, "plain")])
    for line in ("Tout est neuf ici", "Rien de connu", "Encore autre chose"):
        other.add([(line, "plain")])
    assert follower.look(one.picture()).linked
    look_at = follower.look(other.picture())
    assert not look_at.linked and look_at.new == len(look_at.rows)


@pytest.mark.long
@pytest.mark.parametrize(
    ("manner", "scale", "quality"),
    [
        *product(("unity", "two", "retro"), (0.85, 1.21, 1.42), (80,)),
        *(("unity", 1.21, 0), ("two", 0.85, 0), ("retro", 1.42, 0)),
    ],
)
def test_each_row_is_new_once_where_rows_touch_and_pictures_are_packed(manner, scale, quality) -> None:
    dice = np.random.default_rng(7)
    log, follower = DrawnLog(look(manner, scale, dice, "sans"), 420, round(150 * scale), dice), RowFollower()
    told, drawn = 0, 0
    for number in range(17):
        lines = (
            "Golem do Sótão lança Garra",
            f"Fee Übermütig : -{13 * number + 7}LP.",
            "kk",
            "Çiva est mort !",
        )
        log.add([(lines[number % 4], "plain")], "21:04")
        drawn += 1
        if number % 5 == 0:
            continue  # two rows come between two pictures
        picture = log.picture()
        seen = follower.look(blurred(picture, quality) if quality else picture)
        assert seen.linked, number
        told += seen.new
    assert told == drawn


@pytest.mark.parametrize("width", [3, 12])
def test_a_strip_of_what_is_beside_the_window_hides_no_row(width: int) -> None:
    log = _log("two", 0.76, 420, 90)
    for line in LINES:
        log.add([(line, "plain")])
    panel = log.picture()
    beside = np.full((panel.shape[0], width, 3), (60, 120, 90), np.uint8)
    assert _rows(np.hstack([beside, panel])) == _rows(panel) == len(LINES)


def test_a_short_row_close_between_two_long_ones_is_a_row() -> None:
    ink = np.zeros((60, 400), bool)
    for top, width in ((5, 300), (21, 30), (37, 300)):
        ink[top : top + 12, 5 : 5 + width : 2] = True
    assert [row.top for row in rows_of(ink)] == [5, 21, 37]


def test_rows_that_something_covers_for_a_moment_are_not_new_again() -> None:
    log, follower = _log(height=190), RowFollower()
    for number in range(7):
        log.add([(f"Vargo : -{number * 31 + 10}PV.", "plain")], "21:04")
    assert follower.look(log.picture()).new == 7
    log.add([("Ombrelle est mort !", "plain")], "21:04")
    covered = log.picture()
    covered[52:66, 40:200] = (90, 40, 160)
    seen = follower.look(covered)
    assert seen.linked and seen.new == 1
    assert follower.look(log.picture()).new == 0


def test_a_log_that_is_scrolled_up_tells_nothing_and_goes_on_where_it_was() -> None:
    log, follower = _log(height=100), RowFollower()
    pictures = []
    for number in range(9):
        log.add([(f"Vargo lance Sort {number * 7}.", "plain")], "21:04")
        pictures.append(log.picture())
        follower.look(pictures[-1])
    for earlier in (pictures[6], pictures[4], pictures[6]):
        assert follower.look(earlier).new == 0
    log.add([("Ombrelle est mort !", "plain")], "21:04")
    assert follower.look(log.picture()).new == 1


def _row(text: str, share: float = 0.4) -> RowText:
    return RowText(TextSeen(text, (1.0,) * len(text)), share)


def test_a_long_line_goes_on_in_the_next_row() -> None:
    joiner = LineJoiner()
    assert joiner.add(_row("[11:45] Rose grise lance Pétale", 0.9)) == []
    assert [line.text for line in joiner.add(_row("empoisonné."))] == ["Rose grise lance Pétale empoisonné."]


def test_a_row_with_its_own_time_is_a_line_of_its_own() -> None:
    joiner = LineJoiner()
    joiner.add(_row("[11:45] Rose grise lance Pétale", 0.9))
    assert [line.text for line in joiner.add(_row("11:45] Tour : 2"))] == [
        "Rose grise lance Pétale",
        "Tour : 2",
    ]


def test_without_times_a_whole_line_after_chat_is_not_joined() -> None:
    joiner = LineJoiner(lambda text: " lance " in text)
    joiner.add(_row("(Commerce) Yala : vends bottes neuves", 0.95))
    texts = [line.text for line in joiner.add(_row("Rose grise lance Pétale."))]
    assert texts == ["(Commerce) Yala : vends bottes neuves", "Rose grise lance Pétale."]


@pytest.mark.parametrize(
    ("text", "length"), [("[19:01] A", 8), ("19:011 A", 7), ("1:42] A", 6), ("Tour : 12", 0), ("", 0)]
)
def test_the_time_before_a_line_is_known(text: str, length: int) -> None:
    assert stamp_length(text) == length


def test_a_missing_model_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(TextEngineError, match="PP-OCRv6"):
        TextEngine()


def test_a_reader_without_a_model_says_so_and_reads_nothing() -> None:
    def broken() -> TextEngine:
        raise TextEngineError("no model")

    reader: LogReader[LogLine] = LogReader(lambda _: True, lambda line: line, broken)
    reader.start()
    reader._thread.join(5)
    assert reader.problem == "no model" and reader.take() == []
    reader.close()


def test_what_shines_through_a_panel_is_no_change_and_a_new_row_is_one() -> None:
    log = _log()
    log.add([(LINES[0], "plain")], "21:04")
    before = log.picture()
    shimmering = np.clip(before.astype(int) + np.random.default_rng(0).integers(-9, 10, before.shape), 0, 255)
    assert not has_changed(before, shimmering.astype(np.uint8))
    log.add([("Tour : 2", "plain")], "21:04")
    assert has_changed(before, log.picture())


class _Digits(TextEngine):
    def __init__(self, text: str) -> None:
        self.text = text

    def read(self, line: np.ndarray) -> TextSeen:
        return TextSeen(self.text, (1.0,) * len(self.text))


@pytest.mark.parametrize(
    ("text", "doubtful", "place", "same"),
    [("V : -17PV", "-171P", slice(5, 7), "-17P"), ("V : 17PV", "-17P", slice(4, 6), "17P")],
    ids=["a figure more", "a minus"],
)
def test_a_number_that_is_another_when_looked_at_alone_is_doubted(text, doubtful, place, same) -> None:
    count = len(text)
    seen = TextSeen(text, (0.9,) * count, tuple(n / count for n in range(count)))
    picture = np.zeros((20, 90, 3), np.uint8)
    assert doubted(_Digits(doubtful), picture, seen).sure[place] == (0.0, 0.0)
    assert doubted(_Digits(same), picture, seen).sure == seen.sure


class _Rows(TextEngine):
    """Reads the rows of one picture in the order in which a search asks for them: from below."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    def read(self, line: np.ndarray) -> TextSeen:
        text = self.texts.pop(0) if self.texts else ""
        return TextSeen(text, (1.0,) * len(text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts", "found"),
    [(("cloche.", "Vargo lance Tir en", "PV."), True), (("cloche.", "et voici le Tir en", "PV."), False)],
)
def test_a_log_is_known_by_a_line_that_goes_on_in_the_next_row(texts: tuple[str, ...], found: bool) -> None:
    log = _log()
    for line in LINES:
        log.add([(line, "plain")], "21:04")
    picture = _screen(log.picture())
    reader: LogReader[LogLine] = LogReader(
        lambda text: " lance " in text and text.endswith("."), lambda line: line, lambda: _Rows(*texts)
    )
    whole = Rect(0, 0, picture.shape[1], picture.shape[0])
    reader.offer(Frame(picture, whole, 1, 0), whole)
    reader.step()
    assert (reader.panel is not None) == found


@pytest.fixture(scope="module")
def engine() -> TextEngine:
    return TextEngine()


@pytest.mark.long
@pytest.mark.parametrize("manner", ["unity", "two", "retro"])
def test_a_log_is_read_line_by_line_each_once(engine: TextEngine, manner: str) -> None:
    log = _log(manner, height=140)
    reader: LogReader[LogLine] = LogReader(
        lambda text: " lance " in text, lambda line: line, lambda: engine, (0.0, 0.0)
    )
    wanted, read = [], []
    for number in range(3):
        for line in LINES:
            written = line.replace("487", str(100 + number))
            log.add([(written, "plain")], "21:04")
            wanted.append(written)
            reader.offer(Frame(_screen(log.picture()), Rect(0, 0, 1200, 700), 1, 0), Rect(0, 0, 1200, 700))
            reader.step()
            read += reader.take()
    bare = ["".join(letter for letter in text if letter.isalnum()) for text in wanted]
    assert ["".join(letter for letter in line.text if letter.isalnum()) for line in read] == bare
    assert reader.follows
    assert [line.old for line in read][-8:] == [False] * 8
    assert all(line.linked for line in read)


@pytest.mark.slow
def test_accents_of_five_languages_are_read(engine: TextEngine) -> None:
    for text in ("Épée à l'œil", "Ñandú del añejo", "Coração e pão", "Größe über Föhn"):
        log = _log(height=40)
        log.add([(text, "plain")])
        panel = log.picture()
        row = rows_of(ink_of(strength_of(panel)))[0]
        read = engine.read(panel[max(0, row.top - 2) : row.bottom + 2, row.left : row.right + 4]).text
        same = sum(a == b for a, b in zip(text, read, strict=False))
        assert same >= len(text) - 1, (text, read)


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        (["a casts b.", "x loses 12", "y : 156 (5o )"], ["x loses 12", "y : 156 (50 )", "new"], 2),
        (["y : 55 Power (l)"], ["y : 55 Power (1)"], 1),
        (["x loses 12"], ["x loses 13"], 0),
        (["a casts b.", "x loses 12", "c casts d.", "y is dead!"],
         ["a casts b.", "x loses 17", "c casts d.", "y is dead!", "new"], 4),
        (["x loses 12", "x loses 13"], ["x loses 14", "x loses 15"], 0),
        (["V lance Pluie.", "V : -12PV.", "Ombre lance Nuit."], ["V : -12PV.", "Ombr lance Nuit.", "new"], 2),
        (["V lance Pluie.", "V : -12PV.", "Ombre lance Nuit."], ["V : -13PV.", "Ombre lance Nuit."], 0),
    ],
)  # fmt: skip
def test_rows_that_were_read_before_are_known_again_in_spite_of_a_digits_slip(before, now, same) -> None:
    assert overlap(before, now) == same


@pytest.mark.parametrize(("ink_from", "found_at", "begins"), [(20, 90, 20), (90, 90, 90), (60, 66, 60)])
def test_a_window_found_in_the_middle_of_its_lines_begins_where_they_do(ink_from, found_at, begins) -> None:
    rows = np.full((100, 300, 3), 40, np.uint8)
    pieces = []
    for n in range(4):
        rows[10 + 22 * n : 22 + 22 * n, ink_from:200] = 220
        rows[10 + 22 * n : 22 + 22 * n, ink_from + 1 : 200 : 3] = 40
        pieces.append(Piece(found_at, 10 + 22 * n, 200 - found_at, 12))
    rows[10:98, 2:8] = 200  # a column of buttons beside it
    start = line_starts(rows, np.array([40.0, 40.0, 40.0]), pieces, 0)
    assert begins - 12 < start <= begins
