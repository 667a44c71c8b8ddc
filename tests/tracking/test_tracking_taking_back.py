"""An own action taken back in the practice arena, read off its pixels: known and counted is as before it."""

import time

import numpy as np
import pytest

from botapp.advisor.bare import BareAdvisor
from botapp.arena.options import ArenaOptions
from botapp.arena.window.bout import Bout
from botapp.arena.window.scene import render
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.rules import legal_actions
from botapp.review.course import Course
from botapp.runtime.messages import Snapshot
from botapp.tracking.player_profile import ARENA, PlayerProfile
from botapp.tracking.state_tracker import StateTracker
from vision.frame import Frame, Rect

pytestmark = [pytest.mark.usefixtures("qapp"), pytest.mark.long]
SIZE = 1280, 720


class Watched:
    """A fight of the arena with its own clock, its pictures read as the app reads them."""

    def __init__(self, **options):
        self.now = 100.0
        self.bout = Bout(ArenaOptions(speed=4.0, **options), self.now, lambda _: None)
        self.tracker = StateTracker(PlayerProfile(client=ARENA))
        self.course, self.advisor = Course(), BareAdvisor(rollout_actions=4, nodes=20)
        self.look()

    def look(self):
        """Reads the picture of now; returns what is known."""
        image = render(self.bout.shown, SIZE, self.bout.moment(self.now))
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(SIZE[1], SIZE[0], 4).copy()
        frame = Frame(pixels, Rect(0, 0, *SIZE), int(self.now * 1e9), round(self.now * 100))
        found = self.tracker.update(frame).situation
        state, mine = found.state, found.state is not None
        self.course.add(
            Snapshot(
                seq=frame.seq,
                captured_ns=frame.captured_ns,
                sent_ns=time.monotonic_ns(),
                capture="watching",
                advice="fresh" if mine else "not-my-turn" if found.not_my_turn else "settling",
                state=state if mine else found.picture,
                decision=self.advisor.decide(state) if mine else None,
                fight=found.memory.fight,
                taken_back=found.memory.taken_back,
            )
        )
        return found

    def wait(self):
        """Goes on until the person may act and the screen is still; returns what is known then."""
        for _ in range(3000):
            self.now += 0.1
            self.bout.advance(self.now)
            found = self.look()
            if self.bout.free and not self.bout.moment(self.now).motion.floaters and found.state is not None:
                return found
        raise AssertionError("the turn never came")

    def act(self, action):
        assert self.bout.submit(action, self.now) == ""
        return self.wait()


def costly(state):
    """Returns a cast that leaves a trace: of a spell that waits for turns, or costs much."""
    casts = [action for action in legal_actions(state) if isinstance(action, Cast)]
    spells = {spell.key: spell for spell in state.actor.spells}
    return max(sorted(casts, key=str), key=lambda cast: (spells[cast.spell].cooldown, spells[cast.spell].ap))


def test_a_cast_taken_back_is_forgotten_with_its_cooldown_and_its_cost():
    watched = Watched(seed=3, player_class="ember")
    before = watched.wait()
    cast = costly(watched.bout.fight.state)
    after = watched.act(cast)
    assert after.state.actor.ap < before.state.actor.ap
    assert after.state.actor.cooldowns or after.state.actor.casts
    assert watched.course.moments[0].done is not None
    assert watched.bout.take_back(watched.now) == ""
    now = watched.wait()
    assert (now.memory.fight, now.memory.taken_back) == (before.memory.fight, 1)
    assert now.state == before.state
    assert (watched.course.taken_back, len(watched.course.moments)) == (1, 1)
    assert watched.course.moments[0].done is None
    walk = next(a for a in sorted(legal_actions(watched.bout.fight.state), key=str) if isinstance(a, Move))
    watched.act(walk)
    assert watched.course.moments[0].done.action.target == walk.target


def test_a_turns_end_taken_back_brings_the_round_of_before_and_its_own_actions_stay():
    watched = Watched(seed=3, player_class="ember")
    watched.wait()
    once = watched.act(costly(watched.bout.fight.state))
    later = watched.act(EndTurn())
    assert later.state.turn == once.state.turn + 1
    assert len(watched.course.moments) == 3
    assert watched.bout.take_back(watched.now) == ""
    now = watched.wait()
    assert now.memory.fight == once.memory.fight
    assert now.state == once.state
    assert [moment.turn for moment in watched.course.moments] == [once.state.turn] * 2
    assert watched.bout.take_back(watched.now) == ""
    assert watched.wait().memory.taken_back == 2
    assert (watched.course.taken_back, len(watched.course.moments)) == (2, 1)
