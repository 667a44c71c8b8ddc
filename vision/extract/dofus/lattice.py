"""Finds the lattice of a DOFUS board in the picture, by the periodicity of its edges.

Tile edges, highlights and borders all lie on two families of parallel lines. The picture's edges along such
lines are summed along each line; the sums are periodic with the cell. If both families have the same
period, it is the cell's width, and the phases are the offset.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import tiles
from vision.extract.dofus.percentiles import percentiles
from vision.frame import Rect
from vision.view import MOST_SURE, ROW_LENGTH, Lattice

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

_GREY = {3: cv2.COLOR_BGR2GRAY, 4: cv2.COLOR_BGRA2GRAY}
_FINE_CELL_PX = 40.0  # Cells are made this wide; at 20 two of 16 boards lie elsewhere
_SCALES = np.arange(0.72, 1.36, 0.005)
"""Widths of a cell that are tried, in expected ones: half and twice the step read 26 pictures alike, and so
does 0.8 to 1.25; from 0.5 to 1.6 three of them lie elsewhere."""
_TOP, _BOTTOM = 0.06, 0.86
"""The part of the client's height that is looked at: with all of it peaks are 0.8 to 1 times as clear."""
_RUN = 0.2  # Of a cell that edges are averaged along, to both sides; 0 to 0.4 read 16 pictures alike
_QUIET, _LOUD = 80, 97
"""Percentiles of the edges' strength below which there is none and above which all count alike: without the
upper one, or with 95 for the lower, peaks are half as clear on some of 16 pictures; 50 is as good."""
_APART = 0.06
"""How much larger or smaller the widths are that a peak is compared with: at 0.001 its own flanks make it a
third as clear."""
_SURE, _NONE, _CHANCE, _BEYOND_CHANCE = 3.2, 1.7, 3.5, 9.0
"""Contrasts, and edges beyond those by chance, between which a lattice is more or less sure. Of 102 pictures
the nine without a board have 1.51 and 3.3 at most, each of the others 3.9 or 9.3 at least."""
BETWEEN = 0.25  # Cells off along a diagonal: beyond, its numbers may be those of the next cell
_MIDDLE = 20 * ROW_LENGTH + 7
_SAME = 0.02  # Share of a cell by which boards that are the same differ in place and width
_PRIOR_GAIN = 0.12  # By how much the expected width is preferred; 0 reads 16 pictures alike


@dataclass(frozen=True, slots=True)
class MeasuredLattice:
    """A lattice measured in a picture."""

    lattice: Lattice  # In pixels of the frame; cell 0 is the one nearest to where it is expected
    contrast: float  # The spectrum's peak at this cell width relative to others (1: no peak)
    apart: float  # Distance of its middle from the expected one, in cells along both diagonals (0 to 0.5)
    surplus: float = 0.0  # Edges on it beyond those by chance, in standard deviations

    @property
    def confidence(self) -> float:
        """The confidence of the lattice, apart from its numbering (0..1)."""
        repeats = (self.contrast - _NONE) / (_SURE - _NONE)
        fits = (self.surplus - _CHANCE) / (_BEYOND_CHANCE - _CHANCE)
        return float(np.clip(max(repeats, fits), 0.0, 1.0)) * MOST_SURE


def find(frame: Picture, client: Rect, prior: Lattice) -> Generator[None, None, MeasuredLattice | None]:
    """Finds the lattice of a client area in three parts; returns None where no edges repeat.

    Args:
        frame: BGR or BGRA, uint8, shape (height, width, 3 or 4).
    """
    top, bottom = round(client.height * _TOP), round(client.height * _BOTTOM)
    grey = np.asarray(cv2.cvtColor(frame, _GREY[frame.shape[2]]), np.uint8)
    part = Rect(client.x, client.y + top, client.width, bottom - top)
    measured = yield from repeating(grey[part.y : part.bottom, part.x : part.right], part, prior)
    if measured is None:
        return None
    rough, contrast = measured
    board = Rect(client.x, client.y, client.width, bottom)
    expected_w = rough.cell_w if is_zoomed(rough, prior) else prior.cell_w
    on = tiles.align(grey, rough, board, expected_w)
    yield
    there = tiles.align(grey, prior, board, prior.cell_w)
    if there is not None and (on is None or there.edges > on.edges):
        on = there
    if on is None:
        return MeasuredLattice(nearest(rough, prior), contrast, _apart(rough, prior))
    return MeasuredLattice(nearest(on.lattice, prior), contrast, _apart(on.lattice, prior), _surplus(on))


