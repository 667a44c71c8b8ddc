"""The compiled generation, default policy and rollouts."""

import json
from pathlib import Path

import pytest
from policy_states import policy_state, told
from wild import wild_state

from botapp.content.play_styles import play_style_of
from botapp.fight.core.compiler import decimals, whole_numbers
from botapp.fight.core.layout import SET, SETS, STATE, WALKABLE
from botapp.fight.core.pack import pack
from botapp.fight.core.states import fighter_at
from botapp.fight.core.unpack import unpack
from botapp.fight.rules import winner
from botapp.fight.sight import terrain
from botapp.search import generation as python_generation
from botapp.search.core.evaluation_layout import EVALUATION
from botapp.search.core.generation import sensible_casts, stands
from botapp.search.core.policy import CAST_SPELL, WALK, choose
from botapp.search.core.rollouts import play_out
from botapp.search.core.static import prepare
from botapp.search.core.styles import styles_of
from botapp.search.core.work import CAST, CASTS, STAND, STANDS, work_array
from botapp.search.greedy import DefaultPolicy
from botapp.search.heuristic import HeuristicEvaluation
from botapp.search.rollouts import Rollout

CHOICES = json.loads((Path(__file__).parent / "greedy_choices.json").read_text())
"""What the default policy chooses in `policy_state` 0, 1, 2 ..."""

_WITHIN = SETS + 23 * SET


class Desk:
    """A state packed, with all that the default policy needs."""

    def __init__(self, state):
        self.state = state
        self.packed = pack(state)
        self.s, self.b = self.packed.s, self.packed.b
        self.t, self.w, self.e = whole_numbers(STATE), work_array(), decimals(EVALUATION)
        self.number = self.packed.numbers[state.actor.id]
        self.styles = styles_of(self.packed, play_style_of)
        prepare(self.s, self.b, self.e, state.actor.team)

    def choice(self):
        """The default policy's choice, as `told` tells it."""
        kind, slot, cell = choose(self.s, self.b, self.t, self.e, self.w, self.styles)
        if kind == CAST_SPELL:
            return ["cast", self.state.actor.spells[slot].key, cell]
        return ["walk", cell] if kind == WALK else ["end"]


def states(numbers, wild=()):
    fights = [policy_state(number) for number in numbers]
    fights += [wild_state(number, number % 40) for number in wild]
    return [state for state in fights if winner(state) is None]


def slot_of(fighter, spell):
    return next(slot for slot, known in enumerate(fighter.spells) if known is spell)


def test_greedy_decides_as_it_was_recorded():
    wrong = {
        number: (choice, made)
        for number, choice in enumerate(CHOICES)
        if (made := Desk(policy_state(number)).choice()) != choice
    }
    assert not wrong


def test_sensible_casts_are_those_of_the_search_in_python():
    for state in states(range(60), range(80)):
        desk, actor = Desk(state), state.actor
        count = sensible_casts(desk.s, desk.b, desk.w, desk.w, CASTS)
        entries = [desk.w[CASTS + n * CAST : CASTS + (n + 1) * CAST] for n in range(count)]
        wanted = python_generation.sensible_casts(state)
        assert [tuple(entry) for entry in entries] == [(slot_of(actor, s), c.target) for s, c in wanted]


def test_stands_are_those_of_the_search_in_python():
    for state in states(range(60), range(80)):
        desk, actor = Desk(state), state.actor
        desk.s[_WITHIN : _WITHIN + SET] = desk.b[WALKABLE : WALKABLE + SET]
        f = fighter_at(desk.number)
        found = []
        for n in range(stands(desk.s, desk.b, f, desk.w, _WITHIN, desk.w, STANDS)):
            slot, aim, *words = (int(word) for word in desk.w[STANDS + n * STAND : STANDS + (n + 1) * STAND])
            found.append((slot, aim, sum(word << 28 * place for place, word in enumerate(words))))
        walkable = terrain(state.map.cells).walkable
        assert found == [
            (slot_of(actor, s.spell), -1 if s.aim is None else s.aim, s.origins & walkable)
            for s in python_generation.stands(state, actor)
            if s.origins & walkable
        ]


def test_choices_are_those_of_the_policy_in_python():
    wrong = [
        number
        for number in range(200, 300)
        if Desk(state := policy_state(number)).choice()
        != told(DefaultPolicy(state, play_style_of).action(state))
    ]
    assert not wrong


@pytest.mark.parametrize("turns", [2, 99])
def test_rollouts_have_the_values_of_those_in_python(turns):
    for number in range(0, 45):
        state = policy_state(number)
        desk = Desk(state)
        rollout = Rollout(state, HeuristicEvaluation(state), play_style_of)
        wanted = rollout.value(state, turns)
        value, actions = play_out(
            desk.s, desk.b, desk.t, desk.e, desk.w, desk.styles, desk.number, state.turn + 1, turns
        )
        assert (value, actions) == (pytest.approx(wanted, abs=1e-6), rollout.steps), number


def test_a_choice_leaves_the_state_as_it_is():
    desk = Desk(policy_state(4))
    desk.choice()
    assert unpack(desk.packed, desk.s) == desk.state
