"""What an action may be expected to do, and what it would cost to take the second best one instead.

Means come from the rules (`botapp.fight.rules.expected`), chances from the search; no traps but those
of the actor's own side are looked at.
"""

from collections.abc import Iterable
from dataclasses import replace

from botapp.advisor.decision import Alternative, Decision, Expectation, ScoredAction
from botapp.advisor.groups import grouped
from botapp.advisor.sureness import sureness
from botapp.fight.actions import Action
from botapp.fight.outcome import Outcome
from botapp.fight.rules import expected, observation
from botapp.fight.state import Fighter, FightState


def expectations(state: FightState, action: Action) -> tuple[Expectation, ...]:
    """Returns what an action of the current actor is expected to do, enemies first, each fighter once.

    Only casts have an expected effect; fighters whose state does not change are omitted.
    """
    team = state.actor.team
    outcomes = expected(observation(state, team), action)
    every = (_expectation(state.fighter(key), outcome, team) for key, outcome in outcomes.items())
    changed = [one for one in every if max(one.damage, one.heal, one.shield, one.ap, one.mp) > 0]
    return tuple(sorted(changed, key=lambda e: (not e.enemy, -e.damage, e.fighter)))


def _expectation(fighter: Fighter, outcome: Outcome, team: int) -> Expectation:
    health = fighter.hp + fighter.shield
    return Expectation(
        fighter=fighter.id,
        name=fighter.name,
        enemy=fighter.team != team,
        damage=min(outcome.damage, health),
        heal=outcome.heal,
        shield=outcome.shield,
        ap=outcome.ap,
        mp=outcome.mp,
        kills=outcome.damage >= health,
    )


def alternative(state: FightState, best: ScoredAction, second: ScoredAction) -> Alternative:
    """Returns the second best choice with what it costs against the best one."""
    ours, theirs = expectations(state, best.action), expectations(state, second.action)
    return Alternative(
        choice=second,
        chance_lost=best.chance - second.chance,
        damage_lost=_damage(ours) - _damage(theirs),
        kills_lost=_kills(ours) - _kills(theirs),
    )


def compared(decision: Decision, state: FightState | None) -> Decision:
    """Returns the decision with how sure its choice is, and with what the second best one would cost."""
    return replace(decision, sure=sureness(decision, state), alternative=second_choice(decision, state))


def second_choice(decision: Decision, state: FightState | None) -> Alternative | None:
    """Returns the second of the best actions as they are listed, with its cost; None for a single action.

    Another cell that is as good is no other choice, unless there is nothing else.
    """
    others = [group.best for group in grouped(decision, state)[1:]] or decision.candidates[1:]
    return alternative(state, decision.best, others[0]) if others and state is not None else None


def _damage(expected: Iterable[Expectation]) -> float:
    return sum(e.damage for e in expected if e.enemy)


def _kills(expected: Iterable[Expectation]) -> int:
    return sum(e.enemy and e.kills for e in expected)