def measured_again(frame: Picture, area: Rect, fit: MeasuredLattice) -> MeasuredLattice | None:
    """Returns a lattice aligned with another map's tiles, None unless more edges prove it than the one known.

    Args:
        frame: BGR or BGRA, uint8, shape (height, width, 3 or 4).
        area: the part of the frame that shows the board.
        fit: the lattice as known, to a tenth of a cell.
    """
    grey = np.asarray(cv2.cvtColor(frame, _GREY[frame.shape[2]]), np.uint8)
    on = tiles.align(grey, fit.lattice, area, fit.lattice.cell_w)
    if on is None or _surplus(on) <= fit.surplus or is_same(on.lattice, fit.lattice):
        return None
    return replace(fit, lattice=nearest(on.lattice, fit.lattice), surplus=_surplus(on))


def renumbered(fit: MeasuredLattice, expected: Lattice) -> MeasuredLattice:
    """Returns a fit with its cells numbered by where another lattice expects them."""
    lattice = nearest(fit.lattice, expected)
    return replace(fit, lattice=lattice, apart=_apart(lattice, expected))


def alternatives(fit: MeasuredLattice, expected: Lattice) -> tuple[Lattice, ...]:
    """Returns the other lattices that fit a picture, the nearest to the expected one first.

    A picture shows the cells, not their numbers: the lattice may be off by a cell upwards or downwards, and
    to the sides as well if it lies between two expected positions.
    """
    here = _steps(fit.lattice, expected)
    moves = [(1, -1), (-1, 1)]
    if fit.apart > BETWEEN:
        moves += [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]
    moves.sort(key=lambda move: max(abs(here[0] + move[0]), abs(here[1] + move[1])))
    return tuple(_moved(fit.lattice, *move) for move in moves)


def _moved(lattice: Lattice, along: int, against: int) -> Lattice:
    x = lattice.origin_px[0] + (along + against) / 2 * lattice.cell_w
    y = lattice.origin_px[1] + (along - against) / 2 * lattice.cell_h
    return replace(lattice, origin_px=(x, y))


def is_zoomed(lattice: Lattice, expected: Lattice) -> bool:
    """Returns whether cells are larger or smaller than expected; their numbers are then unknown."""
    return abs(lattice.cell_w / expected.cell_w - 1) > _SAME


def is_same(first: Lattice, second: Lattice) -> bool:
    """Returns whether all cells of two lattices are at the same places, to a fiftieth of a cell."""
    apart = np.abs(np.subtract(grid.centres(first), grid.centres(second)))
    return bool((apart <= np.multiply(_SAME, (first.cell_w, first.cell_h))).all())


def nearest(lattice: Lattice, expected: Lattice) -> Lattice:
    """Returns a lattice numbered so that its middle cell is as near as can be to where it is expected."""
    along, against = _steps(lattice, expected)
    return _moved(lattice, -round(along), -round(against))


def _steps(lattice: Lattice, expected: Lattice) -> tuple[float, float]:
    """Returns the offset of the middle from the expected one, in cells along both diagonals."""
    x, y = lattice.centre(_MIDDLE)
    wanted_x, wanted_y = expected.centre(_MIDDLE)
    across, down = (x - wanted_x) / lattice.cell_w, (y - wanted_y) / lattice.cell_h
    return across + down, across - down


