"""States of the player's own turn, and the situations that flawless views of them give."""

from dataclasses import replace

from advisor_cases import state_after
from flawless import view_of

from botapp.tracking.situation import Situation, build
from botapp.tracking.spellbook import preset


def own_turn(seed=2, actions=0):
    """A state whose actor is the player (fighter 0)."""
    for more in range(40):
        state = state_after(seed, actions + more)
        if state.actor.id == 0:
            return state
    raise AssertionError("the player never had a turn")


def book_of(state):
    return preset(state.fighter(0).kind)


def situation_of(state, bestiary, previous=None, **changes) -> Situation:
    return build(replace(view_of(state, 0), **changes), book_of(state), bestiary, previous)
