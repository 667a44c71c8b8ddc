import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from botapp.advisor.geometry import DISTANCE, IN_LINE, ON_DIAGONAL, Screen, matrix_sight
from botapp.advisor.threat import AFAR, spread
from botapp.fight.board import CELLS, distance, in_line, neighbours, on_diagonal
from botapp.fight.sight import sees

cell_ids = st.integers(0, CELLS - 1)


def random_board(seed):
    rng = random.Random(seed)
    return bytes(rng.choice([3, 3, 3, 3, 3, 0, 2]) for _ in range(CELLS)), rng.sample(range(CELLS), 6)


@given(cell_ids, cell_ids)
def test_the_tables_say_what_the_board_says(a, b):
    assert DISTANCE[a, b] == distance(a, b)
    assert IN_LINE[a, b] == in_line(a, b)
    assert ON_DIAGONAL[a, b] == on_diagonal(a, b)


@given(st.integers(0, 20), st.lists(st.tuples(cell_ids, cell_ids), max_size=60))
def test_sight_of_many_pairs_is_the_rules_sight(seed, pairs):
    cells, taken = random_board(seed)
    origins = np.array([a for a, _ in pairs], np.int64)
    targets = np.array([b for _, b in pairs], np.int64)
    seen = Screen(cells, taken).sees(origins, targets)
    assert seen.tolist() == [sees(cells, taken, a, b) for a, b in pairs]


def test_a_sight_matrix_leaves_far_pairs_out():
    cells, taken = random_board(5)
    origins, targets = np.arange(200, 230), np.arange(240, 300)
    seen = matrix_sight(Screen(cells, taken), origins, targets, 5)
    for row, a in enumerate(origins):
        for column, b in enumerate(targets):
            near = distance(int(a), int(b)) <= 5
            assert seen[row, column] == (near and sees(cells, taken, int(a), int(b)))


def test_steps_spread_from_the_goals_over_cells_that_can_be_walked_on():
    cells, _ = random_board(2)
    walkable = np.array([flag & 1 for flag in cells], bool)
    goals = np.zeros((2, CELLS), bool)
    start = int(np.nonzero(walkable)[0][150])
    goals[0, start] = True
    steps = spread(goals, walkable)
    assert (steps[1] == AFAR).all()
    expected, edge = {start: 0}, [start]
    while edge:
        further = []
        for cell in edge:
            for near in neighbours(cell):
                if walkable[near] and near not in expected:
                    expected[near] = expected[cell] + 1
                    further.append(near)
        edge = further
    for cell in range(CELLS):
        assert steps[0, cell] == min(AFAR, expected.get(cell, AFAR))
