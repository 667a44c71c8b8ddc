"""Glyphs and traps on the ground: how they are laid, how long they stay, who sees them.

Next hop: `botapp.fight.effects` lets them act.
"""

from botapp.fight.shapes import area
from botapp.fight.spells import Effect, EffectKind
from botapp.fight.state import FightState, Mark, MarkKind


def laid(effect: Effect, owner: int, origin: int, cell: int, walkable: int, name: str) -> Mark:
    """Returns the glyph or trap that an effect lays around a cell.

    Args:
        effect: a glyph or trap effect.
        owner: id of who lays it.
        origin: the cell it is cast from.
        cell: its centre.
        walkable: set of the map's walkable cells; it covers no others.
        name: of the spell.
    """
    kind = MarkKind.GLYPH if effect.kind is EffectKind.GLYPH else MarkKind.TRAP
    covered = area(effect.shape, effect.radius, origin, cell)
    cells = tuple(sorted(c for c in covered if walkable >> c & 1))
    return Mark(kind, owner, cell, cells, effect.turns, effect.payload, name)


def aged(marks: tuple[Mark, ...], owner: int) -> tuple[Mark, ...]:
    """Returns the marks left as a turn of their owner begins: each of its own is a turn older."""
    if not any(mark.owner == owner and mark.turns for mark in marks):
        return marks
    return tuple(
        Mark(mark.kind, mark.owner, mark.cell, mark.cells, mark.turns - 1, mark.payload, mark.name)
        if mark.owner == owner and mark.turns
        else mark
        for mark in marks
        if not (mark.owner == owner and mark.turns == 1)
    )


def observation(state: FightState, team: int) -> FightState:
    """Returns the state as a team knows it: without the traps of the other one."""
    if not state.marks:
        return state
    own = {fighter.id for fighter in state.fighters if fighter.team == team}
    return state.changed(marks=tuple(m for m in state.marks if m.kind is MarkKind.GLYPH or m.owner in own))


def trap_cells(state: FightState, team: int | None = None) -> frozenset[int]:
    """Returns the cells where a step springs a trap; with a team only those it knows of, being its own."""
    traps = [mark for mark in state.marks if mark.kind is MarkKind.TRAP]
    if not traps:
        return _NO_CELLS
    return frozenset(
        cell
        for trap in traps
        if team is None or state.fighter(trap.owner).team == team
        for cell in trap.cells
    )


_NO_CELLS: frozenset[int] = frozenset()
