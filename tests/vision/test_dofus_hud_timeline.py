"""The timeline of real clients: order, whose the cards are, who plays, how much life; faces known again."""

import math

import cv2
import hudpicture
import numpy as np
import pytest
import real_screens
from real_screens import SCREENS

from botapp.bench.film import DrawnFilm
from vision import profiles, roster
from vision.extract import Reader
from vision.extract.dofus import cards, pointed
from vision.extract.dofus.anchors import HudAnchor, hsv
from vision.extract.dofus.hud import DofusHudReader
from vision.extract.dofus.life import is_shape
from vision.extract.dofus.search import BANDS, Search
from vision.frame import Frame, Rect
from vision.signature import SAME, likeness
from vision.synthetic.rounds import DrawnRounds
from vision.synthetic.screen import draw
from vision.view import CardSeen, FighterSeen, Phase, Seen

UNITY, TWO, RETRO = (profiles.load(name) for name in ("dofus-unity", "dofus-2", "dofus-retro"))
NOWHERE = HudAnchor(0, 0, 60, 1.0)
SIDES = ("enemy", "own", "enemy", "own", "enemy")
LIVES = (1.0, 0.7, 0.31, 0.5, 0.04)


def picture(current=1, scale=1.0, **more):
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.timeline(image, (420, 80), SIDES, current, lives=LIVES, faces=range(len(SIDES)), **more)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)


def pointed_row(current, lives=LIVES[:3], at=(900, 300), sides=SIDES, **more):
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.pointed_timeline(image, at, sides[: len(lives)], current, lives, **more)
    return image


def barred_row(current, unit=80, ground=None, lives=LIVES[:3]):
    """A row of Retro's cards on a ground of a colour, and its anchor."""
    image, anchor = hudpicture.screen(size=(1280, 800)), HudAnchor(500, 700, unit, 1.0)
    if ground is not None:
        image[:] = ground
    hudpicture.barred_timeline(image, anchor, SIDES[:3], current, lives)
    return image, anchor


def read(image, client=TWO, anchor=NOWHERE):
    """The side of each card in a picture, and whether it is at turn."""
    return [(card.team, card.current) for card in cards.find(image, client.hud.timeline, anchor)]


def row_of(current, sides=SIDES[:3]):
    return [(side, place == current) for place, side in enumerate(sides)]


def lives_of(image, client=TWO, anchor=NOWHERE):
    return [card.hp_fraction.value for card in cards.find(image, client.hud.timeline, anchor)]


@pytest.mark.long
def test_a_face_is_the_same_whoever_plays():
    """The cards of a small timeline are cut out a pixel off otherwise, and then no name is known again."""
    reader, first = DofusHudReader(UNITY), ()
    for number, frame in enumerate(DrawnRounds(3, 3).frames(2)):
        picture = np.ascontiguousarray(frame.picture)
        row = reader.read(picture, Rect(0, 0, picture.shape[1], picture.shape[0])).row.living
        if number < 20 or not row:
            continue
        first = first or row
        assert len(row) == len(first)
        for card, before in zip(row, first, strict=True):
            assert likeness(card.portrait, before.portrait) >= SAME


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.7, 1.0, 1.5])
@pytest.mark.parametrize("current", range(len(SIDES)))
def test_cards_in_their_order(scale, current):
    row = cards.find(picture(current, scale), UNITY.hud.timeline, NOWHERE)
    assert [(card.team, card.current) for card in row] == row_of(current, SIDES)
    for card, life in zip(row, LIVES, strict=True):
        assert card.hp_fraction.value is None or card.hp_fraction.value == pytest.approx(life, abs=0.05)
    assert sum(card.hp_fraction.value is not None for card in row) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("light", [0.8, 1.0])
