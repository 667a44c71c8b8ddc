"""Finds the lattice of a real client's board in the picture itself, whatever the floor is made of.

Tile edges, highlights and borders all lie on two families of parallel lines. The picture's edges along such
lines are summed up by the line they lie on; the sums repeat once a cell. Where both families repeat at the
same pace, that is the cell's width, and the phases are the offset. Next hop: `vision.extract.real.borders`.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.profiles import Profile
from vision.view import Lattice

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

_FINE_CELL_PX = 40.0
_PACES = np.arange(0.72, 1.36, 0.003)
_TOP, _BOTTOM = 0.06, 0.86
_RUN = 0.2
_QUIET, _LOUD = 80, 97
_APART = 0.06
_SURE = 3.2
_NONE = 1.7
_PRIOR_WIDTH = 0.02
_PRIOR_GAIN = 0.12


@dataclass(frozen=True, slots=True)
class Fit:
    """A lattice as the picture shows it.

    Attributes:
        lattice: in pixels of the frame; cell 0 is the one nearest to where the profile expects it.
        contrast: how much stronger the edges repeat at this cell width than at any other (1: no stronger).
        apart: how far the lattice lies from the profile's, in cells (0..0.5 along both diagonals).
    """

    lattice: Lattice
    contrast: float
    apart: float

    @property
    def confidence(self) -> float:
        """How sure the lattice is, up to which cell is which (0..1)."""
        return float(np.clip((self.contrast - _NONE) / (_SURE - _NONE), 0.0, 1.0)) * 0.99


def find(bgr: Picture, client: Rect, profile: Profile) -> Fit | None:
    """Returns the lattice of a client area, None where no edges repeat.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        client: the client area in it.
        profile: whose board it is.
    """
    prior = profile.lattice(client)
    scale = min(1.0, _FINE_CELL_PX / prior.cell_w)
    top, bottom = round(client.height * _TOP), round(client.height * _BOTTOM)
    part = cv2.cvtColor(bgr[client.y + top : client.y + bottom, client.x : client.right], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    cell, ratio = prior.cell_w * scale, profile.board.ratio
    sums = [_sums(_edges(small, ratio, cell, side), ratio, side) for side in (1, -1)]
    if not all(len(values) > 4 * cell for values, _ in sums):
        return None
    widths = cell * _PACES
    powers = sum((np.abs(_tones(values, start, widths)) for values, start in sums), np.zeros(len(widths)))
    width, contrast = _peak(widths, powers, cell)
    if width is None:
        return None
    phases = [
        float(np.angle(_tones(values, start, np.array([width]))[0])) / (2 * np.pi) for values, start in sums
    ]
    x, y = (
        (prior.origin_px[0] - client.x) * scale - 0.5,
        (prior.origin_px[1] - client.y - top) * scale - 0.5,
    )
    falling, rising = (
        (phase + 0.5 - (x + side * y / ratio) / width + 0.5) % 1 - 0.5
        for phase, side in zip(phases, (1, -1), strict=True)
    )
    width /= scale
    dx, dy = (falling + rising) / 2 * width, (falling - rising) / 2 * width * ratio
    origin = (prior.origin_px[0] + dx, prior.origin_px[1] + dy)
    return Fit(Lattice(origin, width, width * ratio), contrast, max(abs(falling), abs(rising)))


def _edges(grey: npt.NDArray[np.float32], ratio: float, cell: float, side: int) -> npt.NDArray[np.float32]:
    """Returns how strong an edge lies along the lines x + side * y / ratio = const, at each pixel."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
    step = (ratio * across + side * down).astype(np.float32)
    return np.abs(cv2.filter2D(step, -1, _run(max(3, round(cell * _RUN)), -side * ratio)))


def _run(reach: int, slope: float) -> npt.NDArray[np.float32]:
    """Returns a kernel that averages along a line of a slope, `reach` pixels to both sides."""
    rise = int(np.ceil(reach * abs(slope))) + 1
    kernel = np.zeros((2 * rise + 1, 2 * reach + 1), np.float32)
    x = np.arange(-reach, reach + 1)
    y = x * slope
    low = np.floor(y).astype(int)
    kernel[low + rise, x + reach] += 1 - (y - low)
    kernel[low + 1 + rise, x + reach] += y - low
    return np.asarray(kernel / kernel.sum(), np.float32)


def _sums(edges: npt.NDArray[np.float32], ratio: float, side: int) -> tuple[Numbers, int]:
    """Returns the edges summed up along their lines, and the line (x + side * y / ratio) of the first sum."""
    quiet, loud = np.percentile(edges[::3, ::3], (_QUIET, _LOUD))
    strength = np.clip(edges - quiet, 0, max(float(loud - quiet), 1e-3))
    y, x = np.nonzero(strength)
    if not len(x):
        return np.zeros(0), 0
    line = x + side * y / ratio
    low = np.floor(line).astype(np.int64)
    part, start = line - low, int(low.min())
    weight = strength[y, x].astype(np.float64)
    length = int(low.max()) - start + 2
    sums = np.bincount(low - start, weight * (1 - part), length)
    sums += np.bincount(low - start + 1, weight * part, length)
    return np.asarray(sums, np.float64), start


def _tones(sums: Numbers, start: int, widths: Numbers) -> npt.NDArray[np.complex128]:
    """Returns how strongly the sums repeat at each cell width, and their phase, shape (widths,)."""
    smooth = cv2.GaussianBlur(sums.reshape(1, -1), (0, 0), float(widths.mean()) * 0.5)[0]
    flat = sums - smooth
    line = np.arange(start, start + len(flat))
    norm = np.sqrt(max(float((flat**2).sum()), 1e-9) * len(flat))
    return np.asarray(np.exp(2j * np.pi * line[None] / widths[:, None]) @ flat / norm)


def _peak(widths: Numbers, powers: Numbers, expected: float) -> tuple[float | None, float]:
    """Returns the cell width at which the edges repeat most, and its contrast to all others."""
    weight = 1 + _PRIOR_GAIN * np.exp(-0.5 * ((widths / expected - 1) / _PRIOR_WIDTH) ** 2)
    weighted = powers * weight
    best = int(weighted.argmax())
    if best in (0, len(widths) - 1):
        return None, 0.0
    others = np.abs(widths / widths[best] - 1) > _APART
    contrast = float(powers[best] / max(np.percentile(powers[others], 98), 1e-9))
    left, here, right = weighted[best - 1 : best + 2]
    bend = left - 2 * here + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(widths[best] + shift * (widths[1] - widths[0])), contrast
