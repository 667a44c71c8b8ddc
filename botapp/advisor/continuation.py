"""The rest of a turn after the action advised, found by applying the rules and asking again.

Dice fall on their means, so this is what happens when nothing comes as a surprise. It is looked for once
the decision itself is out.
"""

from collections.abc import Callable

from botapp.advisor.decision import Planned
from botapp.fight.actions import Action
from botapp.fight.rules import apply_expected, observation, winner
from botapp.fight.state import FightState

FURTHER = 4
"""Actions looked ahead at most."""


def rest_of_turn(
    state: FightState, action: Action, ask: Callable[[FightState], Planned | None]
) -> tuple[Planned, ...]:
    """Returns what the actor would do after `action` until its turn ends, `FURTHER` actions at most.

    Args:
        state: the state in which the action is taken; traps of the other side are not looked at.
        action: the first action of the turn.
        ask: says what to do in an expected state, None where there is no time left.
    """
    known = observation(state, state.actor.team)
    found: list[Planned] = []
    while len(found) < FURTHER:
        known = apply_expected(known, action)
        if winner(known) is not None or (known.turn, known.actor.id) != (state.turn, state.actor.id):
            break
        planned = ask(known)
        if planned is None:
            break
        found.append(planned)
        action = planned.choice.action
    return tuple(found)
