"""Fights in their midst, made from seeds: random actions from the start of fights of all kinds and sizes."""

import random

from botapp.arena.fixtures import begin
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.rules import apply_expected, legal_actions, observation, winner

KINDS = (
    ("duel", (), False),
    ("adventure", (), False),
    ("team", (2,), False),
    ("team", (3,), False),
    ("team", (4,), False),
    ("duel", (), True),
    ("adventure", (), True),
    ("team", (3,), True),
    ("team", (4,), True),
)


def _key(action):
    if isinstance(action, Cast):
        return 0, action.spell, action.target
    return (1, "", action.path[-1]) if isinstance(action, Move) else (2, "", 0)


def policy_state(number):
    """What the actor of fight `number` sees after up to 60 random actions, mostly casts, no dice rolled."""
    scenario, sizes, unseen = KINDS[number % len(KINDS)]
    state = begin(scenario, number, sizes, "hour-veil" if unseen else "seen")
    dice = random.Random(number)
    for _ in range(dice.randrange(61)):
        legal = sorted(legal_actions(state), key=_key)
        taken = {fighter.cell for fighter in state.fighters if fighter.hp > 0}
        casts = [a for a in legal if isinstance(a, Cast)]
        aimed = [a for a in casts if a.target in taken and a.target != state.actor.cell]
        moves = [a for a in legal if isinstance(a, Move)]
        several = [group for group in (aimed, aimed, casts, moves, [EndTurn()]) if group]
        after = apply_expected(state, dice.choice(dice.choice(several)))
        if winner(after) is not None:
            break
        state = after
    return observation(state, state.actor.team)


def told(action):
    """An action as plain values; a walk is its last cell."""
    if isinstance(action, Cast):
        return ["cast", action.spell, action.target]
    return ["walk", action.path[-1]] if isinstance(action, Move) else ["end"]
