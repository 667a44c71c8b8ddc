"""Maps are drawn from recipes: connected, fair to both sides, and the same everywhere."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.content.library import maps
from botapp.content.maps import (
    FEWEST_ROWS,
    FORMS,
    MOST_ROWS,
    NEAREST_START,
    PATTERNS,
    START_CELLS,
    SYMMETRIES,
    THEMES,
    MapRecipe,
    build_map,
    faults,
    floor_of,
    mirrored,
    opposite,
    sides,
    wild_recipe,
)
from botapp.fight.board import distance, neighbours
from botapp.fight.ground import UNREACHED, walking_distances
from botapp.fight.state import CellFlag, FightMap

few = settings(max_examples=15, deadline=None)


def check(board):
    floor = floor_of(board)
    away = walking_distances(board.cells, floor[0])
    assert all(away[cell] < UNREACHED for cell in floor)
    assert 100 <= len(floor) <= 380
    rows = [cell // 14 for cell in range(560) if board.cells[cell]]
    assert min(rows) >= 6 and max(rows) <= 33
    starts = (*board.red_starts, *board.blue_starts)
    assert len(board.red_starts) == len(board.blue_starts) == START_CELLS
    assert len(set(starts)) == 2 * START_CELLS
    assert all(board.cells[cell] & CellFlag.WALKABLE for cell in starts)
    assert min(distance(a, b) for a in board.red_starts for b in board.blue_starts) >= NEAREST_START
    red, blue = sides(board)
    assert abs(red.walk - blue.walk) <= 0.5
    assert abs(red.sight - blue.sight) <= 0.1 * max(red.sight, blue.sight)
    assert abs(red.ground - blue.ground) <= 0.1 * len(floor)
    assert faults(board) == []


@pytest.mark.slow
def test_there_are_forty_maps_to_train_on_and_ten_that_are_never_trained_on():
    assert sum(not one.unseen for one in maps().values()) >= 40
    assert sum(one.unseen for one in maps().values()) == 10
    assert len({one.board.cells for one in maps().values()}) == len(maps())
    for field in ("name", "name_fr"):
        assert len({getattr(one, field) for one in maps().values()}) == len(maps())


def test_the_maps_use_every_theme_form_pattern_and_symmetry():
    recipes = [one.ground for one in maps().values()]
    assert {one.theme for one in maps().values()} == set(THEMES)
    assert {one.form for one in recipes} == set(FORMS)
    assert {one.pattern for one in recipes} == set(PATTERNS)
    assert {one.symmetry for one in recipes} == set(SYMMETRIES)


@pytest.mark.slow
def test_every_map_is_connected_and_fair():
    for one in maps().values():
        check(one.board)


@pytest.mark.slow
@few
@given(
    st.builds(
        MapRecipe,
        key=st.just("any"),
        seed=st.integers(0, 10**6),
        form=st.sampled_from(FORMS),
        pattern=st.sampled_from(PATTERNS),
        symmetry=st.sampled_from(SYMMETRIES),
        rows=st.integers(FEWEST_ROWS // 2, MOST_ROWS // 2).map(lambda half: 2 * half),
        walls=st.integers(0, 12),
        holes=st.integers(0, 12),
    )
)
def test_any_recipe_gives_a_fair_map_and_always_the_same(recipe):
    board = build_map(recipe)
    check(board)
    assert build_map.__wrapped__(recipe) == board
    if recipe.symmetry == "turn":
        assert bytes(reversed(board.cells)) == board.cells
        assert board.blue_starts == tuple(opposite(cell) for cell in board.red_starts)
    if recipe.symmetry == "mirror":
        images = [mirrored(cell) for cell in range(560)]
        assert all(board.cells[a] == board.cells[b] for a, b in enumerate(images) if b is not None)
        assert board.blue_starts == tuple(mirrored(cell) for cell in board.red_starts)


@few
@given(st.integers(0, 559))
def test_images_of_images_are_the_cells_themselves(cell):
    assert opposite(opposite(cell)) == cell
    image = mirrored(cell)
    assert image is None or (mirrored(image) == cell and image // 14 == cell // 14)


@pytest.mark.slow
def test_wild_maps_differ_and_are_fair():
    boards = [build_map(wild_recipe(seed)) for seed in range(6)]
    assert len({board.cells for board in boards}) == 6
    for board in boards:
        check(board)


OPEN = FightMap("open", bytes([3]) * 560, (200, 201), (359, 358))


def test_what_is_wrong_with_a_map_is_said():
    assert faults(OPEN) == []
    cut = bytearray(OPEN.cells)
    for col in range(28):
        cut[266 + col] = 0
    cases = {
        "as many": replace(OPEN, red_starts=(200,)),
        "at least one": replace(OPEN, red_starts=(), blue_starts=()),
        "not floor": replace(OPEN, cells=bytes([0]) * 560),
        "given twice": replace(OPEN, red_starts=(200, 200)),
        "cannot be reached": replace(OPEN, cells=bytes(cut)),
        "only 2 cells apart": replace(OPEN, blue_starts=(228, 229)),
        "red walks": replace(OPEN, red_starts=(200, 0)),
        "red is first at": replace(OPEN, red_starts=(7, 8), blue_starts=(287, 288)),
    }
    for text, board in cases.items():
        assert any(text in fault for fault in faults(board)), (text, faults(board))


def test_a_camp_that_sees_less_is_unfair():
    one, other = (set(neighbours(cell)) for cell in OPEN.red_starts)
    walled = bytearray(OPEN.cells)
    for cell in (one | other) - {max(one & other)}:
        walled[cell] = CellFlag.NONE
    assert any("red sees" in fault for fault in faults(replace(OPEN, cells=bytes(walled))))
