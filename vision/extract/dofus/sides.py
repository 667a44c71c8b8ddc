"""Finds a client area of a fixed shape between black sides of which other windows cover a part.

One side is found by its own; with the known shape the other follows. An area counts where rows beside both
sides are black and turn into the game there: the edge of a window over the black looks like one side. In
the middle of the picture one side will do. A map that is black as well has no edges: `above_hud` tells its
area by the HUD below it.
"""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect

Picture = npt.NDArray[np.uint8]
Shares = npt.NDArray[np.float64]

BLACK, WHITE = (0, 12), (243, 255)
"""The levels of all channels of the sides, and of the line between them and the game."""

_DARK = (0, 40)  # The same where compression has put some light into them

MOSTLY = 0.6
"""Of a column that is black or white, or of an area beside a HUD: with so much of a column 55 of 100 covered
screens are found, 15 with all of it."""

LINES = 400  # Rows or columns of a picture that are looked at: 100 and more read all alike
_FOOT = 0.12  # Of the height, from below: the HUD's panel; 0.03 to 0.3 are alike
_NEARLY = 0.95  # Of what lies beside a black map that is dark as well
_ROUNDED = 4  # Pixels that an edge or a middle may be off; 0 to 8 are alike
_SAME_SHAPE = 0.004  # 0.0036 to 0.0052 read 43 pictures with black sides alike
_NEAR = 8  # Columns inside a side that may still be of its white line; none to 10 are alike
_OUTSIDE = (14, 9)  # Columns outside a side, from and to, that are black: 13 to 35 and 2 to 12 are alike
_LEAST, _ONE = 0.04, 0.3  # Of the rows: with two sides, with one in the middle; half and more are alike


def is_shaped(area: Rect, shape: float, off: float = _SAME_SHAPE) -> bool:
    """Returns whether an area is as wide for its height as a client's; `off` may it be, as a share."""
    return area.height > 0 and abs(area.width / area.height / shape - 1) <= off


def share(part: Picture, levels: tuple[int, int]) -> Shares:
    """Returns the share of each column (0..1) whose pixels have all channels within two levels."""
    inside = cv2.inRange(part, (levels[0],) * 3, (levels[1],) * 3)
    return np.asarray(cv2.reduce(inside, 0, cv2.REDUCE_AVG, dtype=cv2.CV_64F)[0] / 255)


def find(bgr: Picture, parts: Iterable[Rect], shape: float) -> Rect | None:
    """Returns the area of a shape with black sides, None where too little of them is seen.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        parts: areas with at least their top and bottom right, and perhaps one side.
        shape: the area's width over its height.
    """
    best, area = 0.0, None
    for place in dict.fromkeys(_places(bgr, parts, shape)):
        left, right = _edge(bgr, place, left=True), _edge(bgr, place, left=False)
        centred = abs(2 * place.x + place.width - bgr.shape[1]) <= _ROUNDED
        sure = min(left[0], right[0]) >= _LEAST or (centred and max(left[0], right[0]) >= _ONE)
        if sure and left[0] + right[0] > best:
            x = left[1] if left[0] >= right[0] else right[1] - place.width
            best, area = left[0] + right[0], place._replace(x=x)
    return area


def above_hud(bgr: Picture, parts: Iterable[Rect], shape: float) -> Rect | None:
    """Returns the area of a shape above a HUD as wide as the area, None where none fits.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        parts: areas whose bottom is that of the HUD, as wide or with dark sides.
        shape: the area's width over its height.
    """
    for part in dict.fromkeys(parts):
        foot = bgr[part.bottom - round(_FOOT * part.height) : part.bottom, part.x : part.right]
        if not foot.size:
            continue
        inner = np.flatnonzero(share(np.ascontiguousarray(foot), _DARK) < MOSTLY)
        if not inner.size:
            continue
        left, wide = part.x + int(inner[0]), int(inner[-1] - inner[0]) + 1
        top = part.bottom - round(wide / shape)
        area = Rect(left, max(0, top), wide, part.bottom - max(0, top))
        fits = -_ROUNDED <= top <= part.y + _ROUNDED and wide >= MOSTLY * part.width
        if fits and (wide >= part.width - _ROUNDED or _is_dark(bgr, area)):
            return area
    return None


def _is_dark(bgr: Picture, area: Rect) -> bool:
    """Returns whether what is left and right of an area is dark, or the picture's edge."""
    rows = slice(area.y, area.bottom, max(1, area.height // LINES))
    left, right = max(0, area.x - _OUTSIDE[0]), area.right + _OUTSIDE[0]
    beside = (bgr[rows, left : area.x], bgr[rows, area.right : right])
    parts = [np.ascontiguousarray(part) for part in beside if part.size]
    return all(float(share(part, _DARK).mean()) >= _NEARLY for part in parts)


def _places(bgr: Picture, parts: Iterable[Rect], shape: float) -> Iterator[Rect]:
    """Yields the areas of a shape that share a side with a part, or its middle, or the picture's."""
    known = list(parts)
    middles = [bgr.shape[1], *(part.x + part.right for part in known)]
    for part in known:
        wide = round(part.height * shape)
        for x in (part.x, part.right - wide, *((middle - wide) // 2 for middle in middles)):
            if x >= 0 and x + wide <= bgr.shape[1] and part.height:
                yield Rect(x, part.y, wide, part.height)


def _edge(bgr: Picture, area: Rect, left: bool) -> tuple[float, int]:
    """Returns the share of rows that are black outside a side and game within, and that side's column."""
    part = bgr[area.y : area.bottom : max(1, area.height // LINES)]
    if not left:
        part = part[:, ::-1]
    x = area.x if left else bgr.shape[1] - area.right
    far, near = max(0, x - _OUTSIDE[0]), max(0, x - _OUTSIDE[1])
    if near - far < 2:
        return 0.0, area.x if left else area.right
    window = np.ascontiguousarray(part[:, far : x + _NEAR + 1])
    border = [cv2.inRange(window, (low,) * 3, (high,) * 3) > 0 for low, high in (BLACK, WHITE)]
    black, edge = border[0][:, : near - far].all(axis=1), border[0] | border[1]
    last = edge.shape[1] - 1 - edge[:, ::-1].argmax(axis=1)
    rows = black & (last < edge.shape[1] - 1)
    if not rows.any():
        return 0.0, area.x if left else area.right
    column = far + int(np.median(last[rows])) + 1
    return float(rows.mean()), column if left else bgr.shape[1] - column
