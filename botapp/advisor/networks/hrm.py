"""The Hierarchical Reasoning Model beside the search, on an engine of `hrm.backends`."""

from pathlib import Path

import torch
from torch import Tensor

from botapp.advisor.calibration import Calibration
from botapp.advisor.embedding import LENGTHS, Embedding
from botapp.advisor.network import Answer, answer_of, network
from botapp.advisor.thinker import Thinker, load_thinker
from hrm.act import Outputs
from hrm.backends import DevicePlan, open_engine
from hrm.model import Carry


class HrmNetwork:
    """A `ThinkingNetwork` of a `Thinker`."""

    def __init__(
        self, model: Thinker, calibration: Calibration, placement: DevicePlan, memory_cap: int = 0
    ) -> None:
        """Puts the model where `placement` says.

        Raises:
            hrm.backends.errors.InferenceError: it cannot run there; which kind says why.
        """
        self.calibration, self.placement = calibration, placement
        self.engine = open_engine(model.stepper(), placement, memory_cap)
        self._embedding = Embedding(model, self.engine.state_device)
        self.tokens, self.with_evidence = self._embedding.tokens, self._embedding.with_evidence

    @property
    def precision(self) -> str:
        return self.engine.precision

    @property
    def measures(self) -> tuple[str, ...]:
        return self.engine.plan.applied

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the level was not done, each with the reason."""
        return self.engine.plan.left_out

    @torch.inference_mode()
    def warm_up(self) -> None:
        """Takes a step of each length: the first makes a session or captures a graph, which takes long."""
        for length in LENGTHS:
            self.engine.step(self.engine.start(1, length), *self._embedding.blank(length))

    def start(self, length: int) -> Carry:
        """Returns the initial states, (1, length, hidden) each."""
        return self.engine.start(1, length)

    def step(self, carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        return self.engine.step(carry, x, mask)

    def answer(self, outputs: Outputs, candidates: int) -> Answer:
        return answer_of(outputs, candidates)

    def close(self) -> None:
        self.engine.close()


@network("hrm")
def load(file: Path, placement: DevicePlan, memory_cap: int) -> HrmNetwork:
    return HrmNetwork(*load_thinker(file), placement, memory_cap)
