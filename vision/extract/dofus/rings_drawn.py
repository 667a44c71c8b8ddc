"""Draws what the network says of each cell over the picture that it was read from."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus.rings_seen import RINGS, RingReader, Scores
from vision.extract.dofus.scored import SURE
from vision.view import CELLS, Lattice

Picture = npt.NDArray[np.uint8]

LEAST = 0.02
"""The least probability of a ring that is drawn."""
_READABLE = 84
"""Width of a cell, in pixels, in which a ring's name and figure can be read."""
_COLOURS = {
    "player": (90, 210, 255),
    "ally": (255, 180, 108),
    "enemy": (93, 109, 255),
    "red": (60, 60, 255),
    "blue": (255, 120, 60),
}


def scored_png(pixels: Picture, lattice: Lattice) -> bytes:
    """Returns a PNG file of a picture (BGRA) with the scores of its cells, see `drawn`."""
    bgr = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)
    return cv2.imencode(".png", drawn(bgr, lattice, RingReader().read(bgr, lattice)))[1].tobytes()


def drawn(picture: Picture, lattice: Lattice, scores: Scores) -> Picture:
    """Returns a picture with its cells outlined, the likeliest ring of each and its probability in percent.

    What is below `SURE` has a thin line. Small pictures are made larger, so that the words can be read.

    Args:
        picture: BGR, uint8.
        lattice: where the cells lie.
        scores: the probability of each ring, shape (560, len(RINGS)).
    """
    scale = max(1, math.ceil(_READABLE / lattice.cell_w))
    way = cv2.INTER_NEAREST
    image = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    wide, tall = scale * lattice.cell_w, scale * lattice.cell_h
    corners = np.array([[0, -tall], [wide, 0], [0, tall], [-wide, 0]]) / 2
    middles = [scale * np.array(lattice.centre(cell)) for cell in range(CELLS)]
    grid = [np.round(middle + corners).astype(np.int32) for middle in middles]
    cv2.polylines(image, grid, True, (150, 150, 150), 1)
    for cell in np.flatnonzero(scores[:, 1:].max(axis=1) >= LEAST).tolist():
        best = 1 + int(scores[cell, 1:].argmax())
        chance, colour = float(scores[cell, best]), _COLOURS[RINGS[best]]
        outline = np.round(middles[cell] + 1.06 * corners).astype(np.int32)
        cv2.polylines(image, [outline], True, colour, 2 if chance >= SURE else 1, cv2.LINE_AA)
        text, size = f"{RINGS[best]} {100 * chance:.0f}", wide / _READABLE * 0.4
        (across, up), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        left, foot = (round(value) for value in middles[cell] + (-across / 2, up / 2))
        cv2.rectangle(image, (left - 2, foot - up - 2), (left + across + 2, foot + 3), (20, 20, 20), -1)
        cv2.putText(image, text, (left, foot), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
    return image
