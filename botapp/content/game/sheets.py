"""The sheet that a player of a level usually has, where none was told: round figures, in the usual ranges.

They are ours and only a beginning: the player puts their own in their place.
"""

from collections.abc import Iterable
from typing import Any

from botapp.content.spell_json import StatsForm
from botapp.fight.spells import Element, Stats

_STAT_OF = {
    Element.EARTH: "strength",
    Element.NEUTRAL: "strength",
    Element.FIRE: "intelligence",
    Element.WATER: "chance",
    Element.AIR: "agility",
}
_AP = ((1, 6), (40, 7), (80, 8), (110, 9), (140, 10), (180, 11))
_MP = ((1, 3), (60, 4), (120, 5), (190, 6))


def usual_sheet(level: int, elements: Iterable[Element] = ()) -> tuple[int, int, int, Stats]:
    """Returns the HP, AP, MP and stats of a player of a level.

    Args:
        level: 1 to 200.
        elements: those of the player's spells, one for each line of damage; the two that occur most have
            the higher stats.
    """
    stats_of_class = [_STAT_OF[element] for element in elements]
    stats = sorted(set(_STAT_OF.values()), key=lambda stat: (-stats_of_class.count(stat), stat))
    high = 20 + 4 * level
    values: dict[str, Any] = dict(zip(stats, (high, high // 2, level, level), strict=True))
    resistance = min(35, level // 8)
    sheet = Stats(
        **values,
        power=level,
        damage=level // 5,
        heals=level // 10,
        wisdom=level,
        lock=level // 4,
        flee=level // 4,
        range=level // 60,
        initiative=10 * level,
        resistance=(resistance,) * 5,
        crit=min(30, 2 + level // 8),
        crit_damage=level // 8,
        push_damage=level // 4,
        withdraw=level // 8,
        dodge=level // 6,
        summons=1 + level // 70,
    )
    hp = 50 + 5 * level + level * level * 3 // 40
    return hp, _at(_AP, level), _at(_MP, level), sheet


def _at(steps: tuple[tuple[int, int], ...], level: int) -> int:
    return [points for least, points in steps if level >= least][-1]


def stats_table(stats: Stats) -> dict[str, Any]:
    """Returns a sheet as a content file has it, with what counts of it."""
    usual = StatsForm.written(Stats())
    written = StatsForm.written(stats)
    return {name: value for name, value in written.items() if value != usual.get(name, 0)}
