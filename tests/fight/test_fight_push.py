"""Pushes and pulls: which way, how far, and what an impact costs; the formula of the rules' description."""

import math
import random

import pytest
from fights import OPEN, fight, fighter, spell, with_cell
from hypothesis import given
from hypothesis import strategies as st

from botapp.fight.actions import Cast
from botapp.fight.board import XY, to_cell, to_xy
from botapp.fight.core.damage import collision
from botapp.fight.core.push import way_x, way_y
from botapp.fight.rules import apply, apply_expected, expected
from botapp.fight.spells import Affects, Buff, Effect, EffectKind, Shape, State, Stats
from botapp.fight.state import CellFlag

CENTRE = 286
X, Y = to_xy(CENTRE)
cells = st.integers(0, 559)
JAB = "jab"


def at(dx, dy):
    return to_cell(X + dx, Y + dy)


def shoved(kind, reach, *others, aim=(2, 0), board=OPEN, effect=None, **sheet):
    """The state after fighter 0 at the centre pushes or pulls whoever stands at `aim`."""
    line = Effect(kind, reach, reach, **(effect or {}))
    caster = fighter(
        0, 0, CENTRE, [spell(effects=(line,), min_range=0, max_range=9, needs_sight=False)], level=20, **sheet
    )
    state = fight(caster, *others, cells=board)
    cast = Cast(JAB, at(*aim))
    after = apply(state, cast, random.Random(0))
    assert apply_expected(state, cast) == after
    assert {id: o.damage for id, o in expected(state, cast).items() if o.damage} == {
        f.id: f.hp - after.fighter(f.id).hp for f in state.fighters if f.hp != after.fighter(f.id).hp
    }
    return after


def push(reach, *others, **changes):
    return shoved(EffectKind.PUSH, reach, *others, **changes)


@pytest.mark.parametrize(
    ("level", "dealt", "resisted", "left", "place", "hp"),
    [
        (20, 0, 0, 1, 0, 10),
        (20, 0, 0, 3, 0, 31),
        (20, 0, 0, 3, 1, 15),
        (20, 0, 0, 3, 2, 7),
        (25, 7, 3, 2, 0, 24),
        (200, 100, 0, 4, 0, 232),
        (10, 0, 500, 4, 0, 0),
    ],
)
def test_the_formula_of_impacts(level, dealt, resisted, left, place, hp):
    assert collision(level, dealt, resisted, left, place) == hp
    exact = (level / 2 + dealt - resisted + 32) * left / (4 * 2**place)
    assert hp == max(0, math.trunc(exact))


def test_a_free_way_hurts_nobody():
    after = push(3, fighter(1, 1, at(2, 0)))
    assert (after.fighter(1).cell, after.fighter(1).hp) == (at(5, 0), 100)


def test_a_wall_stops_and_hurts_by_the_cells_left():
    board = with_cell(OPEN, at(4, 0), CellFlag.NONE)
    after = push(4, fighter(1, 1, at(2, 0)), board=board)
    assert after.fighter(1).cell == at(3, 0)
    assert after.fighter(1).hp == 100 - (10 + 32) * 3 // 4
    assert after.fighter(1).eroded == 3


def test_a_hole_and_the_edge_of_the_board_stop_too():
    board = with_cell(OPEN, at(3, 0), CellFlag.SIGHT)
    assert push(1, fighter(1, 1, at(2, 0)), board=board).fighter(1).hp == 90
    edge = fight(
        fighter(0, 0, 2 * 14, [spell(effects=(Effect(EffectKind.PUSH, 2, 2),))], level=20),
        fighter(1, 1, 0),
    )
    x, y = XY[0]
    assert to_cell(x - 1, y + 1) is None
    assert apply(edge, Cast(JAB, 0), random.Random(0)).fighter(1).hp < 100


def test_a_row_of_fighters_shares_the_impact_each_half_of_the_one_before():
    row = [fighter(i, i % 2, at(1 + i, 0)) for i in range(1, 4)]
    after = push(3, *row, fighter(4, 1, at(6, 0)))
    assert [after.fighter(i).cell for i in range(1, 4)] == [at(2, 0), at(3, 0), at(4, 0)]
    assert [100 - after.fighter(i).hp for i in range(1, 5)] == [31, 15, 7, 0]


def test_push_damage_and_push_resistance_count():
    wall = with_cell(OPEN, at(3, 0), CellFlag.NONE)
    tough = fighter(1, 1, at(2, 0), stats=Stats(push_resistance=12))
    after = push(1, tough, board=wall, stats=Stats(push_damage=20))
    assert after.fighter(1).hp == 100 - (10 + 20 - 12 + 32) // 4


