"""Measures whether a body stands on a cell: by how much what is above its middle differs from what is below.

A body rises from the middle of its cell and hides the floor behind it. Bare floor, glyphs and their discs are
alike above and below. Used by `vision.extract.dofus.borders`.
"""

import numpy as np
import numpy.typing as npt

from vision.view import Lattice

Picture = npt.NDArray[np.uint8]

_RADII = (0.12, 0.18, 0.24, 0.3, 0.36, 0.42)
"""Distances from a cell's middle, in its widths and heights: up to its border, as far as small bodies
rise."""
_ANGLES = (60, 70, 80, 90, 100, 110, 120)
"""Degrees, 90 straight up: as wide as the narrowest bodies, a figure's legs."""


def contrast(bgra: Picture, places: npt.NDArray[np.float64], lattice: Lattice) -> npt.NDArray[np.float64]:
    """Returns by how many levels what is above places differs from what is as far below, on average.

    Args:
        bgra: the frame, uint8, shape (height, width, 4).
        places: middles of cells, in pixels, shape (places, 2).
        lattice: the cells' size.

    Returns:
        The mean of the greatest difference in a channel, shape (places,).
    """
    radii, angles = np.array(_RADII)[:, None], np.radians(_ANGLES)[None]
    across = (radii * np.cos(angles) * lattice.cell_w).ravel()
    up = (radii * np.sin(angles) * lattice.cell_h).ravel()
    x = places[:, :1] + across
    columns = np.clip(np.floor(x).astype(np.intp), 0, bgra.shape[1] - 1)
    above, below = (
        np.clip(np.floor(places[:, 1:] + side * up).astype(np.intp), 0, bgra.shape[0] - 1) for side in (-1, 1)
    )
    differs = np.abs(bgra[above, columns, :3].astype(np.int16) - bgra[below, columns, :3])
    return np.asarray(differs.max(axis=2).mean(axis=1), np.float64)
