"""The cells of a real board: what they are, how they are lit, and which is which, never made up."""

from collections import Counter
from dataclasses import replace
from itertools import product

import boards
import cv2
import numpy as np
import pytest
from boards import bgra, cell_reader, walkable

from vision.calibration import BoardCalibration, BoardCalibrations
from vision.extract import Reader
from vision.extract.dofus import lattice, terrain
from vision.extract.dofus.board import DofusBoardReader
from vision.extract.dofus.cells import NOTHING, CellReader
from vision.extract.dofus.ground_survey import GroundSurvey, merged
from vision.extract.grid import NEIGHBOURS, centres
from vision.frame import Frame, Rect
from vision.profiles import load
from vision.synthetic.moving import frames, moments
from vision.synthetic.scoring import judge_cells
from vision.synthetic.scoring import read as look
from vision.synthetic.screen import draw
from vision.view import CELLS, CellKind, Lattice


def read(board, client, calibrations=None):
    profile = load(client)
    reader = DofusBoardReader(profile, profile.screen, calibrations or BoardCalibrations())
    seen = reader.read(bgra(board.picture), board.client)
    assert seen is not None
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("palette", boards.EXTREMES)
def test_floor_and_reach_are_read_in_any_palette(palette):
    board = boards.draw("dofus-unity", palette, 30 + sorted(boards.PALETTES).index(palette))
    cells = read(board, "dofus-unity").cells
    floor = walkable(cells)
    assert len(floor - board.floor) <= 1
    assert len(floor) > 0.75 * len(board.floor)
    reachable = cells.highlights.get("reachable", frozenset())
    assert reachable <= board.lit
    assert len(reachable) > 0.6 * len(board.lit)
    assert 0.5 < cells.confidence <= 1


@pytest.mark.slow
def test_floor_and_reach_in_a_shadow_are_floor_and_reach():
    board = boards.draw("dofus-unity", "wood", 43)
    lit = read(board, "dofus-unity").cells
    shade = np.interp(np.arange(board.picture.shape[1]), (720, 1000), (1.0, 0.62))
    dark = replace(board, picture=(board.picture * shade[None, :, None]).astype(np.uint8))
    shaded = read(dark, "dofus-unity").cells
    assert len(walkable(shaded)) >= 0.98 * len(walkable(lit))
    assert walkable(shaded) <= board.floor
    reachable = shaded.highlights["reachable"]
    assert reachable <= board.lit and len(reachable) > 0.8 * len(lit.highlights["reachable"])


@pytest.mark.long
@pytest.mark.parametrize("seed", [5600051, 5600052])
def test_cells_under_the_timeline_are_unknown(seed):
    picture, truth = draw(seed, "dofus-unity")
    view = look(picture, "dofus-unity")
    grid = Lattice(
        tuple(truth["lattice"]["origin_px"]), truth["lattice"]["cell_w"], truth["lattice"]["cell_h"]
    )
    cards = [card.box for card in view.timeline]
    left, right = min(box.x for box in cards), max(box.right for box in cards)
    top, end = min(box.y for box in cards), max(box.bottom for box in cards)
    under = [cell for cell, (x, y) in enumerate(centres(grid)) if left < x < right and top < y < end]
    assert len(under) > 3
    assert not (view.cells[under] == CellKind.OUTSIDE).any()
    assert np.count_nonzero(view.cells[under] == CellKind.UNKNOWN) > 3


def test_without_floor_all_cells_are_unknown():
    profile = load("dofus-unity")
    picture = np.full((847, 1440, 4), 90, np.uint8)
    area = Rect(0, 0, 1440, 847)
    reader = CellReader(profile.screen, profile.lattice(area), area, (847, 1440))
    for _ in range(3):
        assert reader.read(picture, [200, 300]) is NOTHING


@pytest.mark.slow
def test_an_effect_over_the_board_lowers_the_confidence_and_passes():
    board = boards.draw("dofus-unity", "stone", 41)
    reader = cell_reader("dofus-unity", board, 700)
    clear = reader.read(bgra(board.picture), board.standing)
    veiled = board.picture.copy()
    # not of one colour: such a window is known as one
    veiled[200:600, 400:1000] = np.random.default_rng(1).integers(0, 256, (400, 600, 3))
    hidden = reader.read(bgra(veiled), board.standing)
    assert hidden.confidence < 0.8 * clear.confidence
    assert np.array_equal(hidden.kinds, clear.kinds)
    again = reader.read(bgra(board.picture), board.standing)
    assert again.highlights == clear.highlights and again.confidence == pytest.approx(clear.confidence)


