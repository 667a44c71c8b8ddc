"""Whole fights as they are watched and kept: every point of the curve is booked, to a departure or to luck.

A made-up player follows the advice, ends turns unplayed or plays at random; the app is given no more than the
states of the fight and its own advice.
"""

import random
from dataclasses import replace

import pytest
from kept_fights import fight

from botapp.advisor.bare import BareAdvisor
from botapp.arena.players.simple import GreedyPlayer, RandomPlayer
from botapp.arena.scenarios import adventure, outcome
from botapp.content.library import classes
from botapp.fight.actions import Cast, EndTurn
from botapp.fight.rules import apply, observation
from botapp.host.settings import Settings
from botapp.review.account import account
from botapp.review.course import Course
from botapp.review.form import read_fight
from botapp.review.recorder import FightRecorder
from botapp.review.shelf import FightShelf
from botapp.runtime.messages import Snapshot
from botapp.ui import grading
from vision.view import FightView, Phase, Seen

NEAR = 2
"""Points that a review's lost points may be off the curve's: both are whole percent."""
PLAYERS = ("as advised", "ends all", "ends some", "at random")
_PICTURE_NS = 200_000_000
_MOST_ROUNDS = 12


class Watched:
    """An app that is shown a fight, picture by picture, and keeps it."""

    def __init__(self, folder):
        self.course = Course()
        self.shelf = FightShelf(folder)
        self.recorder = FightRecorder(Settings(), self.course, self.shelf)
        self._now = 0

    def see(self, **fields):
        self._now += _PICTURE_NS
        given = {"capture": "watching", "fight": 1, **fields}
        snapshot = Snapshot(seq=self._now, captured_ns=self._now, sent_ns=0, **given)
        self.course.add(snapshot)
        self.recorder.offer(snapshot)

    def kept(self, won):
        """Ends the fight; returns what is on the disk."""
        over = FightView(phase=Seen(Phase.NOT_FIGHT if won is not None else Phase.FIGHT, 1.0))
        self.see(capture="no-fight", advice="none", view=over)
        self.recorder.close()
        (path,) = self.shelf.paths()
        return read_fight(path)


def played(folder, seed, kind, player):
    """Returns a fight as it was kept, its course as it was shown live, and the number of own turns."""
    rng, dice = random.Random(seed), random.Random(seed + 1)
    advisor, others = BareAdvisor(rollout_actions=8, nodes=60), GreedyPlayer()
    state, app, turns = adventure(seed, kind), Watched(folder), 0
    own = state.fighters[0].id
    while outcome(state) is None and state.turn <= _MOST_ROUNDS:
        if state.actor.id != own:
            app.see(advice="not-my-turn", state=observation(state, 0))
            state = apply(state, others.choose(state, rng), rng)
            continue
        known = observation(state, 0)
        decision = advisor.decide(known)
        for _ in range(2):
            app.see(advice="fresh", state=known, decision=decision)
        action = decision.action
        if player == "ends all" or (player == "ends some" and dice.random() < 0.3):
            action = EndTurn()
        elif player == "at random":
            action = RandomPlayer().choose(known, dice)
        turns += isinstance(action, EndTurn)
        state = apply(state, action, rng)
    app.see(advice="not-my-turn", state=observation(state, 0))
    kept = app.kept(outcome(state))
    return kept, app.course.moments, turns


def check(folder, seed, player):
    kinds = sorted(classes())
    kept, live, turns = played(folder, seed, kinds[seed % len(kinds)], player)
    found = account(kept.moments, kept.summary.result)
    assert found == account(live, kept.summary.result), "live and kept figures are the same"
    assert (kept.summary.accuracy, round(100 * kept.summary.lost)) == (found.accuracy, found.given)
    curve = [100 * moment.chance for moment in kept.moments]
    if kept.summary.result == "unfinished":  # its last own action may have given points away too
        curve.append(curve[-1] - 100 * (kept.moments[-1].cost or 0.0))
    else:
        curve.append(100.0 if kept.summary.result == "won" else 0.0)
    steps = list(zip(kept.moments, curve, curve[1:], strict=False))
    fallen = sum(now - then for _, now, then in steps)
    assert abs(found.given + found.unseen - found.luck - fallen) <= NEAR
    if player == "as advised":
        assert (found.given, found.accuracy) == (0, 1.0)
    if player in ("ends all", "ends some"):
        ended = [one for one in kept.moments if one.done is not None and isinstance(one.done.action, EndTurn)]
        assert len(ended) >= turns - 1, "each turn that was ended is seen, but for the last of a fight"
        assert found.unseen <= NEAR
        gone = sum(max(0.0, now - then) for moment, now, then in steps if moment.idle)
        excused = sum(100 * one.cost for one, now, then in steps if one.idle and then >= now)
        said = sum(100 * one.cost for one in kept.moments[:-1] if one.departed and not one.idle)
        assert found.given == pytest.approx(gone + excused + said, abs=NEAR + len(steps) / 2)
    if player == "ends all" and sum(isinstance(one.advised.action, Cast) for one in kept.moments) > 2:
        assert found.accuracy < 1, "a fight that was not played is not played faultlessly"
    return found


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS[::2])
def test_each_point_of_the_curve_is_booked(tmp_path, player):
    check(tmp_path, 1, player)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 53))
def test_each_point_of_the_curve_is_booked_in_fifty_fights(tmp_path, seed):
    check(tmp_path, seed, PLAYERS[seed % len(PLAYERS)])


def test_turns_that_were_not_played_are_given_away_and_not_excused():
    """From 98 % to under 1 by turns ended unplayed: all of it is given away, and three are blunders."""
    departed = fight().moments[1]
    advised = replace(departed.advised, action=Cast("spark", 5), line=(Cast("spark", 5), EndTurn()))
    chances = (0.98, 0.86, 0.53, 0.06, 0.004)
    moments = [
        replace(departed, chance=now, advised=advised, said=0.01, cost=now - then)
        for now, then in zip(chances, (*chances[1:], 0.0), strict=True)
    ]
    found = account(moments, "lost")
    assert (found.first, found.last, found.given, found.luck, found.unseen) == (98, 0, 98, 0, 0)
    assert found.grades["blunder"] == 3 and found.accuracy == pytest.approx(2 / 5, abs=0.21)


@pytest.mark.parametrize("result", ["won", "lost", "unfinished"])
def test_points_of_moments_on_guesses_are_named_and_not_called_luck(result):
    """What the curve does while the chance rests on a guess is neither a departure's nor the dice's."""
    plain = replace(fight().moments[0], cost=0.0)
    unknown = plain.state.fighters[1].changed(assumed=frozenset({"kind"}))
    guess = plain.state.changed(fighters=(plain.state.fighters[0], unknown, *plain.state.fighters[2:]))
    lost = replace(fight().moments[1], chance=0.6, cost=0.05)
    moments = [
        replace(plain, chance=0.7),
        lost,
        replace(plain, state=guess, chance=0.2),
        replace(lost, state=guess, chance=0.5, cost=0.4),
        replace(plain, chance=0.3),
        replace(plain, state=guess, chance=0.9),
    ]
    found = account(moments, result)
    last = {"won": 100, "lost": 0, "unfinished": 30}[result]
    assert (found.first, found.last, found.given, found.unseen) == (70, last, 5, 0)
    assert found.luck == -10, "only the first step is the dice's"
    assert found.guessed == -25 + (last - 30)
    assert found.last == found.first - found.given - found.unseen + found.guessed + found.luck
    told = grading.beyond(found)
    assert any(f"not known: {found.guessed:+d}".replace("-", "\N{MINUS SIGN}") in one for one in told), told
