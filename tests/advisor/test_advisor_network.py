"""What thinks beside the search is one file: HRM, another network, or nothing at all."""

from pathlib import Path

import pytest
import torch

import botapp.advisor.networks
from botapp.advisor.advisor import create_advisor
from botapp.advisor.calibration import Calibration
from botapp.advisor.deliberating import DeliberatingAdvisor, Thinking
from botapp.advisor.network import NETWORKS, load_network
from botapp.advisor.networks.hrm import HrmNetwork
from botapp.advisor.thinker import fresh
from botapp.arena.scenarios import duel
from hrm.backends import DevicePlan
from hrm.tensor_file import CheckpointError, save

PLAN = DevicePlan("auto", "cpu", "cpu", "fp32", "a test")
NOTHING = """
import numpy as np
import torch
from botapp.advisor.calibration import Calibration
from botapp.advisor.network import Answer, network
from botapp.advisor.thinker import TRUST
from hrm.model import Carry


class Nothing:
    precision, measures, left_out = "fp32", ("nothing to do",), ()

    def __init__(self, placement):
        self.calibration, self.placement, self.steps = Calibration(), placement, 0

    def warm_up(self):
        pass

    def tokens(self, facts):
        count = 1 + len(facts.candidates) + len(facts.fighters)
        return np.zeros((count, 1), np.float32), torch.ones(1, count, dtype=torch.bool)

    def with_evidence(self, tokens, reading):
        return torch.from_numpy(tokens)[None]

    def start(self, length):
        return Carry(torch.zeros(1), torch.zeros(1))

    def step(self, carry, x, mask):
        self.steps += 1
        return carry, torch.zeros(1, 2), ()

    def answer(self, outputs, candidates):
        return Answer(torch.zeros(1, candidates), torch.zeros(1, candidates), torch.tensor([TRUST]))

    def close(self):
        pass


@network("nothing")
def load(file, placement, memory_cap):
    return Nothing(placement)
"""


def weights(folder: Path, name: str) -> Path:
    save(folder / "made.safetensors", {"one": torch.zeros(1)}, {"network": name})
    return folder / "made.safetensors"


@pytest.mark.slow
def test_a_network_is_one_file(made_up, tmp_path):
    made_up(botapp.advisor.networks, NETWORKS, "nothing", NOTHING)
    limits = 0.0, Thinking(3, 2.0)
    advisor = create_advisor(weights(tmp_path, "nothing"), PLAN, *limits, evaluation="none")
    assert advisor.measures == ("nothing to do",)
    found = advisor.decide(duel(3))
    assert advisor.network.steps == 3 == len(found.trace)
    untrained = DeliberatingAdvisor(HrmNetwork(fresh(), Calibration(), PLAN), *limits)
    assert found.choices == untrained.decide(duel(3)).choices, "one that has learnt nothing says no more"


def test_weights_of_a_network_that_is_not_there_are_named(tmp_path):
    with pytest.raises(CheckpointError, match=r"made\.safetensors is of the network 'other', not of hrm"):
        load_network(weights(tmp_path, "other"), PLAN)
