"""Engines: each runs one ACT step somewhere. Halting stays in Python, in `hrm.act.deliberate`.

An engine's `step` is what `deliberate` asks for; states and outputs stay on the engine's device.
"""

from typing import Protocol

import torch
from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.model import Carry

_DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


class Engine(Protocol):
    """Runs one step: (carry, input) to (carry, q, outputs)."""

    device: str
    precision: str

    def start(self, batch: int, length: int) -> Carry:
        """Returns the states a thought begins with, (batch, length, hidden) each."""
        ...

    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step.

        Args:
            carry: the states to go on from.
            x: embedded input, (batch, length, hidden).
            mask: (batch, length) bool, True for real positions.
        """
        ...


class TorchEngine:
    """Eager torch on a CPU, a CUDA card or a ROCm card.

    Attributes:
        device: as torch calls it.
        precision: fp32, bf16 or fp16; what the activations are held in.
    """

    def __init__(
        self, stepper: Stepper, device: str = "cpu", precision: str = "fp32", memory_cap: int = 0
    ) -> None:
        """Moves the model to the device.

        Args:
            stepper: the step as a module; it is changed in place.
            device: as torch calls it.
            precision: fp32, bf16 or fp16.
            memory_cap: bytes of the device's memory that this process may take, 0 for no cap.

        Raises:
            ValueError: there is no such precision.
            RuntimeError: the device cannot be used.
        """
        if precision not in _DTYPES:
            raise ValueError(f"there is no precision {precision!r}; choose one of {', '.join(_DTYPES)}")
        self.device = device
        self.precision = precision
        self._where = torch.device(device)
        if memory_cap and self._where.type == "cuda":
            total = torch.cuda.get_device_properties(self._where).total_memory
            torch.cuda.set_per_process_memory_fraction(min(1.0, memory_cap / total), self._where)
        stepper.core.dtype = _DTYPES[precision]
        self._stepper = stepper.to(self._where).eval()

    def start(self, batch: int, length: int) -> Carry:
        """Returns the states a thought begins with, (batch, length, hidden) each."""
        return self._stepper.core.start(batch, length)

    @torch.inference_mode()
    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step; q and the outputs come back in fp32, on the engine's device."""
        x = x.to(self._where)
        mask = None if mask is None else mask.to(self._where)
        carry, q, outputs = self._stepper.step(carry, x, mask)
        return carry, q, tuple(output.float() for output in outputs)
