"""Digits of our own, drawn as strokes: round or narrow, light or heavy, in two styles.

They are in no font that a reader was trained on, and are equal on every machine.
"""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Stroke = list[tuple[float, float]]

CHARACTERS = "0123456789s-"
_WIDTH = {"1": 0.42, "s": 0.44, "-": 0.45}


def draw(char: str, cap: int, weight: int, other: bool) -> Picture:
    """Returns the ink of a character on 2 * cap rows, its foot at row 1.5 * cap, cut to it at its sides.

    Args:
        char: one of `CHARACTERS`.
        cap: height of a digit in pixels.
        weight: how heavy its strokes are (100..900).
        other: whether it is drawn in the second style (open 4, flat 3, footed 1, bent 7 ...).
    """
    thick = max(2, round(cap * (0.06 + 0.2 * weight / 900)))
    tall = (0.72 if char == "s" else 1.0) * cap - thick
    wide = _WIDTH.get(char, 0.62) * cap - thick * 0.6
    image = np.zeros((2 * cap, 2 * cap), np.uint8)
    left, top = cap // 2, 1.5 * cap - thick / 2 - tall
    for stroke in _STROKES[char](other):
        points = np.array(stroke) * (wide, tall) + (left, top)
        fixed = np.round(points * 16).astype(np.int32)
        cv2.polylines(image, [fixed], False, 255, thick, cv2.LINE_AA, 4)
    columns = np.flatnonzero(image.max(axis=0) > 60)
    return np.ascontiguousarray(image[:, columns[0] : columns[-1] + 1])


def _arc(x: float, y: float, across: float, down: float, start: float, end: float) -> Stroke:
    """Returns points on an ellipse, angles in degrees clockwise from the right."""
    turns = np.radians(np.linspace(start, end, 24))
    return [(x + across * float(np.cos(t)), y + down * float(np.sin(t))) for t in turns]


def _zero(other: bool) -> list[Stroke]:
    if not other:
        return [_arc(0.5, 0.5, 0.5, 0.5, 0, 360)]
    turns = np.linspace(0, 2 * np.pi, 48)
    x = 0.5 + 0.5 * np.sign(np.cos(turns)) * np.abs(np.cos(turns)) ** 0.6
    y = 0.5 + 0.5 * np.sign(np.sin(turns)) * np.abs(np.sin(turns)) ** 0.8
    return [list(zip(x.tolist(), y.tolist(), strict=True))]


def _one(other: bool) -> list[Stroke]:
    stem: Stroke = [(0.1, 0.2), (0.62, 0.0), (0.62, 1.0)]
    return [stem, [(0.2, 1.0), (1.0, 1.0)]] if other else [stem]


def _two(other: bool) -> list[Stroke]:
    neck = 0.62 if other else 0.55
    return [[*_arc(0.5, 0.3, 0.46, 0.3, 190, 385), (0.72, neck), (0.04, 1.0), (0.98, 1.0)]]


def _three(other: bool) -> list[Stroke]:
    below = _arc(0.48, 0.7, 0.5, 0.3, 270, 515)
    if other:
        return [[(0.06, 0.0), (0.92, 0.0), (0.46, 0.4), *below]]
    return [[*_arc(0.48, 0.23, 0.43, 0.23, 205, 440), *below]]


def _four(other: bool) -> list[Stroke]:
    if other:
        return [[(0.42, 0.0), (0.02, 0.72), (1.0, 0.72)], [(0.72, 0.4), (0.72, 1.0)]]
    return [[(0.72, 1.0), (0.72, 0.0), (0.0, 0.72), (1.0, 0.72)]]


def _five(other: bool) -> list[Stroke]:
    top = 0.0 if not other else 0.02
    return [[(0.9, top), (0.16, 0.0), (0.1, 0.46), *_arc(0.46, 0.68, 0.5, 0.32, 225, 515)]]


def _six(other: bool) -> list[Stroke]:
    bowl = _arc(0.5, 0.68, 0.48, 0.32, 180, 540)
    lead: Stroke = [(0.74, 0.0), (0.2, 0.44)] if other else _arc(0.6, 0.6, 0.58, 0.6, 295, 180)
    return [[*lead, *bowl]]


def _seven(other: bool) -> list[Stroke]:
    if other:
        return [[(0.02, 0.0), (0.98, 0.0), (0.6, 0.45), (0.36, 1.0)]]
    return [[(0.02, 0.0), (0.98, 0.0), (0.34, 1.0)]]


def _eight(other: bool) -> list[Stroke]:
    waist = 0.44 if other else 0.47
    return [
        _arc(0.5, waist / 2, 0.42, waist / 2, 0, 360),
        _arc(0.5, (1 + waist) / 2, 0.5, (1 - waist) / 2, 0, 360),
    ]


def _nine(other: bool) -> list[Stroke]:
    return [[(1 - x, 1 - y) for x, y in stroke] for stroke in _six(other)]


def _ess(_: bool) -> list[Stroke]:
    return [[*_arc(0.5, 0.25, 0.44, 0.25, -40, -265), *_arc(0.5, 0.75, 0.46, 0.25, 270, 500)]]


def _minus(_: bool) -> list[Stroke]:
    return [[(0.0, 0.5), (1.0, 0.5)]]


_STROKES: dict[str, Callable[[bool], list[Stroke]]] = {
    "0": _zero,
    "1": _one,
    "2": _two,
    "3": _three,
    "4": _four,
    "5": _five,
    "6": _six,
    "7": _seven,
    "8": _eight,
    "9": _nine,
    "s": _ess,
    "-": _minus,
}
