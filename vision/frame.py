"""A picture of the game's window."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

MIN_SIZE = (490, 350)
"""The smallest client area that can be read, in pixels (width, height): in a window of 640x400 with a title
bar Retro, which keeps its shape, is some 490 wide."""


class Rect(NamedTuple):
    """A rectangle in pixels: left, top, width, height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column past the rectangle."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row past the rectangle."""
        return self.y + self.height

    def moved(self, across: int, down: int) -> "Rect":
        """Returns the rectangle so many pixels further right and down."""
        return self._replace(x=self.x + across, y=self.y + down)


def bgra(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Returns a picture of blue, green and red with full opacity as its fourth channel."""
    return np.dstack((picture, np.full(picture.shape[:2], 255, np.uint8)))


@dataclass(frozen=True, slots=True)
class Frame:
    """One captured picture, never written to again."""

    pixels: npt.NDArray[np.uint8]  # BGRA, uint8, shape (height, width, 4)
    rect: Rect  # Where the picture lies on the virtual screen, in physical pixels
    captured_ns: int  # `time.monotonic_ns()` just before the grab
    seq: int  # Counts frames of one capture session from 0

    @classmethod
    def still(cls, pixels: npt.NDArray[np.uint8], captured_ns: int = 0, seq: int = 0) -> Self:
        """Returns a frame of a picture whose upper left corner is at (0, 0) of the screen."""
        height, width = pixels.shape[:2]
        return cls(pixels, Rect(0, 0, width, height), captured_ns, seq)
