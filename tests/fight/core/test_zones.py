"""The cells of every shape, by drawings made up here: the caster is far to the left, looking right."""

import pytest
from casts import HERE, at, duel, hit
from hypothesis import given
from hypothesis import strategies as st
from inner import call

from botapp.fight.core.cells import has_cell
from botapp.fight.core.fight import Fight
from botapp.fight.core.pack import pack
from botapp.fight.core.spellbook import Book, Effect, Spell
from botapp.fight.core.zones import in_shape, steps_in, zone_into
from botapp.fight.spells import Shape
from botapp.search.core.areas import around_into

pytestmark = pytest.mark.inner
CENTRE = at(4, 0)

DRAWN = {
    (Shape.POINT, 0, 0): "0",
    (Shape.CIRCLE, 1, 0): " 1 /101/ 1 ",
    (Shape.CIRCLE, 2, 1): "  1  / 101 /10.01/ 101 /  1  ",
    (Shape.RING, 2, 0): "  0  / 0 0 /0 . 0/ 0 0 /  0  ",
    (Shape.RING, 0, 0): "0",
    (Shape.CROSS, 2, 0): "  2  /  1  /21012/  1  /  2  ",
    (Shape.CROSS, 1, 1): " 0 /0.0/ 0 ",
    (Shape.DIAGONAL, 2, 0): "2   2/ 1 1 /  0  / 1 1 /2   2",
    (Shape.DIAGONAL, 1, 1): "0 0/ . /0 0",
    (Shape.STAR, 1, 0): "212/101/212",
    (Shape.SQUARE, 2, 0): "22222/21112/21012/21112/22222",
    (Shape.LINE, 2, 0): "     /     /  012/     /     ",
    (Shape.T, 2, 0): "  2  /  1  /  0  /  1  /  2  ",
    (Shape.CONE, 2, 0): "    2/   12/  012/   12/    2",
    (Shape.HALF_CIRCLE, 2, 0): "2    / 1   /  0  / 1   /2    ",
    (Shape.ACROSS_DIAGONAL, 1, 0): "1 1/ 0 /1 1",
    (Shape.LINE_FROM_CASTER, 6, 2): "     /     /00000/     /     ",
    (Shape.LINE_TO_TARGET, 63, 3): "   /00 /   ",
}
"""Numbers are steps that the fall-off counts, a dot is the centre left out."""


def drawn(picture):
    rows = picture.split("/")
    middle = len(rows) // 2
    cells = {}
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign not in " .":
                cells[column - middle, row - middle] = int(sign)
    return cells


def covered(effect, origin=HERE, centre=CENTRE, cells=None):
    packed = pack(duel(effect))
    spell = next(iter(packed.book.content.spells_at))
    spell, book, cells = Spell(packed.b, spell), Book(packed.b), Fight(packed.s).aim
    effect = Effect(packed.b, int(packed.b[spell.effects]))
    assert spell.effect_count == 1
    call(zone_into, book, effect, origin, centre, cells)
    steps = {cell: call(steps_in, book, effect, origin, centre, cell) for cell in range(560)}
    assert all((steps[cell] >= 0) == call(has_cell, cells, cell) for cell in range(560))
    return {cell: far for cell, far in steps.items() if far >= 0}


@pytest.mark.parametrize(("shape", "size", "inner"), DRAWN)
def test_a_shape_covers_its_cells(shape, size, inner):
    effect = hit(shape=shape, radius=size, inner=inner)
    expected = {at(dx, dy, CENTRE): steps for (dx, dy), steps in drawn(DRAWN[shape, size, inner]).items()}
    found = covered(effect)
    assert found == expected


def test_everywhere_is_everywhere_without_fall_off():
    assert covered(hit(shape=Shape.EVERYWHERE)) == dict.fromkeys(range(560), 0)


def test_listed_cells_are_counted_from_the_cell_aimed_at():
    found = covered(hit(shape=Shape.LISTED, cells=((0, 0), (2, -1))))
    assert found == {CENTRE: 0, at(2, -1, CENTRE): 0}


def test_a_way_that_slants_goes_by_its_longer_side_and_a_t_lies_across_a_diagonal():
    line, t = (hit(shape=shape, radius=1) for shape in (Shape.LINE, Shape.ACROSS_DIAGONAL))
    assert covered(line, HERE, at(1, 3)) == {at(1, 3): 0, at(1, 4): 1}
    centre = at(2, 2)
    assert covered(t, HERE, centre) == {centre: 0, at(1, -1, centre): 1, at(-1, 1, centre): 1}


@pytest.mark.parametrize("shape", [Shape.LINE, Shape.T, Shape.CONE])
def test_without_a_way_it_is_the_cell_alone(shape):
    assert covered(hit(shape=shape, radius=3), HERE, HERE) == {HERE: 0}


def test_every_shape_is_drawn():
    assert {shape for shape, _, _ in DRAWN} | {Shape.EVERYWHERE, Shape.LISTED} == set(Shape)


@given(
    st.sampled_from([number for number, shape in enumerate(Shape) if shape is not Shape.LISTED]),
    st.integers(0, 3), st.integers(0, 2), st.integers(-3, 3), st.integers(-3, 3),
)  # fmt: skip
def test_a_shape_turns_with_the_way(shape, size, inner, dx, dy):
    if abs(dx) == abs(dy):
        return
    middle = 287
    for x in range(-4, 5):
        for y in range(-4, 5):
            one = in_shape(shape, size, inner, at(-dx, -dy, middle), middle, at(x, y, middle))
            turned = in_shape(shape, size, inner, at(dy, -dx, middle), middle, at(-y, x, middle))
            assert one == turned


@pytest.mark.parametrize("shape", [shape for shape in Shape if shape is not Shape.LISTED])
@given(st.integers(0, 5), st.integers(0, 3), st.integers(0, 559), st.integers(0, 559))
def test_the_search_leaves_no_cell_out_around_which_a_cell_is_covered(shape, size, inner, origin, cell):
    inner, packed = min(inner, size), pack(duel(hit(shape=shape, radius=size, inner=min(inner, size))))
    spell = Spell(packed.b, next(iter(packed.book.content.spells_at)))
    effect, around = Effect(packed.b, int(packed.b[spell.effects])), Fight(packed.s).aim
    call(around_into, Book(packed.b), around, effect, cell)
    number = tuple(Shape).index(shape)
    for centre in range(560):
        steps = call(in_shape, number, size, inner, origin, centre, cell)
        assert steps < 0 or call(has_cell, around, centre), centre
