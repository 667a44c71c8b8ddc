"""Finds a window on a desktop: two long vertical edges that start and end on the same rows.

Nothing inside a game has both edges with a top and a bottom between them, so a picture of the window alone
is not cropped.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

_EVERY = 3  # Rows of which one is looked at for upright edges, to save time
_STEP = 7  # Levels from pixel to pixel at a window's edge: with 6 or 8 some pictures have other windows
_LEAST = 0.35  # Of the picture's height and width: a window's sides; up to 0.38 123 pictures are read alike
ALONG = 0.7  # Of an edge that steps: other windows and words lie over some of it; 0.63 to 0.75 are alike
_SIDES = 6  # Edges that are tried as a left or right side; two to all are alike
_RUN = 12  # Rows over which a side is looked at: 12 to 16 are alike


def find_window(bgr: Picture) -> Rect | None:
    """Returns the window in a picture of a desktop, None where there is none.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
    """
    height, width = bgr.shape[:2]
    steps = stepped(bgr[::_EVERY], across=True, least=_STEP)
    shares = steps.mean(axis=0)
    best, largest = 0.0, None
    for left in _longest(shares[: width // 2], 0):
        for right in _longest(shares[width // 2 :], width // 2):
            if right - left < _LEAST * width:
                continue
            part = _extent(steps[:, left] & steps[:, right])
            if part is None or part[1] - part[0] < _LEAST * len(steps):
                continue
            size = float((part[1] - part[0]) * (right - left))
            window = _closed(bgr, left + 1, right + 1, part[0] * _EVERY, min(height, part[1] * _EVERY))
            if window is not None and size > best:
                best, largest = size, window
    return largest


def stepped(bgr: Picture, across: bool, least: int) -> Flags:
    """Returns where a channel steps by `least` levels from one pixel to the next.

    Args:
        bgr: a picture, uint8, shape (height, width, 3).
        across: whether the next pixel is the one to the right, else the one below.
        least: 1 to 255.
    """
    picture = np.ascontiguousarray(bgr)
    before, after = (picture[:, :-1], picture[:, 1:]) if across else (picture[:-1], picture[1:])
    apart = np.asarray(cv2.absdiff(before, after)) >= least
    return np.asarray(apart[..., 0] | apart[..., 1] | apart[..., 2])


def _longest(shares: npt.NDArray[np.float64], start: int) -> list[int]:
    """Returns the columns before which most rows have a step, no two side by side."""
    columns: list[int] = []
    for column in np.argsort(-shares)[: 4 * _SIDES].tolist():
        if shares[column] < _LEAST or len(columns) == _SIDES:
            break
        if all(abs(column + start - other) > 2 for other in columns):
            columns.append(column + start)
    return columns


def _extent(both: Flags) -> tuple[int, int] | None:
    """Returns the first and past the last row of the longest stretch in which both sides have a step."""
    thick = np.convolve(both, np.ones(_RUN), "same") >= ALONG * _RUN
    edges = np.flatnonzero(np.diff(np.concatenate([[False], thick, [False]])))
    if not len(edges):
        return None
    starts, ends = edges[::2], edges[1::2]
    longest = int((ends - starts).argmax())
    first, last = max(0, int(starts[longest]) - _RUN), int(ends[longest]) + _RUN
    inside = np.flatnonzero(both[first:last]) + first
    return int(inside[0]), int(inside[-1]) + 1


def _closed(bgr: Picture, left: int, right: int, top: int, bottom: int) -> Rect | None:
    """Returns the window between two sides, cut where its top and bottom edges are; None without them."""
    ends = []
    for row, at_border in ((top, top <= _EVERY), (bottom, bottom >= bgr.shape[0] - _EVERY)):
        low, high = max(0, row - 4 * _EVERY), min(bgr.shape[0], row + 4 * _EVERY + 1)
        shares = stepped(bgr[low:high, left:right:2], across=False, least=_STEP).mean(axis=1)
        if len(shares) and shares.max() >= ALONG:
            ends.append(low + int(shares.argmax()) + 1)
        elif at_border:
            ends.append(0 if row == top else bgr.shape[0])
        else:
            return None
    return Rect(left, ends[0], right - left, ends[1] - ends[0])
