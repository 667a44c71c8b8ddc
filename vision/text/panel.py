"""Finds where a window of text lies on the screen: rows of one height and pitch that begin at one column.

It is looked for once; after that only its own pixels are compared. Several are returned, since chat, quests
and the fight's log look alike: what is written in them tells which one is the log.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect

Picture = npt.NDArray[np.uint8]

_EDGE = 44
_HEIGHTS = (5, 46)
_ASPECT = 2.2
_FILLED = (0.16, 0.85)
_FEWEST = 2
_SAME_LEFT = 0.6
_PITCH = (0.92, 8.6)
_COLUMN, _OPEN = 28, 6
"""Columns are looked for in strips of so many pixels, in each of which so many may be open at once."""
_TALL = 1300  # Pictures taller than this are looked at in half the size
_FLAT, _NEAR = 0.62, 20
_BESIDE = 0.35
_LEFT = 1.2
_NEXT_LETTER, _NEXT_WORD, _GO_ON = 0.35, 0.8, 0.6
"""A row goes on to the left where ink is so near, in its height; so many rows must for the window to."""


class Piece(NamedTuple):
    """A stretch of ink as wide as a few words: where it lies."""

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return self.y + self.height / 2


def find_panels(pixels: Picture, within: Rect) -> list[Rect]:
    """Returns the places that look like windows of text, those with the most rows first.

    Args:
        pixels: BGR or BGRA, uint8, shape (height, width, 3 or 4).
    """
    if within.height > _TALL:
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        small = Rect(within.x // 2, within.y // 2, within.width // 2, within.height // 2)
        return [Rect(*(2 * side for side in box)) for box in find_panels(np.asarray(half, np.uint8), small)]
    part = pixels[within.y : within.bottom, within.x : within.right, :3]
    if min(part.shape[:2]) < 4 * _HEIGHTS[0]:
        return []
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY), np.uint8)
    sized: list[tuple[int, Rect]] = []
    for size in (7, 13, 25):
        for how in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
            for column in _columns(_pieces(grey, size, how)):
                box = _box(column, part)
                if box is not None:
                    sized.append((len(column), box))
    sized.sort(key=lambda area: (-area[0], -area[1].width * area[1].height))
    panels: list[Rect] = []
    for _, box in sized:
        if not any(_overlap(box, other) > 0.5 for other in panels):
            panels.append(box)
    return [box.moved(within.x, within.y) for box in panels]


def words_in(picture: Picture) -> list[Rect]:
    """Returns where short stretches of light text stand in a part of a HUD, each place once.

    Args:
        picture: BGR or BGRA, uint8, shape (height, width, 3 or 4).
    """
    if min(picture.shape[:2]) < 2 * _HEIGHTS[0]:
        return []
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(picture[..., :3]), cv2.COLOR_BGR2GRAY), np.uint8)
    boxes: list[Rect] = []
    for size in (13, 7):
        for piece in _pieces(grey, size, cv2.MORPH_TOPHAT):
            margin = max(2, piece.height // 4)
            left, top = max(0, piece.x - margin), max(0, piece.y - margin)
            right = min(picture.shape[1], piece.x + piece.width + 2 * margin)
            bottom = min(picture.shape[0], piece.y + piece.height + margin)
            box = Rect(left, top, right - left, bottom - top)
            if not any(_overlap(box, other) > 0.5 for other in boxes):
                boxes.append(box)
    return boxes


def _pieces(grey: npt.NDArray[np.uint8], size: int, how: int) -> list[Piece]:
    """Returns the stretches of ink of about one text size, `size` being the gap between words in pixels."""
    about = np.ones((2 * size + 1, 2 * size + 1), np.uint8)
    ink = (cv2.morphologyEx(grey, how, about) > _EDGE).astype(np.uint8)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, size), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((1, 2 * size), np.uint8))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    pieces = []
    for x, y, width, height in map(cv2.boundingRect, outlines):
        tall = _HEIGHTS[0] <= height <= _HEIGHTS[1] and 0.6 * size <= height <= 4 * size
        if not tall or width < _ASPECT * height:
            continue
        if int(np.count_nonzero(joined[y : y + height, x : x + width])) >= 0.35 * width * height:
            share = float(ink[y : y + height, x : x + width].mean())
            if _FILLED[0] <= share <= _FILLED[1]:
                pieces.append(Piece(x, y, width, height))
    return pieces


def _columns(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Returns the groups of pieces that begin at one column and follow each other down at one pitch."""
    groups: list[list[Piece]] = []
    last_at: dict[int, list[list[Piece]]] = defaultdict(list)
    for part in sorted(pieces, key=lambda piece: (piece.y, piece.x)):
        home = part.x // _COLUMN
        near = [group for place in (home - 1, home, home + 1) for group in last_at[place]]
        fitting = [group for group in near if _follows(part, group[-1])]
        if fitting:
            group = min(fitting, key=lambda known: part.middle - known[-1].middle)
            last_at[group[-1].x // _COLUMN].remove(group)
            group.append(part)
        else:
            group = [part]
            groups.append(group)
        last_at[home] = [*last_at[home][-_OPEN:], group]
    return [group for group in groups if len(group) >= _FEWEST]


def _follows(piece: Piece, last: Piece) -> bool:
    """Tells whether a piece is the next row, or that after a blank or two, of a column."""
    step = piece.middle - last.middle
    alike = abs(piece.height - last.height) <= 0.5 * last.height
    aligned = abs(piece.x - last.x) <= _SAME_LEFT * last.height
    return alike and aligned and _PITCH[0] * last.height <= step <= _PITCH[1] * last.height


def _box(column: Sequence[Piece], part: Picture) -> Rect | None:
    """Returns the window that a column of rows stands in, None where its ground is not of one colour."""
    height = float(np.median([piece.height for piece in column]))
    x = min(piece.x for piece in column)
    top, bottom = column[0].y, column[-1].y + column[-1].height
    right = max(piece.x + piece.width for piece in column)
    inside = part[top:bottom, x:right]
    ground = np.median(inside.reshape(-1, 3), axis=0)
    if float(_plain(inside, ground).mean()) < _FLAT:
        return None
    flat = _plain(part[top:bottom], ground).mean(axis=0)
    right = _reach(flat >= _BESIDE, right, part.shape[1])
    rows = _plain(part[:, x:right], ground).mean(axis=1)
    down = _reach(rows >= _BESIDE, bottom, part.shape[0])
    up = part.shape[0] - _reach(rows[::-1] >= _BESIDE, part.shape[0] - top, part.shape[0])
    least = max(0, x - round(_LEFT * height))
    plain = np.flatnonzero(flat[least:x] >= _BESIDE)
    left = least + int(plain[0]) if plain.size else x
    start = line_starts(part[top:bottom], ground, column, top)
    left = left if start >= left else max(0, start - round(_LEFT * height) // 2)
    return Rect(left, up, right - left, down - up)


def _plain(part: Picture, ground: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    least, most = np.floor(ground - _NEAR) + 1, np.ceil(ground + _NEAR) - 1
    return np.asarray(cv2.inRange(part, least, most), np.uint8) > 0


def line_starts(rows: Picture, ground: npt.NDArray[np.float64], column: Sequence[Piece], top: int) -> int:
    """Returns where the lines begin whose words were found below each other: there, or further to the left.

    Args:
        top: the first of the rows in the picture.
    """
    height = float(np.median([piece.height for piece in column]))
    start = min(piece.x for piece in column)
    near = _NEXT_LETTER
    while start > 0:
        step = max(2, round(near * height))
        ink = ~_plain(rows[:, max(0, start - step) : start], ground)
        beyond = np.flatnonzero(ink.mean(axis=0) > 1 - _BESIDE)  # columns past the window's edge
        edge = int(beyond[-1]) + 1 if beyond.size else 0
        lines = [ink[piece.y - top : piece.y - top + piece.height, edge:].any(axis=0) for piece in column]
        going_on = [line for line in lines if line.any()]
        if len(going_on) < _GO_ON * len(column):
            break
        first = edge + min(int(line.argmax()) for line in going_on)
        start, near = max(0, start - step) + first, _NEXT_WORD
    return start


def _reach(flags: npt.NDArray[np.bool_], start: int, end: int) -> int:
    beyond = np.flatnonzero(~flags[start:end])
    return start + int(beyond[0]) if beyond.size else end


def _overlap(first: Rect, second: Rect) -> float:
    wide = min(first.right, second.right) - max(first.x, second.x)
    tall = min(first.bottom, second.bottom) - max(first.y, second.y)
    if wide <= 0 or tall <= 0:
        return 0.0
    return wide * tall / max(1, min(first.width * first.height, second.width * second.height))
