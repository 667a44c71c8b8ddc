"""The expected result of a cast is the same whether it is worked out anew or known from a cast like it."""

import random
from collections.abc import Callable, Iterator

import pytest

from botapp.arena.players import GreedyPlayer
from botapp.arena.scenarios import adventure, duel, team
from botapp.fight.paths import reach
from botapp.fight.rules import apply, apply_expected, winner
from botapp.fight.state import FightState
from botapp.search.expected_casts import ExpectedCasts, Scales
from botapp.search.generation import sensible_casts
from botapp.search.static_evaluation import StaticEvaluation

_ACTIONS = 25
_WALKS = 4


def _fought(state: FightState, seed: int) -> Iterator[FightState]:
    player, rng = GreedyPlayer(), random.Random(seed)
    for _ in range(_ACTIONS):
        if winner(state) is not None:
            return
        yield state
        state = apply(state, player.choose(state, rng), rng)


def _elsewhere(state: FightState, rng: random.Random) -> Iterator[FightState]:
    """Yields the state, and the same with its actor after some of the walks open to it."""
    yield state
    actor = state.actor
    ground = reach(state, actor)
    for cell in rng.sample(list(ground.ways), min(_WALKS, len(ground.ways))):
        mp, ap = ground.points(actor, cell)
        moved = actor.changed(cell=cell, mp=mp, ap=ap)
        yield state.changed(fighters=tuple(moved if f is actor else f for f in state.fighters))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [duel, team, adventure])
@pytest.mark.parametrize("seed", range(6))
def test_a_cast_leaves_a_side_with_what_the_state_after_it_is_worth(
    scenario: Callable[..., FightState], seed: int
) -> None:
    first = scenario(seed, pool="any")
    expected_casts, worths = ExpectedCasts(), [StaticEvaluation(first, side) for side in (0, 1)]
    casts = expected_state = 0
    for state in _fought(first, seed):
        side = state.actor.team
        scales = Scales(worths[side], state)
        assert scales.before == StaticEvaluation(first, side).score(state)
        for there in _elsewhere(state, random.Random(seed)):
            followers = {}
            for spell, cast in sensible_casts(there):
                known = expected_casts.score(there, spell, cast, scales, followers)
                assert known == StaticEvaluation(first, side).score(apply_expected(there, cast)), (
                    spell.key,
                    cast.target,
                )
                casts += 1
            expected_state += len(followers)
    assert 0 < expected_state < 0.8 * casts