def test_cards_on_a_darker_screen(light):
    image = cv2.convertScaleAbs(picture(), alpha=light)
    reader = DofusHudReader(UNITY)
    for _ in range(2):
        hud = reader.read(image, Rect(0, 0, image.shape[1], image.shape[0]))
        assert [(card.team, card.current) for card in hud.row.living] == row_of(1, SIDES)
        image = image.copy()
        image[:40, :40] += 1


def test_a_shield_is_no_life():
    row = cards.find(picture(shields=(1, 3)), UNITY.hud.timeline, NOWHERE)
    assert [card.hp_fraction.value for card in row[1:4]] == pytest.approx(LIVES[1:4], abs=0.04)


def test_no_card_without_a_frame():
    assert cards.find(picture(current=-1), UNITY.hud.timeline, NOWHERE) == []


@pytest.mark.parametrize("current", [0, 1, 2])
def test_a_pointer_under_a_card(current):
    image = pointed_row(current)
    assert read(image) == row_of(current)
    assert lives_of(image) == pytest.approx(LIVES[:3], abs=0.05)


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_all_cards_of_a_long_row_count_though_its_pointer_is_a_pixel_off(off):
    sides, lives = ("own", *["enemy"] * 6), (1.0, 0.6, 0.3, 1.0, 0.6, 0.3, 1.0)
    assert read(pointed_row(0, lives, (700, 300), sides, off=off)) == row_of(0, sides)


def grass(image):
    image[320:420, 800:1200] = (20, 128, 105)


def pond(image):
    cv2.ellipse(image, (890, 330), (90, 75), 0, 0, 360, (150, 92, 64), -1)


@pytest.mark.parametrize("paint", [grass, pond])
def test_a_pointed_row_on_grass_and_beside_a_pond_is_read(paint):
    image = hudpicture.screen(size=(1280, 800))
    paint(image)
    hudpicture.pointed_timeline(image, (900, 300), SIDES[1:4], 1, LIVES[1:4])
    assert read(image) == row_of(1, SIDES[1:4])


OF_ITS_RED, OF_ANOTHER = (36, 36, 204), (38, 60, 205)


@pytest.mark.parametrize(
    ("cards_shown", "bush", "found"),
    [(3, OF_ITS_RED, 3), (2, OF_ITS_RED, 0), (2, OF_ANOTHER, 2), (3, OF_ANOTHER, 3)],
)
def test_a_bush_that_touches_the_current_cards_bar_hides_no_row_of_three_or_of_another_red(
    cards_shown, bush, found
):
    image = hudpicture.screen(size=(1280, 800))
    cv2.rectangle(image, (820, 340), (899, 420), bush, -1)
    hudpicture.pointed_timeline(image, (900, 300), SIDES[:cards_shown], 0, LIVES[:cards_shown])
    assert read(image) == row_of(0, SIDES[:found])


@pytest.mark.parametrize(("gap", "goes_on"), [((46, 74, 148), True), ((30, 34, 40), False)])
def test_a_red_roof_from_the_last_card_to_a_panel_is_no_card(gap, goes_on):
    image = np.full((160, 300, 3), (46, 74, 148), np.uint8)
    image[:, 198:] = (64, 64, 64)
    image[:, 128:135] = gap  # the last card ends in column 130
    place = Rect(136, 50, 62, 62)
    assert pointed.goes_on(pointed.Tones(hsv(image)), TWO.hud.timeline, place, 130, 300) == goes_on


def test_a_portrait_below_a_pond_of_its_grounds_colour_begins_a_row():
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.timeline(image, (420, 80), ("own", "own"), 1, size=60)
    clear = [seed.box for seed in cards.seeds_in(image, UNITY.hud.timeline)]
    image[60:78, 426:480] = hudpicture.GROUNDS["own"]
    boxes = [seed.box for seed in cards.seeds_in(image, UNITY.hud.timeline)]
    assert len(boxes) == len(clear) == 2
    for box, alone in zip(boxes, clear, strict=True):
        assert np.allclose(box, alone, atol=2)


