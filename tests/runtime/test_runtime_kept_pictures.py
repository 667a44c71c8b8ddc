"""Pictures of a fight are kept where that is switched on, and nowhere else."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from botapp.runtime.kept_pictures import NAME, PictureKeeper, waiting_dir
from vision.frame import Frame, Rect

PIXELS = np.random.default_rng(1).integers(0, 255, (30, 40, 4), np.uint8)
FRAME = Frame(PIXELS, Rect(0, 0, 40, 30), 5, 7)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))


def test_a_picture_is_kept_as_it_was() -> None:
    name = PictureKeeper(on=True).keep(FRAME)
    assert NAME.fullmatch(name)
    assert np.array_equal(cv2.imread(str(waiting_dir() / name)), PIXELS[..., :3])


def test_none_is_kept_unless_that_is_asked_for() -> None:
    assert PictureKeeper().keep(FRAME) == ""
    assert not waiting_dir().exists()


def test_a_folder_that_cannot_be_written_to_ends_the_keeping(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "config").write_text("")
    keeper = PictureKeeper(on=True)
    assert [keeper.keep(FRAME), keeper.keep(FRAME)] == ["", ""]
    assert len(caplog.records) == 1
