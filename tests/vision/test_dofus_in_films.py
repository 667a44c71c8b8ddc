"""What a film tells and a single picture does not: what has begun, what stays, what is ground or hidden."""

from dataclasses import replace

import boards
import cv2
import hudpicture
import numpy as np
import pytest
from boards import bgra, cell_reader

from botapp.bench.film import DrawnFilm
from vision.extract import Reader
from vision.extract.dofus import cards, lattice, numbers, pointed, signs
from vision.extract.dofus.anchors import HudAnchor, hsv
from vision.extract.dofus.cells import NOTHING
from vision.extract.dofus.fighters import Living, Sides
from vision.extract.dofus.hud import is_as_wide
from vision.extract.dofus.model import DofusBoardSeen, HudSeen
from vision.extract.dofus.player_place import PlayerAtRest
from vision.extract.dofus.reader import FightBegun
from vision.extract.dofus.rows import DofusTimelineReader
from vision.extract.dofus.search import AGAIN, Search, Still
from vision.frame import Frame, Rect
from vision.profiles import load
from vision.view import CELLS, FighterSeen, Lattice, Phase, Seen

UNITY, TWO, RETRO = (load(name) for name in ("dofus-unity", "dofus-2", "dofus-retro"))
ANCHOR = HudAnchor(0, 0, 54, 1.0)
NO_CELLS = np.zeros(CELLS, bool)
PLACE = Lattice((100.0, 50.0), 70.0, 35.0)


def test_broad_life_bars_are_found_in_a_narrow_strip_as_well():
    image = hudpicture.screen(size=(1920, 1080))
    hudpicture.timeline(image, (700, 80), ("own", "enemy"), 0, size=110)
    strip = np.ascontiguousarray(image[:260, 560:1080])
    assert [len(cards.find(part, UNITY.hud.timeline, ANCHOR)) for part in (image[:260], strip)] == [2, 2]


def test_a_row_that_reaches_the_side_of_where_the_last_one_was_is_read_across():
    reader, rule = DofusTimelineReader(), TWO.hud.timeline
    two, five = (hudpicture.screen(size=(1280, 800)) for _ in range(2))
    hudpicture.pointed_timeline(two, (1000, 300), ("own", "enemy"), 0, (1.0, 1.0))
    hudpicture.pointed_timeline(
        five, (1000 - 3 * 62, 300), ("own", *["enemy"] * 4), 0, (1.0, 0.6, 0.3, 1.0, 1.0)
    )
    band = Rect(0, 700, 1280, 100)
    assert len(reader.read(two, rule, ANCHOR, Rect(0, 0, 1280, 800))) == 2
    assert len(reader.read(five, rule, ANCHOR, band)) == 5


@pytest.mark.parametrize("lives", [(0.02, 0.06), (0.05, 0.02)])
def test_a_row_that_was_there_is_read_when_all_have_almost_no_life_left(lives):
    """No life bar is long enough to tell where a card may be."""
    everywhere, rule = Rect(0, 0, 1280, 800), UNITY.hud.timeline
    healthy, dying = (hudpicture.screen(size=(1280, 800)) for _ in range(2))
    hudpicture.timeline(healthy, (420, 80), ("enemy", "own"), 0)
    hudpicture.timeline(dying, (420, 80), ("enemy", "own"), 1, lives=lives)
    reader = DofusTimelineReader()
    assert reader.read(dying, rule, ANCHOR, everywhere) == []
    assert len(reader.read(healthy, rule, ANCHOR, everywhere)) == 2
    row = reader.read(dying, rule, ANCHOR, everywhere)
    assert [(card.team, card.current) for card in row] == [("enemy", False), ("own", True)]
    assert reader.read(hudpicture.screen(size=(1280, 800)), rule, ANCHOR, everywhere) == []


def test_cards_far_smaller_than_the_huds_unit_are_scenery():
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.pointed_timeline(image, (900, 300), ("enemy", "own"), -1, (1.0, 1.0))
    rule, everywhere = TWO.hud.timeline, Rect(0, 0, 1280, 800)
    assert len(DofusTimelineReader().read(image, rule, HudAnchor(0, 0, 54, 1.0), everywhere)) == 2
    assert DofusTimelineReader().read(image, rule, HudAnchor(0, 0, 160, 1.0), everywhere) == []


def test_a_wall_of_a_sides_colour_up_to_the_first_card_is_no_card():
    image = hudpicture.screen(size=(1280, 800))
    cv2.rectangle(image, (760, 250), (899, 352), (60, 60, 120), -1)
    hudpicture.pointed_timeline(image, (900, 300), ("enemy", "own", "enemy"), 1, (1.0, 0.7, 0.3))
    tones, size = hsv(image), 57
    beside = Rect(900 - size, 300, size, size)
    assert not pointed.is_portrait(pointed.Tones(tones), TWO.hud.timeline, beside, 900)
    assert len(cards.find(image, TWO.hud.timeline, ANCHOR)) == 3


