"""Before the fight: one fighter after the other, in the order of turns, takes a start cell of its colour."""

from botapp.fight.actions import Action, Place, Ready
from botapp.fight.refusals import IllegalAction
from botapp.fight.state import FightState

_READY = Ready()


def placing(state: FightState) -> FightState:
    """Returns the state with the fighters about to choose their places, the first in the order of turns."""
    return state.changed(placing=True, current=0, turn=1)


def start_cells(state: FightState) -> tuple[int, ...]:
    """Returns the start cells that are free for the fighter who chooses: red for team 0, blue for team 1."""
    starts = state.map.blue_starts if state.actor.team else state.map.red_starts
    taken = {fighter.cell for fighter in state.fighters if fighter.hp > 0}
    return tuple(cell for cell in starts if cell not in taken)


def choices(state: FightState) -> tuple[Action, ...]:
    """Returns what the fighter who chooses may do, being ready last."""
    return (*map(Place, start_cells(state)), _READY)


def placed(state: FightState, cell: int) -> FightState:
    """Returns the state with the fighter who chooses on another start cell.

    Raises:
        IllegalAction: it is not one of its side's, or a fighter stands there.
    """
    actor = state.actor
    starts = state.map.blue_starts if actor.team else state.map.red_starts
    if cell not in starts:
        raise IllegalAction("start-cell", f"cell {cell} is no start cell of {actor.name}'s side")
    if cell not in start_cells(state):
        raise IllegalAction("free-cell", f"cell {cell} is taken")
    moved = actor.changed(cell=cell)
    return state.changed(fighters=tuple([moved if f is actor else f for f in state.fighters]))
