"""Finds the timeline's cards of a real client: a red life bar beside a portrait on its side's flat colour.

The card of who is playing has a bright frame. Next hop: `vision.extract.real.hud`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.panels import TimelineRule
from vision.tables import RGB
from vision.view import Team

Picture = npt.NDArray[np.uint8]

_NEAR = 20
_BAR_NEAR = 48
_THIN = 2
_BACKED = 0.22
_FRAMED = 0.6
_NARROW = (0.72, 1.06)


@dataclass(frozen=True, slots=True)
class Card:
    """A fighter's card: the box of its portrait, whose side, whether it is playing now."""

    box: Rect
    team: Team
    current: bool


def find(bgr: Picture, rule: TimelineRule) -> list[Card]:
    """Returns the cards, left to right; none unless all are of one size and exactly one has the frame.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        rule: what they look like.
    """
    found: list[Card] = []
    for card in sorted(_candidates(bgr, rule), key=lambda card: card.box.x):
        if not found or card.box.x > found[-1].box.x + found[-1].box.width // 2:
            found.append(card)
    playing = [card for card in found if card.current]
    if len(playing) != 1:
        return []
    size, middle = playing[0].box.width, playing[0].box.y + playing[0].box.height / 2
    row = [
        card
        for card in found
        if abs(card.box.width - size) <= 0.2 * size
        and abs(card.box.y + card.box.height / 2 - middle) <= 0.6 * size
    ]
    return row if len(row) >= 2 else []


def _candidates(bgr: Picture, rule: TimelineRule) -> Iterator[Card]:
    bars = _like(bgr, rule.bar, _BAR_NEAR)
    _, _, stats, _ = cv2.connectedComponentsWithStats(bars, connectivity=4)
    wide, tall = stats[:, 2], stats[:, 3]
    good = (wide >= _THIN) & (wide < 0.02 * bgr.shape[1]) & (tall >= wide) & (tall <= 13 * wide)
    good &= stats[:, 4] >= 0.7 * wide * tall
    for index in np.flatnonzero(good[1:]) + 1:
        x, y, across, down = (int(value) for value in stats[index][:4])
        size = across / rule.bar_width
        left, bottom = x + across, y + down
        for team, colour in rule.sides.items():
            box = _portrait(bgr, colour, left, bottom, size)
            if box is not None:
                yield Card(box, team, _framed(bgr, box, rule))
                break


def _portrait(bgr: Picture, colour: RGB, left: int, bottom: int, size: float) -> Rect | None:
    """Returns the box of the portrait beside a bar, None where its colour is not there."""
    top, right = max(0, round(bottom - 1.6 * size)), round(left + 1.5 * size)
    if right > bgr.shape[1] or bottom - top < 2:
        return None
    part = _like(bgr[top:bottom, left:right], colour) > 0
    apart = max(4, round(0.2 * size))
    height = _run(part[::-1].mean(axis=1) > 0.1, apart)
    width = _run(part[-height:].mean(axis=0) > 0.1, apart) if height else 0
    if not 0.6 * size < height < 1.5 * size or not _NARROW[0] * height < width < _NARROW[1] * height:
        return None
    portrait = part[-height:, :width]
    return Rect(left, bottom - height, width, height) if portrait.mean() >= _BACKED else None


def _run(seen: npt.NDArray[np.bool_], apart: int) -> int:
    """Returns how far lines that show a colour go, gaps of `apart` lines included."""
    shown = np.flatnonzero(seen)
    if not shown.size or shown[0] > apart:
        return 0
    breaks = np.flatnonzero(np.diff(shown) > apart)
    return int(shown[breaks[0]] if breaks.size else shown[-1]) + 1


def _framed(bgr: Picture, box: Rect, rule: TimelineRule) -> bool:
    """Tells whether a bright frame runs above and to the right of a portrait."""
    near, far = max(2, round(0.06 * box.height)), max(3, round(0.11 * box.height))
    top, right = box.y - far, box.right + far
    if top < 0 or right > bgr.shape[1]:
        return False
    above = bgr[top : box.y - near + 1, box.x : box.right]
    beside = bgr[box.y : box.bottom, box.right + near : right + 1]
    return all(_bright(part, rule) for part in (above, beside))


def _bright(part: Picture, rule: TimelineRule) -> bool:
    tones = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2HSV)
    inside = cv2.inRange(tones, np.array(rule.frame_low), np.array(rule.frame_high))
    return bool((np.asarray(inside) > 0).mean() >= _FRAMED)


def _like(bgr: Picture, colour: RGB, near: int = _NEAR) -> Picture:
    """Returns a mask of the pixels near a colour."""
    wanted = np.array(colour[::-1])
    low, high = np.maximum(wanted - near, 0), np.minimum(wanted + near, 255)
    return np.asarray(cv2.inRange(np.ascontiguousarray(bgr), low, high), np.uint8)
