"""Where fighters can walk, and what the grip of their enemies costs them."""

import random

import pytest
from arrays import walks
from fights import OPEN, fight, fighter, with_cell

from botapp.fight.actions import Move
from botapp.fight.board import distance, neighbours
from botapp.fight.ground import UNREACHED, walking_distances
from botapp.fight.ranges import reachable
from botapp.fight.rules import IllegalAction, apply
from botapp.fight.state import CellFlag

dice = random.Random(0)
CENTRE = 286


def test_a_path_is_a_chain_of_neighbours_that_ends_on_its_cell():
    state = fight(fighter(0, 0, CENTRE, mp=4), fighter(1, 1, CENTRE + 2))
    for cell, path in reachable(state, state.actor).items():
        assert path[-1] == cell
        for a, b in zip((CENTRE, *path), path, strict=False):
            assert b in neighbours(a)


def test_leaving_an_enemy_costs_mp_and_ap_before_the_step():
    enemy = neighbours(CENTRE)[0]
    away = next(c for c in neighbours(CENTRE) if distance(c, enemy) == 2)
    state = fight(fighter(0, 0, CENTRE, mp=4, ap=6), fighter(1, 1, enemy))
    walked = apply(state, Move((away,)), dice).actor
    assert (walked.cell, walked.mp, walked.ap) == (away, 1, 3)


def test_the_dead_hold_nobody():
    near = neighbours(CENTRE)[0]
    state = fight(fighter(0, 0, CENTRE, mp=1), fighter(1, 1, near, hp=0), fighter(2, 1, 20))
    assert apply(state, Move((near,)), dice).fighter(0).ap == 6


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


def test_a_walk_over_the_cell_that_it_begins_on_is_refused():
    there = neighbours(CENTRE)[2]
    with pytest.raises(IllegalAction) as refused:
        apply(fight(fighter(0, 0, CENTRE), fighter(1, 1, 20)), Move((there, CENTRE, there)), dice)
    assert refused.value.condition == "free-cell"


def test_walking_distances_go_around_walls_and_say_where_there_is_no_way():
    cells = OPEN
    for near in neighbours(CENTRE):
        cells = with_cell(cells, near, CellFlag.NONE)
    away = walking_distances(cells, 20)
    assert away[CENTRE] == UNREACHED
    assert away[20] == 0
    assert all(away[near] == 1 for near in neighbours(20))
