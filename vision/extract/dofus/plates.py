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

_DARK = 92  # Levels of a plate at most: of 36 drawn ones none is found at 46, half of them at 120
_HALF = 0.5  # Of the way from ground to brightest: text; at 0.38 and 0.65 a tenth of 36 are not known
_COLOURS = np.uint32(0x010101)
_PARENT = 3  # Where OpenCV's hierarchy of contours has the outer one
_WIDE, _TALL = (0.8, 4.4), (0.4, 2.6)
"""A plate's width and height in those of a cell. With 1.6 for the least width half of 36 drawn plates are
lost, with 1.3 for the largest height a third; wider limits read them alike."""
_ASIDE = 0.5  # How far beside its fighter a plate's middle may be, in cells; from 0.25 on 36 are alike
_OVER = 3.4  # Heights of a cell over the feet that its lower edge may be; from 1.7 on alike
_LINE = 0.8  # Of a cell's height that a line of text has at most; at 0.4 three of four names are lost
_ROW_GAP = 3  # Rows without text inside a line: accents; with 6 a fifth of 36 names join the next line
_WORD_GAP = 0.3  # Of a line's height between words, as before a number; 0.15 to 0.6 are alike


class PlateReader:
    """Finds the plates over fighters; what is over each is compared with the previous frame."""

    def __init__(self) -> None:
        self._memory: dict[tuple[int, int], tuple[Picture, tuple[str, Rect | None]]] = {}

    def named(self, frame: Picture, lattice: Lattice, fighters: Sequence[FighterSeen]) -> list[FighterSeen]:
        """Returns the fighters; the one under a plate has its name's signature and place.

        Args:
            frame: BGR or BGRA, uint8, shape (height, width, 3 or 4).
            fighters: all fighters on the board; a plate that matches several is ignored.
        """
        plates = [self._plate(frame, lattice, fighter.px) for fighter in fighters]
        places = {(round(sighting.px[0]), round(sighting.px[1])) for sighting in fighters}
        self._memory = {place: known for place, known in self._memory.items() if place in places}
        boxes = [box for _, box in plates if box is not None]
        return [
            replace(sighting, name=name, name_box=box)
            if box is not None and boxes.count(box) == 1
            else sighting
            for sighting, (name, box) in zip(fighters, plates, strict=True)
        ]

    def _plate(self, frame: Picture, lattice: Lattice, feet: tuple[float, float]) -> tuple[str, Rect | None]:
        """Returns the signature and the box of the name over a place, "" and None where there is none."""
        w, h = lattice.cell_w, lattice.cell_h
        reach = (_WIDE[1] / 2 + _ASIDE) * w
        left, right = max(0, round(feet[0] - reach)), min(frame.shape[1], round(feet[0] + reach))
        top = max(0, round(feet[1] - (_OVER + _TALL[1]) * h))
        bottom = max(top, round(feet[1]))
        part = frame[top:bottom, left:right]
        place = (round(feet[0]), round(feet[1]))
        known = self._memory.get(place)
        if known is not None and is_same(known[0], part):
            self._memory[place] = (part, known[1])  # the frame before need not be kept
            return known[1]
        box = _dark_box(part, feet[0] - left, w, h)
        name, at = _name(crop(part, box)[..., :3], h) if box is not None else ("", None)
        placed = at.moved(box.x + left, box.y + top) if box is not None and at is not None else None
        self._memory[place] = (part, (name, placed))
        return name, placed


def _dark_box(part: Picture, x: float, w: float, h: float) -> Rect | None:
    """Returns the dark box with text around a column, None where there is none or more than one.

    Args:
        x: the column of its feet.
        w: a cell's width in pixels.
        h: a cell's height in pixels.
    """
    if not part.size:
        return None
    dark = _dark(part)
    boxes = [box for box, contour in _boxes(dark, x, w, h) if _is_written_on(dark, contour, box)]
    return boxes[0] if len(boxes) == 1 else None


def _boxes(dark: Picture, x: float, w: float, h: float) -> Iterator[tuple[Rect, cv2.typing.MatLike]]:
    """Yields the dark regions of a plate's size around a column that do not touch the picture's edges.

    Args:
        w: a cell's width in pixels.
        h: a cell's height in pixels.

    Yields:
        Box and contour.
    """
    tall, wide = dark.shape
    contours, kin = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for index, contour in enumerate(contours):
        if len(contour) < 2 * _WIDE[0] * w - 2 or kin[0, index, _PARENT] >= 0:
            continue
        box = Rect(*cv2.boundingRect(contour))
        sized = _WIDE[0] * w <= box.width <= _WIDE[1] * w and _TALL[0] * h <= box.height <= _TALL[1] * h
        inside = box.x > 0 and box.right < wide and box.y > 0 and box.bottom < tall
        if sized and inside and abs(box.x + box.width / 2 - x) <= _ASIDE * w:
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
    white = np.asarray(ink >= ground + _HALF * (brightest - ground), np.bool_)
    lines = _runs(white.max(axis=1), _ROW_GAP)
    if not lines or lines[0][1] - lines[0][0] > _LINE * h:
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
    characters = digits.split_ones(digits.characters(digits.network().columns(strip[None])[0]), strip)
    sure = [
        character for character in characters if character.meaning < digits.SECONDS and character.sure >= SURE
    ]
    return len(sure) > 0.5 * len(characters)