def test_a_red_tree_up_to_the_first_card_is_no_card():
    """Its edge passes for the beginning of a life bar."""
    image = hudpicture.screen(size=(1280, 800))
    cv2.ellipse(image, (890, 325), (40, 30), 0, 0, 360, (110, 110, 215), -1)
    cv2.ellipse(image, (880, 375), (42, 30), 0, 0, 360, (60, 70, 200), -1)
    hudpicture.pointed_timeline(image, (900, 300), ("own", "enemy"), 0, (0.6, 0.1))
    row = cards.find(image, TWO.hud.timeline, ANCHOR)
    assert [(card.team, card.current) for card in row] == [("own", True), ("enemy", False)]


@pytest.mark.parametrize(("lower", "plays"), [((45, 112, 237), True), ((38, 80, 165), False)])
def test_a_card_between_two_oranges_does_not_play(lower, plays):
    image = np.full((800, 1280, 3), 120, np.uint8)
    anchor = HudAnchor(500, 700, 80, 1.0)
    hudpicture.barred_timeline(image, anchor, ("own", "enemy", "enemy"), -1, (1.0, 1.0, 1.0))
    row = cards.find(image, RETRO.hud.timeline, anchor)
    assert len(row) == 3 and not any(card.current for card in row)
    box = row[1].box
    image[box.y - 10 : box.y - 4, box.x : box.right] = (45, 112, 237)
    image[box.bottom + 4 : box.bottom + 10, box.x : box.right] = lower
    assert cards.find(image, RETRO.hud.timeline, anchor)[1].current is plays


def test_a_meadow_is_no_button():
    button, meadow = HudAnchor(1389, 1015, 171, 0.98), HudAnchor(161, 917, 322, 0.92)
    assert is_as_wide(button, None) and is_as_wide(button, replace(button, unit=150.0))
    assert not is_as_wide(meadow, button)


def test_a_fight_that_had_begun_goes_on_until_places_are_chosen_or_its_fighters_are_gone():
    begun = FightBegun()
    begun.follow(Phase.FIGHT, shown=False, standing=True)
    assert not begun.before
    begun.follow(Phase.FIGHT, shown=True, standing=True)
    begun.follow(Phase.FIGHT, shown=False, standing=True)
    assert begun.before
    for _ in range(4):
        begun.follow(Phase.UNKNOWN, shown=False, standing=False)
    assert begun.before
    begun.follow(Phase.UNKNOWN, shown=False, standing=False)
    assert not begun.before
    begun.follow(Phase.FIGHT, shown=True, standing=True)
    begun.follow(Phase.PLACEMENT, shown=False, standing=True)
    assert not begun.before


def stayed(*steps):
    """Where the player is taken to stand: frames of whether it is seen, AP, MP, whether its cell is empty."""
    stay, answers = PlayerAtRest(), []
    for is_seen, ap, mp, is_empty in steps:
        sides = Sides(FighterSeen(PLACE.centre(200), 200, "own", confidence=0.9) if is_seen else None)
        empty = NO_CELLS.copy()
        empty[200] = is_empty
        board = DofusBoardSeen(Seen(PLACE, 0.9), (), sides, 0.9, NOTHING, True, empty)
        hud = HudSeen(ap=Seen(ap, 0.9), mp=Seen(mp, 0.9))
        player = stay.follow(sides, hud, board).player
        answers.append(None if player is None else player.cell)
    return answers[-1]


AT_REST = [(True, 6, 3, False)] * 6


def test_a_player_at_rest_stays_where_it_was_while_something_hides_it():
    assert stayed(*AT_REST, (False, 6, 3, False)) == 200
    assert stayed(*AT_REST[:3], (False, 6, 3, False)) is None  # it may have been on its way
    assert stayed(*AT_REST, (False, 6, 3, True)) is None
    assert stayed(*AT_REST, (False, 6, 2, False)) is None
    assert stayed(*AT_REST, (False, 6, None, False), (False, 6, 3, False)) is None


def living(*pictures):
    """How many live: pictures of how many cards are read, who stands, which cells show floor or a window."""
    counting, answers = Living(), []
    for shown, standing, empty, covered in pictures:
        floor, window = NO_CELLS.copy(), NO_CELLS.copy()
        floor[list(empty)] = window[list(covered)] = True
        enemies = [FighterSeen(PLACE.centre(cell), cell, "enemy", confidence=0.9) for cell in standing]
        answers.append(counting.count(Seen(shown, 0.9), enemies, floor, window).value)
    return answers


