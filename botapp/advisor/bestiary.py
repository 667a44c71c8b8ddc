"""What is known of a fighter by the way it looks: the arena's classes and monsters, else priors by level.

A screen never shows an enemy's maximum HP, AP, stats or spells. Next hop: `botapp.advisor.situation` fills
them in from here and names every one that was only assumed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from botapp.arena import content
from botapp.arena.content import FighterTemplate
from botapp.fight.state import Effect, EffectKind, Element, Spell, Stats

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
    """Reads a template of the arena as an entry of the bestiary."""
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


@cache
def arena_bestiary() -> Bestiary:
    """Returns the bestiary of the practice arena: its classes and its monsters."""
    return Bestiary(known(t) for source in (content.classes(), content.monsters()) for t in source.values())
