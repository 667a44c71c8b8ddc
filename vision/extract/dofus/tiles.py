"""Aligns a lattice with the tiles' edges to a fraction of a pixel, and measures the fit.

The strongest step in brightness across every tile edge is located; shift and cell width are a robust least-
squares fit to these places. The expected cell width enters as a prior.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.frame import Rect
from vision.view import Lattice

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

_ALONG = np.linspace(0.2, 0.8, 7)
"""Places of an edge that are looked at: 3 to 13 are alike, with its ends one board of 26 is elsewhere."""
_ACROSS = np.linspace(-0.17, 0.17, 18)
"""How far from an edge its step is looked for, in cells: with half as many places nine of 26 boards lie
elsewhere, with twice as many none; within 0.1 six, within 0.25 one."""
_STEP = 1.6  # Levels of a step that are noise: with 0 one of 16 lattices is off by a hundredth of a cell
_CLEAR = 2.0  # Times the middle step that are ground; with 1 and 4 one or two of 16 boards lie elsewhere
_ROUNDS = 6  # 3 to 12 are alike: off by a hundredth of a cell at most
_OUTLIER = (0.12, 0.035)
"""How far, in cells, an edge may be off the lattice in the first and the last round. 0.05 and 0.3 at first
are alike; with 0.01 and 0.1 at last two of 16 boards lie elsewhere or are not found."""
_PRIOR, _NOISE = 0.004, 0.04
"""How far the expected width and an edge are off, as deviations in cells: with a hundred times their weight
lattices move by 0.005 cells, without any by 0.0001."""
_LEAST = 24  # Edges; up to 38 read 34 pictures alike

CHANCE = _OUTLIER[1] / float(_ACROSS[-2])  # The share of edges that lie on a lattice by chance


@dataclass(frozen=True, slots=True)
class Aligned:
    """A lattice on the tiles' edges."""

    lattice: Lattice  # In pixels of the frame
    edges: int  # Number of inlier edges
    share: float  # Share of inliers among the visible edges (0..1)


def align(grey: Picture, lattice: Lattice, area: Rect, expected_w: float) -> Aligned | None:
    """Returns a lattice aligned with the tiles' edges, None where too few are visible.

    Args:
        grey: the frame's brightness, uint8, shape (height, width).
        lattice: where the cells lie, to a tenth of a cell.
        area: the part of the frame that shows the board.
        expected_w: the cell width that the profile expects, in pixels.
    """
    offsets, weights, rows = _measured(grey, lattice, area)
    if len(offsets) < _LEAST:
        return None
    expected = expected_w / lattice.cell_w - 1
    move, fits = np.zeros(3), np.ones(len(offsets), bool)
    for turn in range(_ROUNDS):
        near = np.linspace(*_OUTLIER, _ROUNDS)[turn]
        left = offsets - rows @ move
        fits = np.abs(left) < near
        if fits.sum() < _LEAST:
            return None
        pull = weights * fits / (1 + (left / (0.5 * near)) ** 2)
        normal = (rows * pull[:, None]).T @ rows
        target = (rows * pull[:, None]).T @ offsets
        prior = (_NOISE / _PRIOR) ** 2 * float(weights.mean())
        normal[2, 2] += prior
        target[2] += prior * expected
        move = np.linalg.solve(normal + 1e-6 * np.eye(3), target)
    return Aligned(_moved(lattice, area, move), int(fits.sum()), float(fits.mean()))


def _middle(area: Rect) -> Numbers:
    return np.array((area.x + area.width / 2, area.y + area.height / 2))


def _moved(lattice: Lattice, area: Rect, move: Numbers) -> Lattice:
    middle, size = _middle(area), np.array((lattice.cell_w, lattice.cell_h))
    origin = middle + (np.array(lattice.origin_px) - middle) * (1 + move[2]) + move[:2] * size
    grown = size * (1 + move[2])
    return Lattice((float(origin[0]), float(origin[1])), float(grown[0]), float(grown[1]))


def _measured(grey: Picture, lattice: Lattice, area: Rect) -> tuple[Numbers, Numbers, Numbers]:
    """Returns each clear edge's offset, its weight, and its row of the design matrix.

    Offsets are in cells along the edge's normal in the lattice's own (square) coordinates; a row holds the
    derivatives of an offset by the shift across, the shift down (in cell widths and heights), and the growth.
    """
    size = np.array((lattice.cell_w, lattice.cell_h))
    middle = _middle(area)
    centres = grid.centres(lattice)
    x, y = centres.T
    inside = (x > area.x) & (x < area.right) & (y > area.y) & (y < area.bottom)
    measured: list[tuple[Numbers, Numbers, Numbers]] = []
    for side in (1.0, -1.0) if inside.any() else ():
        profile = _profiles(grey, centres[inside], size, side)
        step = np.abs(profile[:, 2:] - profile[:, :-2])
        strength = np.maximum(step - np.median(step, axis=1, keepdims=True) * _CLEAR - _STEP, 0)
        total = strength.sum(axis=1)
        clear = total > 0
        offset = (strength[clear] * _ACROSS[1:-1]).sum(axis=1) / total[clear]
        weight = np.minimum(total[clear], 20.0)
        at = (centres[inside][clear] - middle) / size + np.array((0.25 * side, 0.25))
        row = np.stack([np.full(len(at), side), np.ones(len(at)), at @ np.array((side, 1.0))], axis=1)
        measured.append((offset, weight, row))
    if not measured:
        return np.zeros(0), np.zeros(0), np.zeros((0, 3))
    first, second, third = (np.concatenate(parts) for parts in zip(*measured, strict=True))
    return first, second, third


def _profiles(picture: Picture, centres: Numbers, size: Numbers, side: float) -> Numbers:
    """Returns the mean brightness across each cell's lower right (1) or left (-1) edge, (cells, steps)."""
    start, end, normal = np.array((0.5 * side, 0.0)), np.array((0.0, 0.5)), np.array((side, 1.0))
    on_edge = start + (end - start) * _ALONG[:, None]
    points = ((on_edge[:, None] + _ACROSS[None, :, None] * normal / 2) * size - 0.5).reshape(-1, 2)
    x = np.add.outer(centres[:, 0], points[:, 0]).astype(np.float32)
    y = np.add.outer(centres[:, 1], points[:, 1]).astype(np.float32)
    seen = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    shape = (len(centres), len(_ALONG), len(_ACROSS), *seen.shape[2:])
    return np.asarray(seen.reshape(shape).mean(axis=1, dtype=np.float32), np.float64)
