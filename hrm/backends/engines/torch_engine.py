"""Engines: each runs one ACT step somewhere. Halting stays in Python, in `hrm.act.deliberate`.

An engine's `step` is what `deliberate` asks for. The engine here is torch's, on a CPU, a CUDA card or a ROCm
card: eager, captured in a graph, compiled, or in kernels of our own, as `hrm.backends.levels` plans it;
`hrm.backends.engines.onnx_engine` is the other one. `open_engine` builds what a `Choice` says.
"""

import contextlib
import copy
from collections.abc import Callable, Collection
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.backends.engines.devices import on_card
from hrm.backends.engines.graphs import Captured
from hrm.backends.engines.safe import Safe, crashed_here
from hrm.backends.errors import ConfigurationError, NotAvailableError, sort_error
from hrm.backends.kernels.int8 import quantise
from hrm.backends.levels import DTYPES, Plan, attention_kind, describe_device, plan
from hrm.backends.memory.estimate import cap, check, weights_of
from hrm.backends.memory.telemetry import read
from hrm.backends.placement import AttentionKind, BackendInfo, Choice
from hrm.model import Carry

COMPILE_MODE = "max-autotune-no-cudagraphs"
_Raw = Callable[..., tuple[Tensor, ...]]


class EngineMemory(NamedTuple):
    """Bytes of the device's memory that an engine holds and has held at most; None where nobody can tell."""

    allocated: int | None
    peak: int | None


class Engine(Protocol):
    """Runs one step: (carry, input) to (carry, q, outputs)."""

    name: str
    device: str
    precision: str
    plan: Plan

    @property
    def home(self) -> str:
        """Where states and answers lie, as torch calls it."""
        ...

    @classmethod
    def probe(cls) -> list[BackendInfo]:
        """Says which backends this engine could run on here, and why not the others."""
        ...

    def load(self, stepper: Stepper) -> None:
        """Takes over a model's weights; the module handed in is left as it is."""
        ...

    def start(self, batch: int, length: int) -> Carry:
        """Returns the states a thought begins with, (batch, length, hidden) each."""
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


