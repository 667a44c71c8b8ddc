"""Reads the name plate over a fighter under the mouse, as a signature of its text image.

A plate is a dark box with white text, right above one fighter. The signature is of its first line without
the numbers at its end, since life changes. Text is not recognised: the player assigns a signature to a name
once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import digits
from vision.extract.dofus.anchors import FILLED, INK
from vision.extract.dofus.percentiles import percentiles
from vision.extract.dofus.search import crop, is_same
from vision.frame import Rect
from vision.signature import name_signature
from vision.view import SURE, FighterSeen, Lattice

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

_DARK, _FAINT, _HALF = 92, 60.0, 0.5
_COLOURS = np.uint32(0x010101)
_PARENT = 3  # Where OpenCV's hierarchy of contours has the outer one
_COARSE_CELL, _COARSE_SLACK = 40, 2
_WIDE, _TALL = (0.8, 4.4), (0.4, 2.6)
_ASIDE, _UNDER, _OVER = 0.5, 0.2, 3.4
_REACH = 2.5
_LINE = (6, 0.8)
_ROW_GAP = 3
_WORD_GAP = 0.3


class PlateReader:
    """Finds the plates over fighters; what is over each is compared with the previous frame."""

    def __init__(self) -> None:
        self._memory: dict[tuple[int, int], tuple[Picture, tuple[str, Rect | None]]] = {}

    def named(self, frame: Picture, lattice: Lattice, fighters: Sequence[FighterSeen]) -> list[FighterSeen]:
        """Returns the fighters; the one under a plate has its name's signature and place.

        Args:
            frame: BGR or BGRA, uint8, shape (height, width, 3 or 4).
            lattice: where the board's cells lie.
            fighters: all fighters on the board; a plate that matches several is ignored.
        """
        found = [self._plate(frame, lattice, fighter.px) for fighter in fighters]
        places = {(round(one.px[0]), round(one.px[1])) for one in fighters}
        self._memory = {place: known for place, known in self._memory.items() if place in places}
        boxes = [box for _, box in found if box is not None]
        return [
            replace(one, name=name, name_box=box) if box is not None and boxes.count(box) == 1 else one
            for one, (name, box) in zip(fighters, found, strict=True)
        ]

    def _plate(self, frame: Picture, lattice: Lattice, feet: tuple[float, float]) -> tuple[str, Rect | None]:
        """Returns the signature and the box of the name over a place, "" and None where there is none."""
        w, h = lattice.cell_w, lattice.cell_h
        left, right = max(0, round(feet[0] - _REACH * w)), min(frame.shape[1], round(feet[0] + _REACH * w))
        top = max(0, round(feet[1] - (_OVER + _TALL[1]) * h))
        bottom = max(top, round(feet[1] - _UNDER * h))
        part = frame[top:bottom, left:right]
        place = (round(feet[0]), round(feet[1]))
        known = self._memory.get(place)
        if known is not None and is_same(known[0], part):
            self._memory[place] = (part, known[1])  # the frame before need not be kept
            return known[1]
        box = _dark_box(part, feet[0] - left, w, h)
        name, at = _name(crop(part, box)[..., :3], h) if box is not None else ("", None)
        placed = None
        if box is not None and at is not None:
            placed = at._replace(x=at.x + box.x + left, y=at.y + box.y + top)
        self._memory[place] = (part, (name, placed))
        return name, placed


def _dark_box(part: Picture, x: float, w: float, h: float) -> Rect | None:
    """Returns the dark box with text around a column, None where there is none or more than one.

    Args:
        x: the column of its feet.
        w: a cell's width in pixels.
        h: a cell's height in pixels.
    """
    if min(part.shape[:2]) < _LINE[0]:
        return None
    coarse = int(w // _COARSE_CELL)
    if coarse > 1:
        small = cv2.resize(part, None, fx=1 / coarse, fy=1 / coarse, interpolation=cv2.INTER_NEAREST)
        rough = _dark(np.asarray(small, np.uint8))
        if next(_boxes(rough, x / coarse, w / coarse, h / coarse, _COARSE_SLACK), None) is None:
            return None
    dark = _dark(part)
    found = [box for box, contour in _boxes(dark, x, w, h) if _is_written_on(dark, contour, box)]
    return found[0] if len(found) == 1 else None


def _boxes(
    dark: Picture, x: float, w: float, h: float, slack: int = 0
) -> Iterator[tuple[Rect, cv2.typing.MatLike]]:
    """Yields the dark regions of a plate's size around a column: box and contour.

    Args:
        dark: which pixels are dark.
        x: the column.
        w: a cell's width in pixels.
        h: a cell's height in pixels.
        slack: tolerance of the size in pixels; if above 0, boxes may touch the picture's edges.
    """
    tall, wide = dark.shape
    contours, kin = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for index, contour in enumerate(contours):
        if len(contour) < 2 * (_WIDE[0] * w - slack) - 2 or kin[0, index, _PARENT] >= 0:
            continue
        box = Rect(*cv2.boundingRect(contour))
        sized = _WIDE[0] * w - slack <= box.width <= _WIDE[1] * w + slack
        sized &= _TALL[0] * h - slack <= box.height <= _TALL[1] * h + slack
        inside = box.x > 0 and box.right < wide and box.y > 0 and box.bottom < tall
        near = abs(box.x + box.width / 2 - x) <= _ASIDE * w + slack
        if sized and near and (inside or slack):
            yield box, contour


def _dark(part: Picture) -> Picture:
    """Returns which pixels are dark in all channels, 0 or 1; comparing bytes costs a third of `inRange`."""
    light = np.ascontiguousarray(part > _DARK)
    if part.shape[2] == 4:
        return np.asarray(light.view(np.uint32)[..., 0] & _COLOURS == 0, np.uint8)
    return np.asarray(~light.any(axis=2), np.uint8)


def _is_written_on(dark: Picture, contour: cv2.typing.MatLike, box: Rect) -> bool:
    """Returns whether a contour fills its box except for text."""
    whole = np.zeros((box.height, box.width), np.uint8)
    cv2.drawContours(whole, [contour], -1, 1, -1, offset=(-box.x, -box.y))
    ink = 1 - float((whole & crop(dark, box)).mean())
    return float(whole.mean()) >= FILLED and INK[0] <= ink <= INK[1]


def _name(plate: Picture, h: float) -> tuple[str, Rect | None]:
    """Returns the signature and the box of a plate's first line, less the numbers at its end."""
    ink = np.asarray(plate.min(axis=2), np.float32)
    ground, brightest = percentiles(ink.ravel(), (30, 99.5)).tolist()
    if brightest - ground < _FAINT:
        return "", None
    white = np.asarray(ink >= ground + _HALF * (brightest - ground), np.bool_)
    lines = _runs(white.max(axis=1), _ROW_GAP)
    if not lines or not _LINE[0] <= lines[0][1] - lines[0][0] <= _LINE[1] * h:
        return "", None
    top, bottom = lines[0]
    words = _runs(white[top:bottom].max(axis=0), max(2, round(_WORD_GAP * (bottom - top))))
    while len(words) > 1 and _is_number(ink, white[top:bottom], words[-1], top):
        words.pop()
    left, right = words[0][0], words[-1][1]
    box = Rect(left, top, right - left, bottom - top)
    name = name_signature(ink[top:bottom, left:right])
    return name, box if name else None


