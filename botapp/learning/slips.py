"""Slips: actions at random, so that fights to learn from come to states that good play never meets."""

import random

from botapp.fight.actions import Action, Cast, Move
from botapp.fight.rules import legal_actions
from botapp.fight.state import FightState

_KINDS = (0.5, 0.4, 0.1)  # How often a slip is a cast, a walk and the end of the turn


def slipped(state: FightState, rng: random.Random) -> Action:
    """Returns an action at random: a cast, a walk or the end of the turn, then one of those there are."""
    kinds: list[list[Action]] = [[], [], []]
    for action in legal_actions(state):
        kinds[0 if isinstance(action, Cast) else 1 if isinstance(action, Move) else 2].append(action)
    there = [(actions, weight) for actions, weight in zip(kinds, _KINDS, strict=True) if actions]
    return rng.choice(rng.choices([a for a, _ in there], [w for _, w in there])[0])
