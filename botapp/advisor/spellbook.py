"""What the player can do: the spells in the order of the spell bar, and the sheet behind them.

The presets are the arena's classes. Next hop: `botapp.advisor.situation` gives them to the player's own
fighter.
"""

from dataclasses import dataclass

from botapp.arena import content
from botapp.fight.state import Spell, Stats


@dataclass(frozen=True, slots=True)
class Spellbook:
    """The player's own sheet; slot n of the spell bar holds `spells[n]`."""

    key: str
    name: str
    level: int
    max_hp: int
    base_ap: int
    base_mp: int
    stats: Stats
    spells: tuple[Spell, ...]


def presets() -> tuple[str, ...]:
    """Returns the keys that `preset` understands, in the arena's order."""
    return tuple(content.classes())


def preset(key: str) -> Spellbook:
    """Returns the spellbook of one of the arena's classes.

    Raises:
        ValueError: there is no such class; the message lists those there are.
    """
    classes = content.classes()
    if key not in classes:
        raise ValueError(f"there is no class {key!r}; choose one of {', '.join(classes)}")
    template = classes[key]
    return Spellbook(
        key=key,
        name=template.name,
        level=template.level,
        max_hp=template.hp,
        base_ap=template.ap,
        base_mp=template.mp,
        stats=template.stats,
        spells=template.spells,
    )
