"""Discs of glyphs have the size and colours of the borders under fighters; nothing stands on them."""

from dataclasses import replace

import numpy as np
import pytest

from vision.extract.dofus import bodies, discs
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
