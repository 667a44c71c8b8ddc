"""Scores what ring lies under each cell of a board with a small convolutional network.

The board is drawn to one scale: a cell is 32 pixels wide and 16 high on the canvas, whatever the window's
size. The network looks at the canvas once and answers for every cell. It was trained on drawn screens alone,
see `vision.learn`. Only what has changed since the picture before is computed again.
"""

from functools import lru_cache
from importlib.resources.abc import Traversable

import cv2
import numpy as np
import numpy.typing as npt

from vision import session
from vision.profiles import folder
from vision.view import CELLS, ROW_LENGTH, Lattice

Picture = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.float32]

RINGS = ("none", "player", "ally", "enemy", "red", "blue")
"""What lies under a cell: nothing, one of Unity's borders, an oval in red or blue (2.x and Retro)."""

CELL = (32, 16)  # Width and height of a cell on the canvas. The smallest windows have cells of 34 pixels.

STEP = (CELL[0] // 2, CELL[1] // 2)
"""Columns and rows of the canvas for each score: every second score is that of a cell's middle."""

SHAPE = (46, 32)
"""Rows and columns of scores: those of the cells and a margin for figures that rise over them."""

SIZE = (SHAPE[1] * STEP[0], SHAPE[0] * STEP[1])  # Width and height of the canvas

_FIRST = (4, 2)  # Row and column of the score of cell 0

REACH = (3, 2)
"""Rows and columns of scores around one that depend on the same pixels, from the network's kernels."""

FILE = "rings.onnx"

_rows, _columns = np.divmod(np.arange(CELLS), ROW_LENGTH)
ROWS = _rows + _FIRST[0]
COLUMNS = 2 * _columns + _rows % 2 + _FIRST[1]  # Where each cell's score lies


def canvas(picture: Picture, lattice: Lattice) -> Picture:
    """Returns the board drawn to one scale, uint8, shape (SIZE[1], SIZE[0], channels); black off the picture.

    Args:
        picture: uint8, shape (height, width, channels).
        lattice: where its cells lie.
    """
    across, down = lattice.cell_w / CELL[0], lattice.cell_h / CELL[1]
    x = lattice.origin_px[0] - _FIRST[1] * STEP[0] * across
    y = lattice.origin_px[1] - _FIRST[0] * STEP[1] * down
    move = np.array([[across, 0, x], [0, down, y]])
    return np.asarray(
        cv2.warpAffine(picture, move, SIZE, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.uint8
    )


class Network:
    """The network, for one thread.

    Args:
        file: the ONNX model, the one of `resources/profiles` if left out.
    """

    def __init__(self, file: Traversable | None = None) -> None:
        self._session = session.opened((file or folder() / FILE).read_bytes())
        self._output = [self._session.get_outputs()[0].name]

    def scores(self, drawn: Picture) -> Scores:
        """Returns the probability of each ring, shape (rows, columns, len(RINGS)).

        Args:
            drawn: BGR, uint8, a canvas or a part of one in whole steps.
        """
        return np.asarray(self._session.run(self._output, {"in0": drawn[None]})[0][0], np.float32)


@lru_cache(maxsize=1)
def network() -> Network:
    """Returns the network of `resources/profiles`."""
    return Network()


class RingReader:
    """Scores the rings of one board, picture after picture."""

    def __init__(self, model: Network | None = None) -> None:
        self._model = model or network()
        self._drawn: Picture | None = None
        self._scores: Scores | None = None

    def read(self, picture: Picture, lattice: Lattice) -> Scores:
        """Returns the probability of each ring on each cell, shape (560, len(RINGS)).

        Args:
            picture: BGR or BGRA, uint8.
            lattice: where its cells lie.
        """
        drawn = canvas(picture, lattice)
        if drawn.shape[2] == 4:
            drawn = np.asarray(cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR), np.uint8)
        before, self._drawn = self._drawn, drawn
        if before is None or self._scores is None:
            self._scores = self._model.scores(drawn)
        else:
            for rows, columns in _changed(drawn, before):
                self._scores[rows, columns] = self._part(drawn, rows, columns)
        return np.asarray(self._scores[ROWS, COLUMNS])

    def _part(self, drawn: Picture, rows: slice, columns: slice) -> Scores:
        """Returns the scores of a part, which depend on the canvas `REACH` further on each side."""
        top, left = max(0, rows.start - REACH[0]), max(0, columns.start - REACH[1])
        end, right = min(SHAPE[0], rows.stop + REACH[0]), min(SHAPE[1], columns.stop + REACH[1])
        part = drawn[top * STEP[1] : end * STEP[1], left * STEP[0] : right * STEP[0]]
        around = self._model.scores(np.ascontiguousarray(part))
        return around[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]


def _changed(drawn: Picture, before: Picture) -> list[tuple[slice, slice]]:
    """Returns the parts of the scores that depend on pixels that differ between two canvases."""
    after, then = (one.reshape(SIZE[1], -1).view(np.uint64) for one in (drawn, before))
    apart = after != then  # a block's 16 pixels of a row are six of these
    blocks = apart.reshape(SHAPE[0], STEP[1], SHAPE[1], -1).any(axis=(1, 3))
    if not blocks.any():
        return []
    kernel = np.ones((2 * REACH[0] + 1, 2 * REACH[1] + 1), np.uint8)
    touched = cv2.dilate(blocks.astype(np.uint8), kernel)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(touched, connectivity=8)
    return [(slice(y, y + h), slice(x, x + w)) for x, y, w, h, _ in boxes[1:count].tolist()]
