"""Practice screens: the same for the same seed, true to their labels, scored fairly."""

import json
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.synthetic import board, camera, numerals, other_screens, scoring, screen
from vision.synthetic.__main__ import main
from vision.synthetic.canvas import Drawing, Typeface, clouds, diamond, heart, star
from vision.synthetic.clients import CLIENTS as DRAWN
from vision.synthetic.scoring import FieldTally, judge, judge_cells
from vision.view import CELLS, CellKind, FighterSeen, FightView, Lattice, Phase, Seen

CLIENTS = screen.CLIENTS


@pytest.fixture(scope="module")
def drawn():
    return {client: screen.draw(3, client) for client in CLIENTS}


def true_view(label):
    """The view of one who sees all that the label says."""
    grid = label["lattice"]
    lattice = Lattice(tuple(grid["origin_px"]), grid["cell_w"], grid["cell_h"])

    def people(team, places, cells):
        return tuple(
            FighterSeen(tuple(px), cell, team, confidence=0.9) for px, cell in zip(places, cells, strict=True)
        )

    values = {
        other: Seen(label[name], 0.95) if label[name] is not None else Seen()
        for name, other in scoring.NUMBERS.items()
    }
    return FightView(
        phase=Seen(Phase(label["phase"]), 0.95),
        turn=Seen(label["turn"], 0.95) if label["turn"] else Seen(),
        lattice=Seen(lattice, 0.95),
        cells=np.array(label["cells"], np.uint8),
        cell_confidence=0.9,
        highlights={name: frozenset(cells) for name, cells in label["highlights"].items()},
        player=people("own", [label["player_px"]], [label["player_cell"]])[0],
        allies=people("ally", label["allies_px"], label["ally_cells"]),
        enemies=people("enemy", label["enemies_px"], label["enemy_cells"]),
        **values,
    )


@pytest.mark.long
@pytest.mark.parametrize("client", CLIENTS)
def test_the_same_seed_draws_the_same_screen(client, drawn):
    image, label = screen.draw(3, client)
    np.testing.assert_array_equal(image, drawn[client][0])
    assert label == drawn[client][1]
    assert screen.draw(4, client)[1] != label


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS)
def test_a_label_fits_its_picture(client, drawn):
    image, label = drawn[client]
    assert label["size"] == [image.shape[1], image.shape[0]]
    left, top, width, height = label["client_px"]
    assert left >= 0
    assert top >= 0
    assert left + width <= image.shape[1]
    assert top + height <= image.shape[0]
    grid = label["lattice"]
    lattice = Lattice(tuple(grid["origin_px"]), grid["cell_w"], grid["cell_h"])
    pairs = [
        (label["player_cell"], label["player_px"]),
        *zip(label["enemy_cells"], label["enemies_px"], strict=True),
    ]
    for cell, place in pairs:
        assert lattice.centre(cell) == pytest.approx(place, abs=0.6)
        assert label["cells"][cell] == CellKind.WALKABLE
    assert len({cell for cell, _ in pairs}) == len(pairs)
    json.dumps(label)


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS)
def test_one_who_sees_everything_is_right_in_everything(client, drawn):
    label = drawn[client][1]
    view = true_view(label)
    outcomes = judge(view, label)
    assert {judged.outcome for judged in outcomes} == {"right"}
    assert {"phase", "player", "enemies", "lattice"} <= {judged.field for judged in outcomes}
    for counts in judge_cells(view, label).values():
        assert set(counts) <= {"right"}


@pytest.mark.long
def test_screens_of_every_kind_are_drawn_and_tell_no_fight():
    kinds = set()
    for seed in range(8):
        image, label = screen.draw_elsewhere(seed)
        assert label["phase"] == "not-fight"
        assert label["size"] == [image.shape[1], image.shape[0]]
        assert image.std() > 3
        kinds.add(label["what"])
    assert len(kinds) >= 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [40, 41, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(42, 48))]
)
def test_every_moment_can_be_drawn(seed):
    _, label = screen.draw(seed)
    assert label["phase"] in ("fight", "placement")
    assert label["turn"] in ("mine", "other", None)
    assert label["turn"] is None or label["phase"] == "fight"
    for name in label["covered"]:
        assert label[name] is None
    assert set(label["highlights"]) <= set(DRAWN[label["client"]].colours)
    for cells in label["highlights"].values():
        assert all(label["cells"][cell] == CellKind.WALKABLE for cell in cells)


def test_scaling_and_moving_a_label_moves_its_places(drawn):
    label = drawn["dofus-unity"][1]
    moved = camera.moved(label, 2, (10, 20), (999, 888))
    assert moved["player_px"] == pytest.approx(
        [2 * label["player_px"][0] + 10, 2 * label["player_px"][1] + 20]
    )
    assert moved["lattice"]["cell_w"] == pytest.approx(2 * label["lattice"]["cell_w"], abs=1e-3)
    assert moved["cell_px"] == pytest.approx(2 * label["cell_px"])
    assert moved["size"] == [999, 888]
    empty = camera.moved({"player_px": None}, 2, (1, 1), (5, 5))
    assert empty["player_px"] is None


@given(st.integers(0, CELLS - 1))
def test_a_cell_and_its_place_on_the_diagonals_agree(cell):
    assert board.cell_of(*board.place(cell)) == cell
    for other in board.beside(cell):
        assert cell in board.beside(other)


def test_a_reading_of_what_is_not_shown_is_wrong(drawn):
    label = dict(drawn["dofus-unity"][1]) | {"hp": None, "phase": "placement"}
    label |= {"turn": None, "playing": None}
    view = replace(true_view(drawn["dofus-unity"][1]), phase=Seen(Phase.PLACEMENT, 0.9))
    wrong = {judged.field for judged in judge(view, label) if judged.outcome == "wrong"}
    assert wrong == {"hp"} | ({"turn"} if view.turn.value else set())


