"""Another client is a profile and a drawing: settings, commands, texts, drawn screens and scores find it.

The client that there is not lies in the folder `made`: its own colours, rings, cells and HUD.
"""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from own_process import run_python

from vision import profiles
from vision.extract.dofus.rings_seen import RINGS
from vision.extract.dofus.scored import rings_of
from vision.synthetic import clients, scoring, screen

ROOT, MADE = Path(__file__).parents[2], Path(__file__).parent / "made"
NAME = "dofus-made"
ASKS = """
from typer.testing import CliRunner
from botapp.commands.cli import app
from botapp.host.settings import Settings, options
from botapp.tracking.reasons import plainly
from botapp.host.message import say
from vision import profiles
from vision.synthetic import screen

assert Settings(capture={"target": "dofus-made"}).capture.target == "dofus-made"
target = next(option for option in options() if option.key == "capture.target")
assert target.choices[-1] == "dofus-made", target.choices
wide = {"COLUMNS": "200"}
for command, name in (("look", "dofus-made"), ("bench vision", "made"), ("bench recording", "made")):
    said = CliRunner().invoke(app, [*command.split(), "--help"], env=wide).output
    assert f"|{name}" in said, said
said = plainly(say("The board of {client} is not found in the picture.", client="dofus-made"))
assert said == "The board of A made-up client is not found.", said
assert "dofus-made" in profiles.titles()
assert "dofus-made" in screen.CLIENTS
"""


@pytest.fixture
def made():
    yield clients.add(MADE / "drawing.py")
    del clients.CLIENTS[NAME], profiles._added[NAME]
    profiles.load.cache_clear()


def _linked(source: Path, target: Path, *own: str) -> Path:
    """Makes a folder of links to all that another holds; `own` is one of it that is made so in its turn."""
    target.mkdir()
    for child in source.iterdir():
        if child.name not in own[:1] and child.name != "__pycache__":
            (target / child.name).symlink_to(child)
    if len(own) > 1:
        _linked(source / own[0], target / own[0], *own[1:])
    elif own:
        shutil.copytree(source / own[0], target / own[0])
    return target


@pytest.mark.long
def test_the_app_has_a_client_from_its_profile_and_its_drawing(tmp_path):
    drawings = _linked(ROOT / "vision", tmp_path / "vision", "synthetic", "clients") / "synthetic" / "clients"
    kept = _linked(ROOT / "resources", tmp_path / "resources", "profiles") / "profiles"
    for room in ("botapp", "hrm"):
        (tmp_path / room).symlink_to(ROOT / room)
    shutil.copy(MADE / "drawing.py", drawings / "made.py")
    shutil.copy(MADE / f"{NAME}.toml", kept)
    run_python("-P", "-c", ASKS, env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)


def test_the_app_does_not_have_the_one_of_the_tests():
    assert NAME not in profiles.names()
    assert NAME not in screen.CLIENTS


@pytest.mark.long
def test_its_hud_board_and_phase_are_read_by_its_profile_alone(made):
    outcomes = []
    for seed in range(93_600_000, 93_600_006):
        picture, label = screen.draw(seed, made, unlike=seed % 2 == 0)
        assert label["client"] == made
        outcomes += scoring.judge(scoring.read(picture, made), label)
    # its rings are unknown to the network until it is trained with them
    outcomes = [
        judged for judged in outcomes if judged.field not in ("player", "allies", "enemies", "cell id")
    ]
    assert not [judged for judged in outcomes if judged.outcome == "wrong"]
    assert sum(judged.outcome == "right" for judged in outcomes) > 0.9 * len(outcomes)


@pytest.mark.long
def test_the_network_is_taught_its_rings_as_its_profile_says(made, tmp_path, capsys):
    from vision.learn import data
    from vision.learn.__main__ import main

    label = next(
        label
        for label in (screen.draw(seed, made)[1] for seed in range(93_600_010, 93_600_030))
        if label["ally_cells"]
    )
    rings = data.truth(label, tuple(label["size"]))[0]
    border = profiles.load(made).screen.border
    assert border.marks_player and rings_of(border, "own") == ("player", "ally")
    assert rings_of(border, "enemy") == ("enemy", "blue"), "a violet hexagon may pass for a blue oval"
    assert rings[label["player_cell"]] in (RINGS.index("player"), data.IGNORED)
    assert set(rings[label["ally_cells"]].tolist()) <= {RINGS.index("ally"), data.IGNORED}
    assert set(rings[label["enemy_cells"]].tolist()) <= {RINGS.index("enemy"), data.IGNORED}
    command = ["draw", str(tmp_path), "--count", "4", "--also", str(MADE / "drawing.py")]
    assert main(command) == 0
    with np.load(tmp_path / "92000000.npz") as drawn:
        assert made in drawn["client"], "every fourth screen or so is its own"


@pytest.mark.parametrize(("text", "says"), [("CLIENT = 3", "has no CLIENT"), (None, "No such file")])
def test_what_is_no_drawing_is_said_to_be_none(tmp_path, capsys, text, says):
    from vision.learn.__main__ import main

    file = tmp_path / "other.py"
    if text is not None:
        file.write_text(text)
    assert main(["draw", str(tmp_path / "out"), "--also", str(file)]) == 1
    assert says in capsys.readouterr().err
