"""Before the fight: the advised start cell, and the chance of winning from there and from the own place.

No Qt in here.
"""

from botapp.advisor.decision import Decision, ScoredAction
from botapp.fight.state import FightState
from botapp.ui import words
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.marks import CellNote, Shade, StepMark, TurnMarks
from vision.view import Lattice


def place_marks(
    decision: Decision,
    state: FightState,
    lattice: Lattice,
    geometry: OverlayGeometry,
    *,
    paths: bool = True,
) -> TurnMarks:
    """Returns what to draw: the best cell outlined with the way there, both places with their chances.

    Args:
        decision: among the start cells.
        state: the state in which places are chosen.
        lattice: where the board's cells lie.
        geometry: what turns the lattice's pixels into coordinates.
        paths: whether the way is drawn.
    """
    own = state.actor.cell
    best, here = _cell(decision.best, own), geometry.centre(lattice, own)
    route = (here, geometry.centre(lattice, best)) if paths and best != own else ()
    step = StepMark(False, route, geometry.diamond(lattice, best), first=True)
    unit = lattice.cell_h / 2 / geometry.ratio
    told = [one for one in decision.candidates if one == decision.best or _cell(one, own) == own]
    notes = []
    for one in told:
        x, y = geometry.centre(lattice, _cell(one, own))
        shade: Shade = "heal" if one == decision.best else "name"
        notes.append(CellNote((x, y + unit + 4), ((words.chance(one.chance, state), shade),)))
    return TurnMarks((step,), (), tuple(notes))


def _cell(choice: ScoredAction, own: int) -> int:
    target = choice.action.target
    return own if target is None else target
