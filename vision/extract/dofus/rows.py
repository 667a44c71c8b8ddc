"""Tracks timeline and spell bar over frames: each is searched at its last place, then in the search area.

Unchanged pixels are not read again.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import bar, barred, cards, slots
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.search import BANDS, around, crop, crop_bgr, equal_pixels
from vision.extract.dofus.slots import SlotAppearance
from vision.frame import Rect
from vision.profiles.hud import BarredRule, SpellsRule, TimelineRule
from vision.signature import signature
from vision.view import CardSeen, SpellSlot

Picture = npt.NDArray[np.uint8]

_PORTRAIT = (0.12, 0.04, 0.94, 0.8)
"""The part of a card that is compared, in its sides, as that of the game's own portraits is."""
_ASIDE, _ABOVE = 2.5, 0.7  # Cards' widths beside, and heights above and below, a row that are compared
_CUT = 1.6  # Within so many widths of a window's side a row may go on beyond it

_NEAR = 4.0  # Units above and below the anchor where a bar is searched first
_RESIZED, _IN_UNITS = 0.2, (0.7, 1.6)
"""How far the width of cards may differ from before; it is 1.0 to 1.15 units on the real screens at hand."""
_LIGHTS = (1.0, 0.8)  # A screen's brightness, 1 for the one that the cards' colours were measured at

_TRIES = 2  # How often a bar is searched at once; one not found by then costs 8 of a frame's 12 ms

_AT_ONCE = 8  # Slots that look new and are read in one frame; all of a bar are new as one's turn begins

_SETTLED = 10  # Frames in which a greyed slot has no number: none comes any more

_REMEMBERED = 128  # Looks of slots that are kept: bright, greyed, and with the turns to wait


class DofusTimelineReader:
    """Finds the timeline's cards and their portraits' signatures; caches their place."""

    def __init__(self) -> None:
        self._known: tuple[Rect, Picture, list[CardSeen]] | None = None
        self._light, self._missed = _LIGHTS[0], 0
        self._proven: tuple[float, int] | None = None
        self._boxes: list[Rect] = []  # Where the cards were that were found last

    def read(self, part: Picture, rule: TimelineRule, anchor: HudAnchor, area: Rect) -> list[CardSeen]:
        """Returns the cards, left to right, boxes in pixels of the client area.

        Args:
            part: the client area, uint8, shape (height, width, 3).
            area: the area to search if they are not at their last place.
        """
        if self._known is not None:
            window, patch, row = self._known
            if row and equal_pixels(patch, crop(part, window)):
                return row
        if isinstance(rule, BarredRule):
            ways = [(barred.area(part, rule, anchor), light) for light in self._lights()]
        else:
            lights = self._lights() if area.width else ()
            ways = [*self._at_last_place(), *((area, light) for light in lights)]
        for window, light in ways:
            row = _found(part, rule, anchor, window, light, self._boxes)
            if row and not isinstance(rule, BarredRule) and _may_go_on(row, window, part.shape[1]):
                across = _around(part, row)._replace(x=0, width=part.shape[1])
                row = _found(part, rule, anchor, across, light) or row
            if row and self._is_likely(row, light, 0.0 if isinstance(rule, BarredRule) else anchor.unit):
                row = [_with_portrait(part, card) for card in row]
                self._boxes = [card.box for card in row]
                about = _around(part, row)
                self._known, self._light, self._missed = (about, crop(part, about).copy(), row), light, 0
                if any(card.current for card in row):
                    self._proven = light, row[0].box.width
                return row
        self._missed += 1
        if self._known is not None:
            self._known = (self._known[0], self._known[1], [])
        return []

    def _is_likely(self, row: list[CardSeen], light: float, unit: float) -> bool:
        """Returns whether a row without a card that plays is as bright and its cards as wide as before.

        Before the first row with one they are about as wide as the HUD's unit (`_IN_UNITS` of it), if that is
        not 0. Scenery may look like small cards, or in another light.
        """
        if any(card.current for card in row):
            return True
        wide = row[0].box.width
        if self._proven is None:
            return not unit or _IN_UNITS[0] <= wide / unit <= _IN_UNITS[1]
        return light == self._proven[0] and abs(wide / self._proven[1] - 1) <= _RESIZED

    def _at_last_place(self) -> list[tuple[Rect, float]]:
        """Returns where the row was and how bright the screen may be, none where no row was found yet.

        Where it is not found any more that takes long, so it is tried at one brightness a frame, in turn.
        """
        if self._known is None:
            return []
        others = sorted(_LIGHTS, key=lambda light: light != self._light)
        return [(self._known[0], others[self._missed % len(others)])]

    def _lights(self) -> tuple[float, ...]:
        """Returns how bright the screen may be: as it was while the row is known, else all of `_LIGHTS`."""
        return (self._light,) if not self._missed and self._known is not None else _LIGHTS


