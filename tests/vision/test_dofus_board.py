"""Boards of real clients: found in any palette and size, with fighters on the right cells, never in noise."""

import json
import math
from dataclasses import replace
from functools import cache
from itertools import islice

import boards
import cv2
import numpy as np
import pytest
import real_screens
from real_screens import SCREENS

from botapp.bench.film import DrawnFilm
from vision.extract import Reader
from vision.extract.dofus import fighters, lattice, scored
from vision.extract.dofus.client import find_client
from vision.extract.dofus.model import HudSeen
from vision.extract.dofus.parts import WorkInParts
from vision.frame import Frame, Rect
from vision.profiles import load
from vision.synthetic.screen import draw
from vision.view import Lattice, Phase, Seen


def measured(picture, area, profile):
    work = WorkInParts(lattice.find(picture, area, profile.lattice(area)))
    assert work.go_on(to_the_end=True)
    return work.result


@pytest.mark.slow
@pytest.mark.parametrize("client", ["dofus-unity", "dofus-2"])
@pytest.mark.parametrize("palette", boards.EXTREMES)
def test_cells_are_found_in_any_palette(client, palette):
    size = (1440, 847) if client == "dofus-unity" else (1600, 900)
    seed = sorted(boards.PALETTES).index(palette)
    board = boards.draw(client, palette, seed, size)
    fit = measured(board.picture, board.client, load(client))
    assert fit is not None and fit.confidence > 0.1
    for cell in (board.own, *board.enemies):
        assert math.dist(fit.lattice.centre(cell), board.lattice.centre(cell)) < 0.12 * board.lattice.cell_w


@pytest.mark.slow
def test_the_next_frame_is_read_where_the_board_was(monkeypatch):
    fight = HudSeen(phase=Seen(Phase.FIGHT, 0.9))
    monkeypatch.setattr("vision.extract.dofus.reader.DofusHudReader.read", lambda *_: fight)
    board = boards.draw("dofus-unity", "wood", 8)
    reader = Reader(load("dofus-unity"))
    views = []
    for step in range(3):
        picture = board.picture.copy()
        picture[:40, :40] = 30 * step
        views.append(reader.read(Frame(picture, Rect(0, 0, 1440, 847), 0, step)))
    views.append(reader.read(Frame(picture, Rect(0, 0, 1440, 847), 0, 3)))
    assert [view.player.cell for view in views] == [board.own] * 4
    assert all({enemy.cell for enemy in view.enemies} <= set(board.enemies) for view in views)
    other = boards.draw("dofus-unity", "night", 9)
    for seq in range(4, 9):
        view = reader.read(Frame(other.picture, Rect(0, 0, 1440, 847), 0, seq))
    assert view.player is not None and view.player.cell == other.own


@pytest.mark.slow
def test_a_board_lost_is_found_elsewhere_over_some_frames_even_of_the_same_picture(monkeypatch):
    fight = HudSeen(phase=Seen(Phase.FIGHT, 0.9))
    monkeypatch.setattr("vision.extract.dofus.reader.DofusHudReader.read", lambda *_: fight)
    begun = []
    find = lattice.find
    monkeypatch.setattr(lattice, "find", lambda *given: begun.append(given) or find(*given))
    board = boards.draw("dofus-unity", "wood", 8)
    across = round(0.15 * board.lattice.cell_w)
    moved = np.roll(board.picture, across, 1)
    reader = Reader(load("dofus-unity"))
    place = Rect(0, 0, 1440, 847)
    first = reader.read(Frame(board.picture, place, 0, 0))
    assert first.player.cell == board.own and first.cells.any()
    views = [reader.read(Frame(moved, place, 0, step)) for step in range(1, 14)]
    assert views[-1].player is not None and len(begun) == 2
    x, y = views[-1].player.px
    assert math.dist((x - across, y), first.player.px) < 2
    assert np.count_nonzero(views[-1].cells) >= 0.9 * np.count_nonzero(first.cells)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.6, 1.5])
