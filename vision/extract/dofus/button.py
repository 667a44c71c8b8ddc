"""Finds a real client's end-turn button: bright while it can be pressed, grey while others play.

A bright one is found by its colour anywhere. A grey one has the colours of other panels, so it is searched
at the button's last or usual place only: a uniform grey box of the right size, with words in its middle and
another colour around it. A covered button is neither.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract.dofus.anchors import HudAnchor, filled, hsv, patches, within
from vision.extract.dofus.percentiles import percentiles
from vision.profiles.hud import EndTurnRule

Picture = npt.NDArray[np.uint8]

_FILL = 0.9
_INK = (0.012, 0.4)
_FLAT = 18.0
_MOSTLY = 0.6
_GREY = 80
_INK_AWAY = 20.0
_OFF = (0.06, 0.14)
_ENDS = (3, 97)
_EDGE = 12.0
_BOUNDED = 0.6
_TALLEST = 0.34
_SMALLEST = 24.0

ASIDES = (0.0, 0.04, -0.04, 0.08, -0.08)
"""How far from its usual place a button is looked for, in its widths."""


def bright(tones: Picture, rule: EndTurnRule, unit: float, wordless: bool = False) -> list[HudAnchor]:
    """Returns the places that match the pressable button: its middle, with its width as the unit.

    Args:
        tones: the client area or a part of it, in HSV.
        rule: the button's rules.
        unit: the HUD's unit, in pixels.
        wordless: whether it may be without words, as some players' is.
    """
    found = []
    width = (rule.width[0] * unit, rule.width[1] * unit)
    for box, patch, area in patches(within(tones, (rule.low, rule.high)), width, rule.shape):
        whole = filled(patch)
        fill, ink = float(whole.mean()), 1 - area / float(whole.sum())
        if fill >= _FILL and (wordless or _INK[0] <= ink) and ink <= _INK[1]:
            found.append(HudAnchor(box.x + box.width / 2, box.y + box.height / 2, float(box.width), fill))
    return found


def grey(
    bgr: Picture, place: HudAnchor, rule: EndTurnRule, asides: Sequence[float] = ASIDES
) -> HudAnchor | None:
    """Returns where a greyed button is, at a place or a little aside, None where there is none.

    The usual place is measured from the HUD's AP star, a dozen units away: with a unit that is 2 % wrong it
    is off by a tenth of the button's width.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        place: where the button's middle should be, its width as the unit.
        rule: the button's rules.
        asides: how far from there it is looked for, in its widths.
    """
    for aside in asides:
        tried = replace(place, x=place.x + aside * place.unit)
        if is_grey(bgr, tried, rule):
            return tried
    return None


def is_grey(bgr: Picture, place: HudAnchor, rule: EndTurnRule, wordless: bool = False) -> bool:
    """Returns whether the button at a place is greyed.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        place: where the button's middle is, its width as the unit.
        rule: the button's rules.
        wordless: whether it may be without words, as some players' is.
    """
    wide = place.unit
    tall = wide * min(_TALLEST, 2 / (rule.shape[0] + rule.shape[1]))
    left, right = round(place.x - 0.42 * wide), round(place.x + 0.42 * wide)
    top, bottom = round(place.y - 0.36 * tall), round(place.y + 0.36 * tall)
    apart = round(0.5 * tall)
    if wide < _SMALLEST or min(left, top - apart) < apart:
        return False
    if right + apart > bgr.shape[1] or bottom + apart > bgr.shape[0]:
        return False
    inner = bgr[top:bottom, left:right]
    ground = np.median(inner.reshape(-1, 3), axis=0)
    flat = np.abs(inner - ground).max(axis=2) <= _FLAT
    saturation = int(hsv(ground.astype(np.uint8)[None, None])[0, 0, 1])
    if flat.mean() < _MOSTLY or saturation > _GREY:
        return False
    around = bgr[top - apart : bottom + apart, left - apart : right + apart]
    return (wordless or _has_words(inner, ground)) and _is_bounded(around, ground)


def _has_words(inner: Picture, ground: npt.NDArray[np.float64]) -> bool:
    """Returns whether there is text in the middle of a box, of two lines of any length."""
    ink = np.abs(inner.mean(axis=2) - ground.mean()) >= _INK_AWAY
    rows, columns = np.nonzero(ink)
    if not _INK[0] <= ink.mean() <= _INK[1]:
        return False
    top, bottom = percentiles(rows, _ENDS)
    off_y = abs((top + bottom + 1) / 2 / ink.shape[0] - 0.5)
    return bool(abs(columns.mean() / ink.shape[1] - 0.5) <= _OFF[0] and off_y <= _OFF[1])


def _is_bounded(around: Picture, ground: npt.NDArray[np.float64]) -> bool:
    """Returns whether a box's colour ends on all four sides."""
    other = np.abs(around - ground).max(axis=2) >= _EDGE
    reach = max(2, around.shape[0] // 6)
    sides = [other[:reach].any(axis=0), other[-reach:].any(axis=0)]
    sides += [other[:, :reach].any(axis=1), other[:, -reach:].any(axis=1)]
    return all(float(side.mean()) >= _BOUNDED for side in sides)
