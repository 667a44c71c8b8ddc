"""The model in training as a player of practice fights: quick, on one core, without an app around it.

Next hop: `botapp.learning.fights` lets it play, so that the search can judge the states it comes to.
"""

import random
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from botapp.advisor.model import load_weights, tensors
from botapp.advisor.search_stage import search_state
from botapp.advisor.tokens import encode
from botapp.arena.players import GreedyPlayer
from botapp.fight.actions import Action
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.search.options import SearchOptions

STEPS = 2
"""ACT steps for a decision."""


class Student:
    """Plays what the model likes best after a few steps.

    Args:
        weights: the content of a file of weights.
        steps: ACT steps for each decision.

    Raises:
        hrm.checkpoint.CheckpointError: the weights are damaged or made for other features.
    """

    def __init__(self, weights: bytes, steps: int = STEPS) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "student.safetensors"
            path.write_bytes(weights)
            self._model, calibration = load_weights(path)
        self._options = SearchOptions(calibration.rollout_actions)
        self._steps = steps
        self._greedy = GreedyPlayer()

    @torch.inference_mode()
    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns an action for the current actor; greed decides where too many fighters are on the board."""
        try:
            encoded = encode(search_state(observation(state, state.actor.team), self._options))
        except ValueError:
            return self._greedy.choose(state, rng)
        if len(encoded.candidates) == 1:
            return encoded.candidates[0].action
        given = tensors([encoded])
        tokens, mask = self._model.embed(*given)
        core = self._model.core
        carry = core.start(1, tokens.shape[1])
        for _ in range(self._steps):
            carry, _ = core(carry, tokens, mask)
        logits = self._model.choose(self._model.readout(carry.z_H)[0], given[3])[0]
        return encoded.candidates[int(logits[: len(encoded.candidates)].argmax())].action


@lru_cache(maxsize=1)
def student(weights: bytes) -> Student:
    """Returns the student with these weights, read once for all fights of a process."""
    torch.set_num_threads(1)
    return Student(weights)
