"""The engine on torch, on a CPU, a CUDA card or a ROCm card.

A step runs eager, captured in a graph, compiled, or in our own kernels, as `hrm.backends.levels` plans it.
"""

import contextlib
import copy
from collections.abc import Callable, Collection
from typing import Any

import torch
from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.backends.compile_caches import secure_inductor_folder
from hrm.backends.engines.cpu_fallback import CpuFallbackStep, failed_operators
from hrm.backends.engines.devices import (
    DTYPES,
    allow_flash_on_amd,
    attention_kind,
    current_device,
    describe_device,
)
from hrm.backends.engines.graphs import CapturedStep
from hrm.backends.errors import ConfigurationError, DeviceError, sort_error
from hrm.backends.json_cache import cache_folder
from hrm.backends.kernels.int8 import quantise
from hrm.backends.levels import KERNELS_FAILED, NO_INT8, NO_KERNELS, STREAMED, SpeedPlan, plan
from hrm.backends.memory.estimate import CUBLAS_WORKSPACE, cap, estimate
from hrm.backends.memory.streaming import Streamed
from hrm.backends.memory.telemetry import read
from hrm.backends.placement import AttentionKind
from hrm.message import say
from hrm.model import Carry

COMPILE_MODE = "max-autotune-no-cudagraphs"
_Raw = Callable[..., tuple[Tensor, ...]]


