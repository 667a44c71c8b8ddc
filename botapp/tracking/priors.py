"""The average fighter of a level, assumed where a fighter's kind is not known."""

from dataclasses import dataclass
from functools import cache

from botapp.fight.state import Effect, EffectKind, Element, Spell, Stats

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
