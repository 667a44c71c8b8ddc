"""Play styles as numbers, for those who fight and for those who may be called.

Who comes by itself has its own row; a summon has the row of its kind.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from botapp.fight.core.compiler import compiled, decimals
from botapp.fight.core.fight import MOST_FIGHTERS
from botapp.fight.core.fight import Fighter as FighterRecord
from botapp.fight.core.pack import Packed
from botapp.fight.core.records import Decimals, Record, viewer
from botapp.fight.core.spellbook import USE_HELPS, USE_HURTS, USE_ITSELF, USE_MOVES, USE_SUMMONS
from botapp.fight.spells import Summon
from botapp.fight.state import Fighter
from botapp.search.play_style import PlayStyle, play_style_from_spells


class Style(Record, wide=True):
    """A play style.

    Attributes:
        distance_wanted: steps from the nearest enemy, -1 for as far as its blows go.
        flees: whether it keeps away from enemies.
        hurting, helping, calling, moving: preferences for casts that do that.
    """

    distance_wanted: float
    flees: float
    hurting: float
    helping: float
    calling: float
    moving: float


RANGED_YET, CLOSE_YET = -2, -3
"""In place of `Style.distance_wanted` in the table for a whole fight: -1 or 1, as the range of blows says."""
_FAR = 1000
"""A change of range that lets any blow go beyond, or not beyond, what makes fighters keep away."""

STYLE = Style.SIZE
_style_in = viewer(Style)


def styles_of(
    packed: Packed,
    play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
    to_the_end: bool = False,
) -> Any:
    """Returns the play styles of those who fight, by number, then those of the kinds that may be called.

    Args:
        packed: a state of the fight.
        play_style: tells how a fighter plays.
        to_the_end: whether they are for the whole fight, for `at_work`: those called by what is called are
            among them, and where the range of its blows decides how a fighter plays, that is decided anew
            for each turn.
    """
    kinds = _callable_kinds(packed)
    if to_the_end:
        kinds = _all_kinds(packed) | kinds
    styles = decimals((MOST_FIGHTERS + 1 + max(kinds, default=-1)) * STYLE)
    rows = [*enumerate(packed.state.fighters), *((MOST_FIGHTERS + n, kind) for (n, kind) in kinds.items())]
    for row, fighter in rows:
        style = play_style(fighter)
        far = -1 if style.distance_wanted is None else style.distance_wanted
        if to_the_end and play_style(_with_range(fighter, _FAR)) != play_style(_with_range(fighter, -_FAR)):
            far = RANGED_YET if far == -1 else CLOSE_YET
        for n, number in enumerate((far, style.flees, *style.preferences)):
            styles[row * STYLE + n] = float(number)
    return styles


def _callable_kinds(packed: Packed) -> dict[int, Fighter]:
    """Returns a fighter of each kind that may be called, or was, by the kinds' numbers in the book."""
    number_of = packed.book.content.kind_number
    kinds: dict[int, Fighter] = {}
    waiting = list(packed.state.fighters)
    while waiting:
        fighter = waiting.pop()
        if fighter.summoner is not None:
            number = number_of(fighter.name, fighter.kind, fighter.spells)
            if number in kinds:
                continue
            kinds[number] = fighter
        for spell in fighter.spells:
            waiting += [_called(e.summon) for e in spell.effects if e.summon is not None]
    return kinds


def _with_range(fighter: Fighter, added: int) -> Fighter:
    return fighter.changed(stats=replace(fighter.stats, range=added))


def _all_kinds(packed: Packed) -> dict[int, Fighter]:
    """Returns a fighter of each kind that the book knows, by its number."""
    return {
        number: _called(Summon(kind.kind, kind.name, 1, 1, 0, 0, kind.spells))
        for number, kind in enumerate(packed.book.content.kinds)
    }


def _called(summon: Summon) -> Fighter:
    """Returns a summon as it is when it is called, wherever that is."""
    return Fighter(
        id=-1,
        name=summon.name,
        kind=summon.kind,
        team=0,
        cell=0,
        level=summon.level,
        hp=summon.hp,
        max_hp=summon.hp,
        ap=summon.ap,
        mp=summon.mp,
        base_ap=summon.ap,
        base_mp=summon.mp,
        spells=summon.spells,
        stats=summon.stats,
        summoner=-1,
    )


@compiled
def place_of_style(fighter: FighterRecord) -> int:
    """Returns where a fighter's play style begins in a table."""
    return STYLE * (fighter.number if fighter.summoner < 0 else MOST_FIGHTERS + fighter.kind)


@compiled
def style_of(styles: Decimals, fighter: FighterRecord) -> Style:
    """Returns a fighter's play style."""
    return _style_in(styles, place_of_style(fighter))


@compiled
def preference(style: Style, use: int) -> float:
    """Returns the weight of the gain of a cast whose spell is for `use`."""
    weight = 1.0
    if use & USE_HURTS:
        weight *= style.hurting
    if use & (USE_HELPS | USE_ITSELF):
        weight *= style.helping
    if use & USE_SUMMONS:
        weight *= style.calling
    if use & USE_MOVES:
        weight *= style.moving
    return weight
