"""States from the arena."""

import random

from botapp.arena.scenarios import adventure, duel, outcome
from botapp.fight.rules import apply, legal_actions
from botapp.fight.state import FightState

FIRST_CLASSES = ("ember", "leech", "ranger", "warden")


def state_after(seed: int, actions: int) -> FightState:
    """A state met by random play: `actions` into the fight of this seed, or the last one before its end."""
    rng = random.Random(seed)
    state = duel(seed) if seed % 2 else adventure(seed, FIRST_CLASSES[seed // 2 % 4])
    for _ in range(actions):
        following = apply(state, rng.choice(legal_actions(state)), rng)
        if outcome(following) is not None:
            break
        state = following
    return state
