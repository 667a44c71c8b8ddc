"""The advice is played in the practice arena, and pictures of a run are taken."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage
from ui_factories import feed, snapshot, state

from botapp.runtime.autopilot import AGAIN_S, PATIENCE_S, Autopilot


def test_the_advice_is_played_once_and_again_only_when_it_stays(qtbot):
    played = []
    pilot = Autopilot(played.append)
    pilot.offer(snapshot(1), 0.0)
    assert played == []
    pilot.on = True
    pilot.offer(snapshot(1), 0.0)
    pilot.offer(snapshot(2, decided_seq=1), 0.1)
    assert pilot.sent == 1
    pilot.offer(snapshot(3, decided_seq=1), AGAIN_S + 0.1)
    pilot.offer(snapshot(4, state=replace(state(), turn=9)), AGAIN_S + 0.2)
    pilot.offer(snapshot(5, advice="not-my-turn"), 9.0)
    assert pilot.sent == 3 and len(played) == 3


def test_what_was_just_played_is_not_played_again_when_another_adviser_decides_on_the_same_state():
    played = []
    pilot = Autopilot(played.append, on=True)
    pilot.offer(snapshot(1), 0.0)
    pilot.offer(snapshot(2), 0.3)
    assert len(played) == 1
    pilot.offer(snapshot(3), AGAIN_S + 0.3)
    assert len(played) == 2


def test_a_turn_without_advice_for_long_is_given_up_and_no_other():
    played = []
    pilot = Autopilot(played.append, on=True)
    for at, advice in ((0.0, "withheld"), (0.9, "settling"), (PATIENCE_S - 0.1, "withheld")):
        pilot.offer(snapshot(1, advice=advice), at)
    pilot.offer(snapshot(2, advice="not-my-turn"), PATIENCE_S)
    pilot.offer(snapshot(3, advice="withheld"), PATIENCE_S + 0.1)
    pilot.offer(snapshot(4, advice="thinking"), 3 * PATIENCE_S)
    assert played == []
    pilot.offer(snapshot(5, advice="withheld"), 4 * PATIENCE_S)
    pilot.offer(snapshot(6, advice="withheld"), 5 * PATIENCE_S)
    pilot.offer(snapshot(7, advice="withheld"), 5 * PATIENCE_S + 1)
    assert played == [None]
    pilot.on = False
    pilot.offer(snapshot(8, advice="withheld"), 9 * PATIENCE_S)
    pilot.offer(snapshot(9, advice="withheld"), 19 * PATIENCE_S)
    assert played == [None]


@pytest.mark.slow
def test_the_play_switch_is_only_there_for_the_arena(start, qtbot):
    app, _ = start()
    assert not app.window.controls.play.isVisible()
    played = []
    app, (worker,) = start(play=played.append, play_at_start=True)
    assert app.window.controls.play.isVisible() and app.window.controls.play.isChecked()
    feed(qtbot, app, worker, snapshot(1))
    assert len(played) == 1
    app.window.controls.play.trigger()
    feed(qtbot, app, worker, snapshot(2))
    assert len(played) == 1


@pytest.mark.slow
def test_pictures_are_taken_when_there_is_advice_to_see(start, qtbot, tmp_path):
    played = []
    app, (worker,) = start(
        screenshots=tmp_path / "shots", screenshot_times=(0.0,), play=played.append, play_at_start=True
    )
    qtbot.waitUntil(lambda: app.shots.due)
    feed(qtbot, app, worker, snapshot(1))
    assert played == []
    qtbot.waitUntil(lambda: app.shots.taken == 1)
    app.shots.close()
    picture = QImage(str(tmp_path / "shots" / "window-1.png"))
    assert picture.size() == app.window.size()
    feed(qtbot, app, worker, snapshot(2))
    assert len(played) == 1