class TorchEngine:
    """Runs steps by torch on a CPU, a CUDA card or a ROCm card.

    Attributes:
        name: "torch".
        device: as torch calls it.
        precision: the dtype of activations, fp32, bf16 or fp16; or int8, for fp32 activations with int8
            matrices (on a CPU the level aggressive turns fp32 into int8; int8 is fp32 where no matrix gains).
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
            stepper: the step as a module; it is not changed.
            precision: fp32, bf16, fp16 or int8 (on CPUs).
            memory_cap: bytes of the card's memory that this process may take, 0 for the level's share. The
                layers of a model that is larger than that, or than what is free, are streamed.
            level: the optimisation level; see `hrm.backends.levels`.
            attention: "math" to require plain attention.
            hip_graphs: a probe found that graphs work on this AMD card.
            hip_flash: a probe found flash attention correct on this AMD card.
            without: measures of the level to leave out; see `hrm.backends.levels.plan`.

        Raises:
            ConfigurationError: there is no such precision or level.
            InferenceError: the device cannot be used; the class says why.
        """
        if precision not in DTYPES:
            raise ConfigurationError(
                say("there is no precision {name}", name=repr(precision)),
                say("choose one of {names}", names=", ".join(DTYPES)),
            )
        self.device = device
        self.precision = precision
        self.where = torch.device(device)
        self._memory_cap = memory_cap
        self._streamed: Streamed | None = None
        self._run: _Raw
        if precision == "int8" and self.where.type != "cpu":
            raise ConfigurationError(say("int8 is for CPUs here"), say("choose bf16, fp16 or fp32"))
        try:
            with current_device(self.where):
                backend, self._chip = describe_device(self.where)
                self.plan: SpeedPlan = plan(
                    level,
                    backend,
                    self._chip,
                    attention=attention,
                    hip_graphs=hip_graphs,
                    hip_flash=hip_flash,
                    without=without,
                )
                if backend == "rocm" and self.plan.measures.attention == "auto":
                    allow_flash_on_amd()
                if self.plan.measures.quantise and precision == "fp32":
                    self.precision = "int8"
                if self.where.type == "cuda":
                    total = torch.cuda.get_device_properties(self.where).total_memory
                    cap(device, memory_cap or int(self.plan.measures.memory_fraction * total))
                self.load(stepper)
        except (RuntimeError, AssertionError) as error:
            raise sort_error(error) from error

    @property
    def state_device(self) -> str:
        return self.device

    def load(self, stepper: Stepper) -> None:
        """Loads a copy of a model's weights; the module passed in is not changed."""
        own = copy.deepcopy(stepper).eval().requires_grad_(False)
        own.core.dtype = DTYPES[self.precision]
        if self.precision == "int8":
            self._quantise(own)
        elif self.precision != "fp32":
            own.core.L_level.to(own.core.dtype)
            own.core.high.to(own.core.dtype)
        with current_device(self.where):
            self._place(own)

    def start(self, batch: int, length: int) -> Carry:
        with current_device(self.where):
            return self._stepper.core.start(batch, length)

    @torch.inference_mode()
    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step; q and the outputs come back in fp32, on the engine's device."""
        with current_device(self.where), self._attention():
            x = x.to(self.where, self._stepper.core.dtype)
            mask = None if mask is None else mask.to(self.where)
            z_H, z_L, q, *outputs = self._call(*carry, x, mask)
            if self.plan.measures.graph:
                q, outputs = q.clone(), [output.clone() for output in outputs]
                if isinstance(self._run, CapturedStep) and self._run.trouble:
                    self.plan = self.plan.revised(self._run.trouble, graph=False)
        return Carry(z_H, z_L), q, tuple(outputs)

    def close(self) -> None:
        if isinstance(self._run, CapturedStep):
            self._run.clear()
        elif isinstance(self._run, CpuFallbackStep):
            self._run.close()
        with current_device(self.where):
            if self._streamed is not None:
                self._streamed.close()
            del self._run, self._stepper
            if self.where.type == "cuda":
                torch.cuda.empty_cache()

    def _place(self, own: Stepper) -> None:
        """Moves a model to the device, or streams its layers if it does not fit."""
        self._stepper, room = own, self._room()
        if room is not None:
            length = own.core.config.positions
            carry = own.core.start(1, length)
            needed = estimate(own, *carry, torch.empty_like(carry.z_H), None)
            if needed.total > room:
                work = needed.activations + needed.inputs
                self._streamed = Streamed(own, self.device, room, work=work)
                self._run, divided = self._plain, self._streamed.plan
                measures = self.plan.measures
                reason = say(STREAMED) if measures.graph or measures.fused or measures.compiled else ""
                self.plan = self.plan.revised(
                    reason,
                    graph=False,
                    fused=False,
                    compiled=False,
                    streamed=len(divided.layers) - divided.resident,
                )
                return
        self._stepper = own.to(self.where)
        self._run = self._faster(self._plain)

    def _room(self) -> int | None:
        """Returns the bytes of the card's memory that a model may take, None where no limit is known."""
        if self.where.type != "cuda":
            return None
        limits = [limit for limit in (self._memory_cap, read(self.device).free) if limit]
        return max(min(limits) - CUBLAS_WORKSPACE, 0) if limits else None

    def _call(self, *inputs: Tensor | None) -> tuple[Tensor, ...]:
        """Runs a step; if our kernels cannot be compiled or started, goes on without them from then on."""
        try:
            return self._run(*inputs)
        except Exception as error:  # Triton's errors are of no common class
            if not self.plan.measures.fused:
                raise
            problem = sort_error(error)
            if isinstance(problem, DeviceError):
                raise
            self.plan = self.plan.revised(say(KERNELS_FAILED, problem=problem.what), fused=False)
            self._run = self._faster(self._plain)
            return self._run(*inputs)

    def _plain(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None) -> tuple[Tensor, ...]:
        z_H, z_L, q, *outputs = self._stepper(z_H, z_L, x, mask)
        return z_H, z_L, q, *(output.float() for output in outputs)

    def _faster(self, run: _Raw) -> _Raw:
        """Returns a step with the plan's measures for speed applied; measures that fail here are revised."""
        measures = self.plan.measures
        fused = None
        if measures.fused:
            from hrm.backends.kernels.selection import fuse  # noqa: PLC0415 (Triton is not everywhere)

            fused = fuse(self._stepper, self._chip)
            if fused is None:
                self.plan = self.plan.revised(say(NO_KERNELS), fused=False)
        if fused is not None:
            run = fused
        elif measures.compiled:
            secure_inductor_folder(cache_folder() / "inductor")
            run = torch.compile(run, dynamic=False, mode=COMPILE_MODE if measures.graph else None)
        elif self.where.type == "cuda" and not measures.graph:
            return CpuFallbackStep(run, self.device, failed_operators(self.device))
        return CapturedStep(run, feed_back=2) if measures.graph else run

    def _quantise(self, own: Stepper) -> None:
        """Puts large matrices into int8; without any the model runs in fp32, and the plan says so."""
        if quantise(own):
            self.plan = self.plan.revised(quantise=True)
        else:
            self.precision = "fp32"
            self.plan = self.plan.revised(say(NO_INT8), quantise=False)

    def _attention(self) -> contextlib.AbstractContextManager[Any]:
        if self.plan.measures.attention == "auto":
            return contextlib.nullcontext()
        plain: contextlib.AbstractContextManager[Any] = attention_kind("math")
        return plain
