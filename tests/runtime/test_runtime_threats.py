"""What an enemy threatens in its turn is what the search expects of it, and nothing in anyone else's turn."""

import random
from dataclasses import replace

import pytest

from botapp.arena.scenarios import duel
from botapp.fight.actions import Cast, EndTurn
from botapp.fight.board import neighbours
from botapp.fight.rules import apply, apply_expected
from botapp.fight.state import CellFlag
from botapp.runtime.threats import Threats

MS = 200.0


def close_duel():
    """A duel whose fighters stand side by side, the second one at turn."""
    state = duel(seed=3)
    first, second = state.fighters
    near = next(cell for cell in neighbours(first.cell) if state.map.cells[cell] & CellFlag.WALKABLE)
    state = state.changed(fighters=(first, second.changed(cell=near)))
    while state.actor.id != second.id:
        state = apply(state, EndTurn(), random.Random(1))
    return state


@pytest.fixture(scope="module")
def threatened():
    state = close_duel()
    return state, Threats(MS).of(state, state.fighters[0].id)


def test_an_enemy_beside_one_reaches_one_and_its_harm_is_that_of_its_line(threatened):
    state, threat = threatened
    me = state.fighters[0]
    assert threat is not None and (threat.fighter, threat.name) == (state.actor.id, state.actor.name)
    assert me.id in threat.reached
    after = state
    for step in threat.line.steps:
        after = apply_expected(after, step.action)
    lost = me.hp + me.shield - (after.fighter(me.id).hp + after.fighter(me.id).shield)
    told = sum(one.damage for one in threat.harm if one.fighter == me.id)
    assert told == pytest.approx(lost, abs=len(threat.line.steps) + 1)
    assert 0 <= threat.line.chance <= 1


def test_who_stands_at_no_cell_of_a_cast_is_not_reached(threatened):
    state, threat = threatened
    assert threat is not None
    aimed = {s.action.target for s in threat.line.steps if isinstance(s.action, Cast)}
    struck = {f.id for f in state.fighters if f.cell in aimed and f.team != state.actor.team}
    assert struck <= set(threat.reached)


def test_the_own_side_s_turn_and_a_fight_that_is_over_threaten_nothing():
    state = close_duel()
    assert Threats(MS).of(state, state.actor.id) is None
    dead = state.changed(
        fighters=tuple(f if f.id == state.actor.id else f.changed(hp=0) for f in state.fighters)
    )
    assert Threats(MS).of(dead, state.fighters[0].id) is None


@pytest.mark.slow
def test_the_same_state_is_looked_into_once(threatened, monkeypatch):
    state, _ = threatened
    threats = Threats(MS)
    found = threats.of(state, state.fighters[0].id)
    monkeypatch.setattr(threats, "look_into", lambda _: pytest.fail("looked again"))
    again = threats.of(replace(state), state.fighters[0].id)
    assert replace(again, own=None, then=None) == found
    assert threats.of(replace(state), state.fighters[0].id) is again


def test_the_second_look_says_what_to_expect_of_the_own_turn():
    state = close_duel()
    threats, me = Threats(MS), state.fighters[0].id
    first, second = (threats.of(state, me) for _ in range(2))
    assert first.own is None and second.own is not None
    assert second.then.actor.id == me and second.own.steps
    left = next(one for one in second.then.fighters if one.id == me)
    taken = sum(one.damage for one in second.harm if one.fighter == me)
    assert left.hp + left.shield == pytest.approx(
        state.fighters[0].hp + state.fighters[0].shield - taken, abs=5
    )


def test_in_the_own_turn_it_is_the_next_enemy_after_the_turn_as_advised():
    state = close_duel()
    while state.actor.id != state.fighters[0].id:
        state = apply(state, EndTurn(), random.Random(1))
    me, enemy = state.fighters
    threat = Threats(MS).after(state, ())
    assert threat is not None and threat.fighter == enemy.id and threat.at is not None
    assert threat.at.actor.id == enemy.id and me.id in threat.reached
    dying = state.changed(fighters=(me, enemy.changed(hp=0)))
    assert Threats(MS).after(dying, ()) is None, "the fight is over"
