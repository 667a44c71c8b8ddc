import numpy as np
import pytest

from vision import profiles
from vision.extract import Reader
from vision.extract.dofus import scored
from vision.extract.dofus.fighters import assign_sides, counted
from vision.extract.dofus.player_place import PlayerOnBoard
from vision.extract.dofus.rings_seen import RINGS
from vision.extract.dofus.scored import Ring, ScoredFighters, looked_at, rings_of
from vision.frame import Frame, Rect
from vision.synthetic import screen
from vision.view import CELLS, Lattice

PLACE = Lattice((60.0, 40.0), 80.0, 40.0)
BGRA = np.zeros((900, 1440, 4), np.uint8)
BARE = np.zeros(CELLS, bool)
ALL = ~BARE


class Scored:
    """Answers what a network might."""

    is_broken = False

    def __init__(self, **cells):
        self.scores = np.zeros((CELLS, len(RINGS)), np.float32)
        self.scores[:, 0] = 1
        for ring, chances in cells.items():
            for cell, chance in chances.items():
                self.scores[cell, RINGS.index(ring)] = chance
                self.scores[cell, 0] = 1 - chance

    def read(self, picture, lattice):
        return self.scores


def fighters(client="dofus-unity", **cells):
    return showing(ScoredFighters(profiles.load(client).screen.border), **cells)


def showing(found, **cells):
    found._reader._reader = Scored(**cells)
    return found


def found_in(found, enemies=0, own=0, seen=ALL, at_once=True, stood=()):
    """The sides and cells of the fighters in a picture, while the timeline shows so many of each side."""
    found.next_frame()
    shown = {"enemy": enemies, "own": own}
    rings = found.find(BGRA, PLACE, seen, shown, {"enemy": set(stood), "own": set()}, at_once)
    return [(ring.team, ring.cell) for ring in rings]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_what_the_network_is_sure_of_are_fighters_whatever_the_timeline_shows(count):
    found = fighters(enemy={200: 0.97, 230: 0.99}, ally={100: 0.95})
    assert found_in(found, count, count) == [("own", 100), ("enemy", 200), ("enemy", 230)]


def test_of_those_that_the_timeline_shows_beside_the_sure_ones_the_likeliest_are_taken():
    found = fighters(enemy={200: 0.97, 230: 0.6, 260: 0.2})
    assert found_in(found, 1) == [("enemy", 200)]
    assert found_in(found, 2) == [("enemy", 200), ("enemy", 230)]
    assert found_in(found, 3) == [("enemy", 200), ("enemy", 230)]  # the third is hardly likely


def test_where_another_cell_is_nearly_as_likely_none_is_taken():
    found = fighters(enemy={200: 0.97, 230: 0.6, 260: 0.4})
    assert found_in(found, 2) == [("enemy", 200)]
    assert found_in(found, 3) == [("enemy", 200), ("enemy", 230), ("enemy", 260)]


def test_who_stood_somewhere_is_there_while_a_window_covers_its_card():
    found = fighters(enemy={200: 0.97, 230: 0.2})
    assert found_in(found, 1, stood={200, 230}) == [("enemy", 200), ("enemy", 230)]
    assert found_in(found, 1, stood={200, 240}) == [("enemy", 200)]


def test_what_is_less_than_sure_has_to_be_seen_for_some_pictures_one_after_the_other():
    found = fighters(enemy={230: 0.6})
    assert [found_in(found, 1, at_once=False) for _ in range(4)] == [[], [], [], [("enemy", 230)]]
    found.next_frame()  # a picture on which the network is not asked
    assert found_in(found, 1, at_once=False) == []


