"""Why the chance of winning has jumped since the own action before: a fighter down, the others' turns, a
better turn, or the dice.
"""

from collections.abc import Sequence

from botapp.advisor.decision import Decision
from botapp.advisor.grounds import may_tell_chance
from botapp.fight.state import FightState
from botapp.review.course import OwnAction
from botapp.ui import words
from botapp.ui.names import named
from botapp.ui.translation import counted, mark, tr

LEAST = 10
"""Points from which on a change is given a reason: the measure of a blunder (`botapp.review.grades`)."""


def why(moments: Sequence[OwnAction], decision: Decision, state: FightState | None) -> str:
    """Returns by how much the chance has changed since the own action before, and why; "" below `LEAST`.

    Args:
        moments: own actions of the fight so far, the one that is decided the last or not among them yet.
    """
    earlier = moments[:-1] if moments and moments[-1].state == state else moments
    if state is None or state.placing or not earlier:
        return ""
    before = earlier[-1]
    if not (may_tell_chance(before.state) and may_tell_chance(state)):
        return ""
    points = words.points(decision.chance, before.chance, state)
    if abs(points) < LEAST:
        return ""
    up = counted(
        points,
        "{number} point more than before your last action: {reason}.",
        "{number} points more than before your last action: {reason}.",
        number=points,
        reason=_reason(before, decision, state),
    )
    down = counted(
        -points,
        "{number} point less than before your last action: {reason}.",
        "{number} points less than before your last action: {reason}.",
        number=-points,
        reason=_reason(before, decision, state),
    )
    return tr(up if points > 0 else down)


def _reason(before: OwnAction, decision: Decision, state: FightState) -> str:
    alive = {fighter.id for fighter in state.fighters if fighter.alive}
    down = [
        member
        for member in before.state.fighters
        if member.alive and member.id not in alive and member.summoner is None
    ]
    if down:
        return tr("{who} down", who=", ".join(named(member.name) for member in down))
    if (before.state.turn, before.state.actor.id) != (state.turn, state.actor.id):
        return tr(_OTHERS)
    if before.departed:
        return tr(_OTHERWISE)
    planned, promised = decision.planned_chance, before.chance
    if planned is not None and 2 * abs(decision.chance - planned) >= abs(decision.chance - promised):
        return tr(_BETTER)
    return tr(_DICE)


_OTHERS = mark("the others' turns came between")
_OTHERWISE = mark("you played otherwise than advised")
_BETTER = mark("a better turn was found")
_DICE = mark("the dice")
