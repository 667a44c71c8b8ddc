"""The report of a reading: every field with its place, and a picture in which nothing else can be read."""

import io
import json
import zipfile

import cv2
import numpy as np
import pytest

from botapp.tracking import reading_report
from vision import report
from vision.frame import Rect
from vision.view import CELLS, CardSeen, CellKind, FighterSeen, FightView, Lattice, Phase, Seen, SpellSlot

SIZE = (800, 1200)
LATTICE = Lattice((300.0, 100.0), 40.0, 20.0)


@pytest.fixture
def view():
    cells = np.zeros(CELLS, np.uint8)
    cells[100:300] = CellKind.WALKABLE
    box = Rect(500, 20, 40, 40)
    return FightView(
        client=Rect(0, 10, 1200, 780),
        phase=Seen(Phase.FIGHT, 0.99),
        turn=Seen("mine", 0.98),
        lattice=Seen(LATTICE, 0.99),
        cells=cells,
        cell_confidence=0.97,
        player=FighterSeen(LATTICE.centre(150), 150, "own", confidence=0.99),
        enemies=(
            FighterSeen(LATTICE.centre(200), 200, "enemy", confidence=0.9, name_box=Rect(600, 300, 80, 20)),
        ),
        hp_share=Seen(0.9, 0.97),
        ap=Seen(6, 0.99),
        timeline=(CardSeen(box, "own", True, Seen(0.9, 0.9)),),
        spells=(SpellSlot(0, Seen(True, 0.9), icon="ab", box=Rect(400, 700, 30, 30)),),
        places={"ap": Rect(300, 700, 30, 20), "hp_share": Rect(250, 680, 60, 20)},
    )


@pytest.fixture
def picture():
    return np.random.default_rng(1).integers(0, 255, (*SIZE, 3)).astype(np.uint8)


def test_every_field_is_listed_with_its_confidence_and_place(view):
    found = {one.name: one for one in report.fields(view)}
    assert found["ap"].value == "6" and found["ap"].box == view.places["ap"]
    assert found["hp_share"].value == "90%" and "hp" not in found
    assert found["mp"].value == "" and found["mp"].confidence == 0
    assert found["enemy 1"].value == "cell 200" and found["card 1"].box and found["slot 1"].box
    assert [one.name for one in report.fields(FightView())] == ["phase"]


def test_a_field_is_drawn_at_its_place_alone(view, picture):
    shown = report.drawn(picture, report.fields(view))
    changed = (shown != picture).any(axis=2)
    assert changed[view.places["ap"].y, view.places["ap"].x + 5]
    assert not changed[500:, :200].any() and (picture == picture.copy()).all()


def test_what_was_not_read_cannot_be_made_out_any_more(view, picture):
    cv2.putText(
        picture, "Somebody: hello there", (20, 600), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1
    )
    cut = report.cut_down(picture, view)
    assert cut.shape == (780, 1200, 3)
    kept = (cut == picture[10:790]).all(axis=2)
    x, y, wide, tall = view.places["ap"]
    assert kept[y - 10 : y - 10 + tall, x : x + wide].all()
    assert kept[570:600, 10:220].mean() < 0.02
    name = view.enemies[0].name_box
    assert kept[name.y - 10 : name.bottom - 10, name.x : name.right].mean() < 0.02
    chat = cv2.cvtColor(cut[560:610, 10:220], cv2.COLOR_BGR2GRAY).astype(int)
    assert np.abs(np.diff(chat, axis=1)).max() < 40


def test_a_report_holds_the_picture_and_the_reading_and_no_names(view, picture):
    with zipfile.ZipFile(io.BytesIO(reading_report.packed(picture, view, "dofus-unity"))) as file:
        assert sorted(file.namelist()) == ["about.txt", "picture.png", "reading.json"]
        told = json.loads(file.read("reading.json"))
        shown = cv2.imdecode(np.frombuffer(file.read("picture.png"), np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape == (780, 1200, 3)
    fields = {one["name"]: one for one in told["fields"]}
    assert told["client"] == "dofus-unity" and fields["ap"]["box"] == [300, 690, 30, 20]
    assert not {"names", "title", "path"} & set(told)
