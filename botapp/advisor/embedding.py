"""A deliberation's tokens in NumPy: for one state, calling torch takes longer than the few products do.

It computes what `Thinker.tokens` and `Thinker.with_evidence` compute for the batches of training, padded to
one of a few lengths, so that an engine sees few shapes.
"""

import numpy as np
import torch
from torch import Tensor

from botapp.advisor.evidence import EvidenceReading
from botapp.advisor.facts import Array, Facts
from botapp.advisor.thinker import Projection, Thinker

LENGTHS = 16, 32, 48  # Lengths that a state's tokens are padded to

_Projected = tuple[Array, Array]
"""A projection's weight (features, hidden) and bias (hidden,), the features' scale worked into both."""


class Embedding:
    """The projections of a network.

    Args:
        model: the network; later changes of its weights are not seen.
        device: where tokens go for a step.
    """

    def __init__(self, model: Thinker, device: str | torch.device = "cpu") -> None:
        self._device = device
        self._hidden, self._eps = model.config.hidden_size, model.config.rms_norm_eps
        self._facts = [_scaled(facts) for facts in (model.context, model.candidate, model.fighter)]
        self._progress, self._evidence = _scaled(model.progress), _scaled(model.evidence)

    def tokens(self, facts: Facts) -> tuple[Array, Tensor]:
        """Returns the tokens of what does not change, and which of them are real.

        Returns:
            Tokens (P, hidden), 0 beyond the real ones; the mask on the device, (1, P).
        """
        rows = facts.context[None], facts.candidates, facts.fighters
        parts = [features @ weight + bias for features, (weight, bias) in zip(rows, self._facts, strict=True)]
        count = sum(map(len, parts))
        places = next((length for length in LENGTHS if length >= count), count)
        tokens = np.zeros((places, self._hidden), np.float32)
        np.concatenate(parts, out=tokens[:count])
        return tokens, (torch.arange(places) < count)[None].to(self._device)

    def with_evidence(self, tokens: Array, reading: EvidenceReading) -> Tensor:
        """Returns the tokens as a step takes them, with what is known by now: (1, P, hidden), on the device.

        Args:
            tokens: as `tokens` made them; they are left as they are.
            reading: what is known.
        """
        x = tokens.copy()
        for first, features, (weight, bias) in (
            (0, reading.progress[None], self._progress),
            (1, reading.evidence, self._evidence),
        ):
            x[first : first + len(features)] += features @ weight + bias
        x /= np.sqrt(np.square(x).mean(1, keepdims=True) + self._eps)
        return torch.from_numpy(x)[None].to(self._device)

    def blank(self, length: int) -> tuple[Tensor, Tensor]:
        """Returns tokens that say nothing, (1, length, hidden), and a mask that takes them for real."""
        mask = torch.ones(1, length, dtype=torch.bool)
        return torch.zeros(1, length, self._hidden).to(self._device), mask.to(self._device)


@torch.no_grad()
def _scaled(projection: Projection) -> _Projected:
    linear = projection.linear
    assert linear.bias is not None
    weight = linear.weight.double() * projection.gain.double()
    bias = linear.bias.double() - weight @ projection.mean.double()
    return weight.T.float().contiguous().cpu().numpy(), bias.float().cpu().numpy()
