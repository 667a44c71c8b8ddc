"""The command that scores labelled screens, changed too: labels move along, nothing is miscounted."""

import json

import cv2
import hudpicture
import numpy as np
import pytest

from vision.frame import Rect
from vision.scoring import perturb
from vision.view import FighterSeen, FightView, Lattice, Phase, Seen

LABEL = {
    "file": "one.png",
    "client": "dofus-unity",
    "size": [1280, 800],
    "phase": "fight",
    "turn": "mine",
    "hp": 218,
    "max_hp": None,
    "ap": 6,
    "mp": 3,
    "timer_s": 41,
    "player_px": [600, 300],
    "enemies_px": [[700, 300]],
}


def view(**more):
    fields = {
        "phase": Seen(Phase.FIGHT, 1.0),
        "turn": Seen("mine", 1.0),
        "hp": Seen(218, 1.0),
        "ap": Seen(6, 1.0),
        "mp": Seen(4, 1.0),
        "lattice": Seen(Lattice((600.0, 300.0), 100.0, 50.0), 1.0),
        "player": FighterSeen((604.0, 300.0), None, "own"),
        "enemies": (FighterSeen((700.0, 305.0), None, "enemy"), FighterSeen((900.0, 300.0), None, "enemy")),
    }
    return FightView(**(fields | more))


def counted(seen, label=LABEL):
    return sorted(f"{field} {outcome}" for field, outcome in perturb.judge(seen, label))


def test_fields_are_judged_one_by_one():
    assert counted(view()) == sorted(
        [
            "phase right",
            "turn right",
            "hp right",
            "ap right",
            "mp wrong",
            "timer_s withheld",
            "player right",
            "enemies right",
            "enemies wrong",
            "lattice right",
        ]
    )


def test_what_is_withheld_or_off():
    off = Seen(Lattice((640.0, 300.0), 100.0, 50.0), 1.0)
    outcomes = counted(view(player=None, enemies=(), lattice=off))
    assert {"player withheld", "enemies withheld", "lattice wrong"} <= set(outcomes)
    assert "phase withheld" in counted(view(phase=Seen(Phase.UNKNOWN, 0.0)))
    assert "phase wrong" in counted(view(), LABEL | {"phase": "not-fight"})
    assert "phase right" in counted(view(phase=Seen(Phase.PLACEMENT, 0.9)))


@pytest.mark.parametrize("way", list(perturb.WAYS))
def test_labels_move_with_what_they_point_at(way):
    image = np.zeros((800, 1280, 3), np.uint8)
    image[:] = np.linspace(40, 90, 1280).astype(np.uint8)[None, :, None]
    image += np.linspace(0, 60, 800).astype(np.uint8)[:, None, None]
    cv2.circle(image, (600, 300), 12, (0, 0, 255), -1)
    changed, label = perturb.WAYS[way](image, LABEL)
    red = changed[..., 2].astype(int) - changed[..., 0]
    y, x = (float(places.mean()) for places in np.nonzero(red > 90))
    assert label["player_px"] == pytest.approx([x, y], abs=2.5)
    assert label["size"] == [changed.shape[1], changed.shape[0]]
    assert label["hp"] == LABEL["hp"]


def test_only_the_panels_change_their_size():
    image = hudpicture.screen(size=(1280, 800))
    for way in ("panels 85 %", "panels 115 %"):
        changed, _ = perturb.WAYS[way](image, LABEL)
        assert changed.shape == image.shape
        assert np.array_equal(changed[:640], image[:640])
        assert not np.array_equal(changed, image)


def files(tmp_path):
    image = hudpicture.screen(size=(1280, 800))
    hudpicture.button(image, (1020, 740))
    cv2.imwrite(str(tmp_path / "one.png"), image)
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"screens": [LABEL]}), "utf-8")
    return labels


def test_the_command_prints_a_line_for_each_way(tmp_path, capsys):
    labels = files(tmp_path)
    assert perturb.main([str(labels), str(tmp_path), "--ways", "as it is", "125 %"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["as", "it"], ["125", "%"]]
    assert any("player withheld" in line for line in lines)
    assert not any(" hp " in line for line in lines[3:])
    assert perturb.main([str(labels), str(tmp_path), "--ways", "as it is", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["as it is"]["counts"]["right"] >= 5


def test_a_picture_that_is_missing_is_named(tmp_path, capsys):
    labels = files(tmp_path)
    (tmp_path / "one.png").unlink()
    with pytest.raises(SystemExit):
        perturb.main([str(labels), str(tmp_path)])
    assert "one.png" in capsys.readouterr().err


def test_the_client_is_the_whole_picture_where_none_is_found():
    image = np.zeros((300, 400, 3), np.uint8)
    changed, _ = perturb.cropped(image, LABEL)
    assert Rect(0, 0, changed.shape[1], changed.shape[0]) == Rect(0, 0, 400, 300)