class TorchEngine:
    """Torch on a CPU, a CUDA card or a ROCm card.

    Attributes:
        name: "torch".
        device: as torch calls it.
        precision: fp32, bf16, fp16 or int8; what the activations are held in, int8 meaning the matrices
            (the level aggressive makes int8 of fp32 on a CPU).
        plan: what is done for speed.
    """

    name = "torch"

    def __init__(
        self,
        stepper: Stepper,
        device: str = "cpu",
        precision: str = "fp32",
        memory_cap: int = 0,
        level: str = "conservative",
        attention: AttentionKind | None = None,
        hip_graphs: bool = False,
        hip_flash: bool = False,
        without: Collection[str] = (),
    ) -> None:
        """Loads a model.

        Args:
            stepper: the step as a module; it is left as it is.
            device: as torch calls it.
            precision: fp32, bf16, fp16 or int8 (on CPUs).
            memory_cap: bytes of the device's memory that this process may take, 0 for the level's share.
            level: how much is done for speed; see `hrm.backends.levels`.
            attention: "math" to insist on the plain one.
            hip_graphs: a child proved that graphs work on this AMD card.
            hip_flash: a child proved flash attention right on this AMD card.
            without: measures of the level to leave out; see `hrm.backends.levels.plan`.

        Raises:
            ConfigurationError: there is no such precision or level.
            BackendError: the device cannot be used; which kind says why.
        """
        if precision not in DTYPES:
            raise ConfigurationError(
                f"there is no precision {precision!r}; choose one of {', '.join(DTYPES)}"
            )
        self.device = device
        self.precision = precision
        self._where = torch.device(device)
        if precision == "int8" and self._where.type != "cpu":
            raise ConfigurationError("int8 is for CPUs here", "choose bf16, fp16 or fp32")
        try:
            backend, chip = describe_device(self._where)
            self.plan: Plan = plan(
                level,
                backend,
                chip,
                attention=attention,
                hip_graphs=hip_graphs,
                hip_flash=hip_flash,
                without=without,
            )
            if self.plan.measures.quantise and precision == "fp32":
                self.precision = "int8"
            if self._where.type == "cuda":
                check(weights_of(stepper), read(device), memory_cap)
                self._cap(memory_cap)
            self.load(stepper)
        except (RuntimeError, AssertionError) as error:
            raise sort_error(error) from error

    @classmethod
    def probe(cls) -> list[BackendInfo]:
        """Says which backends torch could run on here, and why not the others."""
        from hrm.backends.probing.choosing import available  # noqa: PLC0415 (it asks the driver)

        return [info for info in available() if info.name in ("rocm", "cuda", "cpu")]

    @property
    def home(self) -> str:
        """Where states and answers lie: on the device."""
        return self.device

    def load(self, stepper: Stepper) -> None:
        """Takes over a model's weights; the module handed in is left as it is."""
        own = copy.deepcopy(stepper).eval().requires_grad_(False)
        own.core.dtype = DTYPES[self.precision]
        if self.precision == "int8":
            quantise(own)
        elif self.precision != "fp32":
            own.core.L_level.to(own.core.dtype)
            own.core.high.to(own.core.dtype)
        with on_card(self._where):
            self._stepper = own.to(self._where)
            self._run = self._faster(self._plain)

    def start(self, batch: int, length: int) -> Carry:
        """Returns the states a thought begins with, (batch, length, hidden) each."""
        return self._stepper.core.start(batch, length)

    @torch.inference_mode()
    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step; q and the outputs come back in fp32, on the engine's device."""
        x = x.to(self._where, self._stepper.core.dtype)
        mask = None if mask is None else mask.to(self._where)
        with on_card(self._where), self._attention():
            z_H, z_L, q, *outputs = self._run(*carry, x, mask)
            if self.plan.measures.graph:
                q, outputs = q.clone(), [output.clone() for output in outputs]
        return Carry(z_H, z_L), q, tuple(outputs)

    def memory(self) -> EngineMemory:
        """Says how much of the card's memory this process holds through torch; unknown on a CPU."""
        if self._where.type != "cuda":
            return EngineMemory(None, None)
        return EngineMemory(
            torch.cuda.memory_allocated(self._where), torch.cuda.max_memory_allocated(self._where)
        )

    def close(self) -> None:
        """Gives everything back; the engine cannot be used any more."""
        if isinstance(self._run, Captured):
            self._run.clear()
        elif isinstance(self._run, Safe):
            self._run.close()
        del self._run, self._stepper
        if self._where.type == "cuda":
            torch.cuda.empty_cache()

    def _plain(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None) -> tuple[Tensor, ...]:
        z_H, z_L, q, *outputs = self._stepper(z_H, z_L, x, mask)
        return z_H, z_L, q, *(output.float() for output in outputs)

    def _faster(self, run: _Raw) -> _Raw:
        measures = self.plan.measures
        fused = None
        if measures.fused:
            from hrm.backends.kernels.fused import fuse  # noqa: PLC0415 (Triton is not everywhere)

            fused = fuse(self._stepper)
        if fused is not None:
            run = fused
        elif measures.compiled:
            run = torch.compile(run, dynamic=False, mode=COMPILE_MODE if measures.graph else None)
        elif self._where.type == "cuda" and not measures.graph:
            return Safe(run, self.device, crashed_here(self.device))
        return Captured(run, feed_back=2) if measures.graph else run

    def _attention(self) -> contextlib.AbstractContextManager[Any]:
        if self.plan.measures.attention == "auto":
            return contextlib.nullcontext()
        plain: contextlib.AbstractContextManager[Any] = attention_kind("math")
        return plain

    def _cap(self, memory_cap: int) -> None:
        total = torch.cuda.get_device_properties(self._where).total_memory
        cap(self.device, memory_cap or int(self.plan.measures.memory_fraction * total))


def open_engine(stepper: Stepper, choice: Choice, memory_cap: int = 0) -> Engine:
    """Builds the engine that a choice names.

    Args:
        stepper: the step as a module; it is left as it is.
        choice: where and how to run.
        memory_cap: bytes of the device's memory that this process may take, 0 for the level's share.

    Raises:
        BackendError: it cannot be had; which kind says why.
    """
    if choice.threads and choice.engine == "torch":
        torch.set_num_threads(choice.threads)
    if choice.engine == "torch":
        attention: AttentionKind | None = "math" if choice.attention == "math" else None
        return TorchEngine(
            stepper,
            choice.device,
            choice.precision,
            memory_cap,
            choice.level,
            attention,
            choice.hip_graphs,
            choice.hip_flash,
        )
    try:
        from hrm.backends.engines.onnx_engine import OnnxEngine  # noqa: PLC0415 (ONNX Runtime is slow to load)
    except ImportError as error:
        raise NotAvailableError(
            "ONNX Runtime is missing",
            "pip install onnxruntime (on Windows with a card: onnxruntime-directml)",
        ) from error
    return OnnxEngine(stepper, choice.device, choice.precision, choice.threads, choice.level)
