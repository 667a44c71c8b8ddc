"""Finds the fighters that stand on a jagged ring in place of a border, as hovered and targeted ones do.

A ring is a thick band of its side's colour about a cell's middle. Glyphs, auras and marks on the ground have
such bands as well, so rings are only looked for while the timeline shows more fighters of a side than have
borders, and count only where there are no more of them than are missing. Used by
`vision.extract.dofus.board`.
"""

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus.borders import FoundBorder
from vision.frame import Rect
from vision.profiles.board import RingRule
from vision.profiles.fields import RGB
from vision.view import Lattice, Team

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]

_ROUGH, _POINTS = 8, 40
_BAND = 5
_SHIFTS = (-0.06, -0.03, 0.0, 0.03, 0.06)
_LOWER = 0.1
_LIKELY = 0.5
_FRONT, _SHARE = 0.8, 0.5
_TOP, _HIDDEN = -0.87, 0.6
"""The sixth of a ring behind its middle, and the share of it in sight at most: feet stand in the middle, so
that the body hides it (0 on a real screen, 0 to 0.33 in 30 drawn ones; discs of glyphs show 0.83 and
more)."""
_STANDS_OUT = 0.3
"""Of its colour's tint, how much more a band has than the floor on both its sides."""


def find(
    bgra: Picture, lattice: Lattice, area: Rect, rule: RingRule, colour: RGB, team: Team, taken: set[int]
) -> list[FoundBorder]:
    """Returns the rings of one side on cells of the lattice.

    Args:
        bgra: the frame, uint8, shape (height, width, 4).
        lattice: where the board's cells lie.
        area: the part of the picture in which cells' centres may lie.
        rule: the rings' size.
        colour: of the side's rings.
        team: the side.
        taken: cells on which a fighter stands.
    """
    centres = grid.centres(lattice)
    x, y = centres.T
    inside = (x > area.x) & (x < area.right) & (y > area.y) & (y < area.bottom)
    inside[list(taken)] = False
    cells = np.flatnonzero(inside)
    size = np.array((lattice.cell_w, lattice.cell_h))
    below = _angles(_ROUGH)[_angles(_ROUGH) < np.pi]
    likely = cells[_bands(bgra, centres[cells], size, rule, colour, below).mean(axis=1) >= _LIKELY]
    found = []
    for cell in likely.tolist():
        ring = _ring(bgra, centres[cell], size, rule, colour)
        if ring is not None:
            place, share, front = ring
            found.append(
                FoundBorder(team, place, cell, share, front, (0.0, 0.0, 0.0, 0.0), mark=0.0, votes=0.0)
            )
    return found


def _ring(
    bgra: Picture, centre: npt.NDArray[np.float64], size: npt.NDArray[np.float64], rule: RingRule, colour: RGB
) -> tuple[tuple[float, float], float, float] | None:
    """Returns a ring's middle and the visible shares of it and of its front, None where there is none."""
    angles = _angles(_POINTS)
    front = np.sin(angles) > _LOWER
    across, down = np.meshgrid(_SHIFTS, _SHIFTS)
    places = centre + np.stack([across.ravel(), down.ravel()], axis=1) * size
    seen = _bands(bgra, places, size, rule, colour, angles)
    score = seen.mean(axis=1) + seen[:, front].mean(axis=1)
    good = score >= score.max() - 0.02
    best = int(score.argmax())
    share, lower = float(seen[best].mean()), float(seen[best][front].mean())
    if share < _SHARE or lower < _FRONT or float(seen[best][np.sin(angles) < _TOP].mean()) > _HIDDEN:
        return None
    x, y = places[good].mean(axis=0)
    return (float(x), float(y)), share, lower


def _bands(
    bgra: Picture,
    places: npt.NDArray[np.float64],
    size: npt.NDArray[np.float64],
    rule: RingRule,
    colour: RGB,
    angles: npt.NDArray[np.float64],
) -> npt.NDArray[np.bool_]:
    """Returns at which angles a band of a colour crosses the way from a place outwards, (places, angles)."""
    radii = np.concatenate([[rule.inside, rule.outside], np.linspace(*rule.band, _BAND)]) / 2
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    at = places[:, None, None] + radii[None, :, None, None] * around[None, None] * size
    column = np.clip(np.floor(at[..., 0]).astype(np.intp), 0, bgra.shape[1] - 1)
    row = np.clip(np.floor(at[..., 1]).astype(np.intp), 0, bgra.shape[0] - 1)
    pixels = bgra[row, column].astype(np.float32)
    main, other = (2, 0) if colour[0] > colour[2] else (0, 2)
    tint: Numbers = 2 * pixels[..., main] - pixels[..., 1] - pixels[..., other]
    whole = float(2 * max(colour[0], colour[2]) - colour[1] - min(colour[0], colour[2]))
    band, beside = tint[:, 2:].max(axis=1), tint[:, :2].max(axis=1)
    return np.asarray((band >= rule.least * whole) & (band - beside >= _STANDS_OUT * whole))


def _angles(count: int) -> npt.NDArray[np.float64]:
    """Returns angles around a place, 0 to its right, growing downwards."""
    return (np.arange(count) + 0.5) / count * 2 * np.pi
