"""What the fighter at turn threatens while it is not the person's turn: whom it can reach, what that takes.

In the person's own turn it is the next enemy, after that turn as advised. The search plays its turn as if it
were advised: the reply that the search expects. What is assumed of it counts as known.
"""

from collections.abc import Sequence
from dataclasses import replace

from botapp.advisor.bare import SearchAdvisor
from botapp.advisor.decision import Decision, Expectation, Withheld
from botapp.fight.actions import Action, Cast, EndTurn
from botapp.fight.core.capacity import CapacityError
from botapp.fight.rules import IllegalAction, apply_expected, observation, winner
from botapp.fight.state import FightState
from botapp.runtime.turns import Threat, TurnLine
from botapp.runtime.whole_turns import turn_line

THREAT_MS = 40.0  # What looking into a turn of others may take, once for each state of it
_OTHERS = 6  # How many turns of others may come before the own one for it to be looked for
_ALLIES = 2  # How many turns of the own side may come between the own one and that of the enemy looked into


class Threats:
    """Looks into the turns of enemies, each state once."""

    def __init__(self, milliseconds: float = THREAT_MS) -> None:
        self._milliseconds = milliseconds
        self._advisor: SearchAdvisor | None = None
        self._last: tuple[FightState, Threat | None] | None = None
        self._looked_on = False

    def of(self, state: FightState, own: int) -> Threat | None:
        """Returns what the current fighter threatens; None for one of the own side, or where it cannot play.

        What may be expected of the own turn after it is looked for when the state is seen a second time.

        Args:
            state: what is known of the fight, another fighter at turn.
        """
        if state.placing or state.actor.team == state.fighter(own).team or winner(state) is not None:
            return None
        if self._last is None or self._last[0] != state:
            self._last, self._looked_on = (state, self.look_into(state)), False
        elif not self._looked_on:
            self._looked_on = True
            threat = self._last[1]
            self._last = state, self._with_own_turn(threat, state, own) if threat is not None else None
        return self._last[1]

    def after(self, state: FightState, actions: Sequence[Action]) -> Threat | None:
        """Returns what the next enemy threatens once the current turn is played, dice at their means.

        Args:
            state: what is known of the fight.
            actions: of the turn; those that cannot be done any more are left out.

        Returns:
            None where no enemy comes next, or its turn cannot be looked into.
        """
        team = state.actor.team
        try:
            after = _played(observation(state, team), actions)
            for _ in range(_ALLIES):
                if winner(after) is not None or after.actor.team != team:
                    break
                best = self._decide(after).best
                after = _played(after, best.line or (best.action,))
        except (Withheld, CapacityError, IllegalAction):
            return None
        if winner(after) is not None or after.actor.team == team:
            return None
        threat = self.look_into(after)
        return replace(threat, at=after) if threat is not None else None

    def _with_own_turn(self, threat: Threat, state: FightState, own: int) -> Threat:
        try:
            after = _played(observation(state, state.actor.team), [step.action for step in threat.line.steps])
            for _ in range(_OTHERS):
                if winner(after) is not None or not after.fighter(own).alive:
                    break
                if after.actor.id == own:
                    known = observation(after, after.actor.team)
                    line = turn_line(known, self._decide(known).best)
                    return replace(threat, own=line, then=known)
                best = self._decide(after).best
                after = _played(after, best.line or (best.action,))
        except (Withheld, CapacityError, IllegalAction):
            pass
        return replace(threat, then=state)

    def _decide(self, state: FightState) -> Decision:
        if self._advisor is None:
            self._advisor = SearchAdvisor(self._milliseconds)
        return self._advisor.decide(state)

    def look_into(self, state: FightState) -> Threat | None:
        try:
            decision = self._decide(state)
            line = turn_line(observation(state, state.actor.team), decision.best)
        except (Withheld, CapacityError, IllegalAction):
            return None
        return Threat(state.actor.id, state.actor.name, _reached(state, decision), line, _harm(line))


def reply_to(
    state: FightState, actions: Sequence[Action], threats: Threats
) -> tuple[FightState, Threat | None]:
    """Returns where a turn leads, dice at their means, and what the next enemy is expected to reply.

    Args:
        actions: of the turn; those that cannot be done any more are left out.

    Returns:
        The state in which the next one plays, and its threat; None where it is none of an enemy.
    """
    after = _played(observation(state, state.actor.team), actions)
    return after, threats.of(after, state.actor.id)


def _played(state: FightState, actions: Sequence[Action]) -> FightState:
    """Returns the state after a fighter's turn, dice at their means; what cannot be done is left out."""
    actor, turn = state.actor.id, state.turn
    for action in (*actions, EndTurn()):
        if winner(state) is not None or (state.actor.id, state.turn) != (actor, turn):
            break
        try:
            state = apply_expected(state, action)
        except (IllegalAction, CapacityError):
            continue
    return state


def _reached(state: FightState, decision: Decision) -> tuple[int, ...]:
    """Returns the enemies of the actor that stand where it can cast something this turn, by their HP."""
    cells = {
        action.target
        for choice in decision.candidates or decision.choices
        for action in (choice.line or (choice.action,))
        if isinstance(action, Cast)
    }
    team = state.actor.team
    reached = [f for f in state.fighters if f.alive and f.team != team and f.cell in cells]
    return tuple(f.id for f in sorted(reached, key=lambda f: f.hp))


def _harm(line: TurnLine) -> tuple[Expectation, ...]:
    """Returns what a turn should do to the other side, each fighter once."""
    by_fighter: dict[int, list[Expectation]] = {}
    for step in line.steps:
        for expected in step.expected:
            if expected.enemy:
                by_fighter.setdefault(expected.fighter, []).append(expected)
    summed = [_summed(parts) for parts in by_fighter.values()]
    return tuple(sorted(summed, key=lambda expectation: -expectation.damage))


def _summed(parts: list[Expectation]) -> Expectation:
    first = parts[0]
    return Expectation(
        fighter=first.fighter,
        name=first.name,
        enemy=True,
        damage=sum(part.damage for part in parts),
        heal=sum(part.heal for part in parts),
        shield=sum(part.shield for part in parts),
        ap=sum(part.ap for part in parts),
        mp=sum(part.mp for part in parts),
        kills=any(part.kills for part in parts),
    )
