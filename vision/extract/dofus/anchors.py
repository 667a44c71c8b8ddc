"""Finds the anchors of a real client's HUD: shapes of one colour and a known outline.

A shape is a connected patch of its colour whose filled contour matches its outline; two shapes must be at
their known distance, which rules out leaves and tooltips of the same colour. If none are found, small gaps
are closed: in a compressed picture the number inside a shape may split it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import blobs
from vision.frame import Rect
from vision.profiles.hud import HudRules, Outline, ShapeRule, Tone

Picture = npt.NDArray[np.uint8]

SMALLEST = 10  # Pixels of width below which shapes and slots are blurs
FILLED = 0.9  # The share of its box that a plate or button has with its words filled in
INK = (
    0.01,
    0.45,
)  # The share of such a box that words take; 0.003 to 0.019, and 0.3 and more, read 45 pictures alike
_SQUARE = (0.72, 1.4)  # Width over height of stars, diamonds and hearts whose tips fade at small sizes
_GAP = 0.0055  # Of the client's height: what a number inside a shape parts of it in a compressed picture
_STEP_SLACK = 0.16  # How far a second shape may be from its place, in widths: tips that fade move it
_SIZE_SLACK = 0.22  # The same for the two shapes' sizes, as a logarithm: a fifth larger


@dataclass(frozen=True, slots=True)
class HudAnchor:
    """A place in the picture and the length that its surroundings are measured in, in pixels.

    `arrangement` is the name of the arrangement that two shapes are in, "" for the usual one.
    """

    x: float
    y: float
    unit: float
    fit: float
    arrangement: str = ""

    def moved(self, across: float, down: float) -> "HudAnchor":
        """Returns the place so many pixels further right and down."""
        return replace(self, x=self.x + across, y=self.y + down)


@dataclass(frozen=True, slots=True)
class _Patch:
    box: Rect
    centroid: tuple[float, float]
    fit: float


def hsv(bgr: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(bgr), cv2.COLOR_BGR2HSV), np.uint8)


def within(tones: Picture, tone: Tone) -> Picture:
    """Returns a mask (0 or 255) of the pixels of a tone; its hues may wrap around from 179 to 0.

    Args:
        tones: a picture in HSV.
    """
    low, high = tone
    if low[0] <= high[0]:
        return np.asarray(cv2.inRange(tones, np.array(low), np.array(high)), np.uint8)
    upper = cv2.inRange(tones, np.array(low), np.array((179, *high[1:])))
    lower = cv2.inRange(tones, np.array((0, *low[1:])), np.array(high))
    return np.asarray(cv2.bitwise_or(upper, lower), np.uint8)


def vitals(tones: Picture, rules: HudRules, height: int) -> HudAnchor | None:
    """Finds the shapes in or around which life, AP and MP are written.

    Args:
        tones: the client area or a part of it, in HSV.
        height: the client area's height in pixels.

    Returns:
        The best match, None where there is none or a second one is nearly as good.
    """
    candidates: list[HudAnchor] = []
    for gap in (0, max(3, round(_GAP * height))):
        pair = rules.second is not None
        candidates = list(
            _pairs(tones, rules, height, gap) if pair else _single(tones, rules.first, height, gap)
        )
        if candidates:
            break
    best = sorted(candidates, key=lambda anchor: -anchor.fit)[:2]
    if not best:
        return None
    if len(best) == 2 and best[1].fit > 0.97 * best[0].fit:
        return None
    return best[0]


def _pairs(tones: Picture, rules: HudRules, height: int, gap: int) -> Iterator[HudAnchor]:
    assert rules.second is not None
    arranged = [("", rules.second.step, 1.0)]
    arranged += [(name, rule.step, rule.unit) for name, rule in rules.arrangements.items()]
    firsts = list(_shapes(tones, rules.first, height, gap))
    if not firsts:
        return
    for second in _shapes(tones, rules.second, height, gap):
        for first in firsts:
            (x, y), other = first.centroid, second.box.width / rules.second.size
            dx, dy = second.centroid[0] - x, second.centroid[1] - y
            size, wide = other / first.box.width, (other + first.box.width) / 2
            if abs(np.log(size)) >= _SIZE_SLACK:
                continue
            for name, step, unit in arranged:
                off = float(np.hypot(dx / wide - step[0], dy / wide - step[1]))
                if off < _STEP_SLACK:
                    fit = first.fit * second.fit * (1 - off)
                    yield HudAnchor(x + dx / 2, y + dy / 2, unit * float(np.hypot(dx, dy)), fit, name)


def _single(tones: Picture, rule: ShapeRule, height: int, gap: int) -> Iterator[HudAnchor]:
    for shape in _shapes(tones, rule, height, gap):
        x, y, wide, tall = shape.box
        yield HudAnchor(x + wide / 2, y + tall / 2, float(wide), shape.fit)


def _shapes(tones: Picture, rule: ShapeRule, height: int, gap: int) -> Iterator[_Patch]:
    """Yields the patches of a rule's colour and outline, after closing gaps of `gap` pixels."""
    mask = within(tones, (rule.low, rule.high))
    if gap:
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8)), np.uint8)
    for box, patch, _ in patches(mask, (rule.wide[0] * height, rule.wide[1] * height), _SQUARE):
        whole = filled(patch)
        wanted = _outline(rule.outline, box.width, box.height)
        fit = float((whole & wanted).sum() / (whole | wanted).sum())
        if fit >= rule.fit:
            x, y = _centroid(whole)
            yield _Patch(box, (box.x + x, box.y + y), fit)


