"""The model in training says where recorded deliberations look."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor

from botapp.advisor.evidence import Deliberated, EvidenceReading
from botapp.advisor.network import answer_of
from botapp.advisor.thinker import Thinker, load_thinker


class Looker:
    """Looks where a network says, one deliberation after another."""

    def __init__(self, model: Thinker) -> None:
        self._model = model
        self._matter: Deliberated | None = None
        self._tokens = torch.zeros(0)

    @torch.inference_mode()
    def __call__(self, reading: EvidenceReading, matter: Deliberated) -> int | None:
        """Returns the candidate to look at next, None for the schedule."""
        if matter is not self._matter:
            self._matter = matter
            facts = matter.facts
            self._tokens = self._model.tokens(*map(_row, (facts.context, facts.candidates, facts.fighters)))
            self._carry = self._model.core.start(1, self._tokens.shape[1])
        x = self._model.with_evidence(self._tokens, _row(reading.evidence), _row(reading.progress))
        z_H, z_L, _, *outputs = self._model.stepper()(*self._carry, x)
        self._carry = type(self._carry)(z_H, z_L)
        return answer_of(tuple(outputs), len(matter.shown)).best_look()


def _row(array: object) -> Tensor:
    return torch.as_tensor(array)[None]


@lru_cache(maxsize=1)
def looker(weights: bytes) -> Looker:
    """Returns what looks with these weights, read once for all states of a process."""
    torch.set_num_threads(1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "thinker.safetensors"
        path.write_bytes(weights)
        return Looker(load_thinker(path)[0])
