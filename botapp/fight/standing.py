"""Where everyone alive stands, as sets of cells: what walking, aiming and seeing all ask for, once a state.

Next hop: `botapp.fight.paths` and `botapp.fight.casting`.
"""

from typing import NamedTuple

from botapp.fight.sight import BITS
from botapp.fight.state import FightState, State


class Standing(NamedTuple):
    """Sets of cells.

    Attributes:
        taken: cells that somebody stands on.
        teams: cells of team 0, cells of team 1.
        clear: cells whose fighter is invisible.
    """

    taken: int
    teams: tuple[int, int]
    clear: int


def standing(state: FightState) -> Standing:
    """Returns where everyone alive stands."""
    known: Standing | None = state.memo.get("standing")
    if known is None:
        known = state.memo["standing"] = _standing(state)
    return known


def _standing(state: FightState) -> Standing:
    red = blue = clear = 0
    for fighter in state.fighters:
        if fighter.hp > 0:
            bit = BITS[fighter.cell]
            if fighter.team:
                blue |= bit
            else:
                red |= bit
            if fighter.buffs and fighter.has(State.INVISIBLE):
                clear |= bit
    return Standing(red | blue, (red, blue), clear)
