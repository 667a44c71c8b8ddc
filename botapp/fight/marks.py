"""Who knows of what lies on the ground."""

from botapp.fight.state import FightState, MarkKind


def observation(state: FightState, team: int) -> FightState:
    """Returns the state as a team knows it: without the traps of the other one."""
    if not state.marks:
        return state
    own = {fighter.id for fighter in state.fighters if fighter.team == team}
    return state.changed(marks=tuple(m for m in state.marks if m.kind is MarkKind.GLYPH or m.owner in own))
