"""From physical pixels to the overlay's own coordinates. How much of a drawn turn a box hides. No Qt in here.

The capture works in physical pixels of the virtual screen, Qt's windows in logical ones: each screen keeps
its origin and divides its size by its device pixel ratio.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vision.frame import Rect
from vision.view import Lattice

Point = tuple[float, float]
Polygon = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class ScreenArea:
    """A screen as Qt tells it: origin and size in logical pixels, and its device pixel ratio."""

    x: int
    y: int
    width: int
    height: int
    ratio: float = 1.0

    def holds(self, x: float, y: float) -> bool:
        """Tells whether a point in physical pixels lies on this screen."""
        return 0 <= x - self.x < self.width * self.ratio and 0 <= y - self.y < self.height * self.ratio


@dataclass(frozen=True, slots=True)
class OverlayGeometry:
    """Where the overlay's window goes, in logical pixels, and what turns frame pixels into its own.

    `beyond` is how far, in logical pixels, the game's window begins beyond the overlay's: the overlay's lies
    on whole ones, which at 125 or 150 % is not where the game's does.
    """

    x: int
    y: int
    width: int
    height: int
    ratio: float = 1.0
    beyond: Point = (0.0, 0.0)

    def point(self, px: Point) -> Point:
        return px[0] / self.ratio + self.beyond[0], px[1] / self.ratio + self.beyond[1]

    def diamond(self, lattice: Lattice, cell: int, scale: float = 1.0) -> Polygon:
        """Returns a cell's four corners (right, bottom, left, top), `scale` times its size."""
        x, y = lattice.centre(cell)
        half_w, half_h = lattice.cell_w / 2 * scale, lattice.cell_h / 2 * scale
        corners = ((x + half_w, y), (x, y + half_h), (x - half_w, y), (x, y - half_h))
        return tuple(self.point(corner) for corner in corners)

    def centre(self, lattice: Lattice, cell: int) -> Point:
        return self.point(lattice.centre(cell))


def place(window: Rect, screens: Sequence[ScreenArea]) -> OverlayGeometry:
    """Returns where the overlay goes over a window, given in physical pixels of the virtual screen.

    The screen that holds the window's centre decides; a window on none of them goes by the first one.
    """
    middle = window.x + window.width / 2, window.y + window.height / 2
    screen = next((s for s in screens if s.holds(*middle)), screens[0] if screens else None)
    if screen is None:
        return OverlayGeometry(window.x, window.y, window.width, window.height)
    ratio = screen.ratio
    left = screen.x + (window.x - screen.x) / ratio
    top = screen.y + (window.y - screen.y) / ratio
    x, y = round(left), round(top)
    return OverlayGeometry(
        x, y, round(window.width / ratio), round(window.height / ratio), ratio, (left - x, top - y)
    )


Box = tuple[float, float, float, float]  # Left, top, width and height
_WRITTEN = 3.0  # What a hidden part of a number or a note counts beside one of a fighter


def shared(first: Box, second: Box) -> float:
    across = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    down = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return max(0.0, across) * max(0.0, down)


def hidden(ground: Box, bodies: Iterable[Box], written: Iterable[Box]) -> float:
    """Returns the area of fighters that a box hides, and three times that of numbers and notes.

    Rounded, so that places that hide the same are as good as each other and the first one is taken.
    """
    covered = sum(shared(ground, body) for body in bodies)
    return round(covered + _WRITTEN * sum(shared(ground, box) for box in written), 3)
