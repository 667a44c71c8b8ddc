"""How far a state is from what a picture shows.

Next hop: `botapp.tracking.inference` takes the nearest one.
"""

from botapp.fight.board import distance
from botapp.fight.refusals import hindrances
from botapp.fight.spells import State
from botapp.fight.state import Fighter, FightState, Mark, MarkKind
from botapp.tracking.picture import Picture

HIDES = 2
"""How near a fighter may hide what lies on a cell."""
_NOTABLE = 0.004
"""A bar that is read this much longer or shorter has changed."""
_IMPOSSIBLE = 100.0
_UNLIKELY = 25.0
_FEW_HP = 40.0
_GREYED = 8.0
_NOT_GREYED = ("", "summons")
"""A spell that would call too many summons looks as if it could be cast."""


def mismatch(state: FightState, picture: Picture) -> float:
    """Returns how far a state is from what a picture shows; below 1 it is what it shows."""
    seen = {fighter.id: fighter for fighter in picture.state.fighters}
    total = 0.0
    newcomers = [f for f in picture.state.fighters if all(f.id != other.id for other in state.fighters)]
    for fighter in state.fighters:
        shown = seen.get(fighter.id)
        if shown is None and fighter.alive:
            shown = next((f for f in newcomers if (f.cell, f.kind) == (fighter.cell, fighter.kind)), None)
            if shown is not None:
                newcomers.remove(shown)
        total += _apart(state, fighter, shown, picture)
    total += _IMPOSSIBLE * len(newcomers)
    if picture.told is not None:
        team = state.fighter(picture.player).team
        traps = [m for m in state.marks if m.kind is MarkKind.TRAP and state.fighter(m.owner).team == team]
        total += _UNLIKELY * _misplaced(traps, picture.traps, picture)
    if picture.glyphs is not None:
        glyphs = [mark for mark in state.marks if mark.kind is MarkKind.GLYPH]
        total += _UNLIKELY * _misplaced(glyphs, picture.glyphs, picture)
    return total


def _misplaced(marks: list[Mark], shown: frozenset[int], picture: Picture) -> float:
    """Returns the share of marked cells that show no mark, or of those that show one and have none.

    A fighter hides the marks that it stands on or before.
    """
    laid = {cell for mark in marks for cell in mark.cells}
    missing = {
        cell for cell in laid - shown if all(distance(cell, f.cell) > HIDES for f in picture.state.fighters)
    }
    return (len(missing) + len(shown - laid)) / max(1, len(laid | shown))


def _apart(state: FightState, fighter: Fighter, shown: Fighter | None, picture: Picture) -> float:
    """Returns how far one fighter is from how it is shown, `shown` being None for one that is not there."""
    if shown is None:
        return 0.0 if not fighter.alive or fighter.has(State.INVISIBLE) else min(_UNLIKELY, fighter.hp)
    if not fighter.alive:
        bar = picture.bars.get(shown.id)
        return _UNLIKELY if bar is None or bar > 0.3 else 10.0
    total = 0.0 if fighter.cell == shown.cell else _IMPOSSIBLE
    if fighter.id == picture.player:
        exact = (fighter.ap == shown.ap) + (fighter.mp == shown.mp)
        cooling = picture.mine and {key for key, left in fighter.cooldowns if left} != {
            key for key, left in shown.cooldowns if left
        }
        total += _IMPOSSIBLE / 2 * (2 - exact) + _UNLIKELY * cooling
        if picture.mine:
            closed = {key: why not in _NOT_GREYED for key, why in hindrances(state, fighter).items()}
            total += _GREYED * sum(closed.get(key) is usable for key, usable in picture.usable.items())
        if picture.shield is not None:
            total += _hp_apart(abs(fighter.shield - picture.shield))
        return total + _hp_apart(abs(fighter.hp - shown.hp))
    bar, shield = picture.bars.get(shown.id), picture.shields.get(shown.id)
    if shield is not None and shield < 1:
        total += _hp_apart(abs(fighter.shield - shield * fighter.max_hp))
    if bar is None:
        return total
    gap = abs(fighter.hp / fighter.max_hp - bar)
    return total if gap < _NOTABLE else total + _hp_apart(gap * fighter.max_hp)


def _hp_apart(gap: float) -> float:
    """Returns how unlikely it is that dice made a difference of so many HP."""
    return 0.0 if gap < 1 else 1.0 + min(_UNLIKELY, _UNLIKELY * gap / _FEW_HP)
