"""One entry of the knowledge base: its table as it is written down, and what the table means."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from botapp.content.library import FighterTemplate, MapTemplate
from botapp.fight.state import Spell
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
    """A class, a spell, a monster or a map.

    Attributes:
        key: what it is called in files; unique among entries of its kind.
        name: English name.
        table: its fields as a content file has them (resources/arena/README.md).
        own: whether the person wrote it; False for what the app ships.
    """

    kind: EntryKind
    key: str
    name: str
    name_fr: str
    table: Mapping[str, Any]
    value: Spell | FighterTemplate | MapTemplate
    own: bool
    other_names: tuple[str, ...] = ()

    def called(self, language: str) -> str:
        """Returns its name in a language, "fr" or another, which is English."""
        return self.name_fr if language == "fr" else self.name


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier state of a person's entry that was kept; the highest number is the latest.

    Attributes:
        saved: when it was written, in seconds since 1970.
    """

    number: int
    saved: float
    table: Mapping[str, Any]
