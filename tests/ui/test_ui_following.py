"""The client that is open is watched, unless the settings hold on to one or another was just opened."""

import pytest
from ui_factories import FakeArena, feed, snapshot

from botapp.host.message import say
from botapp.host.settings import Settings
from botapp.runtime.messages import WatchWindow
from botapp.runtime.watch import OTHER_CLIENT
from botapp.ui import arenas
from botapp.ui.following import HOLD_S, ClientFollower


def missing(seq=1, client="dofus-unity", watched="arena"):
    reason = say(OTHER_CLIENT, client=client, watched=watched)
    return snapshot(seq, capture="no-window", advice="none", reason=reason, decision=None, state=None)


@pytest.mark.slow
def test_an_open_client_is_watched_in_place_of_one_that_is_not(start, qtbot):
    app, (worker,) = start()
    assert app.settings.capture.target == "arena"
    feed(qtbot, app, worker, missing())
    assert app.settings.capture.target == "dofus-unity"
    assert worker.sent[-1] == WatchWindow(None)
    told = app.window.notice.text.text()
    assert told == "DOFUS (Unity) is open and is watched from now on."
    qtbot.waitUntil(lambda: app.window.decision.headline.text() == told)
    feed(qtbot, app, worker, missing(2))  # the worker is loading and has not got the settings yet
    qtbot.wait(150)
    assert app.window.decision.headline.text() == told
    app.window.status.refresh()
    assert "settings say" not in app.window.status.reason.whole_text()
    assert app.window.controls.pick.text() == "DOFUS (Unity)"


@pytest.mark.slow
def test_opening_the_arena_watches_it_though_another_game_is_open(start, qtbot, monkeypatch):
    monkeypatch.setattr(arenas, "begin", lambda arguments: FakeArena())
    app, (worker,) = start()
    feed(qtbot, app, worker, missing())
    app.pages.open_arena()
    assert app.settings.capture.target == "arena"
    feed(qtbot, app, worker, missing(2))
    assert app.settings.capture.target == "arena"


@pytest.fixture
def clock():
    return [0.0]


@pytest.fixture
def follower(qapp, clock):
    follower = ClientFollower(clock=lambda: clock[0])
    follower.told = []
    follower.found.connect(follower.told.append)
    return follower


def test_the_settings_can_hold_on_to_one_client(follower):
    settings = Settings()
    follower.offer(missing(), settings.changed("capture.follow", False))
    follower.offer(missing(), settings.changed("capture.title", "my game"))
    follower.offer(missing(watched="dofus-2"), settings)
    follower.offer(snapshot(1), settings)
    assert follower.told == []
    follower.offer(missing(), settings)
    assert follower.told == ["dofus-unity"]


def test_a_client_just_started_is_waited_for(follower, clock):
    follower.wait()
    follower.offer(missing(), Settings())
    assert follower.told == []
    clock[0] = HOLD_S + 1
    follower.offer(missing(), Settings())
    assert follower.told == ["dofus-unity"]


def test_a_picture_of_another_client_is_followed_once_and_asked_about_where_it_may_be_two(follower):
    pictured, asked = [], []
    follower.pictured.connect(lambda client, handle: pictured.append((client, handle)))
    follower.asked.connect(lambda clients, handle: asked.append((clients, handle)))
    settings, one = Settings(), snapshot(1, clients=("dofus-2",))
    for _ in range(3):
        follower.offer(one, settings)
    assert pictured == [("dofus-2", one.window.handle)] and not asked
    two = ("dofus-2", "dofus-retro")
    follower.offer(snapshot(2, clients=two), settings)
    assert asked == [(two, one.window.handle)]
    follower.offer(snapshot(3, clients=("dofus-retro",)), settings.changed("capture.follow", False))
    assert asked[1:] == [(("dofus-retro",), one.window.handle)], "who holds on to one client is asked"


@pytest.mark.slow
def test_the_window_is_read_as_the_client_that_it_shows(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1, clients=("dofus-2", "dofus-retro")))
    notice = app.window.notice
    assert (notice.action.text(), notice.other.text()) == ("DOFUS 2", "DOFUS Retro")
    notice.other.click()
    assert app.settings.capture.target == "dofus-retro"
    assert worker.sent[-1] == WatchWindow(snapshot().window.handle)
    feed(qtbot, app, worker, snapshot(2, clients=("dofus-2",)))
    assert app.settings.capture.target == "dofus-2" and "DOFUS 2" in notice.text.text()
    assert not notice.other.isVisible()
