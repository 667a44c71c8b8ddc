"""Slips are legal, and of every kind."""

import random

from botapp.arena.scenarios import duel
from botapp.fight.rules import legal_actions
from botapp.learning.slips import slipped


def test_slips_are_legal_and_of_every_kind():
    state, rng = duel(11), random.Random(1)
    slips = [slipped(state, rng) for _ in range(60)]
    assert set(slips) <= set(legal_actions(state))
    assert len({type(action) for action in slips}) >= 2
