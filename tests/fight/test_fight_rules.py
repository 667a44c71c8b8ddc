"""Promises of the rules engine: what is legal, whose turn it is, who has won.

Bounds, purity and refusals over whole fights stand in `test_fight_wild.py` and `core/test_properties.py`.
"""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fights import fight, fighter, spell
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.arena.scenarios import adventure, duel
from botapp.content.library import classes
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.order import turn_order
from botapp.fight.rules import DRAW, IllegalAction, apply, legal_actions, winner
from botapp.fight.spells import Stats

seeds = st.integers(0, 10_000)


def start(seed):
    return duel(seed) if seed % 2 else adventure(seed, sorted(classes())[seed // 2 % len(classes())])


def later(seed, actions):
    """A fight after some random actions, casts preferred so that things happen."""
    rng, state = random.Random(seed), start(seed)
    for _ in range(actions):
        legal = legal_actions(state)
        if not legal:
            break
        casts = [action for action in legal if isinstance(action, Cast)]
        state = apply(state, rng.choice(casts if casts and rng.random() < 0.7 else legal), rng)
    return state


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(0, 30))
def test_legal_actions_have_one_walk_a_cell_and_end_with_the_end(seed, actions):
    state = later(seed, actions)
    legal = legal_actions(state)
    if not legal:
        assert winner(state) is not None
        return
    assert len(set(legal)) == len(legal)
    cells = [action.target for action in legal if isinstance(action, Move)]
    assert len(set(cells)) == len(cells)
    assert state.actor.cell not in cells
    assert legal[-1] == EndTurn()


def test_ending_the_turn_refills_and_hands_over():
    tired = fighter(0, 0, 286, [spell()], ap=1, mp=0, casts=(("jab", 1),), cooldowns=(("a", 1), ("b", 3)))
    after = apply(fight(tired, fighter(1, 1, 20)), EndTurn(), random.Random(0))
    rested = after.fighter(0)
    assert (rested.ap, rested.mp, rested.casts, rested.cooldowns) == (6, 3, (), (("b", 2),))
    assert (after.actor.id, after.turn) == (1, 1)
    assert apply(after, EndTurn(), random.Random(0)).turn == 2


def test_the_dead_are_skipped():
    state = fight(fighter(0, 0, 286), fighter(1, 1, 20, hp=0), fighter(2, 1, 30))
    assert apply(state, EndTurn(), random.Random(0)).actor.id == 2


def test_the_last_team_standing_wins_and_then_nothing_is_allowed():
    state = fight(fighter(0, 0, 286, [spell()]), fighter(1, 1, 315, hp=5))
    assert winner(state) is None
    won = apply(state, Cast("jab", 315), random.Random(0))
    assert winner(won) == 0
    assert legal_actions(won) == ()
    with pytest.raises(IllegalAction, match="over") as refused:
        apply(won, EndTurn(), random.Random(0))
    assert refused.value.condition == "over"


def test_nobody_left_is_a_draw():
    assert winner(fight(fighter(0, 0, 286, hp=0), fighter(1, 1, 315, hp=0))) == DRAW


def quick(id, team, initiative):
    return fighter(id, team, 100 + id, stats=Stats(initiative=initiative))


def test_sides_take_turns_by_initiative_the_quickest_first_and_equal_ones_by_id():
    fighters = [quick(0, 0, 10), quick(1, 1, 90), quick(2, 0, 50), quick(3, 1, 20), quick(4, 1, 95)]
    assert turn_order(fighters) == (4, 2, 1, 0, 3)
    assert turn_order([quick(1, 1, 5), quick(0, 0, 5)]) == (0, 1)


def test_threads_that_ask_a_state_at_the_same_time_get_one_answer():
    """Both have begun to work it out before either is done."""
    state, together = start(1), threading.Barrier(2, timeout=30)

    def work_out(asked):
        together.wait()
        return [asked]

    with ThreadPoolExecutor(2) as threads:
        first, second = [threads.submit(state.once, "answer", work_out) for _ in range(2)]
    assert first.result() is second.result() is state.once("answer", work_out)
    assert state == start(1)
