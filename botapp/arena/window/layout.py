"""Where everything stands in the arena's window, as plain numbers: no Qt here.

All sizes come from one unit, S = min(height, width / 1.6): the board and the HUD keep their proportions at
any window size. `vision` holds the same facts as data in `resources/profiles/arena.toml`: change both.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from vision.view import Lattice

MIN_WIDTH, MIN_HEIGHT = 640, 400
ASPECT = 1.6
CELL_W = 0.0860
BAND_H = 0.115
ROWS_DOWN = 20.5
COLUMNS_ACROSS = 14.5

SLOTS = 8
SLOT_SIZE = 0.060
SLOT_PITCH = 0.0655
SLOT_Y = 0.052
HEART = (-0.508, 0.066, 0.120, 0.110)
SHIELD = (-0.459, 0.0190, 0.045, 0.030)
STAR = (-0.408, 0.055, 0.082, 0.082)
DIAMOND = (-0.325, 0.055, 0.078, 0.078)
BUTTON = (0.435, 0.039, 0.250, 0.056)
TIMER = (0.435, 0.101, 0.130, 0.040)
AUTOPILOT = (0.668, 0.039, 0.170, 0.050)
CHRONICLE = (-0.695, 0.054, 0.200, 0.096)
LINES = 4
LINE_MARK = (0.0025, 0.0045)
"""The mark at a line's left end: how far from the chronicle's edge, and how wide."""
CHIPS = (0.0170, 0.0355, 0.0540)
CHIP = 0.0155
"""Where in a line the chips of caster, spell and target have their middles, and how large they are."""

OPPONENTS = (0.008, 0.014, 0.156, 0.050)  # Left, top, width and height of the plate in the upper left corner
TAKE_BACK = (0.008, 0.070, 0.156, 0.036)  # The same of the one below it

TIMELINE_X = 0.130
TIMELINE_TOP = 0.014
TURN_PLATE = (0.052, 0.074)
CARD = (0.062, 0.074)
CARD_CURRENT = (0.078, 0.092)
CARD_GAP = 0.006
CARD_BAR_W = 0.011
FULL_CARDS = 8  # With more cards than this all of them shrink, so that the row keeps its length


def card_scale(count: int) -> float:
    """Returns the size of a timeline's cards as a share of their full size."""
    return min(1.0, FULL_CARDS / max(1, count))


class Box(NamedTuple):
    """A rectangle in pixels, with fractions."""

    x: float
    y: float
    w: float
    h: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def inset(self, by: float) -> "Box":
        """Returns the box made smaller by `by` pixels on each side."""
        return Box(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


@dataclass(frozen=True)
class ArenaLayout:
    """The places of one client size, in pixels of the client area."""

    width: int
    height: int

    @cached_property
    def unit(self) -> float:
        """S: the length that all others are fractions of."""
        return min(self.height, self.width / ASPECT)

    @cached_property
    def lattice(self) -> Lattice:
        cell_w = CELL_W * self.unit
        cell_h = cell_w / 2
        origin_x = self.width / 2 - COLUMNS_ACROSS / 2 * cell_w + cell_w / 2
        origin_y = self.height - BAND_H * self.unit - ROWS_DOWN * cell_h + cell_h / 2
        return Lattice((origin_x, origin_y), cell_w, cell_h)

    def from_bottom(self, place: tuple[float, float, float, float]) -> Box:
        """Returns a HUD box given as (centre x, centre y above the bottom, width, height) in units of S."""
        x, y, w, h = (value * self.unit for value in place)
        return Box(self.width / 2 + x - w / 2, self.height - y - h / 2, w, h)

    @property
    def band(self) -> Box:
        return Box(0, self.height - BAND_H * self.unit, self.width, BAND_H * self.unit)

    def slot(self, index: int) -> Box:
        """Returns the box of a spell slot, counted from 0."""
        x = (index - (SLOTS - 1) / 2) * SLOT_PITCH
        return self.from_bottom((x, SLOT_Y, SLOT_SIZE, SLOT_SIZE))

    def opponents(self) -> Box:
        """Returns the box of the plate that says how well the others play."""
        return Box(*(value * self.unit for value in OPPONENTS))

    def take_back(self) -> Box:
        """Returns the box of the plate that takes the last own action back."""
        return Box(*(value * self.unit for value in TAKE_BACK))

    def turn_plate(self) -> Box:
        s = self.unit
        return Box(self.width / 2 + TIMELINE_X * s, TIMELINE_TOP * s, TURN_PLATE[0] * s, TURN_PLATE[1] * s)

    def cards(self, count: int, current: int) -> list[Box]:
        """Returns the timeline's cards, left to right; the one at `current` is the larger one."""
        s = self.unit
        x = self.width / 2 + (TIMELINE_X + TURN_PLATE[0] + CARD_GAP) * s
        s *= card_scale(count)
        boxes = []
        for index in range(count):
            w, h = CARD_CURRENT if index == current else CARD
            boxes.append(Box(x, TIMELINE_TOP * self.unit, w * s, h * s))
            x += (w + CARD_GAP) * s
        return boxes