def test_the_lattice_scales_with_the_picture(scale):
    board = boards.draw("dofus-unity", "stone", 11)
    picture = cv2.resize(board.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    whole = Rect(0, 0, picture.shape[1], picture.shape[0])
    fit = measured(picture, whole, load("dofus-unity"))
    assert fit is not None
    assert fit.lattice.cell_w == pytest.approx(board.lattice.cell_w * scale, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    "client", ["dofus-unity", pytest.param("dofus-2", marks=pytest.mark.long), "dofus-retro"]
)
def test_noise_and_blobs_are_no_fight(client):
    dice = np.random.default_rng(5)
    reader = Reader(load(client))
    coarse = dice.integers(0, 256, (30, 50, 3)).astype(np.uint8)
    for interpolation in (cv2.INTER_NEAREST, cv2.INTER_CUBIC):
        picture = cv2.resize(coarse, (1300, 780), interpolation=interpolation)
        view = reader.read(Frame(picture, Rect(0, 0, 1300, 780), 0, 0))
        assert view.phase.value is not Phase.FIGHT
        assert view.player is None and view.enemies == ()


@pytest.mark.slow
def test_a_title_bar_and_a_taskbar_are_no_part_of_the_client():
    board = boards.draw("dofus-unity", "grass", 3)
    title = np.full((30, 1440, 3), 60, np.uint8)
    tasks = np.full((40, 1440, 3), 25, np.uint8)
    whole = np.vstack([title, board.picture, tasks])
    assert find_client(whole, load("dofus-unity")) == Rect(0, 30, 1440, 847)


@pytest.mark.slow
def test_a_window_is_found_on_a_desktop():
    board = boards.draw("dofus-unity", "sand", 4)
    desktop = np.empty((1200, 1900, 3), np.uint8)
    desktop[:] = np.linspace(20, 160, 1900)[None, :, None]
    desktop[150 : 150 + 30, 200 : 200 + 1440] = 230
    desktop[180 : 180 + 847, 200 : 200 + 1440] = board.picture
    found = find_client(desktop, load("dofus-unity"))
    assert found is not None
    assert max(abs(a - b) for a, b in zip(found, (200, 180, 1440, 847), strict=True)) <= 3


def test_a_flat_picture_has_no_client():
    assert find_client(np.zeros((900, 1440, 3), np.uint8), load("dofus-unity")) is None


LETTERBOXED = (180, 1514)
"""Where the sides of the client area of `letterboxed` are."""


def letterboxed():
    dice = np.random.default_rng(6)
    picture = np.zeros((1000, 1694, 3), np.uint8)
    coarse = dice.integers(40, 200, (25, 33, 3)).astype(np.uint8)
    picture[:, slice(*LETTERBOXED)] = cv2.resize(coarse, (1334, 1000), interpolation=cv2.INTER_CUBIC)
    for x in (LETTERBOXED[0] - 2, LETTERBOXED[1]):
        picture[:, x : x + 2] = 255
    return picture


@pytest.mark.slow
@pytest.mark.parametrize(
    "windows",
    [
        [(300, 620, 120, 240)],
        [(300, 620, 1454, 1574)],
        [(0, 940, 60, 300)],
        [(40, 900, 90, 400), (100, 1000, 1400, 1640)],
        [(0, 1000, 0, 260)],
    ],
    ids=["left", "right", "nearly all of a side", "most of both sides", "all of a side"],
)
def test_windows_over_the_black_borders_hide_no_letterboxed_client(windows):
    picture = letterboxed()
    for top, bottom, left, right in windows:
        picture[top:bottom, left:right] = (60, 40, 30)
    found = find_client(picture, load("dofus-retro"))
    assert found is not None and max(abs(found.x - LETTERBOXED[0]), abs(found.right - LETTERBOXED[1])) <= 2


@pytest.mark.long
@real_screens.need()
def test_fighters_on_real_screens_are_never_wrong():
    screens = json.loads((SCREENS / "labels.json").read_text())["screens"]
    missing = 0
    for screen in screens:
        picture = cv2.imread(str(SCREENS / screen["file"]))
        height = len(picture)
        view = Reader(load(screen["client"])).read(Frame.still(picture))
        if screen.get("placement") and view.phase.value is Phase.UNKNOWN:  # its HUD is not in view
            continue
        if screen["phase"] != "fight":
            assert view.phase.value is not Phase.FIGHT, screen["file"]
            continue
        near = 0.022 * height
        wanted = [tuple(screen["player_px"])]
        seen = [view.player.px] if view.player is not None else []
        assert all(math.dist(px, wanted[0]) <= near for px in seen), screen["file"]
        missing += 1 - len(seen)
        for enemy in view.enemies:
            assert min(math.dist(enemy.px, px) for px in screen["enemies_px"]) <= near, screen["file"]
        missing += len(screen["enemies_px"]) - len(view.enemies)
    assert missing == 0


@pytest.mark.parametrize("scale", [1.0, 2.4])
def test_retro_cells_are_counted_from_the_upper_left_corner(scale):
    board = load("dofus-retro").lattice(Rect(40, 20, round(742 * scale), round(556 * scale)))
    assert board.centre(0) == pytest.approx((40, 20), abs=0.5)
    assert board.centre(10 * 14 + 3) == pytest.approx((40 + 3 * 53 * scale, 20 + 5 * 27 * scale), abs=0.5)
    assert board.centre(32 * 14) == pytest.approx((40, 20 + 432 * scale), abs=0.5)


def test_a_cell_whose_middle_is_on_the_clients_edge_is_looked_at():
    profile, client = load("dofus-retro"), Rect(240, 0, 1440, 1080)
    place = profile.lattice(client)
    for off, looked_at in ((-0.04, True), (-0.5, False)):
        moved = replace(place, origin_px=(client.x + off * place.cell_w, place.origin_px[1]))
        assert scored.looked_at(moved, client, ())[308] == looked_at


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 5])
def test_a_lattice_that_a_small_board_gave_is_measured_again_on_a_larger_one(seed):
    board = boards.draw("dofus-2", "wood", seed, (1600, 900))
    true = board.lattice
    middle = np.array((board.client.x + board.client.width / 2, board.client.y + board.client.height / 2))
    left, top = (float(value) for value in middle + (np.array(true.origin_px) - middle) * 1.012)
    known = lattice.MeasuredLattice(Lattice((left, top), true.cell_w * 1.012, true.cell_h * 1.012), 1.4, 0.02)
    fit = lattice.measured_again(board.picture, board.client, known)
    assert fit is not None and fit.surplus > known.surplus
    assert fit.lattice.cell_w == pytest.approx(true.cell_w, rel=0.003)
    for cell in (board.own, *board.enemies):
        assert math.dist(fit.lattice.centre(cell), true.centre(cell)) < 0.1 * true.cell_w
    assert lattice.measured_again(board.picture, board.client, fit) is None