def wide_row(sides, current, lives, size=68, pitch=1.31):
    """A row whose cards are wider apart than usual, each drawn by itself."""
    image = hudpicture.screen(size=(1280, 800))
    step = round(size * pitch)
    cv2.rectangle(image, (340, 60), (420 + step * len(sides), 170), (62, 46, 44), -1)
    for index, (side, life) in enumerate(zip(sides, lives, strict=True)):
        one = hudpicture.screen(size=(1280, 800))
        hudpicture.timeline(
            one, (420 + index * step, 80), (side,), 0 if index == current else -1, size, (life,)
        )
        left, right = 420 + index * step - 10, 420 + index * step + size + 10
        image[50:170, left:right] = one[50:170, left:right]
    return image


@pytest.mark.parametrize("current", [0, 1])
def test_the_only_other_card_is_found_though_its_life_is_nearly_gone(current):
    """The last enemy of a fight: its bar is too low to be found first, and tells no distance."""
    sides = ("enemy", "own")
    assert read(wide_row(sides, current, (0.06, 0.9)), UNITY) == row_of(current, sides)


@pytest.mark.parametrize("current", [0, 1, 2])
def test_all_cards_of_a_wide_row_count_though_one_has_no_bar_to_be_found_by(current):
    sides = ("own", "enemy", "enemy")
    assert read(wide_row(sides, current, (0.6, 0.04, 0.9)), UNITY) == row_of(current, sides)


def test_a_portrait_before_scenery_of_its_ground_is_as_large_as_the_others():
    wide = [Rect(100, 34, 60, 69), Rect(188, 34, 61, 69), Rect(276, 9, 71, 94), Rect(364, 0, 78, 103)]
    assert [tuple(box) for box in cards.of_one_size(wide)] == [
        (100, 34, 60, 69),
        (188, 34, 61, 69),
        (276, 34, 61, 69),
        (364, 34, 61, 69),
    ]


def test_of_two_barred_cards_in_orange_on_all_sides_the_one_in_a_single_orange_plays():
    image = hudpicture.screen(size=(1280, 800))
    anchor, unit = HudAnchor(500, 700, 70, 1.0), 70
    right = round(anchor.x + (3 + 0.863) * unit)
    image[560:680, right:1000] = (50, 100, 205)
    image[650:680, right:1000] = (45, 90, 180)
    hudpicture.barred_timeline(image, anchor, SIDES[:3], 0, LIVES[:3])
    assert read(image, RETRO, anchor) == row_of(0)


@pytest.mark.parametrize("unit", [52, 80, 128])
@pytest.mark.parametrize("current", [0, 1, 2])
def test_cards_with_bars_in_their_sides_colour(unit, current):
    image, anchor = barred_row(current, unit)
    assert read(image, RETRO, anchor) == row_of(current)
    assert lives_of(image, RETRO, anchor) == pytest.approx(LIVES[:3], abs=0.05)


def small_barred(current, size=(640, 300), unit=30.0, ground=(150, 140, 120)):
    """Returns cards so small that blur thins their frame, and their anchor; drawn at four times that size."""
    image = np.full((4 * size[1], 4 * size[0], 3), ground, np.uint8)
    hudpicture.barred_timeline(
        image, HudAnchor(400, 1000, 4 * unit, 1.0), SIDES[:3], current, (1.0, 0.6, 1.0)
    )
    image = cv2.resize(cv2.GaussianBlur(image, (0, 0), 4.0), size, interpolation=cv2.INTER_AREA)
    return image, HudAnchor(100, 250, unit, 1.0)


@pytest.mark.parametrize("current", [0, 1, 2, -1])
def test_the_thin_frame_about_a_small_card_tells_who_plays(current):
    image, anchor = small_barred(current)
    assert read(image, RETRO, anchor) == row_of(current)


