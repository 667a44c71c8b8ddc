"""Finds the end-turn button by the time left above it, whatever the button looks like and wherever it stands.

The time is a word of at most four characters in a colour of its own on a dark plate. Leaves and grass have
that colour as well: a word is as high and wide as the HUD's size tells, dark all around, and its middle is
the button's. `vision.extract.dofus.hud` takes a place only if a number is read there.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus.anchors import HudAnchor, within
from vision.extract.dofus.numbers import SMALLEST
from vision.frame import Rect
from vision.profiles.hud import FieldRule, Tone

Picture = npt.NDArray[np.uint8]

_JOINED = 0.5  # Characters of a word are less than this apart, in digit heights
_TALL, _WIDE = (0.7, 1.45), (0.75, 3.6)
"""A word's height and width in digit heights, blurred by a pixel or cut at its tips: from "1s" to "120s"."""
_ABOUT, _BESIDE = 0.35, 0.2
"""How far about a word the plate is looked at, in digit heights, and from where on: edges are soft."""
_DARK, _PLATE = 110, 0.9  # The plate's brightest channel is below this, in so much of what lies about a word
_ROOM, _MUCH = (1.0, 0.5), 0.2
"""Half the width and height of the box about a pixel of a word that is dark in a part, in digit heights: half
of what is in it may be letters."""
_LABELS = 65_535
"""No mask of so few pixels has more components than labels of 16 bits, which take a third of the time."""
_MOST = 6  # So many places are returned at most, the most word-like first: reading one costs a millisecond


def find(bgr: Picture, tones: Picture, width: float, rule: FieldRule, lit: Tone) -> list[HudAnchor]:
    """Returns where buttons under a word of the timer's colour would be: their middle, their width as unit.

    Args:
        bgr: a part of the client area, uint8, shape (height, width, 3).
        tones: the same in HSV.
        width: the button's width in pixels.
        rule: where the time stands about the button.
    """
    cap = rule.cap * width
    if cap < SMALLEST:
        return []
    mask = within(tones, lit)
    mask[~_about_dark(tones, cap)] = 0
    across = np.ones((1, max(2, round(_JOINED * cap))), np.uint8)
    joined = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, across), np.uint8)
    few = cv2.countNonZero(joined) <= _LABELS
    kind = cv2.CV_16U if few else cv2.CV_32S
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8, ltype=kind)
    wide, tall = stats[:, 2] / cap, (stats[:, 3] - 1) / cap
    good = (tall >= _TALL[0]) & (tall <= _TALL[1]) & (wide >= _WIDE[0]) & (wide <= _WIDE[1])
    good[0] = False
    anchors = []
    for x, y, across_px, down, _ in stats[good].tolist():
        box = Rect(x, y, across_px, down)
        share = _plate(bgr, box, cap)
        if share >= _PLATE:
            middle_x, middle_y = x + across_px / 2, y + down / 2
            place = HudAnchor(
                middle_x - rule.place[0] * width, middle_y - rule.place[1] * width, width, share
            )
            anchors.append(place)
    return sorted(anchors, key=lambda place: -place.fit)[:_MOST]


def _about_dark(tones: Picture, cap: float) -> npt.NDArray[np.bool_]:
    """Returns which pixels have much that is dark around them, some pixels more or less: most have not.

    Args:
        tones: a picture in HSV.
        cap: a digit's height in pixels.
    """
    step = max(1, int(cap / 4))
    dark = (tones[::step, ::step, 2] < _DARK).astype(np.float32)
    reach = (1 + 2 * round(_ROOM[0] * cap / step), 1 + 2 * round(_ROOM[1] * cap / step))
    share = cv2.blur(dark, reach, borderType=cv2.BORDER_REPLICATE)
    much = np.asarray(share >= _MUCH).repeat(step, axis=0).repeat(step, axis=1)
    return np.asarray(much[: tones.shape[0], : tones.shape[1]])


def _plate(bgr: Picture, word: Rect, cap: float) -> float:
    """Returns how much of what lies about a word is dark, 0..1; 0 where the picture ends."""
    near, far = max(1, round(_BESIDE * cap)), max(2, round(_ABOUT * cap)) + max(1, round(_BESIDE * cap))
    if word.y < far or word.x < far or word.bottom + near > bgr.shape[0] or word.right + far > bgr.shape[1]:
        return 0.0
    columns = slice(word.x - far, word.right + far)
    above = bgr[word.y - far : word.y - near, columns]
    left = bgr[word.y - near : word.bottom, word.x - far : word.x - near]
    right = bgr[word.y - near : word.bottom, word.right + near : word.right + far]
    seen = np.concatenate([part.reshape(-1, 3) for part in (above, left, right)])
    return float((seen.max(axis=1) < _DARK).mean())
