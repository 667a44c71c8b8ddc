"""Scores what each cell of a board is, and whether it is lit, with a small convolutional network.

It looks at the same canvas as the network for rings (`rings_seen`), and was trained on drawn screens alone.
The ground stays as it is in a fight, so it is asked when the ground is surveyed, not in each picture; and
since it takes longer than a picture should, it can be asked in steps, one a picture.
"""

from collections.abc import Generator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from vision import session
from vision.extract.dofus.rings_seen import COLUMNS, ROWS, canvas
from vision.halves import halves
from vision.profiles import folder
from vision.view import Lattice

Picture = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.float32]

GROUNDS = ("outside", "walkable", "obstacle", "hole", "covered")
"""What a cell is, by the names of `CellKind`; one under a window is covered."""

PAINTS = ("none", "reachable", "tackled", "range", "no_sight", "area")
"""What a cell is lit as. One team's start cells look like a range, the other's like an area."""

GROUND, PAINT = slice(0, len(GROUNDS)), slice(len(GROUNDS), len(GROUNDS) + len(PAINTS))
"""Where the probabilities of each stand among a cell's scores."""

_FILE = "ground.onnx"
_OUTPUTS = ("ground", "lit")
_CUTS = ("r0", "r1")  # Values after which a third of the work is done, and two thirds


class GroundReader:
    """Scores the ground of boards."""

    def __init__(self) -> None:
        self._parts = _network()

    def steps(self, picture: Picture, lattice: Lattice) -> Generator[None, None, Scores]:
        """Returns the probability of each ground and each paint on each cell, shape (560, 11).

        Works in steps of like length and yields after all but the last.

        Args:
            picture: BGR or BGRA, uint8, not looked at again after the first step.
        """
        value = canvas(picture, lattice)[None]
        for part, (taken, made) in zip(self._parts, pairwise(("in0", *_CUTS)), strict=False):
            value = part.run([made], {taken: value})[0]
            yield
        ground, paint = self._parts[-1].run(_OUTPUTS, {_CUTS[-1]: value})
        return np.asarray(np.concatenate([ground[0], paint[0]], axis=2)[ROWS, COLUMNS], np.float32)


@lru_cache(maxsize=1)
def _network() -> list[Any]:
    rest, parts = (folder() / _FILE).read_bytes(), []
    for value in _CUTS:
        before, rest = halves(rest, value)
        parts.append(before)
    return [session.opened(part) for part in (*parts, rest)]