def _runs(lines: Flags, apart: int) -> list[tuple[int, int]]:
    """Returns the runs of true lines as (first, past the last), joined across gaps of up to `apart`."""
    places = np.flatnonzero(lines)
    if not places.size:
        return []
    parts = np.split(places, np.flatnonzero(np.diff(places) > apart) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]


def _is_number(ink: npt.NDArray[np.float32], line: Flags, columns: tuple[int, int], top: int) -> bool:
    """Returns whether most characters of a word are digits.

    Args:
        ink: how bright the plate's pixels are.
        line: the white pixels of the word's line.
        columns: the word's first and past the last column.
        top: the line's first row in the plate.
    """
    rows = np.flatnonzero(line[:, columns[0] : columns[1]].max(axis=1))
    cap = float(rows[-1] - rows[0] + 1)
    if columns[1] - columns[0] > 0.9 * digits.STRIP[1] * cap / digits.CAP:
        return False
    alone = np.ascontiguousarray(ink[:, max(0, columns[0] - 1) : columns[1] + 1])
    middle = (alone.shape[1] / 2, top + (rows[0] + rows[-1] + 1) / 2)
    strip = digits.strip(alone, *middle, cap, beyond=digits.ground(ink))
    found = digits.split_ones(digits.characters(digits.network().columns(strip[None])[0]), strip)
    sure = [one for one in found if one.meaning < digits.SECONDS and one.sure >= SURE]
    return len(sure) > 0.5 * len(found)
