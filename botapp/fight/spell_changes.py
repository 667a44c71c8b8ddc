"""What states of its caster make of a spell's cost, range, limits and conditions."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from botapp.fight.spells import CHANGEABLE, Spell, SpellChange

MOST_CHANGES = 5  # Changes of one spell: each of them doubles what the rules keep of it
_LIMITS = ("crit", "casts_per_turn", "casts_per_target")
"""Fields of a spell that are 0 where it has none of it, which stays so."""
_MOST = {"ap": 12, "min_range": 63, "max_range": 63}


def changed_by(changes: Iterable[SpellChange], spell: Spell) -> Spell:
    """Returns what changes make of a spell: a limit that there is not stays none, and the longest range is
    the nearest one at least."""
    now = {name: int(getattr(spell, name)) for name in CHANGEABLE}
    for change in changes:
        if change.sets:
            now[change.name] = change.amount
        elif now[change.name] or change.name not in _LIMITS:
            now[change.name] += change.amount
    fields: dict[str, Any] = {name: max(0, min(_MOST.get(name, 100), now[name])) for name in CHANGEABLE}
    fields |= {name: bool(now[name]) for name in CHANGEABLE if name.startswith("needs_")}
    fields["max_range"] = max(fields["min_range"], fields["max_range"])
    return replace(spell, changes=(), **fields)
