"""Scores what ring lies under each cell of a board with a small convolutional network.

The board is drawn to one scale: a cell is 32 pixels wide and 16 high on the canvas, whatever the window's
size. The network looks at the canvas once and answers for every cell. It was trained on drawn screens alone,
see `vision.learn`. Only what has changed since the picture before is computed again.
"""

from importlib.resources.abc import Traversable

import cv2
import numpy as np
import numpy.typing as npt

from vision import session
from vision.extract import grid
from vision.halves import halves
from vision.profiles import folder
from vision.view import Lattice

Picture = npt.NDArray[np.uint8]
Features = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Part = tuple[slice, slice]

RINGS = ("none", "player", "ally", "enemy", "red", "blue")
"""What lies under a cell: nothing, one of Unity's borders, an oval in red or blue (2.x and Retro)."""

CELL = (32, 16)  # Width and height of a cell on the canvas. The smallest windows have cells of 34 pixels.

STEP = (CELL[0] // 2, CELL[1] // 2)
"""Columns and rows of the canvas for each score: every second score is that of a cell's middle."""

SHAPE = (46, 32)
"""Rows and columns of scores: those of the cells and a margin for figures that rise over them."""

SIZE = (SHAPE[1] * STEP[0], SHAPE[0] * STEP[1])  # Width and height of the canvas

_FIRST = (4, 2)  # Row and column of the score of cell 0

FILE = "rings.onnx"

_FEATURES = "r3"
"""The network's value with a place for each score, after its fourth convolution: nine tenths of the work are
before it, and depend on little around each place."""

_REACH = (2, 1)
"""Rows and columns around a place whose features its scores depend on, from the kernels after `_FEATURES`."""

ROWS = grid.ROWS + _FIRST[0]
COLUMNS = 2 * grid.COLUMNS + grid.ROWS % 2 + _FIRST[1]  # Where each cell's score lies


def canvas(picture: Picture, lattice: Lattice) -> Picture:
    """Returns the board drawn to one scale, BGR, uint8, shape (SIZE[1], SIZE[0], 3); black off the picture.

    Args:
        picture: BGR or BGRA, uint8.
    """
    across, down = lattice.cell_w / CELL[0], lattice.cell_h / CELL[1]
    x = lattice.origin_px[0] - _FIRST[1] * STEP[0] * across
    y = lattice.origin_px[1] - _FIRST[0] * STEP[1] * down
    move = np.array([[across, 0, x], [0, down, y]])
    drawn = cv2.warpAffine(picture, move, SIZE, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(drawn if drawn.shape[2] == 3 else cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR), np.uint8)


class Network:
    """The network, for one thread.

    Args:
        file: the ONNX model, the one of `resources/profiles` if left out.
    """

    def __init__(self, file: Traversable | None = None) -> None:
        before, after = halves((file or folder() / FILE).read_bytes(), _FEATURES)
        self._before, self._after = session.opened(before), session.opened(after)
        self._output = [self._after.get_outputs()[0].name]

    def features(self, drawn: Picture) -> Features:
        """Returns what is seen at each place, shape (channels, rows, columns).

        Args:
            drawn: BGR, uint8, a canvas or a part of one in whole steps.
        """
        return np.asarray(self._before.run([_FEATURES], {"in0": drawn[None]})[0][0], np.float32)

    def rings(self, features: Features) -> Scores:
        """Returns the probability of each ring, shape (rows, columns, len(RINGS)).

        Args:
            features: those of a canvas or of a part of one.
        """
        return np.asarray(self._after.run(self._output, {_FEATURES: features[None]})[0][0], np.float32)

    def scores(self, drawn: Picture) -> Scores:
        """Returns the probability of each ring on a canvas, shape (rows, columns, len(RINGS))."""
        return self.rings(self.features(drawn))


_in_use: list[Network] = []


def network() -> Network:
    """Returns the network in use, the one of `resources/profiles` unless `use` was called."""
    if not _in_use:
        _in_use.append(Network())
    return _in_use[0]


def use(file: Traversable) -> None:
    """Has readers made from now on read with another network, to measure it."""
    _in_use[:] = [Network(file)]


class RingReader:
    """Scores the rings of one board, picture after picture."""

    def __init__(self, model: Network | None = None) -> None:
        self._model = model or network()
        self._drawn: Picture | None = None
        self._features: Features | None = None
        self._scores: Scores | None = None

    def read(self, picture: Picture, lattice: Lattice) -> Scores:
        """Returns the probability of each ring on each cell, shape (560, len(RINGS)).

        Args:
            picture: BGR or BGRA, uint8.
        """
        drawn = canvas(picture, lattice)
        before, self._drawn = self._drawn, drawn
        if before is None or self._features is None or self._scores is None:
            self._features = self._model.features(drawn)
            self._scores = self._model.rings(self._features)
        else:
            self._read_again(drawn, _felt(drawn, before), self._features, self._scores)
        return np.asarray(self._scores[ROWS, COLUMNS])

    def _read_again(self, drawn: Picture, felt: Flags, features: Features, scores: Scores) -> None:
        """Computes again, in place, the features at some places, and the scores that depend on them."""
        for rows, columns in _parts(felt):
            top, left = max(0, rows.start - 1), max(0, columns.start - 1)
            end, right = rows.stop * STEP[1] + 1, columns.stop * STEP[0] + 1
            pixels = drawn[top * STEP[1] : end, left * STEP[0] : right]
            described = self._model.features(np.ascontiguousarray(pixels))
            inner = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
            features[:, rows, columns] = described[:, *inner]
        around = cv2.dilate(felt.astype(np.uint8), np.ones((2 * _REACH[0] + 1, 2 * _REACH[1] + 1), np.uint8))
        for part in _parts(np.asarray(around, np.bool_)):
            wide, inner = _widened(part, _REACH)
            scores[part] = self._model.rings(np.ascontiguousarray(features[:, *wide]))[inner]


def _felt(drawn: Picture, before: Picture) -> Flags:
    """Returns the places whose features differ from those of another canvas, shape SHAPE.

    By the kernels and steps before `_FEATURES` a place depends on the pixels of its own step and the step
    before it, down and across, and on the first row or column of the next one.
    """
    after, then = (drawing.reshape(SIZE[1], -1).view(np.uint64) for drawing in (drawn, before))
    apart = (after != then).reshape(SHAPE[0], STEP[1], -1)  # a step's 16 pixels of a row are six of these
    down = _with_next(apart)
    return np.ascontiguousarray(_with_next(down.reshape(*SHAPE, -1).transpose(1, 2, 0)).T)


def _with_next(apart: Flags) -> Flags:
    """Returns which steps differ, or the steps before them, or the first part of the next ones.

    Args:
        apart: what differs, shape (steps, parts of a step, others).
    """
    felt = np.asarray(apart.any(axis=1), np.bool_)
    before, after = felt[:-1].copy(), apart[1:, 0]
    felt[1:] |= before
    felt[:-1] |= after
    return felt


def _parts(places: Flags) -> list[Part]:
    """Returns rectangles that hold the places, one for each group of them."""
    count, _, boxes, _ = cv2.connectedComponentsWithStats(places.astype(np.uint8), connectivity=8)
    return [(slice(y, y + h), slice(x, x + w)) for x, y, w, h, _ in boxes[1:count].tolist()]


def _widened(part: Part, reach: tuple[int, int]) -> tuple[Part, Part]:
    """Returns a part with so many rows and columns more on each side, and where it lies in that."""
    top, left = (max(0, side.start - more) for side, more in zip(part, reach, strict=True))
    end, right = (min(size, side.stop + more) for side, more, size in zip(part, reach, SHAPE, strict=True))
    rows, columns = part
    inner = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    return (slice(top, end), slice(left, right)), inner
