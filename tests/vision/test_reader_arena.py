"""Reading drawn arena pictures: what is shown is read right, what is hidden is withheld, never made up."""

import json
import os

import cv2
import numpy as np
import pytest

from vision.extract import Reader
from vision.frame import Frame
from vision.profiles import load
from vision.scoring.score import score, score_cells
from vision.view import CellKind, Phase

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6")

import pictures
from PySide6.QtGui import QImage

SIZES = ("1280x720", "1600x900", "1920x1080", "760x470", "640x400", "704x400")


def frame_of(image, seq=0):
    height, width = image.shape[:2]
    pixels = np.dstack([image[..., :3], np.full((height, width, 1), 255, np.uint8)])
    return Frame.still(pixels, 7, seq=seq)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Pictures of several sizes: [(name, image, truth)]."""
    folder = tmp_path_factory.mktemp("pictures")
    for place, size in enumerate(SIZES):
        pictures.draw(folder, range(300 + 3 * place, 301 + 3 * place), [size])
    return [
        (path.stem, cv2.imread(str(path.with_suffix(".png"))), json.loads(path.read_text()))
        for path in sorted(folder.glob("*.json"))
    ]


@pytest.fixture(scope="module")
def picture(drawn):
    """A 1280x720 picture in the player's turn, with its truth."""
    return next((image, truth) for name, image, truth in drawn if name == "1280x720-0300")


@pytest.fixture
def reader():
    return Reader(load("arena"))


@pytest.mark.slow
def test_every_field_is_right_and_none_is_wrong_though_one_reader_reads_all_sizes_in_turn(drawn, reader):
    outcomes, cells = [], {}
    for name, image, truth in drawn[::2] + drawn[1::2]:
        view = reader.read(frame_of(image))
        found = score(view, truth)
        outcomes += [(name, field, outcome) for field, outcome in found.items()]
        for outcome, count in score_cells(view, truth).items():
            cells[outcome] = cells.get(outcome, 0) + count
    assert [entry for entry in outcomes if entry[2] == "wrong"] == []
    assert sum(entry[2] == "right" for entry in outcomes) >= 0.99 * len(outcomes)
    assert cells["right"] >= 0.995 * sum(cells.values())
    assert cells["wrong"] <= 0.0005 * sum(cells.values())


@pytest.mark.slow
def test_what_has_not_changed_is_read_the_same(picture, reader):
    image, truth = picture
    first, second = (reader.read(frame_of(image, seq)) for seq in (1, 2))
    assert (first.seq, second.seq, second.captured_ns) == (1, 2, 7)
    assert np.array_equal(first.cells, second.cells)
    assert second.hp == first.hp and second.player == first.player
    changed = image.copy()
    changed[:90, 640:] = 40
    assert reader.read(frame_of(changed)).turn.value is None
    assert reader.read(frame_of(image)).turn.value == truth["turn"]


@pytest.mark.slow
def test_the_lattice_is_where_the_board_is(picture, reader):
    image, truth = picture
    seen = reader.read(frame_of(image)).lattice
    assert seen.confidence > 0.6
    assert seen.value.origin_px == pytest.approx(truth["lattice"]["origin_px"], abs=1)
    assert seen.value.cell_w == pytest.approx(truth["lattice"]["cell_w"], abs=0.01)
    x, y = truth["player"]["px"]
    assert seen.value.cell_at(x, y) == truth["player"]["cell"]


def test_a_board_a_few_pixels_off_is_followed(picture, reader):
    image, truth = picture
    moved = image.copy()
    moved[:630] = np.roll(image, (2, 3), axis=(0, 1))[:630]
    view = reader.read(frame_of(moved))
    origin = truth["lattice"]["origin_px"]
    assert view.lattice.value.origin_px == pytest.approx((origin[0] + 3, origin[1] + 2), abs=1)
    assert view.player.cell == truth["player"]["cell"]


