"""Draws boards of our own with the geometry of the real clients, in other palettes, with their truth."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import pytest

from vision.extract.dofus.cells import CellReader
from vision.frame import Rect
from vision.profiles import load
from vision.view import CELLS, CellKind, Lattice

PALETTES = {
    "grass": ((112, 134, 60), (96, 118, 50), (70, 90, 40)),
    "wood": ((150, 106, 62), (132, 92, 52), (90, 60, 34)),
    "sand": ((222, 200, 130), (206, 184, 116), (160, 136, 80)),
    "stone": ((140, 142, 146), (122, 124, 130), (84, 86, 92)),
    "night": ((44, 50, 74), (36, 42, 64), (20, 24, 40)),
    "snow": ((226, 232, 238), (208, 216, 226), (170, 182, 198)),
}

EXTREMES = tuple(
    palette if palette in ("night", "snow") else pytest.param(palette, marks=pytest.mark.long)
    for palette in sorted(PALETTES)
)
"""The palettes as parameters of a test: the darkest and the brightest always, the others where asked for."""


_RINGS = {"dofus-unity": (0.83, 0.04), "dofus-2": (0.525, 0.025), "dofus-retro": (0.66, 0.05)}
"""How wide a ring and its line are, in cell widths."""

_MARKS, _MARKS_WIDE = (228, 235, 230), 0.77
"""Colour (BGR) and width of the marks in the player's ring, in cell widths."""


@dataclass(frozen=True)
class Board:
    """A drawn board: the picture (BGR), its client area, its cells, who stands where, what is lit."""

    picture: np.ndarray
    client: Rect
    lattice: Lattice
    own: int
    enemies: tuple[int, ...]
    floor: frozenset[int]
    lit: frozenset[int]

    @property
    def standing(self):
        return [self.own, *self.enemies]


def cell_reader(client, board, height=None):
    """Returns a reader of a board's cells, whose client area may be less high than the picture."""
    tall, wide = board.picture.shape[:2]
    return CellReader(load(client).screen, board.lattice, Rect(0, 0, wide, height or tall), (tall, wide))


def bgra(picture):
    return cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)


def walkable(seen):
    return set(np.flatnonzero(seen.kinds == CellKind.WALKABLE).tolist())


def _diamond(lattice, cell, scale, shift=(0.0, 0.0)):
    x, y = lattice.centre(cell)
    half = np.array([lattice.cell_w, lattice.cell_h]) / 2 * scale
    corners = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]) * half + (x + shift[0], y + shift[1])
    return np.round((corners - 0.5) * 16).astype(np.int32)


def _near(dice, colour, spread=7):
    return tuple(float(np.clip(c + dice.normal(0, spread), 0, 255)) for c in reversed(colour))


@cache
def draw(client, palette, seed, size=(1440, 847), zoom=1.0):
    """Returns a board of a client, read-only, some of its cells lit, with a player and three enemies."""
    dice = np.random.default_rng(seed)
    profile = load(client)
    light, dark, line = PALETTES[palette]
    width, height = size
    area = Rect(0, 0, width, height)
    prior = profile.lattice(area)
    shift = dice.uniform(-0.1, 0.1, 2) * (prior.cell_w, prior.cell_h)
    x, y = prior.origin_px[0] + shift[0], prior.origin_px[1] + shift[1]
    origin = (width / 2 + (x - width / 2) * zoom, height / 2 + (y - height / 2) * zoom)
    lattice = Lattice(origin, prior.cell_w * zoom, prior.cell_h * zoom)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = _near(dice, [c * 0.7 for c in dark])
    for _ in range(160):
        spot = (int(dice.integers(0, width)), int(dice.integers(0, height)))
        reach = (int(dice.integers(5, 60)), int(dice.integers(5, 50)))
        cv2.ellipse(image, spot, reach, float(dice.uniform(0, 180)), 0, 360, _near(dice, dark, 25), -1)
    rows = dice.integers(8, 12), dice.integers(26, 32)
    region = [c for c in range(CELLS) if rows[0] <= c // 14 <= rows[1] and 3 <= c % 14 <= 10]
    floor = [c for c in region if dice.random() > 0.08]
    for cell in set(region) - set(floor):
        cv2.fillConvexPoly(image, _diamond(lattice, cell, 1.0), (18, 14, 16), cv2.LINE_AA, 4)
    lit = set(dice.choice(floor, 18, replace=False).tolist())
    for cell in floor:
        tone = _near(dice, light if (cell // 14 + cell % 14) % 2 else dark)
        cv2.fillConvexPoly(image, _diamond(lattice, cell, 1.0), tone, cv2.LINE_AA, 4)
        cv2.polylines(image, [_diamond(lattice, cell, 1.0)], True, _near(dice, line), 1, cv2.LINE_AA, 4)
        if cell in lit:
            cv2.fillConvexPoly(
                image, _diamond(lattice, cell, 0.93), _near(dice, (60, 150, 48), 3), cv2.LINE_AA, 4
            )
    stand = dice.choice(floor, 4, replace=False).tolist()
    for cell, side in zip(stand, ("own", "enemy", "enemy", "enemy"), strict=True):
        _border(image, lattice, cell, profile, side)
        _body(image, lattice, cell, _near(dice, (90, 70, 90), 40))
    noise = dice.normal(0, 2.5, image.shape)
    image = np.clip(image + noise, 0, 255).astype(np.uint8)
    image.setflags(write=False)  # the same board for all tests that ask for it
    enemies = tuple(sorted(stand[1:]))
    return Board(image, area, lattice, stand[0], enemies, frozenset(floor), frozenset(lit))


def _border(image, lattice, cell, profile, side):
    colour = profile.screen.border.sides[side][::-1]
    size, line = _RINGS[profile.name]
    if not profile.screen.border.corners:
        x, y = lattice.centre(cell)
        axes = (int(size * lattice.cell_w * 8), int(size * lattice.cell_h * 8))
        thick = max(2, round(line * lattice.cell_w))
        middle = (round((x - 0.5) * 16), round((y - 0.5) * 16))
        cv2.ellipse(image, middle, axes, 0, 0, 360, colour, thick, cv2.LINE_AA, 4)
        return
    thick = max(2, round(line * lattice.cell_w * 0.7))
    cv2.polylines(image, [_diamond(lattice, cell, size)], True, colour, thick, cv2.LINE_AA, 4)
    if side != "own":
        return
    thick = max(2, round(lattice.cell_w * 0.045))
    marks = _diamond(lattice, cell, _MARKS_WIDE)
    for corner in range(4):
        for other in (corner - 1, (corner + 1) % 4):
            end = marks[corner] + (marks[other] - marks[corner]) * 0.32
            start, stop = tuple(marks[corner].tolist()), tuple(np.round(end).astype(int).tolist())
            cv2.line(image, start, stop, _MARKS, thick, cv2.LINE_AA, 4)


def _body(image, lattice, cell, tone):
    x, y = lattice.centre(cell)
    middle = (round(x), round(y - 0.35 * lattice.cell_h))
    axes = (round(0.17 * lattice.cell_w), round(0.4 * lattice.cell_h))
    cv2.ellipse(image, middle, axes, 0, 0, 360, tone, -1, cv2.LINE_AA)
