"""The value of being alive, in HP.

Next hop: `botapp.search.core.static` and `botapp.search.core.heuristic`.
"""

import math
from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import ERODED, HP, MAX_HP, SUMMONER
from botapp.fight.state import Fighter

LIFE = 1.0
"""The value of being alive on top of the HP, as a share of the full HP; it shrinks with the root of the HP,
so that a wound weighs more on someone who is wounded already."""

SHIELD_VALUE = 0.45
"""The value of a point of shield where somebody may strike."""

_SUMMON = 0.6


def life_of(fighter: Fighter) -> float:
    """Returns the value of a fighter's HP, in HP."""
    hp, full = fighter.hp, fighter.max_hp + fighter.eroded
    return hp + LIFE * math.sqrt(hp * full) if hp > 0 else 0.0


@compiled
def life(hp: float, full: float) -> float:
    """Returns the value of a fighter with `hp` of its `full` HP, in HP; 0 once it is dead."""
    return hp + LIFE * math.sqrt(hp * full) if hp > 0 else 0.0


@compiled
def loss(s: Any, f: int, lost: float) -> float:
    """Returns the value of the HP that a fighter loses."""
    hp = float(s[f + HP])
    if s[f + SUMMONER] >= 0:
        return _SUMMON * min(lost, hp)
    full = float(s[f + MAX_HP] + s[f + ERODED])
    return life(hp, full) - life(hp - lost, full)
