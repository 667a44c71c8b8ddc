"""`botapp bench recording` films fights, shows them to the app, and tells right advice from false."""

import json
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from typer.testing import CliRunner

from botapp.bench import recording
from botapp.bench.film import RATE, DrawnFilm
from botapp.commands import cli
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_film_moves_and_says_what_it_shows():
    shots = list(DrawnFilm("dofus-unity", 5, (640, 360)).frames(16 * RATE))
    assert all(shot.pixels.shape == (360, 640, 4) for shot in shots)
    placing, fight = shots[: 3 * RATE], shots[3 * RATE :]
    assert all(shot.shown is None for shot in placing) and all(shot.shown is not None for shot in fight)
    assert len({shot.shown.own for shot in fight}) + len({shot.shown.enemies for shot in fight}) > 2
    assert {shot.shown.mine for shot in fight} == {True, False}
    assert not any(np.array_equal(a.pixels, b.pixels) for a, b in pairwise(shots))
    assert any(shot.covered for shot in shots)


def test_the_same_seed_is_the_same_film():
    once, again = (DrawnFilm("dofus-unity", 5, (640, 360)).frames(12) for _ in range(2))
    assert all(np.array_equal(a.pixels, b.pixels) for a, b in zip(once, again, strict=True))


@pytest.mark.long
def test_the_timeline_stays_open_in_a_film_of_retro():
    film = DrawnFilm("dofus-retro", 21, (640, 360))
    scenes = list(islice(film.scenes(), 80))
    for scene in scenes:
        film.draw(scene)
    fought = [scene.hud for scene in scenes if scene.hud.phase == "fight"]
    assert fought and not any("turn" in hud.covered for hud in fought)


@pytest.mark.long
def test_a_recording_is_advised_on_and_false_advice_is_told_from_right(monkeypatch):
    result = CliRunner().invoke(
        cli.app, ["bench", "recording", "--seconds", "16", "--size", "1280x720", "--seed", "5", "--json"]
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["turns"] >= 1 and found["in_time"] == found["turns"] and found["false"] == 0
    assert found["advised"] <= found["own_pictures"] and found["read_cpu_ms"]["count"] == 16 * RATE - 3
    text = recording.recording_text(found)
    assert "own turns" in text and "not there: 0" in text

    said = recording.facts_of
    monkeypatch.setattr(recording, "facts_of", lambda state: replace(said(state), own=559))
    wrong = recording.measure_recording("unity", 8, 5, (1024, 576))
    assert wrong["false"] > 0 and wrong["in_time"] == 0 and "own 559" in wrong["examples"][0]


def test_the_timeline_is_read_in_the_second_picture_of_a_fight():
    """While places are chosen the drawn client of Unity shows none, and only a band a picture is searched."""
    reader = Reader(profiles.load("dofus-unity"))
    shown = []
    film = DrawnFilm("dofus-unity", 2, (1280, 720), allies=True)
    for index, shot in enumerate(film.frames(34)):
        if index < 4:
            continue
        view = reader.read(Frame.still(shot.pixels, (index + 1) * 10**8, seq=index))
        if shot.shown is not None:
            shown.append(view.fighters_shown.value)
    assert shown[1:] == [1 + len(shot.shown.enemies) + len(shot.shown.allies)] * (len(shown) - 1)
