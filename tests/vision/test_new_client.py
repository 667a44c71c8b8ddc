"""Another client is a profile and a drawing: settings, commands, texts, drawn screens and scores find it."""

import os
import shutil
from pathlib import Path

import pytest
from own_process import run_python

ROOT = Path(__file__).parents[2]
DRAWING = """
from dataclasses import replace

from vision.synthetic.clients import dofus2

CLIENT = replace(dofus2.CLIENT, name="dofus-made", share=0.0)
"""
ASKS = """
from typer.testing import CliRunner
from botapp.commands.cli import app
from botapp.host.settings import Settings, options
from botapp.tracking.reasons import plainly
from botapp.host.message import say
from vision import profiles
from vision.synthetic import scoring, screen

assert Settings(capture={"target": "dofus-made"}).capture.target == "dofus-made"
target = next(option for option in options() if option.key == "capture.target")
assert target.choices[-1] == "dofus-made", target.choices
wide = {"COLUMNS": "200"}
for command, name in (("look", "dofus-made"), ("bench vision", "made"), ("bench recording", "made")):
    said = CliRunner().invoke(app, [*command.split(), "--help"], env=wide).output
    assert f"|{name}" in said, said
said = plainly(say("The board of {client} is not found in the picture.", client="dofus-made"))
assert said == "The board of A made-up one is not found.", said
assert "dofus-made" in profiles.titles()
assert screen.CLIENTS[-1] == "dofus-made"
verdicts = []
for seed in range(1, 5):
    picture, label = screen.draw(seed, "dofus-made")
    assert label["client"] == "dofus-made"
    verdicts += scoring.judge(scoring.read(picture, "dofus-made"), label)
right = sum(verdict.outcome == "right" for verdict in verdicts)
assert right > len(verdicts) / 2, verdicts
"""


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
def test_a_client_is_a_profile_and_a_drawing(tmp_path):
    clients = _linked(ROOT / "vision", tmp_path / "vision", "synthetic", "clients") / "synthetic" / "clients"
    profiles = _linked(ROOT / "resources", tmp_path / "resources", "profiles") / "profiles"
    for room in ("botapp", "hrm"):
        (tmp_path / room).symlink_to(ROOT / room)
    (clients / "made.py").write_text(DRAWING)
    profile = (profiles / "dofus-2.toml").read_text()
    named = profile.replace('label = "DOFUS 2"\norder = 3', 'label = "A made-up one"')
    assert named != profile
    (profiles / "dofus-made.toml").write_text(named)
    run_python("-P", "-c", ASKS, env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
