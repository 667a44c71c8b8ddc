"""Reads the slots of a real client's spell bar: icon, whether it can be cast, turns to wait.

A dark icon may be greyed or simply dark. It counts as greyed only if a number of turns is written on it, if
the same icon was brighter before, or if it is much darker than the bright icons of its bar; otherwise its
usability is withheld. Where icons have a frame, only its corners are measured, as numbers never cover them.
A dark icon on which nothing is written has no turns to wait, once a number would have come.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import numbers
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.model import UNREAD
from vision.extract.dofus.percentiles import percentiles
from vision.profiles.hud import SpellsRule
from vision.signature import SAME, likeness, signature
from vision.view import SURE, Seen, SpellSlot

Picture = npt.NDArray[np.uint8]

_INNER = (0.25, 0.8)
"""The part of a slot that is compared, in sides, as that of the game's own icons is. From 0.2 to 0.3 and from
0.72 to 0.84 85 bars are read alike."""
_BELOW_NUMBER = 0.36  # Of a side: at 0.32 and 0.4 two and one of 85 bars are read otherwise
_WITHIN = 0.1  # Of a side, its frame: 0.09 to 0.15 are alike, at 0.05 three of 85 bars are read otherwise
_WHITE = 200  # The least channel of a number: 180 to 220 are alike, at 100 15 of 85 bars are read otherwise
_WRITTEN, _STROKE = 180, 0.4
"""The least channel of a number in the middle, and how many of its pixels there are, in sides: 90 to 198 and
0 to 0.6 are alike, but without them 185 slots instead of 154 are read for a number."""
_STRAY, _SMALLEST_FIGURE = 0.1, 6.5
"""White pixels, in sides, that a slot without a number has at most: none of 121 with one has so few. Lower
figures, in pixels, may be there unseen."""
_LIGHT, _ON_ICON = 149.0, 3.0
"""What is written has pixels whiter than the first, and than an icon's brightest parts by the second."""

_SHARES, _BRIGHT = (15, 50, 90, 98), 2
"""Percentiles of a slot's brightness, and which of them is that of its bright parts: with 40, 85 or 100 for
one of the last three one or two of 85 bars are read otherwise, with 50 as the bright parts' ten."""
_FADED, _KEPT = 0.75, 0.9
"""A slot is greyed at so much of its light before, at most; no bar is of which none has kept so much."""
_CONTRAST, _CLEAR_CONTRAST = 0.62, 0.6
"""Shares of the bright slots' brightness: a slot is greyed if all its tones are at most the first, or all but
the darkest at most the second."""

_CLIPPED, _TURNED_UP = 254, 1.06
"""A bar as bright as pixels can be shows a screen turned up; greyed icons are brighter there as well."""

_FEW, _FEW_FRAMED = 3, 2  # Bright slots that a dark one can be told by; all frames are alike, icons are not
FRAME = (0.09, 0.22)
"""From and to where a frame is measured at its corners: numbers of two figures reach to 0.25, at 0.2 real
frames come near the limit of bright ones."""
_MOST_OF_FRAME, _OF_FRAME, _EVEN_FRAME = 75, 90, 0.75
"""Percentiles of the brightness of a frame's corners, and how bright the lower one is at least by the other:
of greyed slots beside a lighter panel, a pixel off, it has 0.5 to 0.7, of 900 bright ones 0.75 and more."""
_LEAST_WHITE, TINT = 0.4, 28
"""The share of a frame's corners without a tint, and the levels between their channels; the others are of the
panel, where a box is a pixel off. At 14 levels two real bars are read otherwise, from 25 on 85 are alike."""

_TURNED_DOWN, _ALIKE = 200.0, 0.95
"""Frames that are this bright and alike are white on a screen turned down: greyed ones never are."""


@dataclass(frozen=True, slots=True)
class SlotAppearance:
    """The appearance of one slot."""

    icon: str = ""  # Its icon's signature, "" for an empty slot
    light: float = 0.0  # The brightness (0..255) of its bright parts without white text, or of its frame
    # Percentiles of the brightness from dark to bright; of a frame its bright parts only
    tones: tuple[float, ...] = ()
    wait: Seen[int] = UNREAD  # The number of turns written on it
    blank: bool = False  # Whether nothing is written on it


