"""Of turns that are worth the same the simplest is advised, and it costs nothing that is shown."""

import random

import pytest
from advisor_cases import state_after

from botapp.advisor.bare import BareAdvisor
from botapp.advisor.decision import reading
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import duel
from botapp.fight.actions import EndTurn
from botapp.fight.rules import apply, apply_expected, observation
from botapp.search.learned import load


def actions(choice):
    return sum(not isinstance(action, EndTurn) for action in choice.line)


def turns(seeds):
    """Yields the states in which turns of some duels begin."""
    player = GreedyPlayer()
    for seed in seeds:
        rng, state = random.Random(seed), duel(seed)
        for _ in range(60):
            before, state = state, apply(state, player.choose(state, rng), rng)
            if len({fighter.team for fighter in state.fighters if fighter.alive}) < 2:
                break
            if (before.turn, before.current) != (state.turn, state.current):
                yield observation(state, state.actor.team)


def compared(seeds):
    plain, simple = (BareAdvisor(learned=load(), simplest=on) for on in (False, True))
    return [(plain.decide(state), simple.decide(state), state) for state in turns(seeds)]


@pytest.mark.slow
def test_the_simplest_turn_reads_as_likely_to_win_and_has_no_more_actions():
    found = compared(range(41, 44))
    saved = 0
    for plain, simple, state in found:
        assert reading(simple.chance) == reading(plain.chance)
        assert actions(simple.best) <= actions(plain.best)
        saved += actions(plain.best) - actions(simple.best)
        after = state
        for action in simple.best.line:
            if not isinstance(action, EndTurn):
                after = apply_expected(after, action)
    assert saved > 0


def test_a_simpler_turn_is_searched_for_behind_what_was_played_on_from_only():
    decision = BareAdvisor(simplest=True).decide(state_after(5, 12))
    assert decision.best.visits and decision.best.line[0] == decision.action
    assert decision.best.prospect is not None and decision.confidence == decision.best.chance
