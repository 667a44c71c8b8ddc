"""Promises of the rules engine over whole fights: bounds, purity, legality, order of turns."""

import copy
import random

import pytest
from fights import fight, fighter, spell
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.arena.scenarios import adventure, duel
from botapp.content.library import classes
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.order import turn_order
from botapp.fight.rules import DRAW, IllegalAction, apply, apply_expected, legal_actions, winner
from botapp.fight.state import Stats

few = settings(max_examples=25, deadline=None)
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


def assert_within_bounds(state):
    for one in state.fighters:
        assert 0 <= one.hp <= one.max_hp
        assert one.max_hp + one.eroded >= one.max_hp
        assert 0 <= one.ap <= max(one.base_ap, 12)
        assert 0 <= one.mp <= max(one.base_mp, 6)
        assert one.shield >= 0
        limits = {s.key: max(s.cooldown, s.initial_cooldown) for s in one.spells}
        assert all(0 < turns <= limits[key] for key, turns in one.cooldowns)
        assert len({key for key, _ in one.cooldowns}) == len(one.cooldowns)
    alive = [one.cell for one in state.fighters if one.alive]
    assert len(alive) == len(set(alive))
    assert all(state.map.cells[cell] & 1 for cell in alive)
    assert state.turn >= 1
    assert winner(state) is not None or state.actor.alive


@few
@given(seeds, st.integers(0, 80))
def test_nothing_ever_leaves_its_bounds(seed, actions):
    assert_within_bounds(later(seed, actions))


@few
@given(seeds, st.integers(0, 40))
def test_every_legal_action_applies_and_is_foreseen(seed, actions):
    state = later(seed, actions)
    before = copy.deepcopy(state)
    for action in legal_actions(state):
        assert_within_bounds(apply(state, action, random.Random(1)))
        assert_within_bounds(apply_expected(state, action))
    assert state == before


@few
@given(seeds, st.integers(0, 40), seeds)
def test_the_same_dice_give_the_same_state(seed, actions, dice):
    state = later(seed, actions)
    for action in legal_actions(state)[::7]:
        once, twice = (apply(state, action, random.Random(dice)) for _ in range(2))
        assert once == twice
        assert hash(once) == hash(twice)


@few
@given(seeds, st.integers(0, 40), st.data())
def test_what_is_not_legal_is_refused(seed, actions, data):
    state = later(seed, actions)
    legal = set(legal_actions(state))
    keys = [s.key for f in state.fighters for s in f.spells]
    cast = Cast(data.draw(st.sampled_from(keys)), data.draw(st.integers(0, 559)))
    if cast not in legal:
        with pytest.raises(IllegalAction) as refused:
            apply(state, cast, random.Random(0))
        assert refused.value.condition
        assert str(refused.value)


@few
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


def test_sides_take_turns_by_initiative_the_quickest_first():
    fighters = [quick(0, 0, 10), quick(1, 1, 90), quick(2, 0, 50), quick(3, 1, 20), quick(4, 1, 95)]
    assert turn_order(fighters) == (4, 2, 1, 0, 3)


def test_equal_initiatives_go_by_id():
    assert turn_order([quick(1, 1, 5), quick(0, 0, 5)]) == (0, 1)