def _apart(lattice: Lattice, expected: Lattice) -> float:
    return max(abs(value - round(value)) for value in _steps(lattice, expected))


def _surplus(on: tiles.Aligned) -> float:
    """Returns the number of fitting edges beyond those by chance, in standard deviations."""
    count = on.edges / on.share
    return float((on.edges - tiles.CHANCE * count) / np.sqrt(count * tiles.CHANCE * (1 - tiles.CHANCE)))


def repeating(
    grey: Picture, part: Rect, prior: Lattice
) -> Generator[None, None, tuple[Lattice, float] | None]:
    """Returns the lattice by the period of the edges, and the contrast of that period to all others."""
    scale = min(1.0, _FINE_CELL_PX / prior.cell_w)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    cell, ratio = prior.cell_w * scale, prior.cell_h / prior.cell_w
    sums = [_sums(_edges(small, ratio, cell, 1), ratio, 1)]
    yield
    sums.append(_sums(_edges(small, ratio, cell, -1), ratio, -1))
    if not all(len(values) > 4 * cell for values, _ in sums):
        return None
    widths = cell * _SCALES
    powers = sum((np.abs(_spectrum(values, start, widths)) for values, start in sums), np.zeros(len(widths)))
    width, contrast = _peak(widths, powers, cell)
    if width is None:
        return None
    phases = [
        float(np.angle(_spectrum(values, start, np.array([width]))[0])) / (2 * np.pi)
        for values, start in sums
    ]
    falling, rising = ((phase + 0.5) * width for phase in phases)
    x, y = (falling + rising) / 2, (falling - rising) / 2 * ratio
    origin = (part.x + (x + 0.5) / scale, part.y + (y + 0.5) / scale)
    return Lattice(origin, width / scale, width / scale * ratio), contrast


def _edges(grey: npt.NDArray[np.float32], ratio: float, cell: float, side: int) -> npt.NDArray[np.float32]:
    """Returns the edge strength along the lines x + side * y / ratio = const at each pixel."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
    step = (ratio * across + side * down).astype(np.float32)
    return np.abs(cv2.filter2D(step, -1, _line_kernel(max(3, round(cell * _RUN)), -side * ratio)))


def _line_kernel(reach: int, slope: float) -> npt.NDArray[np.float32]:
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
    quiet, loud = percentiles(edges[::3, ::3].ravel(), (_QUIET, _LOUD))
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


def _spectrum(sums: Numbers, start: int, widths: Numbers) -> npt.NDArray[np.complex128]:
    """Returns the Fourier coefficient of the sums at each cell width, shape (widths,)."""
    smooth = cv2.GaussianBlur(sums.reshape(1, -1), (0, 0), float(widths.mean()) * 0.5)[0]
    flat = sums - smooth
    line = np.arange(start, start + len(flat))
    norm = np.sqrt(max(float((flat**2).sum()), 1e-9) * len(flat))
    turns = np.outer(1 / widths, line)
    turns = np.asarray((turns - np.floor(turns)) * (2 * np.pi), np.float32)
    return np.asarray((np.cos(turns) @ flat + 1j * (np.sin(turns) @ flat)) / norm)


def _peak(widths: Numbers, powers: Numbers, expected: float) -> tuple[float | None, float]:
    weight = 1 + _PRIOR_GAIN * np.exp(-0.5 * ((widths / expected - 1) / _SAME) ** 2)
    weighted = powers * weight
    best = int(weighted.argmax())
    if best in (0, len(widths) - 1):
        return None, 0.0
    others = np.abs(widths / widths[best] - 1) > _APART
    contrast = float(powers[best] / max(float(percentiles(powers[others], (98,))[0]), 1e-9))
    left, here, right = weighted[best - 1 : best + 2]
    bend = left - 2 * here + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(widths[best] + shift * (widths[1] - widths[0])), contrast
