"""Draws how each cell was judged over the picture that it was read from."""

import math
from collections import Counter
from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.view import CELLS, SURE, CellScore, Decided, Lattice

Picture = npt.NDArray[np.uint8]

_READABLE = 84
"""Width of a cell, in pixels, in which a ring's name and figure can be read."""
_COLOURS = {  # BGR, each like the ring that it is for
    "player": (90, 210, 255),
    "ally": (255, 180, 108),
    "enemy": (93, 109, 255),
    "red": (60, 60, 255),
    "blue": (255, 120, 60),
    "": (200, 200, 200),
}
_DECIDED: dict[Decided, tuple[int, int, int]] = {  # BGR, unlike all rings
    "shown": (255, 255, 255),
    "withheld": (0, 200, 255),
}
_DARK = (20, 20, 20)  # BGR, behind words and outlines, which are light


def scored_png(pixels: Picture, lattice: Lattice, scores: Mapping[int, CellScore]) -> bytes:
    """Returns a PNG file of a picture (BGRA) with its cells as they were judged, see `drawn`."""
    bgr = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)
    return cv2.imencode(".png", drawn(bgr, lattice, scores))[1].tobytes()


def drawn(picture: Picture, lattice: Lattice, scores: Mapping[int, CellScore]) -> Picture:
    """Returns a picture with its cells outlined, the likeliest ring of each and its probability in percent.

    A thick outline has the colour of what decided; a key at the top says which. Small pictures are made
    larger, so that the words can be read.

    Args:
        picture: BGR, uint8.
    """
    scale = max(1, math.ceil(_READABLE / lattice.cell_w))
    way = cv2.INTER_NEAREST
    image = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    wide, tall = scale * lattice.cell_w, scale * lattice.cell_h
    corners = np.array([[0, -tall], [wide, 0], [0, tall], [-wide, 0]]) / 2
    middles = [scale * np.array(lattice.centre(cell)) for cell in range(CELLS)]
    grid = [np.round(middle + corners).astype(np.int32) for middle in middles]
    cv2.polylines(image, grid, True, (150, 150, 150), 1)
    size = wide / _READABLE * 0.4
    for cell, score in scores.items():
        outline = np.round(middles[cell] + 1.06 * corners).astype(np.int32)
        if score.decided is None:
            thick = 2 if score.chance >= SURE else 1
            cv2.polylines(image, [outline], True, _COLOURS[score.ring], thick, cv2.LINE_AA)
        else:
            cv2.polylines(image, [outline], True, _DARK, 7, cv2.LINE_AA)
            cv2.polylines(image, [outline], True, _DECIDED[score.decided], 3, cv2.LINE_AA)
        text = f"{score.ring} {100 * score.chance:.0f}" if score.ring else "-"
        (across, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        below = middles[cell] + (-across / 2, 0.85 * tall)  # in sight of the ring
        _write(image, text, below, size, _COLOURS[score.ring])
    counts = Counter(score.decided for score in scores.values())
    for row, (decided, colour) in enumerate(_DECIDED.items()):
        _write(image, f"{decided}: {counts[decided]}", np.array((10.0, 24.0 + 26 * row)), 0.6, colour)
    return image


def _write(
    image: Picture, text: str, start: npt.NDArray[np.float64], size: float, colour: tuple[int, int, int]
) -> None:
    (across, up), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, foot = (round(value) for value in start)
    cv2.rectangle(image, (left - 2, foot - up - 2), (left + across + 2, foot + 3), _DARK, -1)
    cv2.putText(image, text, (left, foot), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