def test_brown_scenery_about_small_cards_is_no_frame():
    image, anchor = small_barred(-1, ground=(90, 140, 205))
    assert not any(card.current for card in cards.find(image, RETRO.hud.timeline, anchor))


def test_a_long_row_of_barred_cards_whose_unit_is_measured_a_little_wide():
    image = hudpicture.screen(size=(1280, 800))
    sides, lives = ("enemy", "own") * 4, (1.0, 0.6, 0.3, 0.8) * 2
    hudpicture.barred_timeline(image, HudAnchor(400, 700, 75.3, 1.0), sides, 3, lives)
    assert read(image, RETRO, HudAnchor(400, 700, 76, 1.0)) == row_of(3, sides)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
def test_barred_cards_in_another_light_on_a_floor_of_their_rims_colour(light):
    image, anchor = barred_row(1, ground=(165, 200, 206))
    assert read(np.clip(image * light, 0, 255).astype(np.uint8), RETRO, anchor) == row_of(1)


@pytest.mark.parametrize("light", [0.8, 1.0])
@pytest.mark.parametrize("current", [0, 1, 2])
def test_barred_cards_before_a_bush_of_nearly_their_frames_colour(current, light):
    """The bush is around all cards, and beside the last one it looks like the foot of another life bar."""
    image = hudpicture.screen(size=(1280, 800))
    unit = 70
    anchor = HudAnchor(500, 700, unit, 1.0)
    image[560:680, 600:1000] = (44, 77, 190)
    hudpicture.barred_timeline(image, anchor, SIDES[:3], current, LIVES[:3])
    right = round(anchor.x + (3 + 0.863 * 2 + 0.656) * unit)
    image[560:650, right + 9 : right + 16] = (40, 50, 190)
    assert read(np.clip(image * light, 0, 255).astype(np.uint8), RETRO, anchor) == row_of(current)


def test_cards_without_a_current_one_are_waiting():
    assert read(pointed_row(-1, (1.0, 1.0, 1.0))) == row_of(-1)
    image, anchor = barred_row(-1)
    assert read(image, RETRO, anchor) == row_of(-1)


def dimmed(image):
    return (image * 0.8).astype(np.uint8)


def compressed(image):
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 50])[1], cv2.IMREAD_COLOR)


def scaled(share):
    def change(image):
        how = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC
        return cv2.resize(image, None, fx=share, fy=share, interpolation=how)

    return change


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [dimmed, compressed, *(scaled(share) for share in (0.75, 0.8, 0.9, 1.1, 1.5))]
)
def test_a_pointed_timeline_is_found_in_changed_pictures(change):
    image = change(pointed_row(1))
    assert read(image) == row_of(1)
    assert lives_of(image) == pytest.approx(LIVES[:3], abs=0.08)


@pytest.mark.slow
def test_a_card_with_little_life_left_makes_no_row_doubtful():
    image, truth = draw(12100045, "dofus-retro")
    view = Reader(RETRO).read(Frame.still(image))
    assert min(card["hp_fraction"] for card in truth["cards"]) < 0.08
    assert len(view.timeline) == len(truth["cards"]) and view.turn.value == truth["turn"]
    assert sum(card.team != "enemy" for card in view.timeline) == 1
    assert view.player is None or math.dist(view.player.px, truth["player_px"]) < truth["cell_px"]


@pytest.mark.slow
def test_dead_fighters_keep_cards_that_are_no_fighters_cards():
    image, truth = draw(91003007, "dofus-retro", unlike=True)
    view = Reader(RETRO).read(Frame.still(image))
    told = sorted((*view.timeline, *view.dead), key=lambda card: card.box.x)
    assert [card.team is None for card in told] == [card["dead"] for card in truth["cards"]]
    assert view.dead and view.fighters_shown.value == len(view.timeline)
    assert view.fighters_shown.value == 1 + len(truth["enemies_px"]) + len(truth["allies_px"])
    assert view.turn.value == truth["playing"]


