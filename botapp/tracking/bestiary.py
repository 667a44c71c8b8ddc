"""What is known of a fighter by the way it looks, from the knowledge base, else priors by level.

A screen never shows an enemy's maximum HP, AP, stats or spells. Next hop: `botapp.tracking.situation` fills
them in from here and names every one that was only assumed.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.content.library import FighterTemplate
from botapp.tracking.priors import BestiaryEntry, prior

DEFAULT_LEVEL = 40


class Bestiary:
    """Finds what is known of a kind."""

    def __init__(self, entries: Iterable[BestiaryEntry] = ()) -> None:
        self._entries: Mapping[str, BestiaryEntry] = {entry.kind: entry for entry in entries}

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, kind: str | None, level: int = DEFAULT_LEVEL) -> BestiaryEntry:
        """Returns what is known of `kind`, or the prior for `level` where it is not known.

        Args:
            kind: how the fighter looks, a key of the bestiary; None where it was not recognised.
            level: the level to assume of an unknown kind, usually the player's own.
        """
        found = self._entries.get(kind) if kind is not None else None
        return found or prior(level, kind)


def known(template: FighterTemplate) -> BestiaryEntry:
    """Reads a template of the knowledge base as an entry of the bestiary."""
    return BestiaryEntry(
        kind=template.kind,
        name=template.name,
        level=template.level,
        max_hp=template.hp,
        ap=template.ap,
        mp=template.mp,
        stats=template.stats,
        spells=template.spells,
    )


def arena_bestiary() -> Bestiary:
    """Returns the bestiary of the knowledge base: the arena's classes and monsters, and the person's own."""
    base = knowledge()
    return _read(base, base.revision)


@lru_cache(maxsize=1)
def _read(base: KnowledgeBase, revision: int) -> Bestiary:
    """Returns all fighters of a knowledge base as it is at a revision."""
    content = base.content
    return Bestiary(known(t) for source in (content.classes, content.monsters) for t in source.values())