def test_a_sure_ring_that_has_no_card_has_to_be_seen_for_some_pictures_beside_those_that_have():
    found = fighters(enemy={200: 0.95})
    assert found_in(found, 1, at_once=False) == [("enemy", 200)]
    showing(found, enemy={200: 0.95, 230: 0.99})  # a red number over a block, say
    both = [("enemy", 200), ("enemy", 230)]
    assert [found_in(found, 1, at_once=False) for _ in range(4)] == [both[:1], both[:1], both[:1], both]
    showing(found, enemy={200: 0.95, 260: 0.99})
    assert found_in(found, 2, at_once=False) == [("enemy", 200), ("enemy", 260)]


def test_where_no_timeline_is_read_a_ring_beyond_those_of_the_last_picture_has_to_be_seen_for_some():
    found = fighters(enemy={200: 0.95})
    assert found_in(found, 1, at_once=False) == [("enemy", 200)]
    showing(found, enemy={201: 0.95})  # it has walked
    assert found_in(found, at_once=False) == [("enemy", 201)]
    showing(found)  # it has died, and the number of its last blow still rises
    assert found_in(found, at_once=False) == []
    showing(found, enemy={173: 0.97})
    assert [found_in(found, at_once=False) for _ in range(4)] == [[], [], [], [("enemy", 173)]]


def test_what_looked_like_a_ring_while_all_fighters_stood_elsewhere_is_none_of_them():
    pool = {291: 0.75}
    found = fighters(enemy={200: 0.99, 230: 0.99} | pool)
    for _ in range(6):
        assert found_in(found, 2, at_once=False) == [("enemy", 200), ("enemy", 230)]
    showing(found, enemy={200: 0.99} | pool)  # a window has come over the other
    for _ in range(6):
        assert found_in(found, 2, at_once=False) == [("enemy", 200)]
    showing(found, enemy={200: 0.99, 291: 0.97})
    assert found_in(found, 2, at_once=False) == [("enemy", 200), ("enemy", 291)]
    showing(found, enemy={200: 0.99, 230: 0.99, 291: 0.01})  # another map, say
    assert found_in(found, 2, at_once=False) == [("enemy", 200), ("enemy", 230)]
    showing(found, enemy={200: 0.99} | pool)
    assert [len(found_in(found, 2, at_once=False)) for _ in range(4)] == [1, 1, 1, 2]


def test_what_lies_under_a_window_a_card_or_outside_the_board_is_not_looked_at():
    hidden = BARE.copy()
    hidden[230] = True
    x, y = PLACE.centre(200)
    card = Rect(round(x) - 20, round(y) - 20, 40, 40)
    seen = looked_at(PLACE, Rect(0, 0, 1440, 700), (card,)) & ~hidden
    assert PLACE.centre(559)[1] > 700
    assert not seen[[200, 230, 559]].any() and seen[[201, 231, 300]].all()
    assert found_in(fighters(enemy=dict.fromkeys((200, 230, 300), 0.99)), seen=seen) == [("enemy", 300)]


def test_unitys_player_is_told_from_allies_by_its_ring():
    found = fighters(player={100: 0.9}, ally={100: 0.1, 130: 0.99})
    found.next_frame()
    rings = found.find(BGRA, PLACE, ALL, {"own": 2}, {"own": set()}, True)
    assert {ring.cell: round(ring.mark, 2) for ring in rings} == {100: 0.9, 130: 0.0}


def test_rings_of_ovals_go_by_their_colour():
    rule = profiles.load("dofus-2").screen.border
    assert "red" in rings_of(rule, "own") and "blue" in rings_of(rule, "enemy")
    found = fighters("dofus-retro", red={100: 0.99}, blue={230: 0.99})
    assert found_in(found, 1, 1) == [("own", 100), ("enemy", 230)]


def test_a_trace_of_one_more_of_the_own_side_is_told():
    for chance, more in ((0.3, False), (0.7, True)):
        found = fighters("dofus-2", red={100: 0.99, 140: chance}, blue={230: 0.9, 250: 0.5})
        found.next_frame()
        rings = found.find(BGRA, PLACE, ALL, {"enemy": 0, "own": 0}, {"enemy": set(), "own": set()}, True)
        assert found.may_be_more(ALL, rings) is more


