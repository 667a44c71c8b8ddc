"""The value of buffs and states to their bearer's side, in HP, over the turns they still last.

Next hop: `botapp.search.core.static` adds it to the value of a fighter.
"""

from collections.abc import Mapping
from typing import Any

from botapp.fight.core.compiler import compiled, decimals
from botapp.fight.core.layout import (
    BASE_AP,
    ERODED,
    FOCUSED,
    GRAVITY,
    INVISIBLE,
    INVULNERABLE,
    MAX_HP,
    NUMBER,
    PACIFIED,
    ROOTED,
    STAT_ALL_RESISTANCES,
    STAT_AP,
    STAT_MP,
    STAT_NAMES,
    TEAM,
    UNLOCKABLE,
)
from botapp.search.core.evaluation_layout import INCOMING
from botapp.search.core.powers import power

POINT_AP = 0.8
"""The value of a point of AP for a turn, as a share of the damage that it buys."""

POINT_MP = 1.4
"""The value of a point of MP for a turn, in hundredths of the full HP."""

_FADE = 0.7
_ENDLESS = 8
_STATE = 0.6
_PACIFIED = -0.9


def _table(weights: Mapping[str, float]) -> Any:
    """Returns the weights by the numbers of the stats."""
    table = decimals(STAT_ALL_RESISTANCES + 1)
    for name, weight in weights.items():
        table[STAT_ALL_RESISTANCES if name == "resistance" else STAT_NAMES.index(name)] = weight
    return table


_GUARDS = _table(
    {
        "resistance": 0.01,
        **{f"{element}_resistance": 0.0025 for element in ("neutral", "earth", "fire", "water", "air")},
        "erosion": -0.005,
    }
)
"""Which share of the blows that may come in a turn a point of a stat keeps off."""

_BY_POWER = _table(
    {
        **dict.fromkeys(("strength", "intelligence", "chance", "agility"), 0.0025),
        "power": 0.006,
        "damage": 0.05,
        "crit": 0.003,
        "crit_damage": 0.01,
    }
)
"""What a point of a stat adds to a turn, as a share of the bearer's power."""

_BY_BULK = _table(
    {
        "range": 1.2,
        "heals": 0.1,
        "wisdom": 0.02,
        "withdraw": 0.08,
        "dodge": 0.08,
        "lock": 0.06,
        "flee": 0.08,
        "push_damage": 0.08,
        "push_resistance": 0.04,
    }
)
"""The value of a point of a stat for a turn, in hundredths of the bearer's full HP."""


@compiled
def bulk(s: Any, f: int) -> float:
    """Returns a hundredth of the HP that a fighter came with, before erosion."""
    return (s[f + MAX_HP] + s[f + ERODED]) / 100


@compiled
def in_turns(turns: int) -> float:
    """Returns how many turns so many count for, 0 having no end, each a share of the one before."""
    left = 1.0
    for _ in range(turns if turns else _ENDLESS):
        left *= _FADE
    return (1.0 - left) / (1.0 - _FADE)


@compiled
def _state(s: Any, b: Any, e: Any, f: int, state: int) -> float:
    """Returns the value of a state in one turn, in HP."""
    if state == PACIFIED:
        return _PACIFIED * power(s, b, e, f)
    if state in (INVULNERABLE, INVISIBLE):
        return (1.0 if state == INVULNERABLE else 0.5) * e[INCOMING + s[f + TEAM]]
    if state in (UNLOCKABLE, FOCUSED):
        return _STATE * bulk(s, f)
    return -_STATE * bulk(s, f) if state in (ROOTED, GRAVITY) else 0.0


@compiled
def buff_value(
    s: Any, b: Any, e: Any, f: int, by: int, turns: int, stat: int, amount: int, state: int
) -> float:
    """Returns the value of one buff over the turns it still lasts.

    What only counts in the bearer's own turns counts once less where the bearer is the caster, whose
    turn it is now.

    Args:
        s: the state.
        b: the book.
        e: the evaluation.
        f: who bears it.
        by: number of who gave it.
        turns: turns left, 0 for no end.
        stat: what it changes, -1 for nothing.
        amount: by how much.
        state: the state it gives, -1 for none.
    """
    each, in_own_turn = 0.0, True
    if state >= 0:
        each = _state(s, b, e, f, state)
        in_own_turn = state not in (INVULNERABLE, INVISIBLE)
    elif stat == STAT_AP:
        each = POINT_AP * amount * power(s, b, e, f) / max(1, s[f + BASE_AP])
    elif stat == STAT_MP:
        each = POINT_MP * amount * bulk(s, f)
    elif stat >= 0:
        if _GUARDS[stat] != 0.0:
            each = amount * _GUARDS[stat] * e[INCOMING + s[f + TEAM]]
            in_own_turn = False
        elif _BY_POWER[stat] != 0.0:
            each = amount * _BY_POWER[stat] * power(s, b, e, f)
        else:
            each = amount * _BY_BULK[stat] * bulk(s, f)
    if in_own_turn and by == s[f + NUMBER]:
        turns = (turns if turns else _ENDLESS) - 1
        if turns == 0:
            return 0.0
    return each * in_turns(turns)
