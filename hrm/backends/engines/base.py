"""The interface of the engines, which run one ACT step on a device. Halting is done by `hrm.act.deliberate`.

An engine's `step` can be passed to `deliberate`.
"""

from typing import Protocol

from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.backends.levels import SpeedPlan
from hrm.model import Carry


class Engine(Protocol):
    """Runs one step: (carry, input) to (carry, q, outputs)."""

    name: str
    device: str
    precision: str
    plan: SpeedPlan

    @property
    def state_device(self) -> str:
        """The device of states and answers, as torch calls it."""
        ...

    def load(self, stepper: Stepper) -> None:
        """Loads a copy of a model's weights; the module passed in is not changed."""
        ...

    def start(self, batch: int, length: int) -> Carry:
        """Returns the initial states, (batch, length, hidden) each."""
        ...

    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step. The states returned may be the engine's own buffers: its next step overwrites them.

        Args:
            x: embedded input, (batch, length, hidden).
            mask: (batch, length) bool, True for real positions.
        """
        ...

    def close(self) -> None:
        """Releases everything; the engine cannot be used any more."""
        ...
