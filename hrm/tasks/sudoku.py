"""Sudoku as a token task: token 1 is a blank, 2 to 10 the digits."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hrm.tasks.puzzles import Grid, GridTask, PuzzleFileError, Puzzles, read_lines

CELLS = 81
BLANK = 1
_DATA = Path(__file__).resolve().parents[2] / "resources" / "sudoku"


def load(path: Path) -> Puzzles:
    """Reads a CSV of `puzzle,solution`, 81 digits each row by row, 0 for a blank. It may be packed (`.xz`).

    Raises:
        PuzzleFileError: the file is missing, or a line of it is not such a pair.
    """
    if not path.is_file():
        raise PuzzleFileError(f"there is no file {path}; it should be a CSV of puzzle,solution")
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        parts = line.strip().split(",")
        if number == 1 and parts == ["puzzle", "solution"]:
            continue
        if len(parts) != 2 or any(len(part) != CELLS or not part.isdigit() for part in parts):
            raise PuzzleFileError(f"{path}, line {number}: expected two times 81 digits, puzzle,solution")
        pairs.append(parts)
    if not pairs:
        raise PuzzleFileError(f"{path} has no puzzles in it")
    inputs, labels = (
        np.array([[int(digit) + 1 for digit in pair[side]] for pair in pairs], dtype=np.int32)
        for side in (0, 1)
    )
    return Puzzles(inputs, labels)


def parse(text: str) -> Grid:
    """Reads one puzzle as typed: 81 digits, with 0 or a dot for a blank; spaces and rulings are passed over.

    Raises:
        ValueError: there are not 81 cells.
    """
    cells = [0 if char in "._" else int(char) for char in text if char in "._" or char.isdigit()]
    if len(cells) != CELLS:
        raise ValueError(
            f"a sudoku has 81 cells, digits and 0 or a dot for blanks; this one has {len(cells)}"
        )
    return np.array(cells, dtype=np.int32) + 1


def augment(inputs: Grid, labels: Grid, rng: np.random.Generator) -> tuple[Grid, Grid]:
    """Makes each puzzle (B, 81) an equivalent one: digits, bands, rows, stacks, columns, and the diagonal."""
    count = len(inputs)
    order = _line_order(count, rng)[:, :, None] * 9 + _line_order(count, rng)[:, None, :]
    order = np.where(rng.random(count)[:, None, None] < 0.5, order, order.transpose(0, 2, 1)).reshape(
        count, CELLS
    )
    tokens = np.tile(np.arange(11, dtype=np.int32), (count, 1))
    tokens[:, 2:] = rng.permuted(tokens[:, 2:], axis=1)
    rows = np.arange(count)[:, None]
    return tokens[rows, inputs[rows, order]], tokens[rows, labels[rows, order]]


def _line_order(count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    bands = rng.permuted(np.tile(np.arange(3), (count, 1)), axis=1)
    lines = rng.permuted(np.tile(np.arange(3), (count, 3, 1)), axis=2)
    order: NDArray[np.int64] = (bands[:, :, None] * 3 + lines).reshape(count, 9)
    return order


def render(tokens: Grid, puzzle: Grid) -> str:
    """Draws a grid: givens in brackets, blanks as dots, "!" after a digit that breaks a rule."""
    digits = np.clip(tokens.reshape(9, 9) - 1, 0, 9)
    given = puzzle.reshape(9, 9) > BLANK
    wrong = conflicts(digits)
    lines = []
    for row in range(9):
        if row in {3, 6}:
            lines.append("---------+---------+---------")
        cells = []
        for column in range(9):
            face = str(digits[row, column]) if digits[row, column] else "."
            after = "!" if wrong[row, column] else " "
            cells.append(f"[{face}]" if given[row, column] else f" {face}{after}")
        lines.append("|".join("".join(cells[start : start + 3]) for start in (0, 3, 6)))
    return "\n".join(lines)


def conflicts(digits: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Marks the digits of a 9x9 grid that occur twice in a row, a column or a box (0 is a blank)."""
    marked = np.zeros((9, 9), dtype=bool)
    lines = np.arange(CELLS).reshape(9, 9)
    boxes = lines.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)
    flat, out = digits.reshape(-1), marked.reshape(-1)
    for unit in (*lines, *lines.T, *boxes):
        values = flat[unit]
        counts = np.bincount(values, minlength=10)
        out[unit] |= (counts[values] > 1) & (values > 0)
    return marked


SUDOKU = GridTask(
    name="sudoku",
    vocab_size=11,
    seq_len=CELLS,
    load=load,
    augment=augment,
    parse=parse,
    render=render,
    train_file=_DATA / "hard_train_1000.csv.xz",
    dev_file=_DATA / "hard_dev_1000.csv.xz",
)
