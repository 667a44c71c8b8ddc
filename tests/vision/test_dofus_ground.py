"""The ground without fighters, as films show it, and parts of borders that are new on it."""

from dataclasses import replace

import numpy as np
import pytest

from vision.extract.dofus.borders import FoundBorder
from vision.extract.dofus.ground import Ground
from vision.view import CELLS, Lattice

NO_CELLS = np.zeros(CELLS, bool)
PLACE = Lattice((100.0, 50.0), 70.0, 35.0)
SHOWN = {"enemy": 1, "own": 1}


def border(cell, clear, team="enemy", share=0.3, votes=9.0):
    px = PLACE.centre(cell)
    return FoundBorder(team, px, cell, share, front=0.3, clear=clear, mark=0.0, votes=votes)


def test_what_was_there_when_all_were_seen_is_ground():
    ground = Ground()
    player, enemy = border(100, (2.0,) * 4, "own"), border(200, (5.0,) * 4)
    rim, corner = border(300, (2.5, 3.0, -1.0, 0.0)), border(400, (2.5, 3.0, -1.0, 0.0))
    for _ in range(8):
        ground.learn([player, enemy, rim], [player, enemy], SHOWN)
    missed = [ground.new_since([rim, corner], "enemy", 1, {100}, NO_CELLS) for _ in range(4)]
    assert missed == [[], [], [], [corner]]
    assert ground.new_since([corner], "enemy", 0, {100}, NO_CELLS) == []


def test_a_border_far_clearer_than_what_was_there_before_is_no_ground():
    ground, enemy = Ground(), border(200, (5.0,) * 4)
    rim = border(300, (2.5, 3.0, -1.0, 0.0), votes=5.0)
    for _ in range(8):
        ground.learn([enemy, rim], [enemy], SHOWN)
    stands, rim = replace(rim, votes=11.0), replace(rim, votes=8.0)
    assert [ground.new_since([rim], "enemy", 1, set(), NO_CELLS) for _ in range(6)][-1] == []
    assert [ground.new_since([stands], "enemy", 1, set(), NO_CELLS) for _ in range(6)][-1] == [stands]


def test_ground_is_forgotten_with_the_fight():
    ground, enemy, rim = Ground(), border(200, (5.0,) * 4), border(300, (2.5, 3.0, -1.0, 0.0))
    for _ in range(8):
        ground.learn([enemy, rim], [enemy], SHOWN)
    ground.forget()
    assert [ground.new_since([rim], "enemy", 1, set(), NO_CELLS) for _ in range(12)][-1] == [rim]


def test_a_single_clear_edge_counts_where_the_floor_is_hidden_and_through_a_spells_figures():
    edge = border(300, (-0.2, -0.7, -0.7, 5.5), share=0.19, votes=5.9)
    in_sight = NO_CELLS.copy()
    in_sight[300] = True
    assert [Ground().new_since([edge], "enemy", 1, set(), in_sight) for _ in range(12)][-1] == []
    ground, found = Ground(), []
    for frame in range(40):
        ground.next_frame()
        empty = in_sight if frame > 12 else NO_CELLS  # a survey has taken the fighter for floor
        seen = [] if 15 <= frame < 22 else [edge]
        found.append(ground.new_since(seen, "enemy", 1, set(), empty))
    assert found[8] == [] and found[9] == found[14] == found[39] == [edge]


@pytest.mark.parametrize(("in_sight", "frames"), [(True, 10), (False, 4)])
def test_where_not_all_were_seen_yet_a_corner_counts_after_more_frames_on_floor_in_sight(in_sight, frames):
    ground, corner = Ground(), border(400, (2.5, 3.0, -1.0, 0.0))
    weak = border(401, (0.6, 0.1, 0.9, 1.8), share=0.39, votes=8.5)
    empty = NO_CELLS.copy()
    empty[400] = in_sight
    found = [ground.new_since([corner, weak], "enemy", 1, set(), empty) for _ in range(frames)]
    assert found == [[]] * (frames - 1) + [[corner]]


def test_figures_that_rise_are_at_no_place_for_long():
    ground = Ground()
    rising = [replace(border(400, (2.5, 3.0, 0, 0)), px=(300.0, 200.0 - 1.5 * step)) for step in range(12)]
    assert [ground.at_one_place([one]) for one in rising] == [[]] * 12


def test_figures_that_come_to_one_place_again_and_again_are_at_no_place_for_long():
    ground, figure = Ground(), border(400, (2.5, 3.0, 0, 0))
    found = []
    for frame in range(60):
        ground.next_frame()
        found += ground.at_one_place([figure] if frame % 10 == 0 else [])
    assert found == []


def test_a_single_clear_edge_is_none_where_bare_cells_look_more_like_borders():
    edge, bare = (
        border(cell, (6.8, 0.5, -1.4, 1.8), "own", 0.16, votes) for cell, votes in ((300, 8.7), (320, 10.8))
    )
    empty = NO_CELLS.copy()
    empty[320] = True
    for likely, found in (([edge], [edge]), ([edge, bare], [])):
        ground = Ground()
        assert [ground.new_since(likely, "own", 1, set(), empty) for _ in range(12)][-1] == found


def known_ground(scenery=()):
    ground, enemy = Ground(), border(200, (5.0,) * 4)
    for _ in range(8):
        ground.learn([enemy, *scenery], [enemy], SHOWN)
    return ground


LITTLE = border(300, (4.2, -0.4, -0.4, -1.1), share=0.2, votes=3.6)
OTHER = border(400, (2.4, 0.0, 0.0, 0.0), share=0.2, votes=1.7)


def led(ground, likely, missing=1, empty=NO_CELLS):
    return [ground.best_by_far(likely, "enemy", missing, {200}, empty) for _ in range(12)]


def test_the_missing_fighter_is_what_far_more_speaks_for_than_for_anything_else():
    assert led(known_ground(), [LITTLE, OTHER]) == [[]] * 9 + [[LITTLE]] * 3
    near = replace(OTHER, votes=2.0)
    assert led(known_ground(), [LITTLE, near])[-1] == []
    assert led(known_ground([near]), [LITTLE, near])[-1] == [LITTLE], "the other is known as scenery"
    assert led(known_ground([LITTLE]), [LITTLE, OTHER])[-1] == []
    assert led(Ground(), [LITTLE, OTHER])[-1] == [], "the ground is not known"
    assert led(known_ground(), [LITTLE, OTHER], missing=2)[-1] == []
    empty = NO_CELLS.copy()
    empty[300] = True
    assert led(known_ground(), [LITTLE, OTHER], empty=empty)[-1] == []


def test_what_has_the_most_votes_has_to_do_so_for_frames_on_end():
    ground = known_ground()
    for _ in range(3):
        found = [ground.best_by_far([LITTLE], "enemy", 1, {200}, NO_CELLS) for _ in range(9)][-1]
        ground.best_by_far([], "enemy", 1, {200}, NO_CELLS)
    assert found == []