def appearance(patch: Picture, rule: SpellsRule) -> SlotAppearance:
    """Returns the appearance of a slot.

    Args:
        patch: the pixels of its box, uint8, shape (size, size, 3).
    """
    size = patch.shape[0]
    low, high = round(_INNER[0] * size), round(_INNER[1] * size)
    icon = signature(patch[low:high, low:high])
    if not icon:
        return SlotAppearance()
    if rule.framed:
        corners = _frame(patch.max(axis=2))
        white = corners - _frame(patch.min(axis=2)) <= TINT
        if np.count_nonzero(white) < _LEAST_WHITE * len(corners):
            return SlotAppearance(icon)
        usual, light = (float(level) for level in percentiles(corners[white], (_MOST_OF_FRAME, _OF_FRAME)))
        if usual < _EVEN_FRAME * light:
            return SlotAppearance(icon)
        return _written(SlotAppearance(icon, light, (light,), Seen()), patch, rule)
    edge = round(_WITHIN * size)
    part = patch[round(_BELOW_NUMBER * size) : size - edge, edge : size - edge]
    written = cv2.dilate((part.min(axis=2) >= _WHITE).astype(np.uint8), np.ones((3, 3), np.uint8))
    light = part.max(axis=2)[written == 0]  # with its rim a number is left out
    if not light.size:
        return SlotAppearance(icon)
    tones = tuple(percentiles(light, _SHARES).tolist())
    bright = tones[_BRIGHT]
    return _written(SlotAppearance(icon, bright, tones, Seen()), patch, rule)


def _written(seen: SlotAppearance, patch: Picture, rule: SpellsRule) -> SlotAppearance:
    if seen.light > rule.greyed:
        return seen
    wait = _wait(patch, rule, seen.light)
    lightest = _LIGHT if rule.framed else min(_LIGHT, seen.tones[-1] + _ON_ICON)
    return replace(seen, wait=wait, blank=not wait and _is_blank(patch, rule, lightest))


def classify(
    appearances: Sequence[SlotAppearance],
    rule: SpellsRule,
    before: Mapping[int, SlotAppearance] | None = None,
    settled: Container[int] = (),
) -> tuple[SpellSlot, ...]:
    """Returns the slots of a bar.

    Args:
        before: the last bright appearance by slot.
        settled: slots that have been dark for so long that a number of turns would have come by now.
    """
    known = {
        index: before[index]
        for index, seen in enumerate(appearances)
        if before is not None and index in before and likeness(seen.icon, before[index].icon) >= SAME
    }
    lights = [seen.light for seen in appearances if seen.icon]
    turned_up = _TURNED_UP if lights and np.median(lights) >= _CLIPPED else 1.0
    bright, dark, dull = (limit * turned_up for limit in (rule.bright, rule.greyed, rule.dull))
    if rule.framed:
        bright = min(bright, _least_of_white(lights))
    bright_slots = [seen for seen in appearances if seen.icon and seen.light >= bright]
    veiled = not any(appearances[index].light >= _KEPT * lit.light for index, lit in known.items())
    read_slots = []
    for index, seen in enumerate(appearances):
        slot = SpellSlot(index, icon=seen.icon)
        if seen.icon and (
            seen.light >= bright or (seen.light > dark and _keeps_up(seen, bright_slots, dull))
        ):
            slot = replace(slot, usable=Seen(True, SURE), cooldown=Seen(0, SURE))
        elif seen.light > 0 and (
            seen.wait
            or (not veiled and index in known and seen.light <= _FADED * known[index].light)
            or (
                seen.light <= rule.greyed
                and len(bright_slots) >= (_FEW_FRAMED if rule.framed else _FEW)
                and _stands_out(seen, bright_slots)
            )
        ):
            slot = replace(slot, usable=Seen(False, SURE), cooldown=seen.wait)
        if seen.blank and index in settled:
            slot = replace(slot, cooldown=Seen(0, SURE))
        read_slots.append(slot)
    return tuple(read_slots)


