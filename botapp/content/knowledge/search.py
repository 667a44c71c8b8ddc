"""How well an entry fits what a person typed: by key, by name in any language, with slips and no accents."""

import math
from difflib import SequenceMatcher

from botapp.content.game.words import plain
from botapp.content.knowledge.entry import Entry
from botapp.content.library import FighterTemplate

_ALIKE = 0.7
_NEAR = 48.0


def fit(query: str, entry: Entry) -> float:
    """Returns how well an entry fits a query: 1 for the very name, 0 for not at all.

    A query such as #3A6FD8 asks for fighters whose body has about this colour.
    """
    colour = _colour(query)
    if colour is not None:
        own = _colour(entry.value.colour) if isinstance(entry.value, FighterTemplate) else None
        if own is None:
            return 0.0
        away = math.dist(colour, own)
        return max(0.0, 1 - away / _NEAR)
    wanted = plain(query)
    names = (entry.key, entry.name, entry.name_fr, *entry.other_names)
    return max((_alike(wanted, plain(name)) for name in names), default=0.0)


def _alike(wanted: str, name: str) -> float:
    if not wanted or not name:
        return 0.0
    if wanted == name:
        return 1.0
    if name.startswith(wanted):
        return 0.9
    if f" {wanted}" in name:
        return 0.85
    if wanted in name:
        return 0.8
    ratio = SequenceMatcher(None, wanted, name).ratio()
    return 0.8 * ratio if ratio >= _ALIKE else 0.0


def _colour(text: str) -> tuple[int, int, int] | None:
    digits = text.strip().removeprefix("#")
    if not text.strip().startswith("#") or len(digits) != 6:
        return None
    try:
        number = int(digits, 16)
    except ValueError:
        return None
    return number >> 16, number >> 8 & 255, number & 255
