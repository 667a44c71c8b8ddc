"""What is known of a fighter by the way it looks, from the knowledge base, else priors by level.

A screen never shows an enemy's maximum HP, AP, stats or spells.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.content.library import FighterTemplate
from botapp.tracking.priors import BestiaryEntry, prior

DEFAULT_LEVEL = 40
Others = Callable[[str, int], BestiaryEntry | None]


class Bestiary:
    """Finds what is known of a kind.

    Args:
        entries: what is known of each kind.
        others: asked for a kind that is not among them, and a level to be near to.
    """

    def __init__(
        self, entries: Iterable[BestiaryEntry] = (), others: Others = lambda _kind, _level: None
    ) -> None:
        self._entries: Mapping[str, BestiaryEntry] = {entry.kind: entry for entry in entries}
        self._others = others

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, kind: str | None, level: int = DEFAULT_LEVEL) -> BestiaryEntry:
        """Returns what is known of `kind`, or the prior for `level` where it is not known.

        Args:
            kind: how the fighter looks, a key of the bestiary; None where it was not recognised.
            level: the level to assume of an unknown kind, and near which the grade of a monster of the
                imported game is taken to be; usually the player's own.
        """
        if kind is None:
            return prior(level, kind)
        return self._entries.get(kind) or self._others(kind, level) or prior(level, kind)


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
    content = base.content

    @cache
    def of_the_game(kind: str, level: int) -> BestiaryEntry | None:
        template = base.fighter(kind, level)
        if template is None:
            return None
        assumed = base.game.assumed_of(kind) if base.game is not None else frozenset[str]()
        return replace(known(template), assumed=assumed)

    own = (known(t) for source in (content.classes, content.monsters) for t in source.values())
    return Bestiary(own, of_the_game)
