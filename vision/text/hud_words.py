"""Where a client's HUD tells something in words, and what these say: the level, a tooltip over an icon."""

import re
import unicodedata
from collections.abc import Iterable

from vision.frame import Rect
from vision.text.engine import TextSeen
from vision.view import FightView

_LEVEL = re.compile(r"\W*(?:niveau|niv|level|lvl|lv|nivel|stufe)\W{0,3}(?P<level>\d{1,3})\W*")
_HIGHEST = 200
_SURE = 0.7
_LEVEL_BELOW, _LEVEL_BESIDE = 2.0, 8.0
_TIP_ABOVE, _TIP_BESIDE = 11.0, 8.0
"""How far from a slot of the spell bar texts are looked for, in heights of a slot."""


def level_area(view: FightView) -> Rect | None:
    """Returns the part of the frame below the spell bar, where Unity writes the level; None without a bar."""
    boxes = [slot.box for slot in view.spells if slot.box is not None]
    if not boxes or view.client is None:
        return None
    side = boxes[0].height
    left, top = min(box.x for box in boxes), max(box.bottom for box in boxes)
    right = max(box.right for box in boxes) + round(_LEVEL_BESIDE * side)
    return _within(Rect(left, top, right - left, round(_LEVEL_BELOW * side)), view.client)


def level_in(texts: Iterable[TextSeen]) -> int | None:
    """Returns the level that texts tell, None where none or several do; above 200 it counts as 200."""
    levels = set()
    for text in texts:
        match = _LEVEL.fullmatch(_plain(text.text))
        if match is not None and text.least(*match.span("level")) >= _SURE and int(match["level"]) > 0:
            levels.add(min(_HIGHEST, int(match["level"])))
    return levels.pop() if len(levels) == 1 else None


def tooltip_area(slot: Rect, view: FightView) -> Rect | None:
    """Returns the part of the frame above a slot of the spell bar, where its tooltip opens."""
    if view.client is None:
        return None
    side = slot.height
    wide, tall = round((2 * _TIP_BESIDE + 1) * side), round(_TIP_ABOVE * side)
    area = Rect(slot.x - round(_TIP_BESIDE * side), slot.y - tall, wide, tall)
    return _within(area, view.client)


def _within(area: Rect, client: Rect) -> Rect | None:
    """Returns the part of an area that lies in the client's, None where that is too small for a text."""
    left, top = max(area.x, client.x), max(area.y, client.y)
    right, bottom = min(area.right, client.right), min(area.bottom, client.bottom)
    return Rect(left, top, right - left, bottom - top) if min(right - left, bottom - top) >= 12 else None


def _plain(text: str) -> str:
    """Returns a text in small letters without accents, letter for letter."""
    return "".join(unicodedata.normalize("NFKD", letter)[0].lower() for letter in text)
