"""Reads numbers by template matching of each digit; one ambiguous digit withholds the whole number.

A region is scaled to a fixed digit height and its ink is split into connected components. Each must match
exactly one digit, be on the others' baseline and not touch the region's border (a clipped 15 must not be
read as 5). `learn` makes the templates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.profiles import folder
from vision.profiles.fields import RGB
from vision.view import Seen

Ink = npt.NDArray[np.float32]

SIZE = (20, 16)  # Rows and columns of a template; the columns span 0.8 of a digit's height

_TALL = 30
_SPECK = 0.02
_MAX_DIFFERENCE = 0.36
_MIN_MARGIN = 0.14


@dataclass(frozen=True, slots=True)
class Piece:
    """A connected piece of ink: its box in the scaled region, and its picture of `SIZE`."""

    box: Rect
    picture: Ink


class Glyphs:
    """The templates of one client's digits.

    Args:
        templates: ink (0..1) of the digits 0 to 9 as they look when large and when small, shape
            (sizes, 10, *SIZE): of few pixels a digit is drawn differently.
    """

    def __init__(self, templates: Ink) -> None:
        self._sizes = len(templates)
        self._templates = templates.reshape(self._sizes * 10, -1).astype(np.float32)
        self._power = np.linalg.norm(self._templates, axis=1)

    def digit(self, picture: Ink) -> tuple[int, float]:
        """Returns the digit that a piece matches best and its confidence (0..1), 0 where ambiguous."""
        flat = picture.reshape(-1)
        norm = float(np.linalg.norm(flat)) + 1e-6
        alike = self._templates @ flat / (self._power * norm)
        difference = np.sqrt(np.maximum(0.0, 2 - 2 * alike)).reshape(self._sizes, 10).min(axis=0)
        best, second = np.argsort(difference)[:2]
        margin = float(difference[second] - difference[best])
        if difference[best] > _MAX_DIFFERENCE or margin < _MIN_MARGIN:
            return int(best), 0.0
        return int(best), 1.0 - float(difference[best])

    def number(self, pieces: Sequence[Piece], max_digits: int) -> Seen[int]:
        """Returns the number that pieces form from left to right, None unless every one is a digit."""
        if not 1 <= len(pieces) <= max_digits:
            return Seen()
        read = [self.digit(piece.picture) for piece in pieces]
        confidence = min(sure for _, sure in read)
        if confidence == 0.0 or (read[0][0] == 0 and len(read) > 1):
            return Seen()
        return Seen(int("".join(str(digit) for digit, _ in read)), confidence)


@lru_cache(maxsize=8)
def load(name: str) -> Glyphs:
    """Returns the templates of a profile, from `resources/profiles/NAME-digits.npy`.

    Raises:
        FileNotFoundError: the profile has none.
    """
    data = (folder() / f"{name}-digits.npy").read_bytes()
    return Glyphs(np.load(BytesIO(data), allow_pickle=False).astype(np.float32) / 255)


def ink(patch: npt.NDArray[np.uint8], colours: Sequence[RGB], reach: float) -> Ink:
    """Returns each pixel's closeness to the text's colours: 1 at one of them, 0 at a distance of `reach`."""
    bgr = patch[..., :3].astype(np.float32)
    best = np.zeros(patch.shape[:2], np.float32)
    for red, green, blue in colours:
        away = np.sqrt(((bgr - np.array((blue, green, red), np.float32)) ** 2).sum(axis=2))
        np.maximum(best, 1 - away / reach, out=best)
    return best


def pieces(drawn: Ink, cap_px: float) -> list[Piece] | None:
    """Splits a region's ink into digits, left to right.

    Args:
        cap_px: a digit's expected height in the region's pixels.

    Returns:
        The pieces, or None where they are not a line of digits: ink touches the border, or heights or
        baselines differ.
    """
    scale = _TALL / cap_px
    if min(drawn.shape) < 3 or not 0.2 < scale < 20:
        return None
    size = (round(drawn.shape[1] * scale), round(drawn.shape[0] * scale))
    large = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((large > 0.5).astype(np.uint8))
    kept = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] > _SPECK * _TALL * _TALL]
    kept = [i for i in kept if not _is_clutter(stats[i], (large.shape[1], large.shape[0]))]
    kept.sort(key=lambda i: int(stats[i, cv2.CC_STAT_LEFT]))
    boxes = [Rect(*(int(v) for v in stats[i, :4])) for i in kept]
    if not boxes or not _is_line(boxes, (large.shape[1], large.shape[0])):
        return None
    return [
        Piece(box, _picture(np.where(labels == i, large, 0), box)) for i, box in zip(kept, boxes, strict=True)
    ]


def middle(digits: Sequence[Piece]) -> float:
    """Returns the middle of a line of digits, in cap heights from the region's left border."""
    return (digits[0].box.x + digits[-1].box.right) / 2 / _TALL


def _touches(box: Sequence[int], size: tuple[int, int]) -> bool:
    left, top, width, height = box[:4]
    return left <= 0 or top <= 0 or left + width >= size[0] or top + height >= size[1]


def _is_clutter(box: Sequence[int], size: tuple[int, int]) -> bool:
    """Returns whether a piece is a frame or line that reaches into the region, too low for a digit."""
    return _touches(box, size) and box[3] < 0.6 * _TALL


def _is_line(boxes: Sequence[Rect], size: tuple[int, int]) -> bool:
    """Returns whether boxes are clear of the border, of a digit's height, and on one line."""
    for box in boxes:
        if _touches(box, size) or not 0.75 * _TALL < box.height < 1.3 * _TALL or box.width > 0.95 * _TALL:
            return False
    tops, bottoms = [box.y for box in boxes], [box.bottom for box in boxes]
    return max(max(tops) - min(tops), max(bottoms) - min(bottoms)) <= 0.15 * _TALL


def _picture(piece: Ink, box: Rect) -> Ink:
    """Returns a piece scaled to `SIZE`, centred, its own height filling the rows."""
    left, top, width, height = box
    wide = height * 0.8
    middle = left + width / 2
    scale_x, scale_y = SIZE[1] / wide, SIZE[0] / height
    move = np.array([[scale_x, 0, SIZE[1] / 2 - middle * scale_x], [0, scale_y, -top * scale_y]], np.float32)
    move[:, 2] += (move[0, 0] * 0.5 - 0.5, move[1, 1] * 0.5 - 0.5)
    smooth = cv2.GaussianBlur(np.clip(piece, 0, 1), (0, 0), 1.5)
    return np.asarray(cv2.warpAffine(smooth, move, (SIZE[1], SIZE[0]), flags=cv2.INTER_LINEAR), np.float32)
