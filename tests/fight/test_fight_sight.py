"""Line of sight keeps the test values of the rules' description and is the same both ways."""

import random

import pytest
from arrays import arrays
from fights import OPEN, fight, fighter, spell
from hypothesis import given, settings
from hypothesis import strategies as st
from inner import call
from plain_sight import between, sees

from botapp.fight.board import CELLS, distance, neighbours
from botapp.fight.core.sight import sees as core_sees
from botapp.fight.ground import seen_from
from botapp.fight.ranges import castable_cells
from botapp.fight.spells import Buff, State
from botapp.fight.state import CellFlag

cells = st.integers(0, CELLS - 1)
maps = st.integers(0, 999).map(lambda seed: bytes(random.Random(seed).choices([0, 2, 3], [1, 1, 6], k=CELLS)))
FAR = spell(max_range=63, min_range=0)


def standing(flags, origin, taken):
    """Somebody at a cell, and others on those that are taken."""
    others = [fighter(number, number % 2, cell) for number, cell in enumerate(sorted(taken - {origin}), 1)]
    return fight(fighter(0, 0, origin, [FAR]), *others, fighter(99, 1, origin, hp=0), cells=flags)


@pytest.mark.inner
def test_the_walk_between_two_cells_keeps_the_known_values():
    for a, b, walk in ((215, 300, (230, 243, 258, 272, 286)), (129, 213, (157, 185))):
        assert between(a, b) == walk
        beside = {near for cell in walk for near in neighbours(cell)}
        hiding = {cell for cell in {*walk, *beside} - {a, b} if not looks(OPEN, a, b, {cell})}
        assert hiding == set(walk)


def looks(flags, a, b, taken=frozenset()):
    state = arrays(standing(flags, a, set(taken)))
    return bool(call(core_sees, state.fight, state.book, a, b, 0))


@given(cells, cells)
def test_the_walk_leaves_both_ends_out_and_comes_steadily_closer(a, b):
    walk = between(a, b)
    assert walk == between(b, a)[::-1]
    assert a not in walk
    assert b not in walk
    away = [distance(a, cell) for cell in walk]
    assert away == sorted(set(away))


@pytest.mark.inner
@given(maps, st.sets(cells, max_size=8), cells, cells)
def test_sight_is_what_the_walk_says_and_the_same_both_ways(flags, taken, a, b):
    assert looks(flags, a, b, taken) == sees(flags, taken, a, b)
    if flags[a] & CellFlag.SIGHT and flags[b] & CellFlag.SIGHT:
        assert looks(flags, a, b, taken) == looks(flags, b, a, taken)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(maps, st.sets(cells, max_size=8), cells)
def test_the_cells_seen_in_a_spells_range_are_what_single_looks_say(flags, taken, origin):
    state = standing(flags, origin, taken)
    seen, unseen = castable_cells(state, state.actor, FAR)
    floor = {cell for cell in range(CELLS) if flags[cell] & CellFlag.WALKABLE}
    assert seen == {cell for cell in floor if sees(flags, taken, origin, cell)}
    assert seen | unseen == floor


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(maps, cells)
def test_the_cells_seen_on_an_empty_map_are_what_single_looks_say(flags, origin):
    assert seen_from(flags, origin) == {cell for cell in range(CELLS) if sees(flags, (), origin, cell)}


def test_whoever_is_invisible_hides_nothing():
    state = standing(OPEN, 215, {286})
    ghost = state.fighter(1).changed(buffs=(Buff(1, 1, state=State.INVISIBLE),))
    state = state.changed(fighters=(state.fighter(0), ghost, state.fighter(99)))
    assert 300 in castable_cells(state, state.actor, FAR)[0]