@pytest.mark.slow
def test_the_ground_is_surveyed_again_only_where_unknown_cells_have_changed(monkeypatch):
    surveys = []
    survey = terrain.survey
    monkeypatch.setattr(terrain, "survey", lambda *seen: surveys.append(seen) or survey(*seen))
    board = boards.draw("dofus-unity", "stone", 41)
    reader = cell_reader("dofus-unity", board, 700)
    picture, standing = bgra(board.picture), board.standing
    seen = [reader.read(picture, standing) for _ in range(150)][-1]
    assert len(surveys) == 1
    unknown = np.flatnonzero((seen.kinds == CellKind.UNKNOWN) & (centres(board.lattice)[:, 1] < 650))
    x, y = board.lattice.centre(int(unknown[len(unknown) // 2]))
    picture[round(y) - 6 : round(y) + 6, round(x) - 6 : round(x) + 6, :3] += 40
    reader.read(picture, standing)
    assert len(surveys) == 1 and reader.survey.goes_on  # the network's work is done over some pictures
    for _ in range(3):
        reader.read(picture, standing)
    assert len(surveys) == 2 and not reader.survey.goes_on


@pytest.mark.slow
def test_floor_under_a_window_comes_with_a_later_survey_though_another_window_is_open_then():
    board = boards.draw("dofus-unity", "stone", 41)
    standing = board.standing
    whole = walkable(cell_reader("dofus-unity", board, 700).read(bgra(board.picture), standing))
    first, second = board.picture.copy(), board.picture.copy()
    first[150:450, 300:650] = second[300:600, 800:1150] = (70, 40, 44)
    reader = cell_reader("dofus-unity", board, 700)
    assert len(walkable(reader.read(bgra(first), standing))) < 0.9 * len(whole)
    for _ in range(61):
        reader.read(bgra(first), standing)
    now = walkable([reader.read(bgra(second), standing) for _ in range(8)][-1])
    assert len(whole - now) <= 0.05 * len(whole) and now <= board.floor


@pytest.mark.slow
def test_another_map_is_read_anew():
    first, second = (boards.draw("dofus-unity", palette, 50) for palette in ("wood", "snow"))
    reader = cell_reader("dofus-unity", first)
    reader.read(bgra(first.picture), first.standing)
    for step in range(16):
        picture = second.picture.copy()
        picture[0, 0] = step
        seen = reader.read(bgra(picture), first.standing)
    assert seen.confidence > 0.5 and walkable(seen) <= second.floor


def test_a_small_map_within_the_floor_of_the_one_before_is_another_where_its_colours_are():
    def ground(floor, colour):
        kinds = np.full(CELLS, CellKind.OUTSIDE, np.uint8)
        kinds[floor] = CellKind.WALKABLE
        colours = np.tile(np.array(colour, np.float32), (CELLS, 1))
        return terrain.Ground(kinds, np.ones(CELLS, bool), colours, np.ones(CELLS))

    large, small = range(200, 360), range(230, 280)
    before, other = ground(large, (150, 120, 80)), ground(small, (110, 120, 80))
    assert merged(before, other) is other
    hidden = merged(before, ground(small, (152, 121, 80)))
    assert (hidden.cells[large] == CellKind.WALKABLE).all()
    assert (merged(before, other, same=True).cells[large] == CellKind.WALKABLE).all()


@pytest.mark.slow
def test_a_lit_cell_with_a_body_over_a_part_of_it_is_lit():
    board = boards.draw("dofus-unity", "sand", 45)
    clear = cell_reader("dofus-unity", board).read(bgra(board.picture), board.standing)
    lit = clear.highlights["reachable"]
    cell = next(cell for cell in lit if any(near in lit for near in NEIGHBOURS[cell].tolist() if near >= 0))
    half = np.array((board.lattice.cell_w, board.lattice.cell_h)) / 2
    lower_right = np.array([(-0.15, 0.0), (0.1, -0.3), (1, 0), (0.1, 0.9)]) * half
    corners = np.round(lower_right + board.lattice.centre(cell)).astype(np.int32)
    body = cv2.fillConvexPoly(board.picture.copy(), corners, (40, 60, 150))
    seen = cell_reader("dofus-unity", board).read(bgra(body), board.standing)
    assert cell in seen.highlights["reachable"]


@pytest.mark.slow
def test_the_map_of_the_next_fight_is_read_anew_though_its_colours_are_the_same():
    first, second = (boards.draw("dofus-unity", "stone", seed) for seed in (41, 52))
    reader = cell_reader("dofus-unity", first, 700)
    for _ in range(20):
        reader.read(bgra(first.picture), first.standing)
    across, down = np.subtract(first.lattice.origin_px, second.lattice.origin_px)
    moved = cv2.warpAffine(second.picture, np.array([[1.0, 0.0, across], [0.0, 1.0, down]]), (1440, 847))
    reader.survey.again()
    floor = walkable([reader.read(bgra(moved), second.standing) for _ in range(10)][-1])
    assert len(floor - second.floor) <= 1 and len(floor) > 0.7 * len(second.floor)
    assert reader.survey.has_another_map


def test_a_board_is_surveyed_again_after_frames_without_a_fighter(monkeypatch):
    asked = []
    monkeypatch.setattr(GroundSurvey, "again", lambda _: asked.append(1))
    board = boards.draw("dofus-unity", "stone", 41)
    profile = load("dofus-unity")
    reader = DofusBoardReader(profile, profile.screen, BoardCalibrations())
    picture, empty = bgra(board.picture), bgra(np.full_like(board.picture, 90))
    reader.read(picture, board.client)
    for without, anew in ((3, 0), (6, 1)):
        for _ in range(without):
            reader.read(empty, board.client)
        reader.read(picture, board.client)
        assert len(asked) == anew


@pytest.mark.long
@pytest.mark.parametrize("client", ["dofus-unity", "dofus-2"])
def test_a_fight_that_goes_on_is_read_without_inventing(client):
    reader = Reader(load(client))
    seen = []
    for seq, (picture, moment) in enumerate(frames(moments(client, 3, 5, (1920, 1080)), 9, hold=3)):
        view = reader.read(Frame(picture, Rect(0, 0, 1920, 1080), 0, seq))
        seen.append(view.player.cell if view.player is not None else None)
        assert seen[-1] in (None, moment.own)
    assert any(cell is not None for cell in seen)


def told(view):
    numbers = [getattr(view, name).value for name in ("hp", "ap", "mp", "timer_s", "turn", "fighters_shown")]
    return [*numbers, view.player and view.player.cell, {enemy.cell for enemy in view.enemies}]


@pytest.mark.long
@pytest.mark.parametrize("client", ["dofus-unity", "dofus-retro"])
def test_cached_cells_equal_those_of_a_fresh_reader(client):
    reader, drawn = Reader(load(client)), moments(client, 3, 5, (1920, 1080))
    for seq, (picture, _) in enumerate(frames([*drawn, drawn[0]], 8, hold=2)):
        frame = Frame(picture, Rect(0, 0, 1920, 1080), 0, seq)
        followed = reader.read(frame)
        assert followed.ap
        if seq % 2:
            assert told(followed) == told(Reader(load(client)).read(frame))


@pytest.mark.slow
def test_the_same_frame_is_the_same_answer():
    board = boards.draw("dofus-unity", "grass", 8)
    reader = Reader(load("dofus-unity"))
    frame = Frame(bgra(board.picture), Rect(0, 0, 1440, 847), 0, 0)
    first, second = (reader.read(frame) for _ in range(2))
    assert first.cells is second.cells and first.lattice == second.lattice


@pytest.mark.slow
def test_inferred_rows_are_ambiguous_until_the_player_confirms_them():
    board = boards.draw("dofus-unity", "wood", 12)
    open_ = read(board, "dofus-unity")
    assert len(open_.ambiguous) == 2
    for other in open_.ambiguous:
        apart = (other.origin_px[1] - open_.lattice.value.origin_px[1]) / open_.lattice.value.cell_h
        assert abs(apart) == pytest.approx(1)
    lower = max(open_.ambiguous, key=lambda other: other.origin_px[1])
    said = BoardCalibrations().remember(BoardCalibration.accepted("dofus-unity", board.client, lower))
    sure = read(board, "dofus-unity", said)
    assert sure.ambiguous == ()
    assert sure.sides.player.px == pytest.approx(open_.sides.player.px, abs=1)
    assert sure.sides.player.cell == open_.sides.player.cell - 28


@pytest.mark.slow
def test_a_client_whose_rows_are_known_is_not_asked_about():
    assert read(boards.draw("dofus-2", "wood", 5, (1600, 900)), "dofus-2").ambiguous == ()


@pytest.mark.long
@pytest.mark.parametrize(
    ("client", "zoom"),
    list(product(("dofus-unity", "dofus-2"), (0.9, 1.06, 1.15))),
)
def test_cells_of_a_zoomed_board_have_no_ids_until_the_player_places_it(client, zoom):
    board = boards.draw(client, "wood", 12, zoom=zoom)
    frame = Frame(bgra(board.picture), board.client, 0, 0)
    unknown = read(board, client)
    assert not unknown.numbered and unknown.ambiguous
    assert unknown.lattice.value.cell_w == pytest.approx(board.lattice.cell_w, rel=0.004)
    said = BoardCalibrations().remember(BoardCalibration.accepted(client, board.client, board.lattice))
    known = read(board, client, said)
    assert known.numbered and known.sides.player.cell == board.own
    usual = boards.draw(client, "wood", 12)
    assert read(usual, client, said).sides.player.cell == usual.own
    view = Reader(load(client)).read(frame)
    assert all(one.cell is None for one in (view.player, *view.enemies) if one is not None)
    assert not view.cells.any() and not view.highlights


def test_a_lattice_between_two_places_is_open_to_all_sides():
    expected = Lattice((100.0, 50.0), 80.0, 40.0)
    fit = lattice.MeasuredLattice(Lattice((120.0, 50.0), 80.0, 40.0), 5.0, 0.25001)
    others = lattice.alternatives(fit, expected)
    assert len(others) == 8
    assert len({tuple(np.round(other.origin_px, 3)) for other in others}) == 8
    assert lattice.nearest(Lattice((140.0, 70.0), 80.0, 40.0), expected) == expected


@pytest.mark.parametrize(
    ("client", "seed"),
    [
        ("dofus-unity", 91_150_003),
        pytest.param("dofus-2", 91_150_001, marks=pytest.mark.long),
        pytest.param("dofus-retro", 91_150_002, marks=pytest.mark.long),
    ],
)
@pytest.mark.slow
def test_boards_of_other_players_with_pits_and_slabs_have_no_wrong_floor(client, seed):
    outcomes = Counter()
    for number in range(seed, seed + 3):
        picture, truth = draw(number, client, unlike=True, boards=True)
        outcomes += judge_cells(look(picture, client), truth)["cells"]
    assert outcomes["right"] >= 0.85 * outcomes.total() and outcomes["wrong"] <= 0.01 * outcomes["right"]


@pytest.mark.slow
def test_a_survey_goes_on_while_the_picture_stays_the_same(monkeypatch):
    surveys = []
    survey = terrain.survey
    monkeypatch.setattr(terrain, "survey", lambda *seen: surveys.append(seen) or survey(*seen))
    drawn, _ = draw(91030300, "dofus-unity")
    reader = Reader(load("dofus-unity"))
    pictures = [bgra(drawn[..., :3]) for _ in range(4)]
    for number, picture in enumerate(pictures):
        picture[5, 5, 0] = number  # a pointer moves
        reader.read(Frame.still(picture, number))
    known, due = len(surveys), [True]
    monkeypatch.setattr(GroundSurvey, "_is_due", lambda *_: bool(due and due.pop()))
    still = pictures[-1].copy()
    still[9, 9, 0] ^= 255
    for number in range(10, 15):
        reader.read(Frame.still(still.copy(), number))
    assert len(surveys) == known + 1