class BarReader:
    """Finds the spell bar and reads its slots; caches their places and appearances."""

    def __init__(self) -> None:
        self._boxes: tuple[Rect, ...] = ()
        self._unit = 0.0
        self._missed = 0
        self._memory: dict[int, tuple[Picture, SlotAppearance]] = {}
        self._looks: dict[bytes, SlotAppearance] = {}
        self._unread: int | None = None
        self._bright: dict[int, SlotAppearance] = {}
        self._blank_for: dict[int, int] | None = None
        self._classified: (
            tuple[list[SlotAppearance], dict[int, SlotAppearance], set[int], tuple[SpellSlot, ...]] | None
        ) = None

    @property
    def is_unfinished(self) -> bool:
        """Whether slots that look new were left for the next frame."""
        return self._unread is not None

    def read(
        self, part: Picture, rule: SpellsRule, anchor: HudAnchor, area: Rect, at_once: bool = True
    ) -> tuple[SpellSlot, ...]:
        """Returns the bar's slots, boxes in pixels of the client area; none where no bar is found.

        Args:
            part: the client area, uint8, shape (height, width, 3).
            area: the area to search if no bar has been found yet.
            at_once: whether all slots are read, else `_AT_ONCE` that look new; whether the others can be cast
                is withheld until a later frame.
        """
        if not self._boxes or abs(anchor.unit - self._unit) > 0.03 * anchor.unit:
            self._missed += 1
            if self._missed <= _TRIES or self._missed % BANDS == 0:
                self._find(part, rule, anchor, area)
        appearances = self._appearances(part, rule, len(self._boxes) if at_once else _AT_ONCE)
        settled = self._settled(appearances)
        if self._classified is None or self._classified[:3] != (appearances, self._bright, settled):
            before = self._bright
            read_slots = slots.classify(appearances, rule, before, settled)
            self._bright = before | {
                slot.index: appearances[slot.index] for slot in read_slots if slot.usable.value
            }
            placed = tuple(replace(slot, box=box) for slot, box in zip(read_slots, self._boxes, strict=True))
            self._classified = (appearances, before, settled, placed)
        found_slots = self._classified[3]
        if not any(slot.icon for slot in found_slots) and not self.is_unfinished:
            self._boxes, self._memory, self._classified = (), {}, None
        return found_slots

    def _settled(self, appearances: list[SlotAppearance]) -> set[int]:
        """Returns the slots without a number for so many frames that none will come: all in the first."""
        blank = [index for index, seen in enumerate(appearances) if seen.blank]
        if self._blank_for is None:
            self._blank_for = dict.fromkeys(blank, _SETTLED) if appearances else None
        else:
            self._blank_for = {index: min(_SETTLED, self._blank_for.get(index, 0) + 1) for index in blank}
        return {index for index, frames in (self._blank_for or {}).items() if frames >= _SETTLED}

    def _find(self, part: Picture, rule: SpellsRule, anchor: HudAnchor, area: Rect) -> None:
        """Searches the bar at the anchor's height, then in `area`."""
        level = around(part, anchor, 1.0, _NEAR)
        for window, least in ((level._replace(x=0, width=part.shape[1]), 1), (area, rule.away)):
            place = anchor.moved(-window.x, -window.y)
            boxes = bar.find(crop_bgr(part, window), rule, place)
            if boxes and sum(box.y == boxes[0].y for box in boxes) >= least:
                break
            boxes = ()
        self._missed = 0 if boxes else self._missed
        self._boxes = tuple(box.moved(window.x, window.y) for box in boxes)
        self._unit, self._memory, self._classified = anchor.unit, {}, None

    def _appearances(self, part: Picture, rule: SpellsRule, most: int) -> list[SlotAppearance]:
        """Returns the appearances of the slots; of those that look new, `most` are read.

        Those left out the last time come first.
        """
        looks = [SlotAppearance()] * len(self._boxes)
        first, self._unread = self._unread or 0, None
        for index in [*range(first, len(looks)), *range(min(first, len(looks)))]:
            patch = crop(part, self._boxes[index])
            known = self._memory.get(index)
            if known is None or not equal_pixels(known[0], patch):
                look = patch.tobytes()
                if look not in self._looks and most == 0:
                    self._unread = index if self._unread is None else self._unread
                    looks[index] = SlotAppearance(known[1].icon if known is not None else "")
                    continue
                if look not in self._looks:
                    most -= 1
                    if len(self._looks) >= _REMEMBERED:
                        self._looks.pop(next(iter(self._looks)))
                    self._looks[look] = slots.appearance(crop_bgr(part, self._boxes[index]), rule)
                known = self._memory[index] = (patch.copy(), self._looks[look])
            looks[index] = known[1]
        return looks


