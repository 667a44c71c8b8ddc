"""Scores what each cell of a board is, and whether it is lit, with a small convolutional network.

It looks at the same canvas as the network for rings (`rings_seen`), and was trained on drawn screens alone.
The ground stays as it is in a fight, so it is asked when the ground is surveyed, not in each picture.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import onnxruntime

from vision import session
from vision.extract.dofus.rings_seen import COLUMNS, ROWS, canvas
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


class GroundReader:
    """Scores the ground of boards."""

    def __init__(self) -> None:
        self._network = _network()

    def read(self, picture: Picture, lattice: Lattice) -> Scores:
        """Returns the probability of each ground and each paint on each cell, shape (560, 11).

        Args:
            picture: BGR or BGRA, uint8.
            lattice: where its cells lie.
        """
        drawn = canvas(picture, lattice)
        ground, paint = self._network.run(_OUTPUTS, {"in0": drawn[None]})
        return np.asarray(np.concatenate([ground[0], paint[0]], axis=2)[ROWS, COLUMNS], np.float32)


@lru_cache(maxsize=1)
def _network() -> onnxruntime.InferenceSession:
    return session.opened((folder() / _FILE).read_bytes())
