"""A turn that was ended unplayed is told from one with a cast, on the arena's pictures."""

from dataclasses import replace

import pytest
from test_window_mechanisms import read

from botapp.advisor.bare import BareAdvisor
from botapp.arena.options import ArenaOptions
from botapp.arena.window.bout import Bout
from botapp.fight.actions import Cast, EndTurn
from botapp.review.course import Course
from botapp.runtime.messages import Snapshot
from botapp.tracking.state_tracker import StateTracker

pytestmark = pytest.mark.usefixtures("qapp")

PICTURE_S = 0.2
"""Between two pictures that are read, on a slow computer."""


class Watched:
    """A fight in the arena, played at its own speed and watched picture by picture.

    Attributes:
        course: what was made of it.
        decision: the advice that stands, None out of the own turn.
    """

    def __init__(self, seed):
        self.bout = Bout(ArenaOptions(seed=seed, player_class="ember"), 0.0, lambda event: None)
        self.tracker, self.course, self.now, self.seq = StateTracker(), Course(), 0.0, 0
        self.advisor, self.decision = BareAdvisor(rollout_actions=8, nodes=60), None
        self.decided = None

    def see(self):
        """Takes the next picture in; advises a spell on oneself where there is one."""
        self.now += PICTURE_S
        self.seq += 1
        self.bout.advance(self.now)
        view = read(self.bout.shown, self.bout.moment(self.now))
        found = self.tracker.situate(view).situation
        if found.state is None:
            self.decision = None
        elif self.decision is None or found.state != self.decided:
            self.decision, self.decided = self._advised(found.state), found.state
        advice = "fresh" if found.state else "not-my-turn" if found.not_my_turn else "settling"
        self.course.add(
            Snapshot(
                seq=self.seq,
                captured_ns=int(1e9 * self.now),
                sent_ns=0,
                capture="watching",
                fight=1,
                advice=advice,
                view=view,
                state=found.state or found.picture,
                decision=self.decision,
            )
        )

    def _advised(self, state):
        decision = self.advisor.decide(state)
        own = next(
            (
                one
                for one in decision.candidates
                if isinstance(one.action, Cast) and one.action.target == state.actor.cell
            ),
            None,
        )
        return replace(decision, choices=(own, *decision.choices), expected=()) if own else decision

    def until_advised(self):
        for _ in range(200):
            self.see()
            if self.decision is not None:
                return self.decision.action
        raise AssertionError("no own turn")

    def until_the_others_play(self):
        for _ in range(200):
            self.see()
            if self.decision is None and self.course._decision is None:
                return
        raise AssertionError("the turn does not end")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.long) for seed in (8, 21))])
def test_a_turn_ended_at_once_was_not_played_and_one_with_a_cast_is_not_called_so(seed):
    watched = Watched(seed)
    advised = watched.until_advised()
    assert isinstance(advised, Cast) and advised.target == watched.course.moments[0].state.actor.cell
    for _ in range(4):
        watched.see()  # looks on
    assert watched.bout.submit_end(watched.now + 0.1) == ""
    watched.until_the_others_play()
    assert isinstance(watched.course.moments[0].done.action, EndTurn)
    advised, before = watched.until_advised(), len(watched.course.moments)
    assert isinstance(advised, Cast)
    begun = watched.now + 0.05
    assert watched.bout.submit(advised, begun) == ""
    end = begun
    while watched.bout.refusal():  # as fast as the arena takes it
        end += 0.02
        watched.bout.advance(end)
    assert end - begun >= 0.6, "a cast is played out for longer than the rule allows"
    assert watched.bout.submit_end(end) == ""
    watched.now = end
    watched.until_the_others_play()
    done = watched.course.moments[before - 1].done
    assert done is None or done.action == advised, done
