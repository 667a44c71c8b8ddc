"""Finds a real client's end-turn button: bright while it can be pressed, grey while others play.

A bright one is found by its colour anywhere. A grey one has the colours of other panels, so it is searched
at the button's last or usual place or under the time left: a uniform grey box of the right size with another
colour around it, and words in its middle unless the time proves it. A covered button is neither.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.extract.dofus.anchors import FILLED, INK, SMALLEST, HudAnchor, filled, hsv, patches, within
from vision.extract.dofus.percentiles import percentiles
from vision.extract.dofus.phase import Button
from vision.extract.dofus.search import around, crop_bgr
from vision.profiles.hud import EndTurnRule

Picture = npt.NDArray[np.uint8]

_FLAT = (
    20  # Levels about a button's grey; its words and what is around it are farther off (5 to 26 are alike)
)
_MOSTLY = 0.6  # Of a greyed box, and of each side around it; 0.15 to 0.66 read 45 pictures alike
_GREY = 80  # Saturation of a greyed button at most: from 72 on all pictures at hand are read alike
_OFF = (
    0.06,
    0.14,
)  # How far words may be off the middle, in widths and heights of the box: lines differ in length
_ENDS = (3, 97)  # Percentiles of the words' rows: a stray pixel is no line

_ROOM = (0.6, 0.2)
"""Half the width and height of what is searched for a button under the time left, in its widths."""
_HEXAGON, _HEXAGON_SHAPE, _HEXAGON_FILL, _ASIDE = (0.25, 0.6), (1.0, 1.6), (0.62, 0.88), 0.1
"""A hexagon's width in usual buttons' widths, its width over its height, how much of its box it fills (0.75,
more where blur has cut its tips) and how far it is from where a usual button's middle would be. A real one's
measures are not known, so that these are wide."""
_INSIDE = (0.14, 0.12)
"""Half the width and height of a box inside a greyed hexagon, in usual buttons' widths."""

ASIDES = (0.0, 0.04, -0.04, 0.08, -0.08)
"""How far from its usual place a button is looked for, in its widths."""


def bright(tones: Picture, rule: EndTurnRule, unit: float, wordless: bool = False) -> list[HudAnchor]:
    """Returns the places that match the pressable button: its middle, with its width as the unit.

    Args:
        tones: the client area or a part of it, in HSV.
        unit: the HUD's unit, in pixels.
        wordless: whether it may be without words, as some players' is.
    """
    buttons = []
    width = (rule.width[0] * unit, rule.width[1] * unit)
    for box, patch, area in patches(within(tones, (rule.low, rule.high)), width, rule.shape):
        whole = filled(patch)
        fill, ink = float(whole.mean()), 1 - area / float(whole.sum())
        if fill >= FILLED and (wordless or INK[0] <= ink) and ink <= INK[1]:
            buttons.append(HudAnchor(box.x + box.width / 2, box.y + box.height / 2, float(box.width), fill))
    return buttons


def grey(
    bgr: Picture, place: HudAnchor, rule: EndTurnRule, asides: Sequence[float] = ASIDES
) -> HudAnchor | None:
    """Returns where a greyed button is, at a place or a little aside, None where there is none.

    The usual place is measured from the HUD's AP star, a dozen units away: with a unit that is 2 % wrong it
    is off by a tenth of the button's width.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        place: where the button's middle should be, its width as the unit.
        asides: how far from there it is looked for, in its widths.
    """
    for aside in asides:
        tried = place.moved(aside * place.unit, 0.0)
        if is_grey(bgr, tried, rule):
            return tried
    return None


