"""Fights as the app keeps them, made by the search on a practice fight."""

from functools import cache

from botapp.advisor.bare import BareAdvisor
from botapp.advisor.decision import Decision
from botapp.arena.scenarios import adventure
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply_expected
from botapp.review.course import OwnAction
from botapp.review.kept_fight import KeptFight, summed_up
from botapp.runtime.whole_turns import outlook

BEGUN = 1_795_428_000.0


@cache
def fight(actions: int = 3) -> KeptFight:
    """Returns a fight in which the advice was followed, but the turn of the second action ended early."""
    advisor = BareAdvisor(rollout_actions=8, nodes=40)
    state = adventure(3, "ember")
    while state.actor.id != 0:
        state = apply_expected(state, EndTurn())
    moments = []
    for number in range(actions):
        decision = advisor.decide(state)
        done = decision.best
        if number == 1:
            done = next(one for one in decision.candidates if isinstance(one.action, EndTurn))
        cost = max(0.0, decision.best.confidence - done.confidence)
        lines = outlook(state, decision).lines
        moments.append(OwnAction(state.turn, decision.chance, state, decision.best, done, cost, lines))
        state = apply_expected(state, done.action)
        while state.actor.id != 0:
            state = apply_expected(state, EndTurn())
    return KeptFight(summed_up(moments, BEGUN, "0.2.0", "arena", "won"), tuple(moments))


@cache
def _decisions() -> dict[int, Decision]:
    advisor = BareAdvisor(rollout_actions=8, nodes=40)
    return {id(moment): advisor.decide(moment.state) for moment in fight().moments}


def decided(moment: OwnAction) -> Decision:
    return _decisions()[id(moment)]
