"""Checks the lattice against the picture and moves it onto the tiles' edges.

The profile gives the expected place; the dark lines between floor tiles give the actual one. The darkest
place across every tile edge is measured; the median offsets move the lattice, and the residual gives its
confidence.
"""

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.arena.palette import ColourTable
from vision.view import Lattice

Packed = npt.NDArray[np.uint32]

_REACH_PX = 4
_MIN_EDGES = 30


def refine(packed: Packed, palette: ColourTable, prior: Lattice) -> tuple[Lattice, float]:
    """Returns the lattice that fits the tiles' edges best, near the profile's own, and the confidence in it.

    Args:
        packed: the frame, packed as 0xAARRGGBB, shape (height, width).
        palette: the board's palette; only edges between two floor tiles are measured.
    """
    rising, falling = (_offsets(packed, palette, prior, side) for side in (1, -1))
    if min(len(rising), len(falling)) < _MIN_EDGES:
        return prior, 0.0
    up, down = float(np.median(rising)), float(np.median(falling))
    residual = float(np.median(np.abs(np.concatenate([rising - up, falling - down]))))
    slope = prior.cell_h / prior.cell_w
    length = float(np.hypot(slope, 1))
    dx = (up - down) * length / (2 * slope)
    dy = (up + down) * length / 2
    if max(abs(dx), abs(dy)) < 0.6:
        dx = dy = 0.0
    moved = Lattice((prior.origin_px[0] + dx, prior.origin_px[1] + dy), prior.cell_w, prior.cell_h)
    confidence = max(0.0, 1.0 - residual / 2.5) if max(abs(dx), abs(dy)) <= _REACH_PX else 0.0
    return moved, confidence


def _offsets(packed: Packed, palette: ColourTable, lattice: Lattice, side: int) -> npt.NDArray[np.float64]:
    """Returns the offset of the dark line from each tile's lower left (side -1) or lower right (1) edge.

    Distances are along the edge's normal that points down, in pixels; only edges with floor on both sides.
    """
    centres = grid.centres(lattice)
    slope = lattice.cell_h / lattice.cell_w
    normal = np.array((side * slope, 1.0)) / np.hypot(slope, 1)
    steps = np.arange(-_REACH_PX - 2, _REACH_PX + 3)
    places = np.array([0.3, 0.4, 0.5, 0.6, 0.7])
    start, end = np.array((side * lattice.cell_w / 2, 0.0)), np.array((0.0, lattice.cell_h / 2))
    on_edge = start + (end - start) * places[:, None]
    at = centres[:, None, None] + on_edge[None, :, None] + steps[None, None, :, None] * normal
    x, y = np.floor(at[..., 0]).astype(np.int64), np.floor(at[..., 1]).astype(np.int64)
    inside = ((x >= 0) & (x < packed.shape[1]) & (y >= 0) & (y < packed.shape[0])).all(axis=2)
    values = packed[np.where(inside[..., None], y, 0), np.where(inside[..., None], x, 0)]
    floor = palette.read_packed(values) == palette.id("floor")
    both = inside & floor[..., :2].all(axis=2) & floor[..., -2:].all(axis=2)
    light = (values >> 8 & 255).astype(np.float64)[both]
    if not len(light):
        return np.zeros(0)
    depth = np.maximum(0.0, np.median(light, axis=1)[:, None] - light - 6)
    marked = depth.sum(axis=1) > 8
    depth = depth[marked]
    return np.asarray((depth * steps).sum(axis=1) / depth.sum(axis=1))