def test_a_small_board_whose_edges_repeat_a_little_off_lies_where_the_profile_expects_it(monkeypatch):
    board = boards.draw("dofus-unity", "stone", 41)
    true, profile = board.lattice, load("dofus-unity")
    middle = np.array((board.client.x + board.client.width / 2, board.client.y + board.client.height / 2))
    left, top = (float(value) for value in middle + (np.array(true.origin_px) - middle) * 0.98 + (14, 4))
    rough = Lattice((left, top), true.cell_w * 0.98, true.cell_h * 0.98)

    def repeating(*seen):
        yield
        return rough, 1.3

    monkeypatch.setattr(lattice, "repeating", repeating)
    fit = measured(board.picture, board.client, profile)
    assert fit.lattice.cell_w == pytest.approx(true.cell_w, rel=0.003)
    for cell in (board.own, *board.enemies):
        assert math.dist(fit.lattice.centre(cell), true.centre(cell)) < 0.1 * true.cell_w


@pytest.mark.slow
def test_retro_fighters_stand_on_the_cells_drawn():
    picture, label = draw(9_000_003, "dofus-retro")
    view = Reader(load("dofus-retro")).read(Frame.still(picture))
    assert view.enemies and {enemy.cell for enemy in view.enemies} <= set(label["enemy_cells"])
    assert view.player is None or view.player.cell == label["player_cell"]


@pytest.mark.slow
def test_a_letterboxed_client_of_another_shape_has_no_ids():
    picture, label = draw(9_000_005, "dofus-retro")
    left, top, wide, tall = label["client_px"]
    cut = np.ascontiguousarray(picture[top + round(0.08 * tall) : top + tall, left : left + wide])
    view = Reader(load("dofus-retro")).read(Frame(cut, Rect(0, 0, wide, len(cut)), 0, 0))
    assert view.client is not None and view.client.width / view.client.height > 1.4
    assert view.enemies and all(enemy.cell is None for enemy in view.enemies) and view.lattice_ambiguous


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "black"), [(9_000_032, True), pytest.param(33_000_078, False, marks=pytest.mark.long)]
)
def test_a_letterboxed_client_is_found_about_a_black_map_and_beside_the_middle_of_the_screen(seed, black):
    picture, label = draw(seed, "dofus-retro")
    assert (label["palette"] == "black") is black
    area = find_client(picture, load("dofus-retro"))
    assert area is not None
    assert np.allclose(area, label["client_px"], atol=0.004 * label["client_px"][2])


@pytest.mark.long
@pytest.mark.parametrize("client", ["dofus-unity", "dofus-2", "dofus-retro"])
def test_who_stays_half_behind_a_crate_is_seen_in_a_film(client):
    """The timeline is read and misses a fighter of the own side, so one picture is enough."""
    reader, film = Reader(load(client)), DrawnFilm(client, 21)
    cells = []
    for at, scene in enumerate(islice(film.scenes(), 336, 345)):
        picture = film.draw(scene).copy()
        picture[:, : film.area.left] = picture[:, film.area.right :] = 0
        picture[0, 0] = at
        pixels = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
        view = reader.read(Frame.still(pixels, at, seq=at))
        cells.append(None if view.player is None else view.player.cell)
        assert scene.shown.own == 255
    assert cells == [255] * 9


@cache
def faint():
    return draw(62000063, "dofus-2")


@pytest.mark.slow
@pytest.mark.parametrize("missed", [0, 1])
def test_all_fighters_of_the_timeline_prove_a_board_whose_cells_are_too_faint(missed, monkeypatch):
    """Nothing repeats and no tile's edge fits, but all borders are where the board should lie."""
    picture, truth = faint()
    reader = Reader(load("dofus-2"))

    def nothing(frame, client, prior):
        yield
        return lattice.MeasuredLattice(prior, 1.0, 0.0)

    monkeypatch.setattr(lattice, "find", nothing)
    monkeypatch.setattr(fighters, "counted", lambda rings, *_: rings[missed:])
    view = reader.read(Frame.still(picture))
    assert len(view.timeline) == 13
    assert (view.lattice.value is None) is bool(missed)
    assert {one.cell for one in view.enemies} == (set() if missed else set(truth["enemy_cells"]))