def patches(
    mask: Picture, width: tuple[float, float], shape: tuple[float, float]
) -> Iterator[tuple[Rect, Picture, int]]:
    """Yields the box, mask and area of each connected patch whose width and shape are within limits."""
    least = max(SMALLEST, width[0])
    shapes = blobs.find(mask, least, max(SMALLEST / 2, least / shape[1]))
    wide, tall = shapes.stats[:, 2], shapes.stats[:, 3]
    good = (wide >= least) & (wide <= width[1]) & (tall >= SMALLEST / 2)
    good &= (wide >= shape[0] * tall) & (wide <= shape[1] * tall) & (shapes.stats[:, 4] >= 0.25 * wide * tall)
    for index in np.flatnonzero(good).tolist():
        x, y, across, down, area = (int(value) for value in shapes.stats[index])
        yield Rect(x, y, across, down), shapes.patch(index), area


def _centroid(patch: Picture) -> tuple[float, float]:
    """Returns a patch's centroid, which stays where the tips fade at small scales."""
    sums = cv2.moments(patch, binaryImage=True)
    return sums["m10"] / sums["m00"] + 0.5, sums["m01"] / sums["m00"] + 0.5


def filled(patch: Picture) -> Picture:
    """Returns a patch without its holes."""
    contours, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(np.zeros_like(patch), contours, -1, 1, -1), np.uint8)


@lru_cache(maxsize=512)
def _outline(outline: Outline, width: int, height: int) -> Picture:
    """Returns a shape's mask, filling a box."""
    points = _points(outline)
    points = (points - points.min(axis=0)) / np.ptp(points, axis=0)
    corners = np.round(points * (width - 1, height - 1)).astype(np.int32)
    return np.asarray(cv2.fillPoly(np.zeros((height, width), np.uint8), [corners], 1), np.uint8)


def _points(outline: Outline) -> npt.NDArray[np.float64]:
    if not isinstance(outline, str):
        return np.array(outline)
    if outline == "diamond":
        return np.array([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)])
    if outline == "star":
        turns = np.arange(10) * np.pi / 5
        far = np.where(np.arange(10) % 2 == 0, 1, 0.53)
        return np.stack([np.sin(turns) * far, -np.cos(turns) * far], axis=1)
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    wave = 13 * np.cos(turns) - 5 * np.cos(2 * turns) - 2 * np.cos(3 * turns) - np.cos(4 * turns)
    return np.stack([16 * np.sin(turns) ** 3, -wave], axis=1)