def test_one_grey_shape_is_dead_and_a_fighter_of_greys_is_not():
    unit, box = 60.0, Rect(10, 10, 40, 46)
    card = np.full((70, 60, 3), 255, np.uint8)
    assert not is_shape(card, box, unit)
    cv2.circle(card, (30, 45), 9, (68, 68, 68), -1)
    assert is_shape(card, box, unit)
    assert is_shape(cv2.convertScaleAbs(card, alpha=0.8), box, unit)
    living = card.copy()
    for radius, grey in ((7, 110), (5, 150), (3, 20)):
        cv2.circle(living, (30, 45), radius, (grey,) * 3, -1)
    assert not is_shape(living, box, unit)
    coloured = card.copy()
    cv2.circle(coloured, (30, 45), 6, (60, 120, 220), -1)
    assert not is_shape(coloured, box, unit)


@pytest.mark.slow
@real_screens.need("dofus-retro_grid_5.png")
def test_a_real_dead_card_painted_over_living_ones_and_the_other_way_round():
    """Cards are 110 pixels apart on a screen of 2880x1800; the third from the right is the player's."""
    places = [(2253 + 110 * number, 1259) for number in range(3)]

    def card(picture, number):
        x, y = places[number]
        return picture[y : y + 122, x : x + 105]

    real = cv2.imread(str(SCREENS / "dofus-retro_grid_5.png"))
    for way, expected, turn in (
        ({}, ["own", None, "enemy"], "mine"),
        ({1: 2}, ["own", "enemy", "enemy"], "mine"),
        # The enemy painted dead stands on the board without a card, so whose turn it is stays unsaid.
        ({2: 1}, ["own", None, None], None),
    ):
        picture = real.copy()
        for number, other in way.items():
            card(picture, number)[:] = card(real, other)
        view = Reader(RETRO).read(Frame.still(picture))
        told = sorted((*view.timeline, *view.dead), key=lambda one: one.box.x)
        assert [one.team for one in told] == expected
        assert view.fighters_shown.value == sum(team is not None for team in expected)
        assert view.turn.value == turn and view.ap.value == 6


@pytest.mark.slow
def test_cards_left_of_the_heart_are_counted():
    image, truth = draw(12100028, "dofus-retro")
    view = Reader(RETRO).read(Frame.still(image))
    assert view.fighters_shown.value == len(truth["cards"]) == 11


def test_a_card_without_a_life_bar_makes_the_row_doubtful():
    image, anchor = barred_row(1, lives=(0.6, 1.0, 0.0))
    assert read(image, RETRO, anchor) == []


def test_half_a_row_of_pointed_cards_is_none():
    image = pointed_row(0, (0.6, 1.0, 0.7), (700, 300))
    assert len(read(image)) == 3
    image[300 + 59 : 300 + 66, 700 + 2 * 62 :] = image[300 + 70, 1000]
    assert read(image) == []


def test_waiting_cards_are_one_row_though_a_bar_is_not_full():
    assert read(pointed_row(-1, (0.95, 1.0, 0.6, 1.0, 0.9), (700, 300))) == row_of(-1, SIDES)
    long, part, other = (
        [CardSeen(Rect(x, y, 50, 50), "own", False) for x in range(first, 400, 54)]
        for first, y in ((0, 0), (219, 3), (0, 200))
    )
    assert pointed.distinct_rows([part, long]) == [long]
    assert len(pointed.distinct_rows([part, long, other])) == 2


