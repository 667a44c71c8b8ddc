"""From the arena's picture before a fight to the advised place, and into the fight."""

import pytest
from test_window_mechanisms import read

from botapp.advisor.bare import SearchAdvisor
from botapp.arena.options import ArenaOptions
from botapp.arena.window.bout import Bout
from botapp.fight.actions import Place, Ready
from botapp.tracking.state_tracker import StateTracker

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.long) for seed in (7, 22))])
def test_the_place_advised_from_the_picture_is_taken_and_then_kept(seed):
    bout = Bout(ArenaOptions(seed=seed, placement=True, speed=100), 0.0, lambda event: None)
    advisor, tracker, now, done = SearchAdvisor(), StateTracker(), 0.0, []
    while bout.fight.state.placing:
        now += 0.1
        bout.advance(now)
        if bout.free and bout.fight.state.placing:
            state = tracker.situate(read(bout.shown, bout.moment(now))).state
            decision = advisor.decide(state)
            assert decision.action_type == "place"
            done.append(decision.action)
            assert bout.submit(decision.action, now) == ""
    assert done[-1] == Ready()
    assert all(isinstance(action, Place) for action in done[:-1])
    assert len(done) <= 3
    if len(done) > 1:
        assert bout.fight.state.fighter(bout.fight.player).cell == done[-2].cell
