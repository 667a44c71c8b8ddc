"""The README's picture of My game can be taken by its command."""

import cv2
import pytest

from botapp.ui.game.__main__ import main


@pytest.mark.slow
def test_the_picture_is_taken(qapp, tmp_path):
    out = tmp_path / "board.png"
    assert main([str(out), "--seed", "5"]) == 0
    picture = cv2.imread(str(out))
    assert picture is not None and picture.shape[1] > 800
