"""Every shape covers the cells it should, with the steps that its fall-off counts."""

import pytest
from arrays import area
from hypothesis import given
from hypothesis import strategies as st
from wild import SHAPES

from botapp.fight.board import distance, to_cell, to_xy
from botapp.fight.spells import Shape

pytestmark = pytest.mark.inner
CENTRE = 286
X, Y = to_xy(CENTRE)
cells = st.integers(0, 559)


def at(dx, dy):
    return to_cell(X + dx, Y + dy)


def offsets(shape, radius, target=(3, 0)):
    dx, dy = target
    covered = area(shape, radius, CENTRE, at(dx, dy))
    return {(to_xy(c)[0] - X - dx, to_xy(c)[1] - Y - dy): steps for c, steps in covered.items()}


def test_a_ring_is_its_rim_alone():
    assert offsets(Shape.RING, 2) == {
        (x, y): 0 for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 2
    }
    assert offsets(Shape.RING, 0) == {(0, 0): 0}


def test_a_square_counts_its_rings():
    covered = offsets(Shape.SQUARE, 2)
    assert covered == {(x, y): max(abs(x), abs(y)) for x in range(-2, 3) for y in range(-2, 3)}


@pytest.mark.parametrize(
    ("target", "covered"), [((3, 0), {(0, 0), (0, 1), (0, -1)}), ((0, -3), {(0, 0), (1, 0), (-1, 0)})]
)
def test_a_t_lies_across_the_way_of_the_cast(target, covered):
    assert set(offsets(Shape.T, 1, target)) == covered
    assert offsets(Shape.T, 2, target)[(0, 0)] == 0


@pytest.mark.parametrize(("target", "way"), [((3, 0), (1, 0)), ((-3, 1), (-1, 0)), ((1, 4), (0, 1))])
def test_a_cone_widens_away_from_the_caster(target, way):
    covered = offsets(Shape.CONE, 2, target)
    assert len(covered) == 1 + 3 + 5
    for (x, y), steps in covered.items():
        deep = x * way[0] + y * way[1]
        assert deep == steps
        assert abs(x * way[1] + y * way[0]) <= deep


@pytest.mark.parametrize("shape", [Shape.LINE, Shape.T, Shape.CONE])
def test_without_a_way_it_is_the_cell_alone(shape):
    assert area(shape, 3, CENTRE, CENTRE) == {CENTRE: 0}


@given(st.sampled_from(SHAPES), st.integers(0, 4), cells, cells)
def test_areas_stay_on_the_board_and_within_their_radius(shape, radius, caster, target):
    covered = area(shape, radius, caster, target)
    for cell, steps in covered.items():
        assert 0 <= cell < 560
        assert 0 <= steps <= radius
        assert distance(cell, target) <= 2 * radius
    if shape is not Shape.RING:
        assert covered[target] == 0