@pytest.mark.parametrize(("enlarged", "found"), [(1, 1), (2, 0)])
def test_only_a_small_pointer_may_be_smeared(enlarged, found):
    image = np.zeros((40, 60, 3), np.uint8)
    for row, wide in enumerate((5, 5, 7, 9, 11, 11, 11)):
        image[10 + row, 30 - wide // 2 : 31 + wide // 2] = (0, 240, 207)
    image = image.repeat(enlarged, axis=0).repeat(enlarged, axis=1)
    assert len(list(pointed.pointers_in(hsv(image), TWO.hud.timeline.pointer))) == found


def test_a_pointer_without_cards_is_none():
    image = hudpicture.screen(size=(1280, 800))
    corners = np.array([(600, 300), (612, 312), (588, 312)], np.int32)
    cv2.fillPoly(image, [corners], (0, 240, 207))
    assert read(image) == []


@pytest.mark.slow
def test_faces_are_known_again():
    reader = DofusHudReader(UNITY)
    seen = []
    for current, scale in ((1, 1.0), (2, 1.0), (1, 1.3)):
        image = picture(current, scale)
        hud = reader.read(image, Rect(0, 0, image.shape[1], image.shape[0]))
        seen.append([card.portrait for card in hud.row.living])
    for later in seen[1:]:
        for place, portrait in enumerate(later):
            likes = [likeness(portrait, known) for known in seen[0]]
            assert int(np.argmax(likes)) == place
            assert likes[place] >= SAME


@pytest.mark.slow
def test_boxes_are_in_pixels_of_the_frame():
    image = picture()
    frame = cv2.copyMakeBorder(image, 30, 0, 50, 0, cv2.BORDER_CONSTANT)
    inside = DofusHudReader(UNITY).read(image, Rect(0, 0, 1280, 800))
    moved = DofusHudReader(UNITY).read(frame, Rect(50, 30, 1280, 800))
    for one, other in zip(inside.row.living, moved.row.living, strict=True):
        assert (other.box.x - one.box.x, other.box.y - one.box.y) == (50, 30)


@pytest.mark.slow
def test_a_timeline_that_moves_is_found_again():
    reader = DofusHudReader(UNITY)
    image = picture()
    assert len(reader.read(image, Rect(0, 0, 1280, 800)).row.living) == 5
    moved = hudpicture.screen(size=(1280, 800))
    hudpicture.timeline(moved, (200, 350), SIDES, 1, lives=LIVES)
    seen = [len(reader.read(moved, Rect(0, 0, 1280, 800)).row.living) for _ in range(2 * BANDS)]
    assert seen[-1] == 5
    plain = hudpicture.screen(size=(1280, 800))
    assert reader.read(plain, Rect(0, 0, 1280, 800)).row.living == ()


@pytest.mark.parametrize("size", [(800, 1280), (601, 900), (1080, 1920)])
def test_bands_cover_the_picture(size):
    search = Search(size)
    assert search.next() == Rect(0, 0, size[1], size[0])
    rows = np.zeros(size[0], int)
    for _ in range(BANDS):
        band = search.next()
        assert (band.x, band.width) == (0, size[1])
        rows[band.y : band.bottom] += 1
    assert rows.min() >= 1


def card(team, life, portrait, current=False):
    return CardSeen(Rect(0, 0, 9, 9), team, current, Seen(life, 0.9), portrait)


def fighter(team):
    return FighterSeen((1.0, 2.0), None, team)


ONE, OTHER = (
    cards_
    for cards_ in ["".join(f"{value:02x}" for value in np.random.default_rng(s).bytes(96)) for s in (1, 2)]
)


def test_what_is_a_fighters_own():
    assert roster.matched([fighter("enemy")], [card("enemy", 0.5, ONE)])[0].portrait == ONE
    same = roster.matched([fighter("enemy")] * 2, [card("enemy", 0.5, ONE), card("enemy", 0.9, ONE)])
    assert [(f.portrait, f.hp_fraction.value) for f in same] == [(ONE, None)] * 2
    full = roster.matched([fighter("enemy")] * 2, [card("enemy", 1.0, ONE), card("enemy", 1.0, OTHER)])
    assert [(f.portrait, f.hp_fraction.value) for f in full] == [("", 1.0)] * 2
    hidden = roster.matched([fighter("enemy")], [card("enemy", 1.0, ONE)] * 2)
    assert hidden[0].portrait == "" and not hidden[0].hp_fraction


def test_the_players_own_card():
    mine, ally, enemy = card("own", 0.5, ONE), card("own", 0.9, OTHER, current=True), card("enemy", 0.5, ONE)
    assert roster.own_card([mine, enemy], False, None) is mine
    assert roster.own_card([mine, ally, enemy], True, None) is ally
    assert roster.own_card([mine, ally, enemy], False, 0.51) is mine
    assert roster.own_card([mine, ally, enemy], False, None) is None
    assert roster.own_card([enemy], False, 0.5) is None


@pytest.mark.slow
def test_a_pointer_whose_edges_jpeg_has_smeared_still_finds_its_row():
    image, truth = draw(23000019, "dofus-2")
    view = Reader(TWO).read(Frame.still(image))
    assert view.phase.value is Phase.FIGHT
    assert [card.current for card in view.timeline] == [card["playing"] for card in truth["cards"]]


@pytest.mark.slow
def test_all_five_cards_of_a_small_window_count():
    """Cards of 33 pixels lie two pixels apart at 1024x576; three of them were read, two enemies of four."""
    shot = next(DrawnFilm("dofus-2", 4850, (1024, 576), allies=False).frames(1, 30))
    view = Reader(TWO).read(Frame.still(np.ascontiguousarray(shot.pixels[..., :3])))
    assert shot.shown is not None and len(shot.shown.enemies) == 4
    assert [card.team for card in view.timeline] == ["enemy", "own", "enemy", "enemy", "enemy"]


@pytest.mark.parametrize("size", [27, 31, 36, 57])
def test_waiting_cards_are_found_though_no_life_is_full(size):
    image = pointed_row(-1, (0.7, 0.4, 0.9, 0.8, 0.5), (700, 300))
    image = cv2.resize(image, None, fx=size / 57, fy=size / 57, interpolation=cv2.INTER_AREA)
    assert read(image) == row_of(-1, SIDES)


@pytest.mark.parametrize("current", [0, 1])
@pytest.mark.parametrize("colour", [(45, 75, 207), (190, 100, 46)])
@pytest.mark.parametrize(
    "shape",
    [
        [(684, 308), (704, 334), (684, 358)],  # a pennant whose tip the first card covers
        [(690, 300), (700, 352), (682, 346), (672, 322)],  # as high as a card, its edges aslant
        [(866, 308), (878, 296), (884, 348), (868, 360)],  # at the other end, where a card's ground would be
    ],
)
def test_scenery_of_a_portraits_ground_beside_a_row_is_no_card(shape, colour, current):
    image = hudpicture.screen(size=(1280, 800))
    cv2.fillPoly(image, [np.array(shape, np.int32)], colour)
    hudpicture.pointed_timeline(image, (700, 300), SIDES[:2], current, (1.0, 0.9))
    row = cards.find(image, TWO.hud.timeline, NOWHERE)
    assert [(card.team, card.current) for card in row] == [
        (side, place == current) for place, side in enumerate(SIDES[:2])
    ]


def test_a_row_with_a_card_under_the_mouse_is_not_known():
    image = pointed_row(0, LIVES, (700, 300))
    third = 700 + round(2 * 57 * 1.088)
    image[290:380, third + 40 : third + 60] = 255
    assert read(image) == []


def test_snow_beside_a_panel_of_the_enemies_colour_is_no_card():
    """A life bar has a white edge; what is white from head to foot is none."""
    box, rule = Rect(100, 40, 57, 64), UNITY.hud.timeline
    ground = rule.sides["enemy"]
    image = np.full((160, 260, 3), ground[::-1], np.uint8)
    image[:, 90:100] = 235
    assert not cards.is_barred(image, rule, box, ground)
    image[44:104, 90:100] = rule.bar[::-1]
    assert cards.is_barred(image, rule, box, ground)