def _found(
    part: Picture,
    rule: TimelineRule,
    anchor: HudAnchor,
    window: Rect,
    light: float,
    before: Sequence[Rect] = (),
) -> list[CardSeen]:
    """Returns the cards in a window of the client area at a brightness, boxes in the area's pixels.

    `before` are boxes of cards seen before; those in the window may still be there.
    """
    place = anchor.moved(-window.x, -window.y)
    inside = [box.moved(-window.x, -window.y) for box in before if _is_inside(box, window)]
    bgr = crop_bgr(part, window)
    if light != 1:
        bgr = np.asarray(cv2.convertScaleAbs(bgr, alpha=1 / light), np.uint8)
    row = cards.find(bgr, rule, place, inside)
    return [replace(card, box=card.box.moved(window.x, window.y)) for card in row]


def _is_inside(box: Rect, window: Rect) -> bool:
    across = window.x <= box.x and box.right <= window.right
    return across and window.y <= box.y and box.bottom <= window.bottom


def _may_go_on(row: list[CardSeen], window: Rect, width: int) -> bool:
    """Returns whether a row may have cards beyond the window it was found in.

    It has where no card of it plays, and may have where it ends near the window's side.
    """
    near = _CUT * row[0].box.width
    cut_left = window.x > 0 and row[0].box.x - window.x < near
    cut_right = window.right < width and window.right - row[-1].box.right < near
    return cut_left or cut_right or not any(card.current for card in row)


def _with_portrait(part: Picture, card: CardSeen) -> CardSeen:
    box = card.box
    left, top, right, bottom = _PORTRAIT
    x, y = box.x + round(left * box.width), box.y + round(top * box.height)
    wide = box.x + round(right * box.width) - x
    tall = box.y + round(bottom * box.height) - y
    return replace(card, portrait=signature(crop_bgr(part, Rect(x, y, wide, tall))))


def _around(part: Picture, row: list[CardSeen]) -> Rect:
    wide, tall = row[0].box.width, max(card.box.height for card in row)
    left = max(0, row[0].box.x - round(_ASIDE * wide))
    top = max(0, min(card.box.y for card in row) - round(_ABOVE * tall))
    right = min(part.shape[1], row[-1].box.right + round(_ASIDE * wide))
    bottom = min(part.shape[0], max(card.box.bottom for card in row) + round(_ABOVE * tall))
    return Rect(left, top, right - left, bottom - top)