def test_a_turn_read_from_the_timeline_is_not_wrong_where_the_button_is_covered(drawn):
    view, label = true_view(drawn["dofus-unity"][1]), drawn["dofus-unity"][1]
    for told, field in (("mine", "mine"), ("other", "mine")):
        seen = replace(view, turn=Seen(told, 0.9))
        wrong = [judged.field for judged in judge(seen, label | {"turn": None, "playing": field})]
        assert ("turn" in wrong) == (told != field)


def test_what_is_missing_is_withheld_and_what_is_made_up_is_wrong(drawn):
    label = drawn["dofus-unity"][1]
    view = true_view(label)
    assert all(judged.outcome == "withheld" for judged in judge(FightView(), label))
    ghost = FighterSeen((5.0, 5.0), 7, "enemy", confidence=0.9)
    judged = judge(replace(view, enemies=(*view.enemies, ghost)), label)
    assert Counter(j.outcome for j in judged)["wrong"] == 1
    over = judge(FightView(phase=Seen(Phase.NOT_FIGHT, 0.8)), label)
    assert [j.outcome for j in over if j.field == scoring.NO_FIGHT] == ["wrong"]


def test_a_tally_compares_confidence_with_accuracy(drawn):
    tally = FieldTally()
    label = drawn["dofus-unity"][1]
    tally.add(label, judge(true_view(label), label))
    tally.add(label, judge(replace(true_view(label), hp=Seen(1, 0.95)), label))
    found = tally.summary()
    assert found["accuracy"] < 1
    assert found["clients"]["dofus-unity"]["hp"] == {"right": 1, "wrong": 1}
    assert found["by_field"]["hp"] == {"count": 2, "said": 0.95, "right": 0.5, "gap": 0.45}
    assert sum(row["count"] for row in found["reliability"]) == sum(
        len(pairs) for pairs in tally.reported.values()
    )
    assert found["wrong"] == [f"dofus-unity {label['phase']} 3: hp"]


@pytest.mark.long
def test_the_reader_reads_a_plain_screen_of_each_client():
    right = Counter()
    for seed in (3, 5):
        tally = scoring.run([seed], "dofus-unity")
        right += Counter(tally.summary()["total"])
    assert right["right"] > 5 * right["wrong"]


@pytest.mark.slow
def test_the_commands_write_and_score(tmp_path, capsys):
    assert main(["make", str(tmp_path / "made"), "--count", "2", "--seed", "18"]) == 0
    labels = json.loads((tmp_path / "made" / "labels.json").read_text())["screens"]
    assert [label["phase"] == "not-fight" for label in labels] == [False, True]
    for label in labels:
        image = cv2.imread(str(tmp_path / "made" / label["file"]))
        assert label["size"] == [image.shape[1], image.shape[0]]
    assert main(["score", "--count", "2", "--seed", "8", "--json", str(tmp_path / "score.json")]) == 0
    assert "fields right" in capsys.readouterr().out
    assert json.loads((tmp_path / "score.json").read_text())["count"] == 2


@settings(max_examples=25, deadline=None)
@given(st.floats(-50, 150), st.floats(-50, 150), st.floats(0.5, 200), st.floats(0, 1))
def test_painting_outside_a_canvas_is_cut_off(x, y, size, opacity):
    canvas = Drawing.filled(60, 40, (10, 20, 30))
    canvas.polygon(diamond((x, y), size, size), (255, 0, 0), opacity, fade=0.5)
    canvas.polygon(star((x, y), size), (0, 255, 0), opacity)
    canvas.polygon(heart((x, y), size, size), (0, 0, 255), opacity)
    canvas.ring((x, y), (size, size), (9, 9, 9), 3)
    canvas.write(
        "17s", (x, y), max(2.0, size / 8), (255, 255, 255), Typeface("round", 400), outline=((0, 0, 0), 1.0)
    )
    assert canvas.image.shape == (40, 60, 3)


def test_opaque_paint_is_its_colour_and_none_changes_nothing():
    canvas = Drawing.filled(40, 40, (10, 20, 30))
    canvas.box(10, 10, 20, 20, (200, 100, 50), opacity=0)
    assert np.unique(canvas.image.reshape(-1, 3), axis=0).tolist() == [[30, 20, 10]]
    canvas.box(10, 10, 20, 20, (200, 100, 50))
    assert canvas.image[20, 20].tolist() == [50, 100, 200]
    assert canvas.image[2, 2].tolist() == [30, 20, 10]
    assert canvas.write("  ", (5, 5), 9, (0, 0, 0), Typeface()) == 0


def test_digits_of_our_own_differ_from_each_other():
    for manner in (False, True):
        small = [
            cv2.resize(numerals.draw(char, 64, 450, manner), (24, 48)).astype(float) for char in "0123456789"
        ]
        for first in range(10):
            for second in range(first):
                assert np.abs(small[first] - small[second]).mean() > 15


def test_noise_is_even():
    noise = clouds(np.random.default_rng(1), 200, 100, 20)
    assert noise.shape == (100, 200)
    assert abs(float(noise.mean())) < 0.5


@pytest.mark.slow
def test_other_games_boards_are_drawn():
    canvas = Drawing.filled(900, 600, (0, 0, 0))
    for draw in other_screens.NOT_THE_CLIENT.values():
        before = canvas.image.copy()
        draw(np.random.default_rng(2), canvas)
        assert (canvas.image != before).mean() > 0.1
