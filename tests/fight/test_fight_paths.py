"""Where fighters can walk, and what the grip of their enemies costs them."""

import random

import pytest
from arrays import walks
from fights import FREE_FLEE, OPEN, fight, fighter, with_cell

from botapp.fight.actions import Move
from botapp.fight.board import distance, neighbours
from botapp.fight.core.movement import after_grip
from botapp.fight.ground import UNREACHED, walking_distances
from botapp.fight.ranges import reachable
from botapp.fight.rules import IllegalAction, apply
from botapp.fight.spells import Stats
from botapp.fight.state import CellFlag

dice = random.Random(0)
CENTRE = 286


def test_on_open_floor_everything_within_the_mp_is_in_reach():
    state = fight(fighter(0, 0, CENTRE, mp=3), fighter(1, 1, 20))
    found = reachable(state, state.actor)
    assert set(found) == {c for c in range(560) if 1 <= distance(CENTRE, c) <= 3}
    assert all(len(path) == distance(CENTRE, cell) for cell, path in found.items())


def test_without_mp_nothing_is_in_reach():
    state = fight(fighter(0, 0, CENTRE, mp=0), fighter(1, 1, 20))
    assert reachable(state, state.actor) == {}


def test_a_path_is_a_chain_of_neighbours_that_ends_on_its_cell():
    state = fight(fighter(0, 0, CENTRE, mp=4), fighter(1, 1, CENTRE + 2))
    for cell, path in reachable(state, state.actor).items():
        assert path[-1] == cell
        for a, b in zip((CENTRE, *path), path, strict=False):
            assert b in neighbours(a)


def test_fighters_walls_and_holes_are_walked_around():
    wall, hole, mate, free = neighbours(CENTRE)
    cells = with_cell(with_cell(OPEN, wall, CellFlag.NONE), hole, CellFlag.SIGHT)
    state = fight(fighter(0, 0, CENTRE, mp=1), fighter(1, 0, mate), fighter(2, 1, 20), cells=cells)
    assert set(reachable(state, state.actor)) == {free}


@pytest.mark.inner
def test_the_dead_block_nobody_and_hold_nobody():
    near = neighbours(CENTRE)[0]
    state = fight(fighter(0, 0, CENTRE, mp=1), fighter(1, 1, near, hp=0), fighter(2, 1, 20))
    assert near in reachable(state, state.actor)
    assert walks(state)[near].ap == 6


@pytest.mark.parametrize(
    ("points", "kept", "left"), [(4, 0.5, 2), (3, 0.5, 1), (6, 0.75, 4), (6, 1.0, 6), (1, 0.1, 0)]
)
def test_a_grip_takes_the_rounded_share(points, kept, left):
    assert after_grip(points, kept) == left


def test_leaving_an_enemy_costs_mp_and_ap_before_the_step():
    enemy = neighbours(CENTRE)[0]
    away = next(c for c in neighbours(CENTRE) if distance(c, enemy) == 2)
    state = fight(fighter(0, 0, CENTRE, mp=4, ap=6), fighter(1, 1, enemy))
    walked = apply(state, Move((away,)), dice).actor
    assert (walked.cell, walked.mp, walked.ap) == (away, 1, 3)


def test_a_nimble_fighter_leaves_for_free():
    enemy = neighbours(CENTRE)[0]
    away = next(c for c in neighbours(CENTRE) if distance(c, enemy) == 2)
    state = fight(fighter(0, 0, CENTRE, mp=4, stats=FREE_FLEE), fighter(1, 1, enemy, stats=Stats(lock=10)))
    walked = apply(state, Move((away,)), dice).actor
    assert (walked.mp, walked.ap) == (3, 6)


@pytest.mark.inner
def test_two_enemies_hold_harder_than_one():
    first, second, *rest = neighbours(CENTRE)
    step = next(c for c in rest if distance(c, first) == 2 or distance(c, second) == 2)
    one = fight(fighter(0, 0, CENTRE, mp=6), fighter(1, 1, first))
    two = fight(fighter(0, 0, CENTRE, mp=6), fighter(1, 1, first), fighter(2, 1, second))
    assert walks(two)[step].mp < walks(one)[step].mp


@pytest.mark.inner
def test_reach_and_the_walk_itself_agree_on_what_is_left():
    state = fight(fighter(0, 0, CENTRE, mp=5), fighter(1, 1, CENTRE + 14), fighter(2, 1, CENTRE + 29))
    for walk in walks(state).values():
        after = apply(state, Move(walk.path), dice).actor
        assert (after.mp, after.ap) == (walk.mp, walk.ap)


@pytest.mark.parametrize(
    ("path", "condition"),
    [
        ((), "path"),
        ((20,), "path"),
        ((neighbours(CENTRE)[0],), "walkable"),
        ((neighbours(CENTRE)[1],), "free-cell"),
        ((neighbours(CENTRE)[2], CENTRE, neighbours(CENTRE)[2]), "free-cell"),
    ],
)
def test_a_walk_that_breaks_a_rule_is_refused_with_the_rule(path, condition):
    cells = with_cell(OPEN, neighbours(CENTRE)[0], CellFlag.NONE)
    mate = fighter(1, 0, neighbours(CENTRE)[1])
    state = fight(fighter(0, 0, CENTRE), mate, fighter(2, 1, 20), cells=cells)
    with pytest.raises(IllegalAction) as refused:
        apply(state, Move(path), dice)
    assert refused.value.condition == condition


def test_a_walk_longer_than_the_mp_is_refused():
    state = fight(fighter(0, 0, CENTRE, mp=1), fighter(1, 1, 20))
    first = neighbours(CENTRE)[0]
    second = next(c for c in neighbours(first) if c != CENTRE)
    with pytest.raises(IllegalAction, match="not enough MP"):
        apply(state, Move((first, second)), dice)


def test_walking_distances_go_around_walls_and_say_where_there_is_no_way():
    cells = OPEN
    for near in neighbours(CENTRE):
        cells = with_cell(cells, near, CellFlag.NONE)
    away = walking_distances(cells, 20)
    assert away[CENTRE] == UNREACHED
    assert away[20] == 0
    assert all(away[near] == 1 for near in neighbours(20))