def test_a_fighter_between_two_cells_has_no_cell(picture, reader):
    """The player is cut out and put down a third of a cell further, as a walking one is drawn."""
    image, truth = picture
    x, y = (round(v) for v in truth["player"]["px"])
    w, h = round(truth["lattice"]["cell_w"]), round(truth["lattice"]["cell_h"])
    walking = image.copy()
    dx, dy = round(w / 6), round(h / 6)
    box = image[y - 2 * h : y + h, x - w // 2 : x + w // 2]
    walking[y - 2 * h + dy : y + h + dy, x - w // 2 + dx : x + w // 2 + dx] = box
    view = reader.read(frame_of(walking))
    assert view.player is None or view.player.cell is None
    assert truth["player"]["cell"] not in [f.cell for f in (*view.enemies, *view.allies)]


def test_a_covered_part_is_withheld_not_made_up(picture, reader):
    """What the capture blacked out because another window lay over it."""
    image, truth = picture
    covered = image.copy()
    covered[:, :640] = 0
    view = reader.read(frame_of(covered))
    found = score(view, truth)
    assert "wrong" not in found.values()
    assert view.hp.value is None and view.phase.value is not Phase.FIGHT
    covered = image.copy()
    covered[100:500, 700:1000] = 0
    view = reader.read(frame_of(covered))
    assert view.phase.value is Phase.FIGHT
    assert score_cells(view, truth)["wrong"] == 0
    assert (view.cells == CellKind.UNKNOWN).sum() > 20
    assert "wrong" not in score(view, truth).values()


@pytest.mark.slow
@pytest.mark.parametrize("cut", [4, 7, 10, 14])
def test_a_clipped_number_is_never_read_as_a_shorter_one(picture, cut):
    """A 350 of which something covers the first digit must not read as 50."""
    image, truth = picture
    s = 720
    centre, top, bottom = 640 - 0.508 * s, 720 - 0.105 * s, 720 - 0.060 * s
    for side in (-1, 1):
        clipped = image.copy()
        edge = round(centre + side * (0.5 * 0.072 * s - cut))
        columns = slice(0, edge) if side < 0 else slice(edge, round(centre + 0.06 * s))
        clipped[round(top) : round(bottom), columns] = (60, 30, 180)
        hp = Reader(load("arena")).read(frame_of(clipped)).hp.value
        assert hp in (None, truth["hp"])


def test_a_finished_fight_is_no_fight(picture, reader):
    image, _ = picture
    veil = np.array([0x14, 0x0A, 0x07])
    dark = (image * 0.38 + veil * 0.62).round().astype(np.uint8)
    view = reader.read(frame_of(dark))
    assert view.phase.value is Phase.NOT_FIGHT
    assert view.player is None and view.hp.value is None and not view.cells.any()
    assert "over" in view.reason


def test_too_small_a_picture_says_so(picture, reader):
    image, _ = picture
    view = reader.read(frame_of(cv2.resize(image, (500, 300))))
    assert view.phase.value is Phase.UNKNOWN
    assert "500x300" in view.reason and "490x350" in view.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    "client", ["dofus-unity", pytest.param("dofus-2", marks=pytest.mark.long), "dofus-retro"]
)
def test_the_arena_is_no_fight_of_a_real_client(picture, client):
    image, _ = picture
    view = Reader(load(client)).read(frame_of(image))
    assert view.phase.value is Phase.UNKNOWN
    assert view.reason
    assert view.lattice.value is None and view.player is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [
        (640, 400),
        (880, 495),
        *(pytest.param(size, marks=pytest.mark.long) for size in ((704, 400), (751, 422), (1280, 720))),
    ],
)
def test_fighters_with_signs_of_states_over_their_heads_are_found(qapp, size):
    from PySide6.QtGui import QImage

    from botapp.arena.scenarios import duel
    from botapp.arena.window.layout import ArenaLayout
    from botapp.arena.window.moment import Moment
    from botapp.arena.window.scene import render
    from botapp.arena.window.truth import describe
    from botapp.fight.spells import Buff
    from botapp.fight.vocabulary import State

    state = duel(5)
    for shown in State:
        if shown is State.INVISIBLE:
            continue
        buff = Buff(caster=0, turns=2, state=shown)
        state = state.changed(fighters=tuple(f.changed(buffs=(*f.buffs, buff)) for f in state.fighters))
    moment = Moment(state.fighters[0].id, seed=5)
    image = render(state, size, moment).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(size[1], size[0], 4)
    view = Reader(load("arena")).read(Frame.still(pixels, 7))
    found = score(view, describe(state, ArenaLayout(*size), moment))
    assert {name: found[name] for name in ("player 0 cell", "enemy 0 cell", "player 0 hp")} == {
        "player 0 cell": "right",
        "enemy 0 cell": "right",
        "player 0 hp": "right",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "step"),
    [
        ((704, 400), 14),
        ((1280, 720), 28),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (((704, 400), 13), ((704, 400), 28), ((640, 400), 14))
        ),
    ],
)
def test_a_body_in_front_is_not_taken_for_the_one_that_it_covers(size, step, reader, qapp):
    """A shaman a cell further down hides most of a toad, whose body was read as the shaman's."""
    from dataclasses import replace

    from botapp.arena.scenarios import adventure
    from botapp.arena.window.layout import ArenaLayout
    from botapp.arena.window.render import staged_moment
    from botapp.arena.window.scene import render
    from botapp.arena.window.truth import describe

    state = adventure(3)
    behind = 281
    cells = {"toad": behind, "shaman": behind + step}
    fighters = (replace(one, cell=cells.get(one.kind, 325)) for one in state.fighters)
    state = replace(state, fighters=tuple(fighters))
    moment = staged_moment(state, 3, 0, None)
    picture = render(state, size, moment).convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.array(picture.constBits(), np.uint8).reshape(picture.height(), picture.width(), 4)
    view = reader.read(frame_of(pixels))
    assert {one.cell: one.kind.value for one in view.enemies} == {281: "toad", 281 + step: "shaman"}
    assert "wrong" not in score(view, describe(state, ArenaLayout(*size), moment)).values()


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ("sapling", "toad", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("tinker", "boar")))
)
def test_the_order_of_play_is_read_with_fighters_of_two_colours_on_their_cards(kind, reader, qapp):
    """Half of a sapling's card is in shades that others have too; a card without a kind leaves no order."""
    from botapp.arena.scenarios import duel
    from botapp.arena.window.moment import Moment
    from botapp.arena.window.scene import render

    state = duel(712)
    for one in state.fighters:
        kinds = tuple(f.changed(kind=kind) if f is one else f for f in state.fighters)
        shown = state.changed(fighters=kinds)
        picture = render(shown, (1920, 1080), Moment(state.fighters[0].id, seed=712))
        picture = picture.convertToFormat(QImage.Format.Format_ARGB32)
        pixels = np.array(picture.constBits(), np.uint8).reshape(1080, 1920, 4)
        view = reader.read(frame_of(pixels))
        assert [card.kind for card in view.order] == [shown.fighter(number).kind for number in shown.order]
