import numpy as np
import pytest

from vision import profiles
from vision.extract.dofus import scored
from vision.extract.dofus.borders import FoundBorder
from vision.extract.dofus.rings_seen import RINGS
from vision.extract.dofus.scored import ScoredFighters, rings_of
from vision.frame import Rect
from vision.view import CELLS, Lattice

PLACE = Lattice((60.0, 40.0), 80.0, 40.0)
AREA = Rect(0, 0, 1440, 900)
BGRA = np.zeros((900, 1440, 4), np.uint8)
BARE = np.zeros(CELLS, bool)


class Scored:
    """Answers what a network might."""

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
    found = ScoredFighters(profiles.load(client).screen.border)
    found._reader = Scored(**cells)
    return found


def border(team, cell, mark=0.0):
    return FoundBorder(team, PLACE.centre(cell), cell, 0.6, 0.6, (3.0, 3.0, 3.0, 3.0), mark, 15.0)


def counted(found, borders, team, count, hidden=BARE, at_once=True):
    found.next_frame()
    seen = found.counted(BGRA, PLACE, AREA, borders, team, count, hidden, at_once)
    return sorted((one.team, one.cell) for one in seen)


def test_as_many_as_the_timeline_shows_are_the_sides_fighters():
    own = border("own", 100)
    found = fighters(enemy={200: 0.97, 230: 0.99})
    assert counted(found, [own, border("enemy", 200), border("enemy", 300)], "enemy", 2) == [
        ("enemy", 200),
        ("enemy", 230),
        ("own", 100),
    ]


def test_a_surplus_border_that_is_no_ring_is_left_out():
    found = fighters(enemy={200: 0.97})
    assert counted(found, [border("enemy", 200), border("enemy", 300)], "enemy", 1) == [("enemy", 200)]


def test_of_fewer_those_that_no_border_was_found_of_are_added():
    found = fighters(enemy={230: 0.99})
    assert counted(found, [border("enemy", 200)], "enemy", 3) == [("enemy", 200), ("enemy", 230)]


@pytest.mark.parametrize("chance", [0.0, 0.5, 0.89])
def test_what_is_not_sure_changes_nothing(chance):
    found = fighters(enemy={230: chance})
    assert counted(found, [border("enemy", 200)], "enemy", 2) == [("enemy", 200)]


def test_more_than_the_timeline_shows_are_not_believed():
    found = fighters(enemy=dict.fromkeys((230, 260, 290), 0.99))
    assert counted(found, [border("enemy", 200)], "enemy", 2) == [("enemy", 200)]


def test_what_lies_under_a_window_or_outside_the_board_is_not_looked_at():
    hidden = BARE.copy()
    hidden[230] = True
    found = fighters(enemy={230: 0.99, 559: 0.99})
    assert PLACE.centre(559)[1] > 800
    assert counted(found, [], "enemy", 1, hidden) == [("enemy", 559)]
    found.next_frame()
    assert not found.counted(BGRA, PLACE, Rect(0, 0, 1440, 500), [], "enemy", 1, hidden, True)


def test_a_new_fighter_has_to_be_seen_for_some_pictures_one_after_the_other():
    found = fighters(enemy={230: 0.99})
    seen = [counted(found, [], "enemy", 1, at_once=False) for _ in range(4)]
    assert seen == [[], [], [], [("enemy", 230)]]
    found.next_frame()  # a picture in which it was not asked for
    assert counted(found, [], "enemy", 1, at_once=False) == []


def test_unitys_player_is_marked_where_the_network_is_sure():
    found = fighters(player={100: 0.99}, ally={130: 0.99})
    found.next_frame()
    seen = found.counted(BGRA, PLACE, AREA, [border("own", 130)], "own", 2, BARE, True)
    assert {one.cell: one.mark for one in seen} == {130: 0.0, 100: 1.0}
    assert all(min(0.99, 0.6 + 0.5 * one.share) >= 0.9 for one in seen if one.cell == 100)


def test_rings_of_ovals_go_by_their_colour():
    rule = profiles.load("dofus-2").screen.border
    assert (rings_of(rule, "own"), rings_of(rule, "enemy")) == (("red",), ("blue",))
    found = fighters("dofus-retro", red={100: 0.99}, blue={230: 0.99})
    assert counted(found, [], "own", 1) == [("own", 100)]
    assert counted(found, [], "enemy", 1) == [("enemy", 230)]


def test_without_the_network_the_rules_go_on_and_the_log_says_so_once(monkeypatch, caplog):
    def broken():
        raise ImportError("onnxruntime is not installed")

    monkeypatch.setattr(scored, "RingReader", broken)
    found = ScoredFighters(profiles.load("dofus-unity").screen.border)
    for _ in range(2):
        assert counted(found, [border("enemy", 200)], "enemy", 2) == [("enemy", 200)]
    assert [record.getMessage() for record in caplog.records] == [
        "the network for fighters cannot be used, the rules go on alone: onnxruntime is not installed"
    ]


@pytest.mark.parametrize(
    ("rings", "seen"),
    [
        ({"enemy": {200: 0.99}}, True),
        ({"enemy": {200: 0.95}}, False),  # as on a real map smeared by JPEG
        ({"enemy": {200: 0.95}, "ally": {100: 0.92}}, True),
        ({"red": {200: 0.5}, "blue": {100: 0.5, 101: 0.7}}, False),
    ],
)
def test_one_sure_ring_or_two_show_a_fight(rings, seen):
    asked = scored.CarefulReader()
    asked._reader = Scored(**rings)
    assert asked.sees_rings(BGRA, PLACE) is seen


def test_without_a_network_no_rings_are_seen(monkeypatch, caplog):
    def broken():
        raise ImportError("no onnxruntime")

    monkeypatch.setattr(scored, "RingReader", broken)
    asked = scored.CarefulReader()
    assert not asked.sees_rings(BGRA, PLACE) and not asked.sees_rings(BGRA, PLACE)
    assert len(caplog.records) == 1
