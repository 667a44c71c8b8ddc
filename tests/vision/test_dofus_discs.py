"""Discs of glyphs have the size and colours of the borders under fighters; nothing stands on them."""

from dataclasses import replace

import numpy as np
import pytest

from vision.extract.dofus import bodies, discs, fighters
from vision.extract.dofus.borders import FoundBorder
from vision.synthetic import scoring
from vision.synthetic.screen import draw
from vision.view import Lattice

LATTICE = Lattice((100.0, 100.0), 60.0, 30.0)
BEHIND_A_BODY = FoundBorder("enemy", (0, 0), 10, 0.8, 1.0, (3.5, 20.0, 22.0, 3.2), 0.0, 25.0, body=90.0)
OPEN = replace(BEHIND_A_BODY, cell=11, clear=(13.0, 12.0, 34.0, 36.0), body=60.0)
FLAT = replace(BEHIND_A_BODY, cell=12, share=0.34, clear=(3.0, 2.8, 3.1, 2.8), body=21.0)
BEHIND_A_BLOCK = replace(BEHIND_A_BODY, cell=13, share=0.33, clear=(1.4, -2.0, 3.4, 3.4), body=29.0)
DARK = replace(BEHIND_A_BODY, cell=14, body=35.0)


def test_open_and_flat_borders_are_discs_where_bodies_hide_the_others():
    found = [BEHIND_A_BODY, OPEN, FLAT, BEHIND_A_BLOCK, DARK]
    assert discs.without_discs(found, [BEHIND_A_BODY, OPEN]) == [BEHIND_A_BODY, BEHIND_A_BLOCK, DARK]


def test_an_oval_seen_evenly_may_be_a_fighter_of_the_floors_colour():
    pale = replace(FLAT, share=0.6, clear=(4.2, 4.0, 3.9, 3.8), body=24.0)
    assert discs.without_discs([pale], [BEHIND_A_BODY], oval=True) == [pale]
    assert discs.without_discs([replace(pale, body=10.0)], [BEHIND_A_BODY], oval=True) == []
    assert discs.without_discs([pale], [BEHIND_A_BODY]) == []


def test_where_figures_are_hidden_all_borders_lie_open_and_none_is_a_disc():
    rings = [replace(OPEN, cell=cell, clear=(30.0, 120.0, 125.0, 31.0), body=44.0) for cell in range(3)]
    assert discs.without_discs(rings, rings) == rings


def test_the_flattest_of_too_many_of_a_side_is_left_out():
    low = replace(BEHIND_A_BODY, cell=15, clear=(3.9, 7.5, 11.5, 4.2), body=33.0)
    borders = [BEHIND_A_BODY, low]
    assert discs.without_surplus(borders, {"enemy": 1, "own": 1}) == [BEHIND_A_BODY]
    assert discs.without_surplus(borders, {"enemy": 2, "own": 1}) == borders
    assert discs.without_surplus(borders, {"enemy": 0, "own": 1}) == borders, "the timeline is not found"


def test_a_fighter_in_full_view_is_never_the_surplus():
    unread_card = [BEHIND_A_BODY, replace(DARK, body=51.0)]
    assert discs.without_surplus(unread_card, {"enemy": 1, "own": 1}) == unread_card
    alike = [replace(FLAT, cell=1, body=60.0), replace(FLAT, cell=2, body=62.0)]
    assert discs.without_surplus(alike, {"enemy": 1, "own": 1}) == alike, "which one is no fighter is unknown"


def test_a_body_over_a_cell_makes_its_halves_differ():
    picture = np.full((300, 300, 4), 120, np.uint8)
    picture[60:100, 90:110] = 20
    both = np.array([(100.0, 100.0), (200.0, 200.0), (2.0, 298.0)])
    standing, bare, corner = bodies.contrast(picture, both, LATTICE)
    assert standing > 60 and bare == 0 and corner == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("client", "seed"),
    [
        ("dofus-unity", 91003506),
        ("dofus-unity", 91010420),
        ("dofus-unity", 91010033),
        ("dofus-2", 91000610),
        ("dofus-2", 91010481),
        ("dofus-retro", 91003247),
    ],
)
def test_no_fighter_is_read_on_the_discs_of_drawn_screens(client, seed):
    picture, label = draw(seed, client, unlike=True)
    judged = scoring.judge(scoring.read(picture, client), label)
    assert not [each.field for each in judged if each.outcome == "wrong"]
    assert sum(each.outcome == "right" for each in judged) >= 0.7 * len(judged)


HALF_SEEN = replace(
    BEHIND_A_BODY, share=0.49, front=0.39, clear=(3.6, 3.0, -1.8, -0.2), votes=14.1, body=53.0
)


def test_a_half_border_as_clear_above_as_below_over_a_bare_cell_is_no_fighter():
    standing = replace(HALF_SEEN, cell=11, clear=(-0.2, 3.6, 3.0, -1.8))
    assert fighters.accepted([HALF_SEEN, standing]) == [standing]
    assert fighters.accepted([replace(HALF_SEEN, body=90.0)]), "a body stands on it"


def test_an_oval_half_seen_as_evenly_as_a_disc_is_no_fighter():
    disc = replace(HALF_SEEN, cell=11, clear=(3.5, 5.3, 4.1, 2.5), votes=20.6, body=31.0)
    assert fighters.accepted([BEHIND_A_BODY, disc], mixed=False) == [BEHIND_A_BODY]
    assert len(fighters.accepted([BEHIND_A_BODY, replace(disc, body=90.0)], mixed=False)) == 2


def test_a_thin_oval_counts_beside_a_clear_one_where_a_body_hides_its_upper_edges():
    clear = replace(BEHIND_A_BODY, team="own")
    thin = replace(
        clear, cell=11, share=0.28, front=0.21, clear=(3.6, 29.6, 10.8, 3.8), votes=26.1, body=94.0
    )
    disc = replace(thin, cell=12, clear=(12.1, 24.9, 9.6, 16.8))
    assert fighters.accepted([clear, thin, disc], mixed=False) == [clear, thin]


def test_the_only_ally_found_is_not_the_player_where_there_is_a_trace_of_another():
    ally = replace(BEHIND_A_BODY, team="own")
    trace = replace(ally, cell=40, share=0.36, front=0.35, clear=(0.6, 0.6, 65.7, 7.0), votes=16.2)
    speck = replace(trace, share=0.12)
    assert fighters.shows_another([ally, trace], [ally])
    assert not fighters.shows_another([ally, speck], [ally])
    sides = fighters.assign_sides([ally], LATTICE, marked=False, another=True)
    assert sides.player is None and len(sides.candidates) == 1
    assert fighters.assign_sides([ally], LATTICE, marked=False).player is not None
