"""What is known of a fighter by the way it looks: from the knowledge base, else the average of its level.

A screen never shows an enemy's maximum HP, AP, stats or spells.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.content.templates import FighterTemplate
from botapp.fight.spells import Effect, EffectKind, Element, Spell, Stats

PRIOR_FACTS = frozenset({"level", "max_hp", "ap", "mp", "stats", "spells"})
"""What is only assumed of a fighter whose kind is not known."""


@dataclass(frozen=True, slots=True)
class BestiaryEntry:
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


@cache
def prior(level: int, kind: str | None = None) -> BestiaryEntry:
    """Returns what a fighter of this level is like on average, every fact of it assumed."""
    power = 2 * level
    return BestiaryEntry(
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


DEFAULT_LEVEL = 40  # Where none is given, as in tests; a fight gives the player's
Others = Callable[[str, int], BestiaryEntry | None]


class Bestiary:
    """Finds what is known of a kind.

    Args:
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
