"""Who of the own side the player is: by the cells in its reach or range, its border and its marks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.extract import grid
from vision.extract.dofus import fighters, reach
from vision.extract.dofus.cells import CellsSeen, is_placement, is_scattered
from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.model import DofusBoardSeen
from vision.extract.dofus.player_place import AmongOwn, PlayerOutOfSight, by_reach, unseen_player
from vision.extract.dofus.scored import Ring
from vision.synthetic.scoring import read as look
from vision.synthetic.screen import draw
from vision.view import CELLS, CellKind, FighterSeen, Lattice, Seen

ALL, NONE = np.ones(CELLS, bool), np.zeros(CELLS, bool)


def around(cell, steps, free=ALL):
    found = np.zeros(CELLS, bool)
    found[cell] = True
    for _ in range(steps):
        for other in np.flatnonzero(found):
            near = reach.grid.NEIGHBOURS[other]
            found[near[(near >= 0)]] |= free[near[(near >= 0)]]
    found[cell] = False
    return found


def test_the_reach_identifies_the_player():
    lit = around(300, 3)
    assert reach.owner(lit, ALL, [300, 180]) == 300
    assert reach.owner(lit, ALL, [180, 190]) is None
    assert reach.owner(np.zeros(CELLS, bool), ALL, [300, 180]) is None
    assert reach.owner(around(300, 5), ALL, [300]) == 300


def test_of_two_whose_reach_is_much_alike_the_one_that_it_fits_exactly_is_the_player():
    near = int(reach.grid.NEIGHBOURS[300].max())
    free = ALL.copy()
    free[[300, near]] = False
    lit = around(300, 10, free)
    assert reach.overlap(lit, free, near) > reach.FITS * reach.overlap(lit, free, 300)
    assert reach.owner(lit, free, [300, near]) == 300
    assert reach.owner(lit & around(near, 10, free), free, [300, near]) is None


def test_a_reach_that_fits_no_other_cell_identifies_the_player_though_others_are_hidden():
    none = np.zeros(CELLS, bool)
    lit = around(300, 4)
    assert reach.only_owner(lit, ALL, [300, 180], none) == 300
    assert reach.only_owner(lit, ALL, [int(reach.grid.NEIGHBOURS[300].max()), 180], none) is None
    assert reach.only_owner(around(300, 1), ALL, [300, 180], none) is None
    hole = none.copy()
    hole[np.flatnonzero(lit)[:6]] = True
    assert reach.only_owner(lit & ~hole, ~hole, [300, 180], hole) == 300
    assert reach.only_owner(lit & ~hole, ALL, [300, 180], none) is None


def test_in_a_room_that_others_fill_as_well_the_reach_identifies_nobody():
    room = around(300, 4)
    hidden = int(reach.grid.NEIGHBOURS[300].max())
    lit = room.copy()
    lit[hidden] = False
    assert reach.owner(lit, room, [300]) == 300
    assert reach.only_owner(lit, room, [300], np.zeros(CELLS, bool)) is None


def disc(cell, nearest, farthest):
    across, down = np.abs(grid.DIAGONALS - grid.DIAGONALS[cell]).T
    return (across + down >= nearest) & (across + down <= farthest)


def test_a_spells_range_identifies_the_player():
    free = ALL.copy()
    free[[301, 302, 330]] = False
    lit = disc(300, 2, 5) & free
    assert reach.caster(lit, free, [300, 180]) == 300
    assert reach.caster(lit, free, [180, 190]) is None
    across, down = (grid.DIAGONALS - grid.DIAGONALS[300]).T
    line = ((across == 0) | (down == 0)) & disc(300, 1, 4)
    assert reach.caster(line, ALL, [300, 180]) == 300
    assert reach.caster(np.zeros(CELLS, bool), ALL, [300, 180]) is None
    beside = int(reach.grid.NEIGHBOURS[300].max())
    assert reach.caster(disc(300, 1, 6) | disc(beside, 1, 6), ALL, [300, beside]) is None


def test_two_fighters_side_by_side_are_ambiguous():
    lit = around(300, 6) | around(301, 6)
    assert reach.owner(lit, ALL, [300, 301]) is None


def test_start_cells_that_touch_are_such_while_nobody_plays():
    lit = {"red_start": np.zeros(CELLS, bool), "blue_start": np.zeros(CELLS, bool)}
    lit["red_start"][[200, 202, 204]] = lit["blue_start"][[214, 216, 218]] = True
    assert not is_placement(lit)
    assert is_placement(lit, waiting=True)
    lit["blue_start"][:] = False
    assert not is_placement(lit, waiting=True)


def test_the_reach_finds_the_player_among_its_own():
    board = Lattice((0.0, 0.0), 80.0, 40.0)
    seen = [Ring("own", 300, 0.95), Ring("own", 180, 0.95), Ring("enemy", 400, 0.95)]
    sides = fighters.assign_sides(seen, board, marked=False)
    assert sides.player is None and len(sides.candidates) == 2
    kinds = np.full(CELLS, CellKind.WALKABLE, np.uint8)
    lit = frozenset(np.flatnonzero(around(300, 3)).tolist())
    told = by_reach(sides, CellsSeen(kinds, 1.0, {"reachable": lit}))
    assert told.player.cell == 300 and [ally.cell for ally in told.allies] == [180]
    assert told.allies[0].team == "ally" and told.player.team == "own"
    assert by_reach(sides, CellsSeen(kinds, 1.0, {})).player is None
    assert by_reach(sides, CellsSeen(kinds, 1.0, {"reachable": lit}), own=2).player.cell == 300
    assert by_reach(sides, CellsSeen(kinds, 1.0, {"reachable": lit}), own=3).player.cell == 300
    few = frozenset(np.flatnonzero(around(300, 1)).tolist())
    assert by_reach(sides, CellsSeen(kinds, 1.0, {"reachable": few}), own=2).player.cell == 300
    assert by_reach(sides, CellsSeen(kinds, 1.0, {"reachable": few}), own=3).player is None
    ranged = CellsSeen(kinds, 1.0, {"range": frozenset(np.flatnonzero(disc(180, 2, 6)).tolist())})
    assert by_reach(sides, ranged).player.cell == 180


def test_the_reach_of_a_fighter_whose_border_is_hidden_is_not_that_of_the_one_beside_it():
    free = ALL.copy()
    free[[311, 312]] = False
    lit = around(311, 4, free)
    assert reach.is_of_another(lit, free, 312, NONE)
    assert not reach.is_of_another(lit, free, 311, NONE)
    assert not reach.is_of_another(NONE, free, 312, NONE)


def test_a_fighters_own_way_may_lead_over_a_cell_that_was_not_read():
    lit, free, unread = NONE.copy(), NONE.copy(), NONE.copy()
    lit[[132, 146, 147, 160, 175, 188, 202, 203]] = True
    free[[132, 133, 146, 147, 148, 160, 161, 162, 175, 176, 177, 186, 188, 189, 190, 191]] = True
    free[[200, 201, 202, 203, 204, 205, 206, 213, 214, 215, 216, 217, 218, 219]] = True
    unread[174] = True  # half of it is behind a block
    assert reach.is_of_another(lit, free, 159, NONE)
    assert not reach.is_of_another(lit, free, 159, unread)


@given(st.integers(0, CELLS - 1), st.integers(3, 5))
@example(300, 3)
def test_a_player_out_of_sight_is_told_by_its_reach(cell, mp):
    hidden = NONE.copy()
    hidden[cell] = True
    free = ALL & ~hidden
    lit = around(cell, mp, free)
    assert reach.hidden_owner(lit, mp, free, NONE, [], hidden) in ((cell,) if cell == 300 else (cell, None))
    assert reach.hidden_owner(lit, mp, free, NONE, [cell], NONE) is None  # who stands there is in sight


def test_a_player_out_of_sight_is_told_by_a_spells_range():
    hidden = NONE.copy()
    hidden[[300, 286, 315, 180]] = True
    lit = disc(300, 2, 6) & ALL
    assert reach.hidden_caster(lit, ALL, [], hidden) == 300
    assert reach.hidden_caster(lit, ALL, [300], hidden & (np.arange(CELLS) != 300)) is None
    few = NONE.copy()
    few[np.flatnonzero(lit)[:7]] = True
    assert reach.hidden_caster(few, ALL, [], hidden) is None
    half = lit & (np.arange(CELLS) < 300)
    assert reach.hidden_caster(half, ALL, [], hidden) is None


def test_a_player_under_a_window_may_stand_beside_what_is_in_sight_of_a_range():
    hidden = NONE.copy()
    hidden[[300, 286, 315, 180]] = True
    covered = grid.DIAGONALS[:, 0] <= grid.DIAGONALS[300, 0]  # the player, and what lies to one side of it
    lit = disc(300, 2, 6) & ~covered
    assert reach.hidden_caster(lit, ~covered, [], hidden) == 315, "wrong: it alone lies between lit cells"
    assert reach.hidden_caster(lit, ~covered, [], hidden, whole=False) is None
    floor = np.full(CELLS, CellKind.WALKABLE, np.uint8)
    seen = CellsSeen(floor, 1.0, {"range": frozenset(np.flatnonzero(lit).tolist())})
    assert unseen_player(Sides(), 3, seen, ~hidden, covered) is None


def test_start_cells_lie_in_groups_apart_and_a_range_does_not():
    assert is_scattered([100, 101, 160, 220, 300, 301, 380])
    red, blue = np.zeros(CELLS, bool), np.zeros(CELLS, bool)
    red[[100, 160, 220, 300, 380]] = blue[[114, 174, 240, 330, 400]] = True
    assert is_placement({"red_start": red, "blue_start": blue})  # some touch
    assert not is_scattered([100, 160, 220, 300])  # too few
    assert not is_scattered(np.flatnonzero(disc(300, 0, 3)).tolist())
    assert not is_scattered([*np.flatnonzero(disc(300, 0, 3)).tolist(), 100])  # one stray cell


def test_the_cells_lit_about_a_player_out_of_sight_tell_it_after_two_frames():
    kinds = np.where(ALL, np.uint8(CellKind.WALKABLE), np.uint8(CellKind.OUTSIDE))
    empty = ALL.copy()
    empty[300] = False
    seen = CellsSeen(kinds, 1.0, {"reachable": frozenset(np.flatnonzero(around(300, 3)).tolist())})
    place = Lattice((100.0, 50.0), 70.0, 35.0)
    board = DofusBoardSeen(Seen(place, 0.9), (), Sides(), 0.9, seen, True, empty)
    unseen = PlayerOutOfSight()
    assert unseen.follow(Sides(), 3, board).player is None
    player = unseen.follow(Sides(), 3, board).player
    assert player is not None and (player.cell, player.px) == (300, place.centre(300))
    assert unseen_player(Sides(), 3, seen, ALL, NONE) is None  # its floor is in sight
    assert [unseen_player(Sides(), mp, seen, empty, NONE) for mp in (None, 0, 2, 4)] == [None] * 4
    assert PlayerOutOfSight().follow(Sides(), 3, replace(board, numbered=False)).player is None


def test_a_way_over_cells_that_were_not_read_counts_for_each_fighter():
    lit = around(300, 5)
    unread = np.zeros(CELLS, bool)
    unread[[cell for cell in reach.grid.NEIGHBOURS[300].tolist() if cell != 315]] = True
    lit, free = lit & ~unread, ALL & ~unread
    free[[300, 329]] = False
    assert reach.owner(lit, free, [300, 329], unread) in (300, None)
    far = np.zeros(CELLS, bool)
    far[[300, 180]] = True
    assert reach.owner(around(300, 4), ALL & ~far, [300, 180], np.zeros(CELLS, bool)) == 300


@pytest.mark.long
def test_an_ally_beside_the_hidden_player_is_not_read_as_the_player():
    for client, seed in (("dofus-retro", 33000059), ("dofus-unity", 33000078), ("dofus-2", 34000048)):
        picture, truth = draw(seed, client)
        view = look(picture, client)
        assert view.player is None or view.player.cell == truth["player_cell"]


def own_side(player=None, others=(), unknown=()):
    seen = {
        cell: FighterSeen((0.0, 0.0), cell, "own", confidence=0.9)
        for cell in (*others, *unknown, *(() if player is None else (player,)))
    }
    return Sides(seen.get(player), tuple(seen[c] for c in others), (), tuple(seen[c] for c in unknown))


def test_the_player_stays_known_among_its_side_once_the_lit_cells_are_gone():
    among = AmongOwn()
    assert among.follow(own_side(unknown=(100, 200)), 2).player is None, "nothing has told it yet"
    among.follow(own_side(100, (200,)), 2)
    still = among.follow(own_side(unknown=(100, 200)), 2)
    assert still.player.cell == 100 and [ally.cell for ally in still.allies] == [200]
    assert among.follow(own_side(unknown=(100, 215)), 2).player.cell == 100, "the ally has walked"


def test_the_player_has_walked_where_it_alone_stands_elsewhere():
    among = AmongOwn()
    among.follow(own_side(100, (200,)), 2)
    assert among.follow(own_side(unknown=(200,)), 2).player is None, "on its way it is not seen"
    assert among.follow(own_side(unknown=(130, 200)), 2).player.cell == 130
    assert among.follow(own_side(unknown=(140, 210)), 2).player is None, "both stand elsewhere"
    among.follow(own_side(unknown=(130, 200)), 2, placing=True)
    assert among.follow(own_side(unknown=(130, 200)), 2).player is None, "another fight"