def under_time(bgr: Picture, place: HudAnchor, rule: EndTurnRule) -> tuple[Button | None, HudAnchor]:
    """Returns the state of a button of any form under the time left, None where none is seen, and its place.

    The time proves that there is a button: without words it is known by its shape.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        place: where the button's middle is about, a usual button's width as the unit.
    """
    window = around(bgr, place, *_ROOM)
    tones = hsv(crop_bgr(bgr, window))
    unit = place.unit / rule.usual[2] if rule.usual is not None else 0.0
    for anchor in bright(tones, rule, unit, wordless=True):
        return "bright", anchor.moved(window.x, window.y)
    wide = tuple(share * place.unit for share in _HEXAGON)
    for box, patch, _ in patches(within(tones, (rule.low, rule.high)), (wide[0], wide[1]), _HEXAGON_SHAPE):
        fill = float(filled(patch).mean())
        off = (
            abs(window.x + box.x + box.width / 2 - place.x),
            abs(window.y + box.y + box.height / 2 - place.y),
        )
        if _HEXAGON_FILL[0] <= fill <= _HEXAGON_FILL[1] and max(off) <= _ASIDE * place.unit:
            return "bright", place
    flat = is_grey(bgr, place, rule, wordless=True) or _is_flat(bgr, place, _INSIDE, _INSIDE[1]) is not None
    return "grey" if flat else None, place


def is_grey(bgr: Picture, place: HudAnchor, rule: EndTurnRule, wordless: bool = False) -> bool:
    """Returns whether the button at a place is greyed.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        place: where the button's middle is, its width as the unit.
        wordless: whether it may be without words, as some players' is.
    """
    tall = 2 / (rule.shape[0] + rule.shape[1])
    inner = _is_flat(bgr, place, (0.42, 0.36 * tall), 0.5 * tall)
    return inner is not None and (wordless or _has_words(inner))


def _is_flat(bgr: Picture, place: HudAnchor, half: tuple[float, float], apart: float) -> Picture | None:
    """Returns a box about a place if it is of one grey that ends on all four sides, else None.

    Args:
        bgr: the client area, uint8, shape (height, width, 3).
        half: half the box's width and height, in the place's units.
        apart: how far beyond the box the grey ends at the latest, in the place's units.
    """
    unit = place.unit
    left, right = round(place.x - half[0] * unit), round(place.x + half[0] * unit)
    top, bottom = round(place.y - half[1] * unit), round(place.y + half[1] * unit)
    beyond = round(apart * unit)
    if unit < SMALLEST or min(left, top - beyond) < beyond:
        return None
    if right + beyond > bgr.shape[1] or bottom + beyond > bgr.shape[0]:
        return None
    inner = bgr[top:bottom, left:right]
    ground = _ground(inner)
    flat = np.abs(inner - ground).max(axis=2) <= _FLAT
    saturation = int(hsv(ground.astype(np.uint8)[None, None])[0, 0, 1])
    if flat.mean() < _MOSTLY or saturation > _GREY:
        return None
    around_it = bgr[top - beyond : bottom + beyond, left - beyond : right + beyond]
    return inner if _is_bounded(around_it, ground) else None


def _ground(inner: Picture) -> npt.NDArray[np.float64]:
    return np.asarray(np.median(inner.reshape(-1, 3), axis=0), np.float64)


def _has_words(inner: Picture) -> bool:
    ink = np.abs(inner.mean(axis=2) - _ground(inner).mean()) >= _FLAT
    rows, columns = np.nonzero(ink)
    if not INK[0] <= ink.mean() <= INK[1]:
        return False
    top, bottom = percentiles(rows, _ENDS)
    off_y = abs((top + bottom + 1) / 2 / ink.shape[0] - 0.5)
    return bool(abs(columns.mean() / ink.shape[1] - 0.5) <= _OFF[0] and off_y <= _OFF[1])


def _is_bounded(around: Picture, ground: npt.NDArray[np.float64]) -> bool:
    other = np.abs(around - ground).max(axis=2) > _FLAT
    reach = max(2, around.shape[0] // 6)
    sides = [other[:reach].any(axis=0), other[-reach:].any(axis=0)]
    sides += [other[:, :reach].any(axis=1), other[:, -reach:].any(axis=1)]
    return all(float(side.mean()) >= _MOSTLY for side in sides)
