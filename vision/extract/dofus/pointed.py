"""Finds the cards of a timeline whose current card has a pointer below it and a life bar under the portrait.

The pointer is found by its colour and shape; its card's bar must end just above it. The other cards are
beside that card, evenly spaced and slightly lower; their side is the background colour at the portrait's
right. Next hop: `vision.extract.dofus.cards`.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import blobs
from vision.extract.dofus.anchors import hsv, within
from vision.frame import Rect
from vision.profiles.hud import PointedRule
from vision.view import CardSeen, Seen, Team

Picture = npt.NDArray[np.uint8]

_FILL = (0.42, 0.68)
_BASE = 0.85
_RED = 0.6
_GROUND = 0.6
_MOST = 24
_LEAST = 6


def find(bgr: Picture, rule: PointedRule) -> list[CardSeen]:
    """Returns the cards, left to right; none where there is no pointer under a card, or more than one.

    Args:
        bgr: the client area or a part of it, uint8, shape (height, width, 3).
        rule: the timeline's rules.
    """
    rows = [row for row in (_row(bgr, rule, box) for box in _pointers(bgr, rule)) if len(row) >= 2]
    return rows[0] if len(rows) == 1 else []


def _pointers(bgr: Picture, rule: PointedRule) -> Iterator[Rect]:
    """Yields the boxes of triangles of the pointer's colour with a horizontal base."""
    found = blobs.find(within(hsv(bgr), rule.pointer), _LEAST)
    wide, tall = found.stats[:, 2], found.stats[:, 3]
    fill = found.stats[:, 4] / (wide * tall)
    good = (wide >= _LEAST) & (wide > 1.4 * tall) & (wide < 2.8 * tall)
    good &= (fill > _FILL[0]) & (fill < _FILL[1])
    for index in np.flatnonzero(good).tolist():
        x, y, across, down = (int(value) for value in found.stats[index, :4])
        patch = found.patch(index)
        if patch[-max(1, down // 4) :].mean() >= _BASE and patch[0].mean() < 0.4:
            yield Rect(x, y, across, down)


def _row(bgr: Picture, rule: PointedRule, pointer: Rect) -> list[CardSeen]:
    """Returns the cards beside the one above a pointer."""
    size = _size(bgr, rule, pointer)
    if size is None:
        return []
    left = pointer.x + pointer.width / 2 - size / 2
    top = pointer.y - rule.rise * size
    found = []
    for step in (-1, 1):
        for count in range(1 if step > 0 else 0, _MOST):
            lower = rule.raised * size if count else 0.0
            x = round(left + step * count * rule.pitch * size)
            box = Rect(x, round(top + lower), round(size), round(size))
            card = _card(bgr, rule, box, count == 0)
            if card is None:
                break
            found.append(card)
        if not found:
            return []
    return sorted(found, key=lambda card: card.box.x)


def _size(bgr: Picture, rule: PointedRule, pointer: Rect) -> float | None:
    """Returns a card's width by the left end of the life bar above a pointer, None without a bar."""
    usual, middle = pointer.width / rule.pointer_width, pointer.x + pointer.width / 2
    left, right = round(middle - 0.6 * usual), round(middle)
    bar = pointer.y - round((rule.rise - 1 - rule.bar_gap - rule.bar_thick / 2) * usual)
    if left < 0 or bar < 1:
        return None
    line = within(hsv(bgr[bar - 1 : bar + 2, left:right]), rule.bar) > 0
    red = np.flatnonzero(line.mean(axis=0) >= _RED)
    return 2 * (middle - left - float(red[0])) if red.size and red[0] < 0.2 * usual else None


def _card(bgr: Picture, rule: PointedRule, box: Rect, current: bool) -> CardSeen | None:
    """Returns the card at a place, None where there is none."""
    gap, thick = round(rule.bar_gap * box.width), max(1, round(rule.bar_thick * box.width))
    if min(box.x, box.y) < 0 or box.right > bgr.shape[1] or box.bottom + gap + thick > bgr.shape[0]:
        return None
    team = _team(bgr[box.y + box.height // 8 : box.bottom - box.height // 8, box.x : box.right], rule)
    life = _life(bgr[box.bottom + gap : box.bottom + gap + thick, box.x : box.right], rule)
    return CardSeen(box, team, current, life) if team is not None and life else None


def _team(portrait: Picture, rule: PointedRule) -> Team | None:
    """Returns the side by the background at the right of a portrait, None where none matches."""
    wide = portrait.shape[1]
    strip = np.ascontiguousarray(portrait[:, wide - wide // 6 : wide - 1])
    tones = hsv(strip)
    for team, tone in rule.sides.items():
        if (within(tones, tone) > 0).mean() >= _GROUND:
            return team
    return None


def _life(bar: Picture, rule: PointedRule) -> Seen[float]:
    """Returns the filled share of a bar; None unless it is red from its left end without a gap."""
    mask = within(hsv(np.ascontiguousarray(bar)), rule.bar) > 0
    red = np.flatnonzero(mask.mean(axis=0) >= _RED)
    wide = mask.shape[1]
    if not red.size or red[0] > 0.06 * wide + 1 or red.size < 0.95 * (red[-1] - red[0] + 1):
        return Seen()
    share = (red[-1] + 1 - red[0]) / wide
    return Seen(1.0 if share >= 1 - 2.5 / wide else float(share), 0.9)
