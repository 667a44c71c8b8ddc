"""What a deliberation computes in NumPy is what training computes in torch."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from advisor_cases import state_after

from botapp.advisor.embedding import LENGTHS, Embedding
from botapp.advisor.evidence import Deliberated
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinker import Projection, load_thinker


@pytest.fixture(scope="module")
def model():
    """The app's network, with scales that tell where one is left out."""
    found, _ = load_thinker()
    torch.manual_seed(3)
    for one in found.modules():
        if isinstance(one, Projection):
            one.mean.uniform_(-1, 1)
            one.gain.uniform_(0.2, 5)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", [(5, 12), (3, 8), (9, 20)])
@torch.inference_mode()
def test_tokens_are_those_of_the_network_padded(model, case):
    matter, embedding = Deliberated(search_state(state_after(*case)), 8, 12, 0.05), Embedding(model)
    facts = matter.facts
    tokens, mask = embedding.tokens(facts)
    expected = model.tokens(*map(row, (facts.context, facts.candidates, facts.fighters)))
    count = expected.shape[1]
    assert mask.shape[1] == len(tokens) in LENGTHS and mask[0].tolist() == [
        place < count for place in range(len(tokens))
    ]
    before = tokens.copy()
    for looked in (None, 0):
        reading = matter.read(looked)
        x = embedding.with_evidence(tokens, reading)
        wanted = model.with_evidence(expected, row(reading.evidence), row(reading.progress))
        torch.testing.assert_close(x[:, :count], wanted, atol=1e-5, rtol=1e-5)
        assert not x[:, count:].any()
        matter.tree.look(0, matter.tree.played_actions + 12)
    assert (tokens == before).all()


def test_more_tokens_than_the_longest_length_are_left_as_they_are(model):
    matter = Deliberated(search_state(state_after(9, 20)), 8, 12, 0.05)
    many = replace(matter.facts, candidates=np.repeat(matter.facts.candidates, 30, axis=0))
    tokens, mask = Embedding(model).tokens(many)
    assert len(tokens) == 1 + len(many.candidates) + len(many.fighters) > LENGTHS[-1] and mask.all()


def row(array):
    return torch.from_numpy(array)[None]
