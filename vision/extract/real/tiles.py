"""Moves a lattice onto the tiles' edges, to a fraction of a pixel, and says how well they lie on it.

Across every tile edge the place of the strongest step in brightness is measured; shift and cell width are
those that fit all the places best, whatever does not fit at all being left out. The cell width that the
profile expects counts like a number of edges. Next hop: `vision.extract.real.borders`.
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
_ACROSS = np.linspace(-0.17, 0.17, 18)
_STEP = 1.6
_CLEAR = 2.0
_ROUNDS = 6
_OUTLIER = (0.12, 0.035)
_PRIOR = 0.004
_NOISE = 0.04
_LEAST = 24

CHANCE = _OUTLIER[1] / float(_ACROSS[-2])
"""The share of edges that lie on a lattice by chance."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A lattice on the tiles' edges.

    Attributes:
        lattice: in pixels of the frame.
        residual: how far the edges that fit lie from it, as a standard deviation, in cells.
        edges: how many edges fit.
        share: how many of the edges that show fit (0..1).
    """

    lattice: Lattice
    residual: float
    edges: int
    share: float


def align(grey: Picture, lattice: Lattice, area: Rect, expected_w: float) -> Aligned | None:
    """Returns a lattice moved onto the tiles' edges, None where too few show.

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
    left = offsets - rows @ move
    residual = float(np.sqrt((left[fits] ** 2).mean()))
    return Aligned(_moved(lattice, area, move), residual, int(fits.sum()), float(fits.mean()))


def _middle(lattice: Lattice, area: Rect) -> Numbers:
    """Returns the point that stays where it is when the cells grow."""
    return np.array((area.x + area.width / 2, area.y + area.height / 2))


def _moved(lattice: Lattice, area: Rect, move: Numbers) -> Lattice:
    middle, size = _middle(lattice, area), np.array((lattice.cell_w, lattice.cell_h))
    origin = middle + (np.array(lattice.origin_px) - middle) * (1 + move[2]) + move[:2] * size
    grown = size * (1 + move[2])
    return Lattice((float(origin[0]), float(origin[1])), float(grown[0]), float(grown[1]))


def _measured(grey: Picture, lattice: Lattice, area: Rect) -> tuple[Numbers, Numbers, Numbers]:
    """Returns how far each clear edge lies off, its weight, and what moves it.

    Offsets are in cells along the edge's normal in the lattice's own (square) coordinates; a row tells how an
    edge's offset changes with a shift across, a shift down (in cell widths and heights), and growth.
    """
    size = np.array((lattice.cell_w, lattice.cell_h))
    middle = _middle(lattice, area)
    found: list[tuple[Numbers, Numbers, Numbers]] = []
    for side in (1.0, -1.0):
        start, end, normal = np.array((0.5 * side, 0.0)), np.array((0.0, 0.5)), np.array((side, 1.0))
        on_edge = start + (end - start) * _ALONG[:, None]
        points = on_edge[:, None] + _ACROSS[None, :, None] * normal / 2
        at = grid.centres(lattice)[:, None, None] + points * size
        inside = (at[:, 0, 0, 0] > area.x) & (at[:, 0, 0, 0] < area.right)
        inside &= (at[:, 0, 0, 1] > area.y) & (at[:, 0, 0, 1] < area.bottom)
        at = at[inside]
        if not len(at):
            continue
        x = at[..., 0].astype(np.float32).reshape(len(at), -1) - np.float32(0.5)
        y = at[..., 1].astype(np.float32).reshape(len(at), -1) - np.float32(0.5)
        seen = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        profile = seen.reshape(at.shape[:3]).mean(axis=1, dtype=np.float64)
        step = np.abs(profile[:, 2:] - profile[:, :-2])
        strength = np.maximum(step - np.median(step, axis=1, keepdims=True) * _CLEAR - _STEP, 0)
        total = strength.sum(axis=1)
        clear = total > 0
        offset = (strength[clear] * _ACROSS[1:-1]).sum(axis=1) / total[clear]
        weight = np.minimum(total[clear], 20.0)
        centre = (at.mean(axis=(1, 2))[clear] - middle) / size
        row = np.stack([np.full(len(centre), side), np.ones(len(centre)), centre @ normal], axis=1)
        found.append((offset, weight, row))
    if not found:
        return np.zeros(0), np.zeros(0), np.zeros((0, 3))
    first, second, third = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return first, second, third
