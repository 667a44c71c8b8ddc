"""Chooses the area of a frame to search: all of the first frame, then one horizontal band a frame, in turn.

A panel that appears is found within `BANDS` frames, and no frame costs more than a few milliseconds. Also
crops and compares pixels.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus.anchors import HudAnchor
from vision.frame import Rect

Picture = npt.NDArray[np.uint8]

BANDS = 16  # Number of bands of a picture

_EVERY = 16  # Rows of which one is compared first: what moves in a game is higher

AGAIN = 8  # Frames between two searches of what is lost or not there: each takes as long as a frame may

_OVERLAP = 0.1  # Share of the picture's height by which a band reaches into the next


class Search:
    """Chooses the area to search in each frame."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Starts with the whole of a picture of a size (height, width)."""
        self._size = size
        self.start_over()

    def start_over(self) -> None:
        """Searches the whole of the next frame, as of the first."""
        self._next = -1

    def next(self) -> Rect:
        """Returns the area of this frame: the whole picture at first, then bands across it from the top."""
        height, width = self._size
        band, self._next = self._next, (self._next + 1) % BANDS
        if band < 0:
            return Rect(0, 0, width, height)
        top = band * height // BANDS
        return Rect(0, top, width, min(height - top, round(height * (1 / BANDS + _OVERLAP))))


def around(part: Picture, anchor: HudAnchor, across: float, down: float) -> Rect:
    """Returns the box of `across` and `down` units to each side of an anchor, clipped to the picture."""
    left, top = max(0, round(anchor.x - across * anchor.unit)), max(0, round(anchor.y - down * anchor.unit))
    right = min(part.shape[1], round(anchor.x + across * anchor.unit))
    bottom = min(part.shape[0], round(anchor.y + down * anchor.unit))
    return Rect(left, top, right - left, bottom - top)


def crop_bgr(part: Picture, box: Rect) -> Picture:
    """Returns a box of a BGR or BGRA picture as contiguous BGR."""
    pixels = part[box.y : box.bottom, box.x : box.right]
    if pixels.shape[2] == 3 or not pixels.size:
        return np.ascontiguousarray(pixels[..., :3])
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)


def crop(part: Picture, box: Rect) -> Picture:
    """Returns a box of a picture as a view."""
    return part[box.y : box.bottom, box.x : box.right]


def is_same(one: Picture, two: Picture) -> bool:
    """Returns whether two large pictures are equal; some of their rows tell most differences."""
    if one is two:
        return True
    same = one.shape == two.shape and np.array_equal(one[::_EVERY], two[::_EVERY])
    return same and np.array_equal(one, two)


def equal_pixels(one: Picture, two: Picture) -> bool:
    """Returns whether two pictures are equal; three times as fast as NumPy's comparison."""
    if one.shape != two.shape:
        return False
    return not one.size or cv2.norm(one, two, cv2.NORM_INF) == 0