def test_diagonals_move_half_as_far_rounded_up():
    after = push(3, fighter(1, 1, at(2, 2)), aim=(2, 2))
    assert after.fighter(1).cell == at(4, 4)
    wall = with_cell(OPEN, at(3, 3), CellFlag.NONE)
    struck = push(3, fighter(1, 1, at(2, 2)), aim=(2, 2), board=wall)
    assert (struck.fighter(1).cell, 100 - struck.fighter(1).hp) == (at(2, 2), 42 * 2 // 4)


def test_who_is_rooted_stays_and_is_not_hurt():
    after = push(3, rooted(fighter(1, 1, at(2, 0))), board=with_cell(OPEN, at(3, 0), CellFlag.NONE))
    assert (after.fighter(1).cell, after.fighter(1).hp) == (at(2, 0), 100)
    assert shoved(EffectKind.PULL, 3, rooted(fighter(1, 1, at(4, 0))), aim=(4, 0)).fighter(1).cell == at(4, 0)


def rooted(one):
    return with_state(one, State.ROOTED)


def with_state(one, state):
    return one.changed(buffs=(Buff(one.id, 9, state=state),))


def test_who_cannot_be_hurt_is_moved_but_not_hurt():
    wall = with_cell(OPEN, at(4, 0), CellFlag.NONE)
    after = push(4, with_state(fighter(1, 1, at(2, 0)), State.INVULNERABLE), board=wall)
    assert (after.fighter(1).cell, after.fighter(1).hp) == (at(3, 0), 100)


def test_an_area_pushes_away_from_its_centre():
    blast = {"shape": Shape.CIRCLE, "radius": 1}
    around = [fighter(1, 1, at(4, 0)), fighter(2, 1, at(3, 1)), fighter(3, 1, at(2, 0))]
    after = push(2, *around, aim=(3, 0), effect=blast)
    assert [after.fighter(i).cell for i in (1, 2)] == [at(6, 0), at(3, 3)]
    assert after.fighter(3).cell == at(1, 0)


def test_a_pull_stops_beside_the_caster_and_hurts_nobody():
    after = shoved(EffectKind.PULL, 9, fighter(1, 1, at(5, 0)), aim=(5, 0))
    assert (after.fighter(1).cell, after.fighter(1).hp, after.fighter(0).hp) == (at(1, 0), 100, 100)


def test_a_pull_to_an_empty_centre_stops_on_it():
    after = shoved(
        EffectKind.PULL, 9, fighter(1, 1, at(6, 0)), aim=(3, 0), effect={"shape": Shape.CROSS, "radius": 4}
    )
    assert after.fighter(1).cell == at(3, 0)


def test_a_recoil_moves_the_caster_away_from_the_target():
    after = push(2, fighter(1, 1, at(2, 0)), effect={"affects": Affects.CASTER})
    assert (after.fighter(0).cell, after.fighter(1).cell) == (at(-2, 0), at(2, 0))


@pytest.mark.slow
@given(cells, cells)
def test_the_way_is_the_nearest_of_eight(a, b):
    way = way_x(a, b), way_y(a, b)
    if a == b:
        assert way == (0, 0)
        return
    dx, dy = XY[b][0] - XY[a][0], XY[b][1] - XY[a][1]
    eighths = round(math.atan2(dy, dx) / (math.pi / 4)) % 8
    ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    assert way == ways[eighths]


@pytest.mark.slow
@given(st.integers(0, 8), st.sampled_from([(1, 0), (0, 1), (1, 1), (-1, 1)]), st.sets(cells, max_size=40))
def test_nobody_is_pushed_into_something_or_farther_than_the_push(reach, aim, walls):
    board = bytearray(OPEN)
    for cell in walls - {CENTRE, at(*aim)}:
        board[cell] = CellFlag.NONE
    other = fighter(2, 1, at(4, 0))
    after = (
        push(reach, fighter(1, 1, at(*aim)), other, aim=aim, board=bytes(board))
        if board[other.cell]
        else push(reach, fighter(1, 1, at(*aim)), aim=aim, board=bytes(board))
    )
    moved = after.fighter(1)
    assert board[moved.cell] & CellFlag.WALKABLE
    dx, dy = XY[moved.cell][0] - X - aim[0], XY[moved.cell][1] - Y - aim[1]
    steps = max(abs(dx), abs(dy))
    assert (dx, dy) == (aim[0] * steps, aim[1] * steps)
    assert steps <= (reach if 0 in aim else (reach + 1) // 2)


def test_the_dead_give_no_buffs():
    recoil = Effect(EffectKind.PUSH, 4, 4, shape=Shape.CIRCLE, radius=2)
    root = Effect(EffectKind.STATE, state=State.ROOTED, shape=Shape.CIRCLE, radius=2, turns=3)
    trap = Effect(EffectKind.TRAP, payload=(root,))
    caster = fighter(0, 0, CENTRE, [spell(effects=(recoil, root, trap), needs_sight=False)], hp=3, level=60)
    state = fight(caster, fighter(1, 1, at(1, 0)), fighter(2, 0, 20))
    after = apply(state, Cast(JAB, at(3, 0)), random.Random(0))
    assert after.fighter(0).hp == 0
    assert after.fighter(1).hp < 100
    assert after.fighter(1).buffs == ()
    assert after.marks == ()
    assert after.actor.id == 1