def test_a_window_over_a_fighter_and_its_card_is_no_death():
    both, behind = (3, (200, 210), (), ()), (2, (210,), (), (200,))
    assert living(both, *[behind] * 30, both) == [3] * 32
    assert living(both, *[behind] * 30, (2, (210,), (200,), ())) == [3] * 31 + [2]
    assert living(both, behind, (1, (), (210,), (200,))) == [3, 3, 2]  # another dies in sight
    assert living(both, (None, (210,), (), (200,)), behind) == [3, None, 3]


def test_a_glow_over_a_fighter_and_its_card_is_no_death():
    both, behind = (3, (200, 210), (), ()), (2, (210,), (), ())
    assert living(both, *[behind] * 4, both) == [3] * 6
    assert living(both, *[behind] * 30)[-1] == 2


def test_a_fighter_that_leaves_its_floor_and_its_card_has_died():
    assert living((3, (200, 210), (), ()), (2, (210,), (200,), ())) == [3, 2]
    assert living((2, (200,), (), ()), (3, (200, 210), (), ())) == [2, 3]  # one is called
    assert living((3, (200, 210), (), ()), (2, (200, 210), (), ())) == [3, 2]  # a card alone is the tracker's


def with_window(board, letters=True):
    picture = board.picture.copy()
    x, y = (round(value) for value in board.lattice.centre(sorted(board.floor)[len(board.floor) // 2]))
    cv2.rectangle(picture, (x - 170, y - 100), (x + 170, y + 100), (38, 22, 22), -1)
    for down in (-50, 0, 50) if letters else ():
        hudpicture.text(picture, "casts Flame", (x, y + down), 30, (230, 230, 230))
    return picture, (x, y)


@pytest.mark.slow
def test_cells_under_a_window_are_covered_and_stay_floor():
    board = boards.draw("dofus-unity", "sand", 41)
    reader, standing = cell_reader("dofus-unity", board), board.standing
    before = reader.read(bgra(board.picture), standing)
    picture, (x, y) = with_window(board)
    under = bgra(picture)
    covered = np.flatnonzero(reader.look(under).covered).tolist()
    inside = [
        cell
        for cell in board.floor - set(standing)
        if abs(board.lattice.centre(cell)[0] - x) < 90 and abs(board.lattice.centre(cell)[1] - y) < 60
    ]
    assert len(inside) > 5 and len(set(inside) - set(covered)) <= 1
    assert all(
        abs(board.lattice.centre(cell)[0] - x) < 220 and abs(board.lattice.centre(cell)[1] - y) < 130
        for cell in covered
    )
    reader.read(under, standing)
    reader.survey.again()
    for _ in range(12):
        after = reader.read(under, standing)
    assert (after.kinds[inside] == before.kinds[inside]).all()


@pytest.mark.slow
def test_a_board_that_a_window_hides_is_not_forgotten():
    board = boards.draw("dofus-2", "grass", 41)
    reader = cell_reader("dofus-2", board)
    before = reader.read(bgra(board.picture), board.standing)
    hidden = bgra(np.full_like(board.picture, (38, 22, 22)))
    for _ in range(40):
        under = reader.read(hidden, [])
    assert before.confidence > 0.7 and (under.kinds == before.kinds).mean() > 0.95


@pytest.mark.slow
def test_a_board_is_read_where_a_window_lay_over_what_was_no_board():
    board = boards.draw("dofus-2", "grass", 41)
    reader = cell_reader("dofus-2", board)
    noise = np.random.default_rng(1).integers(0, 255, board.picture.shape, np.uint8)
    noise[100:600, 500:900] = (38, 22, 22)
    seen = []
    for picture in (board.picture, noise, board.picture):
        for _ in range(30):
            kinds = reader.read(bgra(picture), board.standing).kinds
        seen.append(kinds)
    assert not seen[1].any() and (seen[0] == seen[2]).all()


@pytest.mark.slow
def test_another_board_is_surveyed_though_its_even_floor_looks_like_a_window(monkeypatch):
    first, second = (boards.draw("dofus-2", palette, 41) for palette in ("grass", "snow"))
    reader = cell_reader("dofus-2", first)
    reader.read(bgra(first.picture), first.standing)
    monkeypatch.setattr(reader, "_with_letters", lambda covered: ~NO_CELLS)
    for _ in range(30):
        reader.read(bgra(second.picture), second.standing)
    apart = np.abs(
        reader.survey.ground.floor[sorted(second.floor)].mean(axis=0)
        - np.mean(boards.PALETTES["snow"][:2], axis=0)
    )
    assert apart.max() < 12


@pytest.mark.slow
def test_what_changed_in_a_frame_without_borders_is_read_in_the_next():
    board = boards.draw("dofus-unity", "sand", 41)
    reader, standing = cell_reader("dofus-unity", board), board.standing
    before = reader.read(bgra(board.picture), standing)
    under = bgra(with_window(board, letters=False)[0])
    reader.look(under)  # the board was not read on in this frame
    assert reader.read(under, standing).highlights["reachable"] < before.highlights["reachable"]
    assert reader.read(under, standing).confidence == before.confidence  # what lies under a window stays


def test_readings_that_skip_a_figure_are_left_out_where_most_have_it():
    whole, skipped = Seen(296, 0.9), Seen(26, 0.9)
    assert numbers.without_skipped([skipped, *[whole] * 5, skipped, skipped]) == [whole] * 5
    for kept in ([*[whole] * 7, Seen(298, 0.9)], [whole, skipped], [*[whole] * 4, skipped]):
        assert numbers.without_skipped(kept) == kept
    many = [whole, skipped] * 5
    assert numbers.without_skipped(many) == many


def test_what_is_grey_about_a_coloured_plate_is_no_ink_of_dark_figures():
    patch = np.full((20, 40, 3), (30, 30, 220), np.uint8)
    patch[:, 30:] = (62, 75, 85)
    figure = (slice(5, 15), slice(26, 34))
    patch[figure] = (40, 5, 10)
    ink = numbers.ink_of(patch, "dark")
    on_colour = numbers.on_colour(patch, ink)
    assert (on_colour[figure] == ink[figure]).all() and (on_colour[:, :26] == ink[:, :26]).all()
    assert (on_colour[:5, 30:] == ink[0, 0]).all() and ink[0, 35] > 2 * ink[0, 0]
    grey = patch[:4, 35:]
    assert (numbers.on_colour(grey, numbers.ink_of(grey, "dark")) == numbers.ink_of(grey, "dark")).all()


def test_a_band_in_which_nothing_was_found_is_searched_again_once_it_has_changed():
    picture, search = np.zeros((160, 200, 4), np.uint8), Search((160, 200))
    search.next()
    band, other = search.next(), search.next()
    search.found_in(picture, band, ANCHOR, something=False)
    assert search.unless_barren(picture, band, ANCHOR)[2:] == (0, 0)
    assert search.unless_barren(picture, other, ANCHOR) == other
    assert search.unless_barren(picture, band, replace(ANCHOR, unit=60)) == band
    changed = picture.copy()
    changed[2:8, 40:60] = 255
    assert search.unless_barren(changed, band, ANCHOR) == band
    search.found_in(picture, other, ANCHOR, something=True)
    assert search.unless_barren(picture, band, ANCHOR) == band


def test_a_picture_is_still_while_few_pixels_change_and_not_for_ever():
    picture, still = np.zeros((320, 400, 4), np.uint8), Still()
    assert not still.holds(picture)
    still.look(picture)
    walked, begun = picture.copy(), picture.copy()
    walked[100:130, 100:120] = 90
    begun[100:150, 100:150] = 90
    assert still.holds(walked) and not still.holds(begun) and not still.holds(picture[:300])
    still.look(picture)
    assert sum(still.holds(walked) for _ in range(8 * AGAIN)) == 3 * AGAIN


@pytest.mark.slow
@pytest.mark.parametrize("client", ["dofus-unity", "dofus-2"])
def test_a_fight_that_begins_on_a_map_where_little_moves_is_seen_in_its_first_picture(client, monkeypatch):
    film = DrawnFilm(client, 4815, (1920, 1080), allies=client != "dofus-2")
    begun = next(film.scenes())
    hud = replace(begun.hud, phase="not-fight", turn=None, fighters=())
    before = replace(begun, fight=replace(begun.fight, fighters=[], highlights={}), hud=hud)
    searched = []
    for module, name in ((lattice, "find"), (signs, "find")):
        found = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *how, find=found: (searched.append(find), find(*how))[1])
    seen = Reader(load(client))
    for scene, pictures, phase in ((before, 3 * AGAIN, Phase.NOT_FIGHT), (begun, 1, Phase.PLACEMENT)):
        for index in range(pictures):
            picture = film.draw(scene).copy()
            cv2.circle(picture, (900 + 20 * index, 300), 8, (255, 255, 255), -1)
            assert seen.read(Frame.still(bgra(picture))).phase.value is phase
        assert len(searched) <= 4
