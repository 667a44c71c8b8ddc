"""The animated picture of a turn on the overlay: a picture for each action advised, then the file."""

import cv2
import pytest
from PySide6.QtGui import QImage
from ui_factories import searched, snapshot, state, turn

from botapp.ui import shots
from botapp.ui.shots import TurnFilm


@pytest.fixture
def taken(qtbot, tmp_path, monkeypatch):
    """A film of what is on the screen, which is a shade for each picture; and its file."""
    monkeypatch.setattr(shots, "SETTLE_MS", 1)
    shades = iter(range(40, 250, 40))

    def grab(place):
        image = QImage(place.width(), place.height(), QImage.Format.Format_RGB32)
        image.fill(next(shades) * 0x010101)
        return image

    return TurnFilm(tmp_path / "turn.webp", grab), tmp_path / "turn.webp"


def advised(seq, number=1):
    return snapshot(seq, decision=searched(), turn=turn(), state=state(turn=number))


def test_there_is_a_picture_for_each_advice_of_one_turn(taken, qtbot):
    made, path = taken
    for seq in (1, 2):
        made.offer(advised(seq))
        assert made.due
        qtbot.waitUntil(lambda: not made.due)
        made.offer(advised(seq))
        assert not made.due
    made.offer(advised(3, number=2))
    assert not made.due
    done, found = cv2.imreadanimation(str(path))
    assert done and len(found.frames) == 2 and found.frames[0].shape[1] == shots.WIDTH
    assert list(found.durations) == [shots.STEP_MS, shots.LAST_MS]
    made.offer(advised(4))
    assert not made.due


def test_a_short_turn_is_not_filmed(taken, monkeypatch):
    made, path = taken
    monkeypatch.setattr(shots, "LEAST_CASTS", 99)
    made.offer(advised(1))
    made.close()
    assert not made.due and not path.exists()


def test_advice_that_has_changed_before_it_was_drawn_is_not_filmed(taken, qtbot):
    made, path = taken
    made.offer(advised(1))
    made.offer(advised(2))
    qtbot.waitUntil(lambda: not made.due)
    made.close()
    assert not path.exists()
