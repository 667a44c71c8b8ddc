"""Stats changed and states given for some turns: how a fighter takes them on and loses them again.

A buff's amount is in the fighter's `stats` as long as it lasts; AP and MP are the exception, they count when
a turn begins. Next hop: `botapp.fight.effects` gives them, `botapp.fight.turns` ends them.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from botapp.fight.spells import Buff, Element, Stats
from botapp.fight.state import Fighter

MOST_AP = 12
MOST_MP = 6
_RESISTANCES = tuple(f"{element.value}_resistance" for element in Element)


def most_ap(fighter: Fighter) -> int:
    """Returns the most AP the fighter can have: 12, or what it begins its turns with where that is more."""
    return max(MOST_AP, fighter.base_ap)


def most_mp(fighter: Fighter) -> int:
    """Returns the most MP the fighter can have: 6, or what it begins its turns with where that is more."""
    return max(MOST_MP, fighter.base_mp)


def full_ap(fighter: Fighter) -> int:
    """Returns the AP that a turn of the fighter begins with, its buffs counted in."""
    if not fighter.buffs:
        return fighter.base_ap
    return max(0, min(most_ap(fighter), fighter.base_ap + _sum(fighter, "ap")))


def full_mp(fighter: Fighter) -> int:
    """Returns the MP that a turn of the fighter begins with, its buffs counted in."""
    if not fighter.buffs:
        return fighter.base_mp
    return max(0, min(most_mp(fighter), fighter.base_mp + _sum(fighter, "mp")))


def _sum(fighter: Fighter, stat: str) -> int:
    return sum(buff.amount for buff in fighter.buffs if buff.stat == stat)


@lru_cache(maxsize=1 << 12)
def raised(stats: Stats, stat: str, amount: int) -> Stats:
    """Returns the sheet with an amount added to one stat, one resistance, or all of them."""
    if stat == "resistance" or stat in _RESISTANCES:
        percents: Any = tuple(
            percent + (amount if stat in ("resistance", name) else 0)
            for name, percent in zip(_RESISTANCES, stats.resistance, strict=True)
        )
        return replace(stats, resistance=percents)
    return replace(stats, **{stat: getattr(stats, stat) + amount})


def take_on(fighter: Fighter, buff: Buff) -> Fighter:
    """Returns the fighter with a buff more. A state given again by the same caster lasts the longer time."""
    if buff.state is not None:
        turns = buff.turns
        others = []
        for known in fighter.buffs:
            if known.state is buff.state and known.caster == buff.caster:
                turns = 0 if 0 in (turns, known.turns) else max(turns, known.turns)
            else:
                others.append(known)
        return fighter.changed(buffs=(*others, replace(buff, turns=turns)))
    return _settled(fighter, (*fighter.buffs, buff), ((buff.stat, buff.amount),))


def without(fighter: Fighter, kept: tuple[Buff, ...], ended: tuple[Buff, ...]) -> Fighter:
    """Returns the fighter with only the buffs `kept`, what those that `ended` changed being undone."""
    return _settled(fighter, kept, tuple((buff.stat, -buff.amount) for buff in ended if buff.stat))


def _settled(fighter: Fighter, buffs: tuple[Buff, ...], changes: tuple[tuple[str, int], ...]) -> Fighter:
    stats = fighter.stats
    for stat, amount in changes:
        if stat not in ("ap", "mp"):
            stats = raised(stats, stat, amount)
    after = fighter.changed(buffs=buffs, stats=stats)
    ap = fighter.ap + full_ap(after) - full_ap(fighter)
    mp = fighter.mp + full_mp(after) - full_mp(fighter)
    return after.changed(
        ap=max(0, min(most_ap(fighter), ap)),
        mp=max(0, min(most_mp(fighter), mp)),
    )
