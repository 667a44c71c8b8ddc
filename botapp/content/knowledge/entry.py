"""One entry of the knowledge base: its table as written down, what that means, how well it fits a query."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import Any

from botapp.content.game.names import plain
from botapp.content.templates import FighterTemplate, MapTemplate
from botapp.fight.spells import Spell
from botapp.host.message import mark, say


class KnowledgeError(ValueError):
    """Something cannot be found, kept or read; the text says what, where and the remedy."""


_TITLES = {"class": mark("class"), "spell": mark("spell"), "monster": mark("monster"), "map": mark("map")}


class EntryKind(Enum):
    """What an entry is about."""

    CLASS = "class"
    SPELL = "spell"
    MONSTER = "monster"
    MAP = "map"

    @property
    def title(self) -> str:
        return say(_TITLES[self.value])

    @property
    def section(self) -> str:
        return "classes" if self is EntryKind.CLASS else f"{self.value}s"


@dataclass(frozen=True, slots=True)
class Entry:
    """A class, a spell, a monster or a map."""

    kind: EntryKind
    key: str  # What it is called in files; unique among entries of its kind
    name: str  # English name
    name_fr: str
    table: Mapping[str, Any]  # Its fields as a content file has them (resources/arena/README.md)
    value: Spell | FighterTemplate | MapTemplate
    own: bool  # Whether the person wrote it; False for what the app ships
    other_names: tuple[str, ...] = ()

    def called(self, language: str) -> str:
        """Returns its name in a language, "fr" or another, which is English."""
        return self.name_fr if language == "fr" else self.name


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier state of a person's entry that was kept; the highest number is the latest."""

    number: int
    saved: float  # When it was written, in seconds since 1970
    table: Mapping[str, Any]


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
