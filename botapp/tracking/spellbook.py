"""What the player can do: the spells in the order of the spell bar, and the sheet behind them.

The presets are the classes of the knowledge base. Next hop: `botapp.tracking.situation` gives them to the
player's own fighter.
"""

import unicodedata
from dataclasses import dataclass

from botapp.content.knowledge.base import knowledge
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
    """Returns the keys that `preset` understands: the arena's classes, then the person's own."""
    return tuple(knowledge().content.classes)


def class_called(name: str) -> str:
    """Returns the key of the class with a name, in any language, case and accents aside; "" for none."""
    wanted = _plain(name)
    fitting = (
        key
        for key, template in knowledge().content.classes.items()
        if wanted in map(_plain, (key, template.name, template.name_fr))
    )
    return next(fitting, "") if wanted else ""


def _plain(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.strip())
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def preset(key: str) -> Spellbook:
    """Returns the spellbook of a class of the knowledge base.

    Raises:
        ValueError: there is no such class; the message lists those there are.
    """
    classes = knowledge().content.classes
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
