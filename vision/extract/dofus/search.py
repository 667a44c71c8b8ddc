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

_CHANGED = 0.01
"""The share of pixels of which more change as a fight begins: 0.03 and more on drawn maps (its start cells,
timeline, button), where people and a pointer change 0.0004."""
_RESTING = 3 * AGAIN  # Pictures that hardly change, in which what is not there is not looked for again

_SAMPLED = 4  # Rows of which one tells whether a band has changed: a panel or a time left is higher

_OVERLAP = 0.1  # Share of the picture's height by which a band reaches into the next


class Search:
    """Chooses the area to search in each frame."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Starts with the whole of a picture of a size (height, width)."""
        self._size = size
        self._barren: dict[Rect, tuple[HudAnchor, Picture]] = {}
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

    def unless_barren(self, part: Picture, area: Rect, anchor: HudAnchor) -> Rect:
        """Returns an area to search, empty where it looks as it did when nothing was found in it.

        Args:
            anchor: the HUD's anchor, whose size tells what is searched.
        """
        known = self._barren.get(area)
        if known is None or known[0] != anchor or not equal_pixels(known[1], crop(part, area)[::_SAMPLED]):
            return area
        return Rect(area.x, area.y, 0, 0)

    def found_in(self, part: Picture, area: Rect, anchor: HudAnchor, something: bool) -> None:
        """Remembers an area of the client area, unless it is empty, in which nothing was found."""
        if something:
            self._barren.clear()
        elif area.width and area.height < self._size[0]:
            self._barren[area] = anchor, crop(part, area)[::_SAMPLED].copy()


class Still:
    """Tells whether a picture is about the one in which all was looked for: no fight begins in few pixels."""

    def __init__(self) -> None:
        self._seen: npt.NDArray[np.uint32] | None = None
        self._pictures = 0

    def look(self, bgra: Picture) -> None:
        """Takes a picture as the one in which all was looked for; uint8, shape (height, width, 4)."""
        self._seen, self._pictures = _sampled(bgra).copy(), 0

    def holds(self, bgra: Picture) -> bool:
        """Returns whether hardly a pixel has changed since; False for one question in so many."""
        now = _sampled(bgra)
        self._pictures += 1
        if self._seen is None or self._seen.shape != now.shape or self._pictures > _RESTING:
            return False
        return bool(np.count_nonzero(now != self._seen) < _CHANGED * now.size)


def _sampled(bgra: Picture) -> npt.NDArray[np.uint32]:
    """Returns a pixel of so many, each as one number."""
    return bgra[:: 2 * _SAMPLED, ::_SAMPLED].view(np.uint32)


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


def is_same(first: Picture, second: Picture) -> bool:
    """Returns whether two large pictures are equal; some of their rows tell most differences."""
    if first is second:
        return True
    same = first.shape == second.shape and np.array_equal(first[::_EVERY], second[::_EVERY])
    return same and np.array_equal(first, second)


def equal_pixels(first: Picture, second: Picture) -> bool:
    """Returns whether two pictures are equal; three times as fast as NumPy's comparison."""
    if first.shape != second.shape:
        return False
    return not first.size or cv2.norm(first, second, cv2.NORM_INF) == 0
