"""The interface of grid puzzles: loading, augmenting and rendering tokens."""

import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.int32]
Augment = Callable[[Grid, Grid, np.random.Generator], tuple[Grid, Grid]]


@dataclass(frozen=True, slots=True)
class Puzzles:
    """A set of puzzles with their solutions as tokens, each (N, S) int32."""

    inputs: Grid
    labels: Grid

    def __len__(self) -> int:
        return len(self.inputs)

    def take(self, rows: NDArray[np.int64] | slice) -> "Puzzles":
        return Puzzles(self.inputs[rows], self.labels[rows])


@dataclass(frozen=True, slots=True)
class GridTask:
    """A kind of puzzle.

    Attributes:
        vocab_size, seq_len: size of the vocabulary and cells of a grid; token 0 is padding.
        augment: turns puzzles into equivalent ones, row by row, at random.
        parse: reads one puzzle as a person types it, into tokens (S,).
        render: draws tokens (S,) for a terminal, given the puzzle they answer.
        train_file, dev_file: the data that comes with the project, None where there is none.
    """

    name: str
    vocab_size: int
    seq_len: int
    load: Callable[[Path], Puzzles]
    augment: Augment
    parse: Callable[[str], Grid]
    render: Callable[[Grid, Grid], str]
    train_file: Path | None = None
    dev_file: Path | None = None


class PuzzleFileError(ValueError):
    """A file of puzzles cannot be read; the message names the file and the line."""


def read_lines(path: Path) -> list[str]:
    """Returns the lines of a text file of puzzles, unpacked where its name ends in `.xz`.

    Raises:
        PuzzleFileError: it is not text in UTF-8, or not packed as its name says.
    """
    content = path.read_bytes()
    try:
        return (lzma.decompress(content) if path.suffix == ".xz" else content).decode().splitlines()
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise PuzzleFileError(f"{path} cannot be read as lines of text: {error}") from error
