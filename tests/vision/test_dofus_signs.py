"""Before a screen is said to show no fight, it is searched for start cells and rings of any size."""

import cv2
import numpy as np
import pytest
import real_screens
from real_screens import SCREENS

from vision import profiles
from vision.extract import Reader
from vision.extract.dofus import signs
from vision.extract.dofus.cells import is_walk
from vision.frame import Frame
from vision.synthetic import scoring, screen
from vision.view import Lattice, Phase

RED, BLUE, FLOOR = (0, 0, 255), (255, 0, 0), (112, 178, 168)
AWAY = Lattice((13.0, 7.0), 70.0, 35.0)
"""A board that lies otherwise than the cells in these pictures."""
OVALS = profiles.load("dofus-2").screen


def ground():
    grain = np.random.default_rng(1).integers(-3, 4, (600, 1000, 1))
    return np.clip(np.full((600, 1000, 3), FLOOR) + grain, 0, 255).astype(np.uint8)


def cells(picture, place, colour, shown):
    for cell in shown:
        x, y = place.centre(cell)
        w, h = place.cell_w / 2, place.cell_h / 2
        corners = np.array([(x - w, y), (x, y - h), (x + w, y), (x, y + h)])
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("wide", [40.0, 73.0, 131.0])
def test_start_cells_of_both_sides_are_seen_at_any_size(wide):
    place = Lattice((5.0, 9.0), wide, wide * 0.5)
    picture = cells(ground(), place, RED, (29, 30, 44, 57))
    alone = signs.find(picture, place, OVALS)
    assert alone.starts == {"red"} and alone.any and not alone.placing
    assert not signs.find(picture, AWAY, OVALS).any, "a carpet may be red and run like cells"
    cells(picture, place, BLUE, (33, 47, 61))
    found = signs.find(picture, place, OVALS)
    assert found.any and found.placing
    away = signs.find(picture, AWAY, OVALS)
    assert away.any and not away.placing


def test_an_area_beside_one_glyph_is_not_several_start_cells_of_each_side():
    place = Lattice((5.0, 9.0), 73.0, 36.5)
    picture = cells(ground(), place, RED, (29, 30, 44, 57))
    one = signs.find(cells(picture, place, BLUE, (47,)), place, OVALS)
    assert one.any and one.placing and not one.several
    assert signs.find(cells(picture, place, BLUE, (33, 61)), place, OVALS).several


def test_reachable_cells_lie_beside_each_other():
    walk = (100, 113, 114, 127)
    assert is_walk((*walk, 400), ()), "one behind a window stands apart"
    assert is_walk((99, 100, 127, 128), {114}), "they lie about the fighter that walks"
    assert not is_walk((99, 100, 127, 128), ())
    assert not is_walk(walk[:2], ()), "two may be tufts of grass"
    assert not is_walk((74, 76, 155, 192, 248, 275, 276, 303), ()), "greener tiles lie here and there"


def test_red_and_blue_that_do_not_run_like_cells_are_no_start_cells():
    steep, round_ = ground(), ground()
    for x, colour in ((150, RED), (600, BLUE)):
        corners = np.array([(x, 300), (x + 110, 190), (x + 220, 300), (x + 110, 410)])
        cv2.fillConvexPoly(steep, corners, colour)
        cv2.circle(round_, (x, 300), 90, colour, -1)
        cv2.rectangle(round_, (x, 450), (x + 200, 520), colour, -1)
    assert not signs.find(steep, AWAY, OVALS).any
    assert not signs.find(round_, AWAY, OVALS).any


@pytest.mark.parametrize("hidden", [False, True])
def test_rings_are_seen_though_a_figure_hides_their_upper_part(hidden):
    picture = ground()
    for x, colour in ((200, RED), (640, BLUE)):
        cv2.ellipse(picture, (x, 300), (40, 20), 0, 0, 360, colour, 3, cv2.LINE_AA)
        if hidden:
            cv2.rectangle(picture, (x - 15, 220), (x + 15, 298), (60, 140, 60), -1)
    assert signs.find(picture, AWAY, OVALS).rings == 2
    upright = cv2.ellipse(ground(), (300, 300), (30, 60), 0, 0, 360, RED, 3)
    assert not signs.find(upright, AWAY, OVALS).any


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "client", "phases"),
    [
        (91020020, "dofus-unity", {Phase.FIGHT, Phase.UNKNOWN}),  # timeline and grey button too small
        # a small window on a blurred desktop
        pytest.param(91010822, "dofus-unity", {Phase.FIGHT, Phase.UNKNOWN}, marks=pytest.mark.long),
        (91020327, "dofus-2", {Phase.FIGHT, Phase.UNKNOWN}),  # the button covered, white on white
        (91020279, "dofus-2", {Phase.PLACEMENT, Phase.UNKNOWN}),  # greener tiles of a meadow
        # an area in red, one in blue
        pytest.param(91020546, "dofus-2", {Phase.FIGHT, Phase.UNKNOWN}, marks=pytest.mark.long),
    ],
)
def test_a_fight_of_which_little_is_seen_is_never_no_fight_and_no_placement(seed, client, phases):
    picture, _ = screen.draw(seed, client, unlike=True)
    assert scoring.read(picture, client).phase.value in phases


@pytest.mark.slow
@pytest.mark.parametrize("seed", [91003008, pytest.param(91003018, marks=pytest.mark.long)])
def test_retros_choice_of_places_shows_no_ap_and_mp_and_is_one(seed):
    picture, label = screen.draw(seed, "dofus-retro", unlike=True)
    view = scoring.read(picture, "dofus-retro")
    assert label["phase"] == "placement" and view.phase.value is Phase.PLACEMENT
    assert view.ap.value is None and view.mp.value is None and view.turn.value is None


@pytest.mark.slow
@real_screens.need("dofus-retro_tactic_none.png")
def test_a_real_board_without_its_hud_is_not_said_to_be_no_fight_and_with_it_a_placement():
    board = cv2.imread(str(SCREENS / "dofus-retro_tactic_none.png"))
    reader = Reader(profiles.load("dofus-retro"))
    view = reader.read(Frame.still(board))
    assert view.phase.value is Phase.UNKNOWN and "fight" in view.reason
    bank = cv2.imread(str(SCREENS / "dofus-retro_bank.png"))
    top = bank.shape[0] - round(bank.shape[1] / 1.3345)
    hud = bank[round(top + 0.777 * (bank.shape[0] - top)) :]
    hud = cv2.resize(hud, (board.shape[1], round(hud.shape[0] * board.shape[1] / hud.shape[1])))
    view = Reader(profiles.load("dofus-retro")).read(Frame.still(np.vstack([board, hud])))
    assert view.phase.value is Phase.PLACEMENT and view.hp.value == 445 and view.ap.value is None


@pytest.mark.slow
@real_screens.need("dofus-retro_zone.png")
def test_real_maps_are_still_said_to_show_no_fight():
    for name in ("dofus-retro_zone", "dofus-retro_bank", "dofus-2_map_b", "dofus-unity_before"):
        picture = cv2.imread(str(SCREENS / f"{name}.png"))
        view = Reader(profiles.load(name.split("_", maxsplit=1)[0])).read(Frame.still(picture))
        assert view.phase.value is Phase.NOT_FIGHT
