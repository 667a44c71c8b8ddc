"""Drawing on a picture: shapes with soft edges and opacity, textures, and text in several fonts.

Lengths are in pixels and may have fractions; colours are (red, green, blue).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthetic import numerals

RGB = tuple[float, float, float]
Point = tuple[float, float]
Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.float32]

_SUB = 4
_CAP = 64
_HEIGHTS = {"uni": 0.76}
_FIRST, _SECOND = "round", "plain"


@dataclass(frozen=True, slots=True)
class Typeface:
    """A font: its name ("round" and "plain" are our own digits), weight (100..900), width, gap."""

    name: str = "sans"
    weight: int = 700
    wide: float = 1.0
    gap: float = 0.06


class Drawing:
    """A picture being painted; shapes are clipped to it."""

    def __init__(self, image: Picture) -> None:
        self.image = image

    @classmethod
    def filled(cls, width: int, height: int, colour: RGB) -> "Drawing":
        image = np.empty((height, width, 3), np.uint8)
        image[:] = np.clip(colour[::-1], 0, 255)
        return cls(image)

    @property
    def width(self) -> int:
        """Its width in pixels."""
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return int(self.image.shape[0])

    def blend(self, mask: Mask, left: int, top: int, colour: RGB | Mask) -> None:
        """Mixes a colour, or a picture (BGR) of the mask's size, in with the opacity of a mask (0..1)."""
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(self.width, left + mask.shape[1]), min(self.height, top + mask.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        own = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        tone = colour[own] if isinstance(colour, np.ndarray) else np.array(colour[::-1], np.float32)
        part = self.image[y0:y1, x0:x1].astype(np.float32)
        part += (tone - part) * mask[own][..., None]
        self.image[y0:y1, x0:x1] = np.clip(part + 0.5, 0, 255)

    def polygon(self, points: Sequence[Point], colour: RGB, opacity: float = 1.0, fade: float = 0.0) -> None:
        """Fills a polygon; `fade` makes it lighter towards its top (-1..1)."""
        shape = np.asarray(points, np.float64)
        left, top = (int(value) - 1 for value in np.floor(shape.min(axis=0)))
        right, bottom = (int(value) + 2 for value in np.ceil(shape.max(axis=0)))
        if right <= 0 or bottom <= 0 or left >= self.width or top >= self.height:
            return
        mask = np.zeros((bottom - top, right - left), np.uint8)
        corners = np.round((shape - (left, top) - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA, 4)
        share = mask.astype(np.float32) * np.float32(opacity / 255)
        if not fade:
            self.blend(share, left, top, colour)
            return
        slope = 1 + fade * (0.5 - np.linspace(0, 1, mask.shape[0], dtype=np.float32))
        tone = slope[:, None, None] * np.array(colour[::-1], np.float32)
        self.blend(share, left, top, np.broadcast_to(tone, (*mask.shape, 3)))

    def stroke(self, points: Sequence[Point], colour: RGB, width: float, closed: bool = True) -> None:
        """Draws the line through points, each part as a thin polygon, so that its width is exact."""
        ends = [*points, points[0]] if closed else list(points)
        for (x0, y0), (x1, y1) in pairwise(ends):
            length = max(1e-6, float(np.hypot(x1 - x0, y1 - y0)))
            dx, dy = (x1 - x0) / length * width / 2, (y1 - y0) / length * width / 2
            quad = [
                (x0 - dx - dy, y0 - dy + dx),
                (x1 + dx - dy, y1 + dy + dx),
                (x1 + dx + dy, y1 + dy - dx),
                (x0 - dx + dy, y0 - dy - dx),
            ]
            self.polygon(quad, colour)

    def oval(self, middle: Point, size: Point, colour: RGB, opacity: float = 1.0, fade: float = 0.0) -> None:
        self.polygon(ellipse(middle, size), colour, opacity, fade)

    def ring(self, middle: Point, size: Point, colour: RGB, width: float, opacity: float = 1.0) -> None:
        """Draws an ellipse's line, `size` being that of its middle."""
        outer = ellipse(middle, (size[0] + width, size[1] + width))
        inner = ellipse(middle, (size[0] - width, size[1] - width))
        self.polygon([*outer, outer[0], inner[0], *inner[::-1]], colour, opacity)

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        colour: RGB,
        *,
        opacity: float = 1.0,
        corner: float = 0.0,
        fade: float = 0.0,
    ) -> None:
        if not corner:
            ends = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
            self.polygon(ends, colour, opacity, fade)
            return
        around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        x = left + np.where(np.cos(around) > 0, width - corner, corner) + np.cos(around) * corner
        y = top + np.where(np.sin(around) > 0, height - corner, corner) + np.sin(around) * corner
        self.polygon(list(zip(x.tolist(), y.tolist(), strict=True)), colour, opacity, fade)

    def write(
        self,
        text: str,
        middle: Point,
        cap: float,
        colour: RGB,
        face: Typeface,
        *,
        outline: tuple[RGB, float] | None = None,
        opacity: float = 1.0,
        align: float = 0.5,
    ) -> float:
        """Writes a line.

        Args:
            middle: where `align` of its width, and the middle of its capitals, is to be.
            cap: height of a capital or digit.
            outline: a colour and how far it reaches around the ink, in pixels.
            align: 0 for a line that begins at `middle`, 0.5 for a centred one.

        Returns:
            Its width.
        """
        if not text.strip():
            return 0.0
        line = _line(text, face)
        scale = cap / _CAP
        width = line.shape[1] * scale * face.wide
        left, top = middle[0] - align * width, middle[1] - line.shape[0] / 2 * scale
        pad = 2 + int(np.ceil(outline[1])) if outline else 2
        x0, y0 = int(np.floor(left)) - pad, int(np.floor(top)) - pad
        size = (int(np.ceil(width)) + 2 * pad + 1, int(np.ceil(line.shape[0] * scale)) + 2 * pad + 1)
        move = np.array(
            [[scale * face.wide * _SUB, 0, (left - x0) * _SUB], [0, scale * _SUB, (top - y0) * _SUB]]
        )
        fine = (size[0] * _SUB, size[1] * _SUB)
        soft = cv2.GaussianBlur(line, (0, 0), max(0.01, 0.3 / (scale * _SUB)))
        ink = np.asarray(cv2.warpAffine(soft, move, fine, flags=cv2.INTER_LINEAR), np.uint8)
        if outline is not None:
            reach = max(1, round(outline[1] * _SUB))
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
            self.blend(
                _shrunk(np.asarray(cv2.dilate(ink, kernel), np.uint8), size) * np.float32(opacity),
                x0,
                y0,
                outline[0],
            )
        self.blend(_shrunk(ink, size) * np.float32(opacity), x0, y0, colour)
        return float(width)


def ellipse(middle: Point, size: Point) -> list[Point]:
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x, y = middle[0] + np.cos(around) * size[0] / 2, middle[1] + np.sin(around) * size[1] / 2
    return list(zip(x.tolist(), y.tolist(), strict=True))


def diamond(middle: Point, width: float, height: float) -> list[Point]:
    """Returns the corners of a diamond, clockwise from its top."""
    x, y = middle
    return [(x, y - height / 2), (x + width / 2, y), (x, y + height / 2), (x - width / 2, y)]


def star(middle: Point, width: float) -> list[Point]:
    """Returns the corners of a star with five tips, the first one upwards."""
    turns = np.arange(10) * np.pi / 5
    far = np.where(np.arange(10) % 2 == 0, 1, 0.53) * width / 1.902
    return list(
        zip(
            (middle[0] + np.sin(turns) * far).tolist(),
            (middle[1] - np.cos(turns) * far).tolist(),
            strict=True,
        )
    )


def heart(middle: Point, width: float, height: float) -> list[Point]:
    """Returns points around a heart that fills a box about its middle."""
    turns = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    x = np.sin(turns) ** 3
    y = -(13 * np.cos(turns) - 5 * np.cos(2 * turns) - 2 * np.cos(3 * turns) - np.cos(4 * turns))
    y = (y - y.min()) / np.ptp(y) - 0.5
    return list(zip((middle[0] + x * width / 2).tolist(), (middle[1] + y * height).tolist(), strict=True))


def tone(dice: np.random.Generator, colour: RGB, spread: float = 6.0) -> RGB:
    """Returns a colour near another, brightness changing more than tint."""
    light = dice.normal(0, spread)
    red, green, blue = (float(np.clip(c + light + dice.normal(0, spread / 3), 0, 255)) for c in colour)
    return red, green, blue


def shaded(colour: RGB, share: float) -> RGB:
    """Returns a colour made darker (below 1) or lighter (above 1)."""
    red, green, blue = (float(min(255.0, c * share)) for c in colour)
    return red, green, blue


def clouds(dice: np.random.Generator, width: int, height: int, coarse: float) -> Mask:
    """Returns smooth noise, mean 0, deviation about 1, grain `coarse` pixels, shape (height, width)."""
    total = np.zeros((height, width), np.float32)
    for power in (1.0, 0.5, 0.25):
        grain = max(2.0, coarse * power)
        small = dice.normal(0, 1, (int(height / grain) + 3, int(width / grain) + 3)).astype(np.float32)
        total += np.float32(power) * cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(total, np.float32)


def _shrunk(fine: Picture, size: tuple[int, int]) -> Mask:
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


@lru_cache(maxsize=4096)
def _line(text: str, face: Typeface) -> Picture:
    """Returns the ink of a line, its capitals `_CAP` pixels high about its middle row."""
    letters = [_letter(char, face.name, face.weight) for char in text]
    gap = round(face.gap * _CAP)
    width = sum(letter.shape[1] for letter in letters) + gap * (len(letters) - 1)
    line = np.zeros((2 * _CAP, max(1, width)), np.uint8)
    pen = 0
    for letter in letters:
        line[:, pen : pen + letter.shape[1]] = letter
        pen += letter.shape[1] + gap
    return line


@lru_cache(maxsize=2048)
def _letter(char: str, name: str, weight: int) -> Picture:
    if char == " ":
        return np.zeros((2 * _CAP, _CAP // 3), np.uint8)
    if name in (_FIRST, _SECOND) and char in numerals.CHARACTERS:
        return numerals.draw(char, _CAP, weight, name == _SECOND)
    big = np.zeros((4 * _CAP, 4 * _CAP), np.uint8)
    foot = 5 * _CAP // 2
    cv2.putText(big, char, (_CAP, foot), (255,), _font(name), round(_CAP / _HEIGHTS.get(name, 0.7)), weight)
    columns = np.flatnonzero(big.max(axis=0) > 60)
    if not columns.size:
        return np.zeros((2 * _CAP, _CAP // 3), np.uint8)
    top = foot - 3 * _CAP // 2
    return np.ascontiguousarray(big[top : top + 2 * _CAP, columns[0] : columns[-1] + 1])


@lru_cache(maxsize=4)
def _font(name: str) -> "cv2.FontFace":
    return cv2.FontFace("sans" if name in (_FIRST, _SECOND) else name)
