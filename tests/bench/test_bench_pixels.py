"""Advice from pixels is held against advice from true states fairly, and what differs is named."""

import os
import random

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

pytest.importorskip("PySide6")

from botapp.advisor.decision import Withheld
from botapp.arena.options import ArenaOptions
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import duel, team
from botapp.bench.pixels import Verdict, aligned, judge, repairs, summed, watch
from botapp.fight.actions import EndTurn
from botapp.fight.rules import legal_actions


def greedy(state):
    return GreedyPlayer().choose(state, random.Random(0))


def as_read(state):
    """The state with other ids and its fighters in another order, as a reader that knows no ids has it."""
    ids = {f.id: 7 + f.id for f in state.fighters}
    fighters = tuple(f.changed(id=ids[f.id]) for f in reversed(state.fighters))
    return state.changed(fighters=fighters, order=tuple(ids[number] for number in state.order))


def test_a_flawless_reading_differs_in_nothing():
    true = team(4, 2)
    seen = aligned(as_read(true), true)
    assert seen == true
    assert list(repairs(seen, true)) == []


def test_each_wrong_fact_is_named_and_put_right_by_itself():
    true = team(4, 2)
    read = as_read(true)
    enemy = next(f for f in read.fighters if f.team != read.actor.team)
    wrong = enemy.changed(hp=enemy.hp - 9, ap=1)
    seen = aligned(read.changed(fighters=tuple(wrong if f is enemy else f for f in read.fighters)), true)
    found = dict(repairs(seen, true))
    assert set(found) == {"enemy's HP", "enemy's AP"}
    number = next(f.id for f in true.fighters if f.cell == enemy.cell)
    assert (found["enemy's HP"].fighter(number).hp, found["enemy's HP"].fighter(number).ap) == (enemy.hp, 1)
    assert found["enemy's AP"].fighter(number).hp == enemy.hp - 9


def test_a_fighter_too_few_or_too_many_is_named():
    true = team(4, 2)
    missed = true.changed(
        fighters=tuple(f for f in true.fighters if f.id != 3), order=tuple(i for i in true.order if i != 3)
    )
    missed = missed.changed(current=missed.order.index(true.actor.id))
    fixes = dict(repairs(aligned(missed, true), true))
    assert {f.id for f in fixes["who is there"].fighters} == {f.id for f in true.fighters}


def test_a_fact_that_alone_changes_the_advice_mends_it():
    true = duel(3)
    dead_beat = true.actor.changed(ap=0, mp=0)
    read = true.changed(fighters=tuple(dead_beat if f is true.actor else f for f in true.fighters))

    def advise(state):
        return legal_actions(state)[0] if state.actor.mp else EndTurn()

    verdict = judge(advise, read, true, 3)
    assert not verdict.equal
    assert set(verdict.wrong) == {"own AP", "own MP"}
    assert verdict.mends == ("own MP",)
    assert judge(advise, true, true, 3).equal


def test_a_state_that_advice_is_withheld_for_counts_as_apart():
    true = duel(3)

    def advise(state):
        if state.actor.shield:
            raise Withheld("Nothing like it was trained on.")
        return legal_actions(state)[0]

    warded = true.actor.changed(shield=9)
    read = true.changed(fighters=tuple(warded if f is true.actor else f for f in true.fighters))
    verdict = judge(advise, read, true, 3)
    assert not verdict.equal and verdict.seen == "withheld"
    assert verdict.mends == ("own shield",)


def test_the_sums_say_what_a_reader_should_look_at():
    verdicts = [
        Verdict(1, 1, True, "a", "a", ("enemy's AP",)),
        Verdict(1, 2, False, "a", "b", ("enemy's AP", "marks"), ("marks",)),
        Verdict(2, 1, False, "a", "b", ("enemy's AP",)),
        Verdict(2, 2, True, "a", "a", ()),
    ]
    found = summed(verdicts, ["Your AP cannot be read."])
    assert found["equal"] == 0.5
    assert found["wrong"] == {"enemy's AP": 3, "marks": 1}
    assert found["mends"] == {"marks": 1} and found["nothing_mends"] == 1
    assert found["without_a_state"] == {"Your AP cannot be read.": 1}
    assert [one["turn"] for one in found["apart"]] == [2, 1]


@pytest.mark.long
def test_a_fight_is_watched_and_played_from_its_pictures(qapp):
    from botapp.arena.window.film import Film

    film = Film(ArenaOptions(seed=1, scenario="duel", autopilot=True, fights=1, size=(800, 500)))
    verdicts = []
    for verdict in watch(film, greedy):
        verdicts.append(verdict)
        if len(verdicts) == 6:
            break
    assert all(isinstance(verdict, Verdict) for verdict in verdicts)
    assert not {"who is there", "board", "round", "own AP", "own MP"} & {w for v in verdicts for w in v.wrong}
    assert verdicts[0].equal
    assert film.now > 1
