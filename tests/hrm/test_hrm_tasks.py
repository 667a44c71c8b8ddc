"""Augmented puzzles stay valid, and files that hold none are refused by line."""

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hrm.tasks import MAZE, SUDOKU, PuzzleFileError, Puzzles
from hrm.tasks import maze as mazes
from hrm.tasks import sudoku as sudokus

TRAIN = SUDOKU.load(SUDOKU.train_file)  # type: ignore[arg-type]
TWO_MAZES = mazes.generate_many(2, 0, side=30, longer_than=60)


def test_the_data_that_comes_with_it_is_sound_and_apart() -> None:
    dev = SUDOKU.load(SUDOKU.dev_file)  # type: ignore[arg-type]
    assert len(TRAIN) == len(dev) == 1000
    assert not {row.tobytes() for row in TRAIN.inputs} & {row.tobytes() for row in dev.inputs}
    assert TRAIN.inputs.min() == 1 and TRAIN.labels.min() == 2 and TRAIN.labels.max() == 10


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_an_augmented_sudoku_is_one_still(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(len(TRAIN), size=4)
    picked = TRAIN.take(rows)
    inputs, labels = sudokus.augment(picked.inputs, picked.labels, rng)
    for puzzle, solution, before in zip(inputs, labels, picked.inputs, strict=True):
        assert not sudokus.conflicts(solution.reshape(9, 9) - 1).any()
        assert ((puzzle == solution) | (puzzle == sudokus.BLANK)).all()
        assert (puzzle > 1).sum() == (before > 1).sum()
    assert not np.array_equal(inputs, picked.inputs)


def test_augmentation_reaches_transposed_grids_and_every_band() -> None:
    marked = np.ones((2000, 81), dtype=np.int32)
    marked[:, 1] = 2
    moved, _ = sudokus.augment(marked, marked, np.random.default_rng(0))
    assert len(set((moved > 1).argmax(1).tolist())) == 81


def test_sudoku_conflicts_are_marked_in_rows_columns_and_boxes() -> None:
    digits = np.zeros((9, 9), dtype=int)
    digits[0, 0] = digits[0, 8] = 5
    digits[4, 4] = digits[3, 3] = 7
    assert sudokus.conflicts(digits).sum() == 4
    drawn = sudokus.render((digits + 1).reshape(-1).astype(np.int32), np.ones(81, dtype=np.int32))
    assert drawn.count("5!") == 2 and drawn.count("7!") == 2


def test_sudoku_is_read_as_people_type_it() -> None:
    text = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79"
    tokens = SUDOKU.parse(text)
    assert tokens[:5].tolist() == [6, 4, 1, 1, 8]
    assert "[5][3] . " in SUDOKU.render(tokens, tokens)
    with pytest.raises(ValueError, match="this one has 3"):
        SUDOKU.parse("123")


def test_files_that_are_no_puzzles_are_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with pytest.raises(PuzzleFileError, match="no file"):
        SUDOKU.load(path)
    with pytest.raises(PuzzleFileError, match="no file"):
        MAZE.load(path)
    path.write_text("puzzle,solution\n12,34\n")
    with pytest.raises(PuzzleFileError, match="line 2"):
        SUDOKU.load(path)
    with pytest.raises(PuzzleFileError, match="line 2"):
        MAZE.load(path)
    path.write_text("puzzle,solution\n")
    with pytest.raises(PuzzleFileError, match="no puzzles"):
        SUDOKU.load(path)
    with pytest.raises(PuzzleFileError, match="no mazes"):
        MAZE.load(path)


@pytest.mark.parametrize(("name", "content"), [("x.csv", b"\xff\xfe12"), ("x.csv.xz", b"puzzle,solution\n")])
def test_files_that_are_no_text_or_not_packed_are_refused_by_name(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for task in (SUDOKU, MAZE):
        with pytest.raises(PuzzleFileError, match=name):
            task.load(path)


def test_a_packed_file_holds_the_same_puzzles(tmp_path: Path) -> None:
    assert SUDOKU.dev_file
    unpacked = tmp_path / "dev.csv"
    unpacked.write_bytes(lzma.decompress(SUDOKU.dev_file.read_bytes()))
    assert np.array_equal(SUDOKU.load(unpacked).inputs, SUDOKU.load(SUDOKU.dev_file).inputs)
    assert len(SUDOKU.load(SUDOKU.dev_file)) == 1000


def test_a_maze_has_one_start_one_goal_and_a_shortest_way_longer_than_asked() -> None:
    for puzzle, solution in zip(TWO_MAZES.inputs, TWO_MAZES.labels, strict=True):
        free = (puzzle != mazes.WALL).reshape(30, 30)
        start, goal = int((puzzle == mazes.START).argmax()), int((puzzle == mazes.GOAL).argmax())
        length = int(mazes.distances(free, start)[goal])
        assert length > 60
        assert (solution == mazes.PATH).sum() == length - 1
        assert (puzzle[solution == mazes.PATH] == mazes.FREE).all()
    assert np.array_equal(TWO_MAZES.inputs, mazes.generate_many(2, 0, longer_than=60).inputs)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_the_pair_found_is_the_farthest(seed: int, side: int) -> None:
    free = np.random.default_rng(seed).random((side, side)) >= 0.36
    longest = max((int(mazes.distances(free, int(cell)).max()) for cell in np.flatnonzero(free)), default=0)
    pair = mazes.farthest_pair(free)
    if longest == 0:
        assert pair is None
        return
    assert pair is not None and mazes.distances(free, pair[0])[pair[1]] == longest
    way = mazes.shortest_path(free, *pair)
    assert len(way) == longest + 1 and len(set(way)) == len(way)
    assert mazes.farthest_pair(free, longest) is None


def test_a_walled_off_goal_has_no_path() -> None:
    assert mazes.shortest_path(np.array([[True, False], [False, True]]), 0, 3) == []


def test_augmented_mazes_keep_their_path() -> None:
    inputs, labels = mazes.augment(TWO_MAZES.inputs, TWO_MAZES.labels, np.random.default_rng(5))
    for puzzle, solution, before in zip(inputs, labels, TWO_MAZES.labels, strict=True):
        free = (puzzle != mazes.WALL).reshape(30, 30)
        start, goal = int((puzzle == mazes.START).argmax()), int((puzzle == mazes.GOAL).argmax())
        assert (
            mazes.distances(free, start)[goal] - 1
            == (solution == mazes.PATH).sum()
            == (before == mazes.PATH).sum()
        )


def test_mazes_survive_a_file_and_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "mazes.csv"
    mazes.save(path, TWO_MAZES)
    back = MAZE.load(path)
    assert isinstance(back, Puzzles) and np.array_equal(back.labels, TWO_MAZES.labels)
    drawn = MAZE.render(TWO_MAZES.inputs[0], TWO_MAZES.inputs[0])
    assert np.array_equal(MAZE.parse(drawn), TWO_MAZES.inputs[0])
    with pytest.raises(ValueError, match="900 cells"):
        MAZE.parse("##")