def test_without_the_network_nobody_is_found_and_the_log_says_so_once(monkeypatch, caplog):
    def broken():
        raise ImportError("onnxruntime is not installed")

    monkeypatch.setattr(scored, "RingReader", broken)
    found = ScoredFighters(profiles.load("dofus-unity").screen.border)
    assert not found.is_broken
    assert [found_in(found, 2) for _ in range(2)] == [[], []] and found.is_broken
    assert [record.getMessage() for record in caplog.records] == [
        "a network for the board cannot be used, so that fighters or cells are missing: "
        "onnxruntime is not installed"
    ]


@pytest.mark.slow
def test_without_the_network_the_view_says_what_to_do(monkeypatch):
    def broken():
        raise ImportError("onnxruntime is not installed")

    monkeypatch.setattr(scored, "RingReader", broken)
    view = Reader(profiles.load("dofus-unity")).read(Frame.still(screen.draw(93_200_000, "dofus-unity")[0]))
    assert not view.enemies and "Install botapp anew" in view.reason


def rings(*standing):
    return [Ring(team, cell, 0.95, mark) for team, cell, mark in standing]


def test_more_of_the_own_side_than_cards_are_those_with_the_players_marks():
    found = rings(("own", 100, 0.9), ("own", 130, 0.1), ("enemy", 200, 0.0))
    assert counted(found, 2, marked=True) == found and counted(found, 1, marked=False) == found
    assert [ring.cell for ring in counted(found, 1, marked=True)] == [100, 200]


def test_the_player_is_the_one_marked_or_the_only_one_unless_there_may_be_more():
    marked = assign_sides(rings(("own", 100, 0.9), ("own", 130, 0.1), ("enemy", 200, 0.0)), PLACE, True)
    assert (marked.player.cell, [one.cell for one in marked.allies]) == (100, [130])
    only = rings(("own", 130, 0.0), ("enemy", 200, 0.0))
    assert assign_sides(only, PLACE, False).player.cell == 130
    doubtful = assign_sides(only, PLACE, False, another=True)
    assert doubtful.player is None and [one.cell for one in doubtful.candidates] == [130]
    assert assign_sides(only, PLACE, True).player is None
    assert assign_sides(only, PLACE, True, alone=True).player.cell == 130


def test_the_player_stays_where_a_ring_like_its_own_is():
    on_board = PlayerOnBoard()

    def player(*standing):
        found = rings(*standing)
        return on_board.where_it_was(assign_sides(found, PLACE, True), found).player

    assert player(("own", 100, 0.9), ("own", 130, 0.0)).cell == 100
    assert player(("own", 100, 0.3), ("own", 130, 0.4)).cell == 100
    assert player(("own", 100, 0.1), ("own", 130, 0.4)) is None


@pytest.mark.parametrize(
    ("rings", "seen"),
    [
        ({"enemy": {200: 0.99}}, False),  # as on the shelves of a bank
        ({"enemy": {200: 0.95}, "ally": {100: 0.92}}, True),
        ({"red": {200: 0.5}, "blue": {100: 0.5, 101: 0.7}}, False),
    ],
)
def test_two_sure_rings_show_a_fight(rings, seen):
    asked = ScoredFighters(profiles.load("dofus-unity").screen.border)
    asked._reader._reader = Scored(**rings)
    assert asked.sees_rings(BGRA, PLACE) is seen


def test_without_a_network_no_rings_are_seen(monkeypatch, caplog):
    def broken():
        raise ImportError("no onnxruntime")

    monkeypatch.setattr(scored, "RingReader", broken)
    asked = ScoredFighters(profiles.load("dofus-unity").screen.border)
    assert not asked.sees_rings(BGRA, PLACE) and not asked.sees_rings(BGRA, PLACE)
    assert len(caplog.records) == 1
