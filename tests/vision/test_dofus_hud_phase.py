"""Phase and turn, weighed out of all that is seen; a grey button is another's turn, a covered one nothing."""

import cv2
import hudpicture
import numpy as np
import pytest

from vision import profiles
from vision.extract.dofus import button, phase
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.hud import DofusHudReader
from vision.extract.dofus.search import BANDS
from vision.frame import Rect
from vision.view import CardSeen, Phase

UNITY = profiles.load("dofus-unity")
USUAL = UNITY.hud.button.usual
AT = (1280 // 3, 755)
PLACE = (round(AT[0] + USUAL[0] * 60), round(AT[1] + USUAL[1] * 60))
WIDTH = round(USUAL[2] * 60)


def screen(**more):
    return hudpicture.screen(size=(1440, 800), **more)


def picture(bright=True, at=PLACE, **more):
    image = hudpicture.screen(size=(1440, 800))
    x, y = AT
    image[:] = (58, 44, 44)
    hudpicture.vitals(image, (x, y))
    cv2.rectangle(image, (at[0] - 95, at[1] - 32), (at[0] + 95, at[1] + 32), (30, 22, 22), -1)
    hudpicture.button(image, at, width=WIDTH, bright=bright, **more)
    return image


def read(image, reader=None):
    return (reader or DofusHudReader(UNITY)).read(image, Rect(0, 0, image.shape[1], image.shape[0]))


def card(team, current):
    return CardSeen(Rect(0, 0, 9, 9), team, current)


@pytest.mark.slow
def test_a_bright_button_is_mine_and_a_grey_one_anothers():
    assert read(picture()).turn.value == "mine"
    grey = read(picture(bright=False))
    assert grey.turn.value == "other"
    assert grey.phase.value is Phase.FIGHT
    assert grey.timer_s.value == 41


@pytest.mark.slow
def test_a_grey_button_where_it_was_seen_bright():
    reader = DofusHudReader(UNITY)
    at = (PLACE[0] - 300, 300)
    assert read(picture(at=at), reader).turn.value == "mine"
    assert read(picture(bright=False, at=at), reader).turn.value == "other"


MOVED = (PLACE[0] - 300, 300)
FORMS = ("words", "none", "hexagon")


def pressed(form, bright, at=MOVED, time=True):
    """Returns a picture with a button of some form at a place, and the time left above it or not."""
    image = picture(bright=bright, at=at)
    x, y = at
    colour = image[y - WIDTH // 9, x].tolist()
    half, dark = round(WIDTH * 0.21), (30, 22, 22)
    if form != "words":
        cv2.rectangle(image, (x - WIDTH // 3, y - 16), (x + WIDTH // 3, y + 16), colour, -1)
    if form == "hexagon":
        cv2.rectangle(image, (x - 95, y - 32), (x + 95, y + 32), dark, -1)
        tips = ((-1, 0), (-0.5, -0.78), (0.5, -0.78), (1, 0), (0.5, 0.78), (-0.5, 0.78))
        cv2.fillPoly(image, [np.int32([(x + px * half, y + py * half) for px, py in tips])], colour)
        cv2.line(image, (x - 8, y), (x + 8, y), (240, 240, 240), 4)
    if not time:
        cv2.rectangle(image, (x - 60, y - 75), (x + 60, y - 33), (58, 44, 44), -1)
    return image


@pytest.mark.slow
@pytest.mark.parametrize(("form", "at"), [*zip(FORMS, (MOVED, (250, 180), PLACE), strict=True)])
def test_a_button_of_any_form_is_found_under_the_time_left(form, at):
    mine, others = read(pressed(form, True, at)), read(pressed(form, False, at))
    assert (mine.turn.value, mine.timer_s.value) == ("mine", 41)
    assert (others.turn.value, others.timer_s.value) == ("other", 41)
    assert mine.phase.value is Phase.FIGHT


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS[1:])
def test_what_has_no_words_and_no_time_is_no_button(form):
    for bright in (True, False):
        assert read(pressed(form, bright, time=False)).turn.value is None


def test_a_word_in_the_times_colour_above_no_button_is_no_time():
    image = picture(bright=False)
    x, y = PLACE
    cv2.rectangle(image, (x - 130, y - 80), (x + 130, y + 40), (58, 44, 44), -1)
    hudpicture.text(image, "41s", (600, 300), 0.103 * WIDTH, (90, 255, 185))
    hud = read(image)
    assert (hud.timer_s.value, hud.turn.value) == (None, None)
    assert hud.phase.value is Phase.NOT_FIGHT


def test_a_panel_that_is_moved_in_a_fight_is_followed():
    reader = DofusHudReader(UNITY)
    assert read(picture(), reader).turn.value == "mine"
    moved = [read(pressed("none", False), reader) for _ in range(BANDS + 1)]
    assert moved[-1].turn.value == "other" and moved[-1].timer_s.value == 41
    assert read(pressed("none", True), reader).turn.value == "mine"


@pytest.mark.parametrize("aside", [0.0, 0.07, -0.07])
def test_a_grey_button_a_little_beside_its_usual_place(aside):
    image = picture(bright=False)
    place = HudAnchor(PLACE[0] + aside * WIDTH, PLACE[1], float(WIDTH), 0.0)
    found = button.grey(image, place, UNITY.hud.button)
    assert found is not None and abs(found.x - PLACE[0]) <= 0.05 * WIDTH
    far = HudAnchor(place.x + WIDTH, place.y, float(WIDTH), 0.0)
    assert button.grey(image, far, UNITY.hud.button) is None


@pytest.mark.slow
@pytest.mark.parametrize("colour", [(48, 26, 24), (200, 200, 200)])
def test_a_covered_button_gives_no_turn(colour):
    image = picture(bright=False)
    x, y = PLACE
    cv2.rectangle(image, (x - 130, y - 30), (x + 130, y + 40), colour, -1)
    hudpicture.text(image, "Some words", (x, y), 12, (240, 240, 240))
    assert read(image).turn.value is None


def test_a_grey_box_without_a_timer_is_no_button():
    image = picture(bright=False)
    x, y = PLACE
    cv2.rectangle(image, (x - 60, y - 75), (x + 60, y - 33), (58, 44, 44), -1)
    hud = read(image)
    assert hud.turn.value is None
    assert hud.phase.value is Phase.NOT_FIGHT


def test_nothing_seen_is_no_fight_but_not_for_sure():
    seen = phase.classify({})
    assert seen.value is Phase.NOT_FIGHT
    assert 0.6 < seen.confidence < 0.9


@pytest.mark.parametrize(
    ("signs", "wanted"),
    [
        ({"button": 0.95, "timer": 0.9}, Phase.FIGHT),
        ({"current_card": 0.95}, Phase.FIGHT),
        ({"points": 0.95}, Phase.FIGHT),
        ({"fighters": 0.9}, Phase.FIGHT),
        ({"button": 0.95, "starts": 0.9, "fighters": 0.9}, Phase.PLACEMENT),
        (
            {"button": 0.95, "starts": 0.9, "reach": 0.9, "current_card": 0.95, "turn_number": 0.9},
            Phase.FIGHT,
        ),
        ({"points": 0.95, "current_card": 0.95, "fighters": 0.9, "starts": 0.75}, Phase.FIGHT),
        ({"points": 0.95, "current_card": 0.95, "fighters": 0.9, "many_starts": 0.75}, Phase.PLACEMENT),
        ({"turn_number": 0.6}, Phase.UNKNOWN),
        ({"grey_button": 0.95, "fighters": 0.9, "starts": 0.93}, Phase.UNKNOWN),
        ({"grey_button": 0.95, "fighters": 0.9, "many_starts": 0.93}, Phase.PLACEMENT),
    ],
)
def test_signs_are_weighed(signs, wanted):
    assert phase.classify(signs).value is wanted


@pytest.mark.parametrize("sign", ["button", "timer", "current_card", "points", "fighters"])
def test_the_surer_a_sign_the_surer_the_fight(sign):
    seen = [phase.classify({sign: sure / 10, "turn_number": 0.9}) for sure in range(1, 11)]
    fights = [one.confidence for one in seen if one.value is Phase.FIGHT]
    assert len(fights) >= 5
    assert fights == sorted(fights)
    assert max(fights) < 1


def test_whose_turn():
    mine, theirs = [card("own", True), card("enemy", False)], [card("own", False), card("enemy", True)]
    assert phase.turn("bright", []).value == "mine"
    assert phase.turn("bright", mine).value == "mine"
    assert phase.turn("bright", [], begun=False).value is None
    assert phase.turn("bright", theirs).value is None
    assert phase.turn("grey", theirs).value == "other"
    assert phase.turn("grey", mine).value is None
    assert phase.turn(None, theirs).value == "other"
    assert phase.turn(None, mine).value == "mine"
    assert phase.turn(None, [*mine, card("own", False)]).value is None
    assert phase.turn(None, []).value is None
    assert phase.turn("bright", mine).confidence > phase.turn("bright", []).confidence


def test_a_turns_number_rules_a_placement_out_though_areas_look_like_many_start_cells():
    evidence = {"button": 0.95, "current_card": 0.95, "fighters": 0.9, "many_starts": 0.98}
    assert phase.classify(evidence).value is Phase.PLACEMENT
    assert phase.classify(evidence | {"turn_number": 1.0}).value is Phase.FIGHT
