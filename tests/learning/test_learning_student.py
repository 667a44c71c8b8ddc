"""The student plays by its weights alone, whatever the board."""

import random
from dataclasses import replace

import pytest
import torch

from botapp.advisor.calibration import Calibration
from botapp.advisor.model import AdvisorModel, lite, save_weights
from botapp.arena.scenarios import duel, team
from botapp.fight.rules import legal_actions
from botapp.learning.student import Student
from hrm.checkpoint import CheckpointError


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "student.safetensors"
    torch.manual_seed(3)
    model = AdvisorModel(lite(hidden_size=32, num_heads=2, mlp_inner=32, L_layers=1, H_layers=1))
    save_weights(path, model, Calibration(), {})
    return path.read_bytes()


def test_it_answers_legally_and_always_the_same(weights):
    first, second = Student(weights), Student(weights)
    for seed in range(3):
        state = duel(seed)
        action = first.choose(state, random.Random(0))
        assert action in legal_actions(state)
        assert action == second.choose(state, random.Random(1))


def test_its_weights_decide(weights):
    state = team(5, 2)
    student = Student(weights)
    before = student.choose(state, random.Random(0))
    for head in (student._model.policy, student._model.policy_prior):
        head.weight.data.neg_()
    assert student.choose(state, random.Random(0)) != before


def test_a_crowd_that_cannot_be_encoded_is_left_to_greed(weights):
    state = team(5, 4)
    fighter = state.fighters[-1]
    free = [c for c in range(560) if all(f.cell != c for f in state.fighters)]
    crowd = [replace(fighter, id=100 + i, cell=free[i]) for i in range(12)]
    crowded = state.changed(fighters=(*state.fighters, *crowd))
    assert Student(weights).choose(crowded, random.Random(0)) in legal_actions(crowded)


def test_damaged_weights_are_refused_in_words():
    with pytest.raises(CheckpointError, match="student"):
        Student(b"nothing")
