"""What is known of a fighter by the way it looks, from the knowledge base, else priors by level.

A screen never shows an enemy's maximum HP, AP, stats or spells. Next hop: `botapp.advisor.situation` fills
them in from here and names every one that was only assumed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from botapp.arena.content import FighterTemplate
from botapp.fight.state import Effect, EffectKind, Element, Spell, Stats
from botapp.knowledge.base import KnowledgeBase, knowledge

DEFAULT_LEVEL = 40
PRIOR_FACTS = frozenset({"level", "max_hp", "ap", "mp", "stats", "spells"})
"""What is only assumed of a fighter whose kind is not known."""


@dataclass(frozen=True, slots=True)
class Known:
    """What one kind of fighter is like; `assumed` names the facts that are only a guess."""

    kind: str
    name: str
    level: int
    max_hp: int
    ap: int
    mp: int
    stats: Stats
    spells: tuple[Spell, ...]
    assumed: frozenset[str] = frozenset()


class Bestiary:
    """Finds what is known of a kind."""

    def __init__(self, entries: Iterable[Known] = ()) -> None:
        self._entries: Mapping[str, Known] = {entry.kind: entry for entry in entries}

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, kind: str | None, level: int = DEFAULT_LEVEL) -> Known:
        """Returns what is known of `kind`, or the prior for `level` where it is not known.

        Args:
            kind: how the fighter looks, a key of the bestiary; None where it was not recognised.
            level: the level to assume of an unknown kind, usually the player's own.
        """
        found = self._entries.get(kind) if kind is not None else None
        return found or prior(level, kind)


@cache
def prior(level: int, kind: str | None = None) -> Known:
    """Returns what a fighter of this level is like on average, every fact of it assumed."""
    power = 2 * level
    return Known(
        kind=kind or "unknown",
        name=(kind or "unknown").replace("-", " ").replace("_", " ").capitalize(),
        level=level,
        max_hp=120 + 6 * level,
        ap=7 if level >= 100 else 6,
        mp=4,
        stats=Stats(power=power, lock=level // 8, flee=level // 8),
        spells=(
            Spell(
                "assumed-strike",
                "Assumed strike",
                ap=4,
                min_range=1,
                max_range=1,
                effects=(Effect(EffectKind.DAMAGE, 14, 20, Element.NEUTRAL),),
                casts_per_turn=2,
            ),
            Spell(
                "assumed-shot",
                "Assumed shot",
                ap=3,
                min_range=1,
                max_range=6,
                effects=(Effect(EffectKind.DAMAGE, 8, 12, Element.NEUTRAL),),
                casts_per_turn=2,
            ),
        ),
        assumed=PRIOR_FACTS,
    )


def known(template: FighterTemplate) -> Known:
    """Reads a template of the knowledge base as an entry of the bestiary."""
    return Known(
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
