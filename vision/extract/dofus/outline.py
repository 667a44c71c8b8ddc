"""Finds the coloured borders of fighters' cells: compares pixels on each cell's outline with those beside it.

An edge votes for a border when its line has more of the side's tint than the pixels inside and outside it.
"""

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.fields import RGB
from vision.view import Lattice, Team

Packed = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.float32]

POINTS = 48
WIDE = 0.24
"""Distance from the line at which the floor is sampled, in cell widths."""

WIDE_WOBBLE = (-0.05, 0.0, 0.05)
"""Offsets from the line at which the line itself is sampled, in cell widths; the strongest counts."""
VOTES = (-2.0, 4.0)
"""The least and the most that one edge can vote, in standard errors."""
LEAST = 0.47
"""Share of a border's tint that a line must have."""
_SHIFTS = np.array([-0.06, 0.0, 0.06], np.float32)
"""How far a border may lie off its cell, in cells along both axes."""
_EVERY = 2
_ASIDE = 0.05
"""How far beyond the left or right edge a cell's centre may lie, in cell widths: Retro halves those cells."""


def outline(rules: ScreenRules) -> Numbers:
    """Returns points on a border as wide as a cell, clockwise from its top, in cell widths and heights."""
    turn = (np.arange(POINTS) + 0.5) / POINTS
    if rules.border.corners:
        corners = np.array([*rules.border.corners, rules.border.corners[0]])
        lengths = np.hypot(*np.diff(corners, axis=0).T)
        far = np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum()
        points = np.stack([np.interp(turn, far, axis) for axis in corners.T], axis=1)
    else:
        points = np.stack([np.sin(2 * np.pi * turn), -np.cos(2 * np.pi * turn)], axis=1) * 0.5
    return points.astype(np.float32)


def tint(red: Numbers, green: Numbers, blue: Numbers, colour: RGB) -> Numbers:
    """Returns how much stronger the strongest channel of a colour is than the others, in half levels."""
    channels = (red, green, blue)
    main = colour.index(max(colour))
    one, other = (channels[index] for index in range(3) if index != main)
    return np.asarray(2 * channels[main] - one - other, np.float32)


def around(shifts: Numbers) -> Numbers:
    """Returns all pairs of shifts along both axes, in cells, shape (shifts squared, 2)."""
    across, down = np.meshgrid(shifts, shifts)
    return np.stack([across.reshape(-1), down.reshape(-1)], axis=1)


def least_tint(rules: ScreenRules, colour: RGB) -> float:
    """Returns the least tint of a line of a colour, in half levels."""
    return LEAST * min(rules.border.shades) * (3 * max(colour) - sum(colour))


def edges(line: Numbers, beside: Numbers, least: float) -> Numbers:
    """Returns the contrast of four edges to their surroundings, in standard errors, shape (places, 4)."""
    steps = np.where(line >= least, line - beside, np.minimum(line - beside, 0)).reshape(len(line), 4, -1)
    count = steps.shape[2]
    mean = steps.mean(axis=2)
    spread = np.sqrt(np.maximum((steps * steps).mean(axis=2) - mean * mean, 0.0))
    return np.asarray(mean / (spread / np.sqrt(count) + 2.0), np.float32)


def votes(
    rules: ScreenRules, lattice: Lattice, area: Rect, packed: Packed
) -> tuple[npt.NDArray[np.int64], dict[Team, Numbers]]:
    """Returns the contrast of each cell's outline to its surroundings in each side's tint.

    Args:
        rules: the form and colours of borders.
        lattice: where the board's cells lie.
        area: the part of the frame in which cells' centres may lie, or on its left and right edges.
        packed: the frame, packed as 0xAARRGGBB, shape (height, width).

    Returns:
        The ids of the cells in the area; by side, in standard errors summed over the edges, shape (cells,).
    """
    centres = grid.centres(lattice)
    x, y = centres.T
    aside = _ASIDE * lattice.cell_w
    within = (x > area.x - aside) & (x < area.right + aside) & (y > area.y) & (y < area.bottom)
    cells = np.flatnonzero(within)
    if not len(cells):
        return cells, {}
    scale = np.array((lattice.cell_w, lattice.cell_h))
    shifts = around(_SHIFTS)
    places = (centres[cells, None] + shifts * scale).reshape(-1, 2)
    border = rules.border
    rings = [border.size + WIDE, border.size - WIDE, *(border.size + wobble for wobble in WIDE_WOBBLE)]
    if border.mark is not None:
        rings += [border.mark_size - WIDE, *(border.mark_size + wobble for wobble in WIDE_WOBBLE)]
    points = outline(rules)[::_EVERY] * scale
    at = places[None, :, None] + np.array(rings)[:, None, None, None] * points
    column = np.clip(np.floor(at[..., 0]).astype(np.int32), 0, packed.shape[1] - 1)
    row = np.clip(np.floor(at[..., 1]).astype(np.int32), 0, packed.shape[0] - 1)
    seen = packed[row, column]
    blue, green, red = (((seen >> shift) & 255).astype(np.float32) for shift in (0, 8, 16))
    found: dict[Team, Numbers] = {}
    for team, colour in border.sides.items():
        seen_tint = tint(red, green, blue, colour)
        found[team] = _stand_out(seen_tint[2:5], seen_tint[1], seen_tint[0], least_tint(rules, colour))
    if border.mark is not None and "own" in found:
        white = 2 * np.minimum(np.minimum(red, green), blue)
        marks = _stand_out(white[6:9], white[5], white[0], 2 * LEAST * min(border.mark))
        found["own"] = np.maximum(found["own"], marks)
    return cells, {team: values.reshape(-1, len(shifts)).max(axis=1) for team, values in found.items()}


def _stand_out(lines: Numbers, inner: Numbers, outer: Numbers, least: float) -> Numbers:
    """Returns how strongly the best of several lines contrasts with both its sides, shape (places,).

    A faint line scores by its evenness, one partly covered by bodies or marks by its visible share.
    """
    line, beside = lines.max(axis=0), np.maximum(inner, outer)
    votes = edges(line, beside, least).clip(*VOTES).sum(axis=1)
    visible = ((line - beside) / least).clip(0, 1).mean(axis=1)
    return np.asarray(votes + 4 * VOTES[1] * visible, np.float32)
