"""What the compiled rules promise in whole fights, whatever is in them."""

import json
import os
import random
import sys

import pytest
import random_fights
from hypothesis import given
from hypothesis import strategies as st
from own_process import run_python
from random_fights import DECISIONS, FIGHTS, RandomFight, first_state, told

from botapp.content.state_json import state_from_json, state_to_json
from botapp.fight.actions import Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import CELLS, distance, neighbours
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.rules import IllegalAction, apply, apply_expected, legal_actions, winner
from botapp.fight.sheet import max_range
from botapp.fight.spells import EffectKind

numbers, seeds, lengths = st.integers(0, 100_000), st.integers(0, 2**31), st.integers(0, 120)


def random_state(number, seed, actions):
    """A state in the midst of a fight that somebody can act in."""
    fight = RandomFight(first_state(number), seed)
    while True:
        before = fight.state
        fight.play(actions)
        if not fight.is_too_large and winner(fight.state) is None:
            return fight.state
        if actions == 0:
            return before
        fight, actions = RandomFight(first_state(number), seed), actions // 2


@pytest.mark.slow
@given(numbers, seeds)
def test_whole_fights_keep_their_bounds_and_their_hash(number, seed):
    fight = RandomFight(first_state(number), seed)
    for _ in range(300):
        if not fight.play() or fight.is_too_large:
            break
        fight.hold()


@pytest.mark.slow
@given(numbers, seeds, lengths)
def test_the_same_seed_gives_the_same_fight_in_one_go_and_step_by_step(number, seed, actions):
    once, again, stepped = (RandomFight(first_state(number), seed) for _ in range(3))
    assert once.play(actions) == again.play(actions) == sum(stepped.play() for _ in range(actions))
    assert once.words == again.words
    if not once.is_too_large and actions:
        assert stepped.words == once.words


@pytest.mark.slow
@given(numbers, seeds, lengths)
def test_a_state_out_of_json_is_the_same_and_goes_on_as_that_one_does(number, seed, actions):
    state = random_state(number, seed, actions)
    again = state_from_json(json.loads(json.dumps(state_to_json(state))))
    assert again == state
    fights = [RandomFight(one, seed) for one in (state, again)]
    assert len({fight.play(30) for fight in fights}) == 1
    if not fights[0].is_too_large:
        assert fights[0].state == fights[1].state


@pytest.mark.slow
@given(numbers, seeds, lengths)
def test_every_legal_action_applies_and_takes_its_price(number, seed, actions):
    state = random_state(number, seed, actions)
    dice = random.Random(seed)
    legal = legal_actions(state)
    for action in (*dice.sample(legal, min(20, len(legal))), EndTurn()):
        for after in (apply(state, action, dice), apply_expected(state, action)):
            assert winner(after) is not None or after.actor.alive
            own = next(f for f in after.fighters if f.id == state.actor.id)
            if not own.alive or after.actor.id != own.id:
                continue
            if isinstance(action, Move):
                assert own.mp < state.actor.mp
            if isinstance(action, Cast):
                spell = next(s for s in own.spells if s.key == action.spell)
                assert (action.spell, spell.cooldown) in own.cooldowns or not spell.cooldown
                assert len(own.casts) == len(state.actor.casts) + 1


def spoilt_casts(state, cast):
    """States and casts made of a legal cast by breaking one condition, with its name."""
    actor = state.actor
    spell = next(spell for spell in actor.spells if spell.key == cast.spell)

    def with_actor(**changes):
        return state.changed(
            fighters=tuple(f.changed(**changes) if f.id == actor.id else f for f in state.fighters)
        )

    yield state, Cast("no such spell", cast.target), "spell"
    yield state, Cast(cast.spell, CELLS + cast.target), "target"
    if spell.ap:
        yield with_actor(ap=spell.ap - 1), cast, "ap"
    yield with_actor(cooldowns=((spell.key, 1),)), cast, "cooldown"
    if spell.casts_per_turn:
        yield with_actor(casts=((spell.key, -1),) * spell.casts_per_turn), cast, "casts-per-turn"
    for cell in range(CELLS):
        if not state.map.cells[cell] & 1:
            yield state, Cast(cast.spell, cell), "target"
        elif not spell.min_range <= distance(actor.cell, cell) <= max_range(actor, spell):
            yield state, Cast(cast.spell, cell), "range"


def spoilt_walks(state, walk):
    """States and walks made of a legal walk by breaking one condition, with its name."""
    actor = state.actor
    tired = state.changed(fighters=tuple(f.changed(mp=0) if f.id == actor.id else f for f in state.fighters))
    yield state, Move(()), "path"
    yield state, Move((actor.cell,)), "path"
    yield tired, walk, "mp"
    if len(walk.path) > 1:
        yield state, Move(walk.path[1:]), "path"
    for cell in neighbours(actor.cell):
        if not state.map.cells[cell] & 1:
            yield state, Move((cell,)), "walkable"
        elif any(f.cell == cell and f.alive for f in state.fighters):
            yield state, Move((cell,)), "free-cell"


@pytest.mark.slow
@given(numbers, seeds, lengths)
def test_every_spoilt_action_is_refused_for_what_was_spoilt(number, seed, actions):
    state = random_state(number, seed, actions)
    dice = random.Random(seed)
    legal = legal_actions(state)
    casts = [action for action in legal if isinstance(action, Cast)]
    walks = [action for action in legal if isinstance(action, Move)]
    spoilt = [(state, action, "placing") for action in (Place(0), Ready())]
    for action in dice.sample(casts, min(3, len(casts))):
        spoilt += dice.sample(made := list(spoilt_casts(state, action)), min(40, len(made)))
    for action in dice.sample(walks, min(3, len(walks))):
        spoilt += spoilt_walks(state, action)
    for there, action, condition in spoilt:
        with pytest.raises(IllegalAction) as refused:
            apply(there, action, dice)
        assert refused.value.condition == condition, (action, str(refused.value))
        assert str(refused.value)


@pytest.mark.slow
def test_the_random_fights_have_everything_in_them():
    fights = [RandomFight(first_state(number), number) for number in range(200)]
    for number, fight in enumerate(fights):
        fight.play(60 if number % 3 else 1000)
    states = [fight.state for fight in fights if not fight.is_too_large]
    fighters = [one for state in states for one in state.fighters]
    effects = [e for f in fighters for s in f.spells for e in s.effects]
    assert {e.kind for one in effects for e in (one, *one.payload)} == set(EffectKind)
    assert any(state.marks for state in states) and any(f.buffs for f in fighters)
    assert any(f.summoner is not None and f.alive for f in fighters)
    assert {winner(state) for state in states} >= {None, 0, 1}


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="both sides would be interpreted")
@pytest.mark.parametrize("rounds", [2, pytest.param(4, marks=pytest.mark.long)])
def test_interpreted_rules_and_search_do_what_the_compiled_ones_do(rounds):
    interpreted = {**os.environ, "BOTAPP_INTERPRETED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    said = run_python(random_fights.__file__, str(rounds), env=interpreted)
    there, here = json.loads(said), json.loads(json.dumps(told(FIGHTS, DECISIONS, rounds)))
    assert len(there) == len(here)
    for one, other in zip(there, here, strict=True):
        assert one == other
