"""`botapp bench vision` reads frames that change, gets them right, and says what they cost."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from botapp.bench import vision
from botapp.commands import cli
from botapp.host.clients import SHORT
from vision.synthetic.moving import frames, moments


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(vision, "SIZE", (1024, 640))
    monkeypatch.setattr(vision, "MOMENTS", 2)


@pytest.mark.long
@pytest.mark.parametrize("client", ["unity", "retro", "arena"])
def test_a_measurement_has_every_figure(client):
    result = CliRunner().invoke(cli.app, ["bench", "vision", "--client", client, "--frames", "10", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["client"] == SHORT[client] and found["size"] == [1024, 640]
    assert found["first_ms"] > 0 and found["frame_ms"]["count"] == 10
    assert found["frame_ms"]["p50"] <= found["frame_ms"]["p95"] <= found["slowest_ms"] + 0.01
    assert 0 < found["player_found"] <= 1
    if found["player_right"] is not None:
        assert found["player_right"] == found["player_found"]
    assert found["memory_mib"]["end"] <= found["memory_mib"]["peak"]
    text = vision.vision_text(found)
    assert "first frame" in text and "MB" in text and f"over {found['frame_ms']['count']} frames" in text


@pytest.mark.slow
def test_every_frame_differs_from_the_one_before():
    drawn = moments("dofus-2", 2, size=(1024, 640))
    assert drawn[0].own is not None
    before = None
    for picture, moment in frames(drawn, 9, hold=3):
        assert picture is not moment.picture and picture.shape == (640, 1024, 4)
        assert before is None or not np.array_equal(picture, before)
        before = picture