def _least_of_white(lights: Sequence[float]) -> float:
    """Returns how bright the frames of a bar that can be cast are at least, told by the brightest ones."""
    top = max(lights, default=0.0)
    alike = sum(light >= _ALIKE * top for light in lights)
    return _ALIKE * top if top >= _TURNED_DOWN and alike >= _FEW else 255.0


def _stands_out(seen: SlotAppearance, bright_slots: Sequence[SlotAppearance]) -> bool:
    """Returns whether a dark slot is greyed: much darker than the bright ones of its bar.

    The darkest tone alone says little: that of an icon of one colour is no darker than other icons' lines.
    """
    shares = np.array(seen.tones) / np.median([other.tones for other in bright_slots], axis=0)
    return bool((shares <= _CONTRAST).all() or (len(shares) > 1 and (shares[1:] <= _CLEAR_CONTRAST).all()))


def _keeps_up(seen: SlotAppearance, bright_slots: Sequence[SlotAppearance], least: float) -> bool:
    """Returns whether a dull slot has a share of its bar's brightness that no greyed one has."""
    if len(seen.tones) < len(_SHARES) or len(bright_slots) < _FEW:
        return False
    usual = np.median([other.tones[_BRIGHT:] for other in bright_slots], axis=0)
    return bool((np.array(seen.tones[_BRIGHT:]) >= least * usual).all())


def _frame(light: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Returns the pixels of a frame's corners, where a number never reaches."""
    outer, inner = (round(share * light.shape[0]) for share in FRAME)
    ends = np.r_[outer:inner, light.shape[0] - inner : light.shape[0] - outer]
    return np.asarray(light[np.ix_(ends, ends)].ravel(), np.uint8)


def _wait(patch: Picture, rule: SpellsRule, light: float) -> Seen[int]:
    """Reads the number of turns to wait; None, not 0, for a slot without a number.

    Where it stands in the middle, the icon below it is taken out, which is no brighter than `light`.
    """
    if rule.cooldown is None:
        return Seen()
    size = patch.shape[0]
    across = down = size / 2
    if rule.cooldown.centred:
        if np.count_nonzero(patch.min(axis=2) >= _WRITTEN) < _STROKE * size:
            return Seen()
        patch = np.maximum(patch, np.uint8(light))
        across, down = _middle(patch)
    around = np.asarray(cv2.copyMakeBorder(patch, size, size, size, size, cv2.BORDER_REPLICATE), np.uint8)
    middle = HudAnchor(size + across, size + down, float(size), 1.0)
    window = numbers.window(around, middle, rule.cooldown)
    if window is None:
        return Seen()
    place = middle.moved(-window.x, -window.y)
    number = numbers.read(around[window.y : window.bottom, window.x : window.right], place, rule.cooldown)
    return number if number.value else Seen()


def _is_blank(patch: Picture, rule: SpellsRule, lightest: float) -> bool:
    """Returns whether nothing is written on a greyed slot: hardly a pixel is as white as `lightest`.

    A number is whiter than the icon around it, if its figures are large enough to stay so when blurred.
    """
    size = patch.shape[0]
    if rule.cooldown is None or rule.cooldown.cap * size < _SMALLEST_FIGURE:
        return False
    edge = round(_WITHIN * size)
    inner = patch[edge : size - edge, edge : size - edge]
    return bool(np.count_nonzero(inner.min(axis=2) > lightest) < _STRAY * size)


def _middle(written: Picture) -> tuple[float, float]:
    """Returns the column and the row of the middle of all that is written within a slot's frame.

    A number about another middle has lost a figure.
    """
    size = written.shape[0]
    edge = round(_WITHIN * size)
    ink = written[edge : size - edge, edge : size - edge].min(axis=2)
    dark = ink >= (float(ink.min()) + float(ink.max())) / 2
    columns, rows = (np.flatnonzero(dark.any(axis=axis)) for axis in (0, 1))
    return edge + (columns[0] + columns[-1] + 1) / 2, edge + (rows[0] + rows[-1] + 1) / 2
