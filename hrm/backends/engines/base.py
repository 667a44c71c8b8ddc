"""What every engine can do: run one ACT step somewhere. Halting stays in Python, in `hrm.act.deliberate`.

An engine's `step` is what `deliberate` asks for. Next hop: `hrm.backends.engines.torch_engine` and
`hrm.backends.engines.onnx_engine` are the two there are.
"""

from typing import NamedTuple, Protocol

from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.backends.levels import SpeedPlan
from hrm.model import Carry


class EngineMemory(NamedTuple):
    """Bytes of the device's memory that an engine holds and has held at most; None where nobody can tell."""

    allocated: int | None
    peak: int | None


class Engine(Protocol):
    """Runs one step: (carry, input) to (carry, q, outputs)."""

    name: str
    device: str
    precision: str
    plan: SpeedPlan

    @property
    def home(self) -> str:
        """Where states and answers lie, as torch calls it."""
        ...

    def load(self, stepper: Stepper) -> None:
        """Takes over a model's weights; the module handed in is left as it is."""
        ...

    def start(self, batch: int, length: int) -> Carry:
        """Returns the initial states, (batch, length, hidden) each."""
        ...

    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step. The states handed back may be the engine's own: its next step overwrites them.

        Args:
            carry: the states to go on from.
            x: embedded input, (batch, length, hidden).
            mask: (batch, length) bool, True for real positions.
        """
        ...

    def memory(self) -> EngineMemory:
        """Says how much of the device's memory it holds."""
        ...

    def close(self) -> None:
        """Gives everything back; the engine cannot be used any more."""
        ...
