"""The default policy of rollouts chooses as it has always done, and leaves what it is asked about alone."""

import json
from pathlib import Path

import pytest
from desk import Desk
from policy_states import policy_state, told

from botapp.content.play_styles import play_style_of
from botapp.fight.core.unpack import unpack
from botapp.fight.rules import legal_actions
from botapp.search.policy_fight import DefaultPolicy

CHOICES = json.loads((Path(__file__).parent / "greedy_choices.json").read_text())
"""What the default policy chooses in `policy_state` 0, 1, 2 ..."""


def choice(state):
    return DefaultPolicy(state, play_style_of).action(state)


@pytest.mark.slow
def test_greedy_decides_as_it_was_recorded():
    made = [told(choice(policy_state(number))) for number in range(len(CHOICES))]
    assert {n: (was, now) for n, (was, now) in enumerate(zip(CHOICES, made, strict=True)) if was != now} == {}


@pytest.mark.slow
def test_every_choice_is_a_legal_action():
    for number in range(len(CHOICES), len(CHOICES) + 60):
        state = policy_state(number)
        assert told(choice(state)) in [told(action) for action in legal_actions(state)]


def test_a_choice_leaves_the_state_as_it_is():
    state = policy_state(4)
    desk = Desk(state, play_style=play_style_of)
    desk.desk.choose()
    assert unpack(desk.packed, desk.desk.words) == state
