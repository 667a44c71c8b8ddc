"""The engine on ONNX Runtime: DirectML cards on Windows, and CPUs, in fp32, fp16, int8 or int4.

Each input shape has a session of its own, since DirectML takes fixed shapes only; it is exported on first
use and its output compared with torch's before it is used.
"""

import copy
from collections import Counter, OrderedDict
from typing import Any

import numpy as np
import onnxruntime
import torch
from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.backends.errors import (
    ConfigurationError,
    NotAvailableError,
    OutOfMemoryError,
    PrecisionError,
    sort_error,
)
from hrm.backends.kernels.int8 import quantisable
from hrm.backends.levels import plan_onnx
from hrm.backends.memory.estimate import estimate, megabytes
from hrm.backends.onnx.stored import stored_export
from hrm.backends.placement import Level
from hrm.interpreter import this_python
from hrm.message import say
from hrm.model import Carry

TOLERANCE = {"fp32": 1e-3, "fp16": 5e-2, "int8": 0.35, "int4": 0.7}
"""How far the states of one step may be from torch's in fp32, root mean square over root mean square."""
SESSIONS = 4
_DML, _CPU = "DmlExecutionProvider", "CPUExecutionProvider"
_Key = tuple[tuple[int, ...], bool]

onnxruntime.disable_telemetry_events()  # Windows' own event log, which ORT_DISABLE_TELEMETRY does not cover


class OnnxEngine:
    """ONNX Runtime on a CPU or, on Windows, on a card through DirectML.

    Attributes:
        name: "onnx".
        device: "cpu" or "dml:0".
        state_device: the device of states and answers, as torch calls it: the CPU.
        precision: fp32, fp16, int8 or int4 (large matrices alone); fp32 as well where int8 was
            requested and no matrix gains from it.
        plan: the measures for speed; the same at every level.
        operators_by_provider: of the last session made, how many operators each provider got; empty where it
            does not say.
    """

    name = "onnx"
    state_device = "cpu"

    def __init__(
        self,
        stepper: Stepper,
        device: str = "cpu",
        precision: str = "fp32",
        threads: int = 0,
        level: Level = "conservative",
        memory_cap: int = 0,
        group: int = 32,
    ) -> None:
        """Loads a model; a session is made for each new shape.

        Args:
            stepper: the step as a module; it is not changed.
            device: "cpu", or "dml" with the card's number, such as "dml:0".
            precision: fp32, fp16, int8 or int4.
            threads: CPU threads, 0 for as many as there are cores.
            memory_cap: bytes of a card's memory that the model may take, 0 for no cap. DirectML keeps
                to none, so a model that would take more is refused.
            group: in int4, numbers that share a scale; of a stored model the group it was converted with.

        Raises:
            ConfigurationError: there is no such precision or device.
            OutOfMemoryError: the model would take more of a card's memory than the cap.
            NotAvailableError: the installed ONNX Runtime has no DirectML.
        """
        if precision not in TOLERANCE:
            raise ConfigurationError(
                say("ONNX Runtime does not run this model in {precision}", precision=repr(precision)),
                say("choose one of {names}", names=", ".join(TOLERANCE)),
            )
        kind, _, number = device.partition(":")
        if kind not in ("cpu", "dml") or not (number or "0").isdigit():
            raise ConfigurationError(
                say("ONNX Runtime has no device {device}", device=repr(device)),
                say('choose "cpu" or "dml:0"'),
            )
        self.device = device
        self.precision = precision
        gains = quantisable(stepper)
        if precision == "int8" and not gains:
            self.precision = "fp32"
        self.plan = plan_onnx(level, precision, gains)
        self.operators_by_provider: dict[str, int] = {}
        self._threads = threads
        self._provider = _DML if kind == "dml" else _CPU
        self._options = {"device_id": number or "0"} if kind == "dml" else {}
        if self._provider not in onnxruntime.get_available_providers():
            raise NotAvailableError(
                say("the installed onnxruntime has no DirectML"),
                say(
                    "{python} -m pip uninstall onnxruntime, "
                    "then {python} -m pip install onnxruntime-directml",
                    python=this_python(),
                ),
            )
        self._sessions: OrderedDict[_Key, onnxruntime.InferenceSession] = OrderedDict()
        self._group = group
        self._memory_cap = memory_cap if kind == "dml" else 0
        self.load(stepper)

    def load(self, stepper: Stepper) -> None:
        """Loads a copy of a model's weights; the module passed in is not changed."""
        self._reference = copy.deepcopy(stepper).eval().requires_grad_(False).cpu()
        self._reference.core.dtype = torch.float32
        self._exported = self._reference
        if self.precision == "fp16":
            self._exported = copy.deepcopy(self._reference)
            self._exported.core.dtype = torch.float16
            self._exported.core.L_level.half()
            self._exported.core.high.half()
        self._dtype = self._exported.core.dtype
        if self._memory_cap:
            self._keep_to_cap()
        self._sessions.clear()

    def start(self, batch: int, length: int) -> Carry:
        """Returns the initial states, (batch, length, hidden) each, on the CPU."""
        return self._exported.core.start(batch, length)

    @torch.inference_mode()
    def step(self, carry: Carry, x: Tensor, mask: Tensor | None = None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step; everything comes back on the CPU, q and the outputs in fp32.

        Raises:
            PrecisionError: a new session's answer differs from torch's.
            InferenceError: the session cannot be made, or fails.
        """
        given = [value.cpu().to(self._dtype).contiguous() for value in (*carry, x)]
        if mask is not None:
            given.append(mask.cpu().contiguous())
        key = (tuple(x.shape), mask is not None)
        session = self._sessions.get(key)
        try:
            if session is None:
                session = self._open(given)
                self._sessions[key] = session
                if len(self._sessions) > SESSIONS:
                    self._sessions.popitem(last=False)
            self._sessions.move_to_end(key)
            z_H, z_L, q, *outputs = _call(session, given)
        except RuntimeError as error:
            raise sort_error(error) from error
        return Carry(z_H, z_L), q.float(), tuple(output.float() for output in outputs)

    def close(self) -> None:
        self._sessions.clear()
        del self._reference, self._exported

    def _keep_to_cap(self) -> None:
        core = self._exported.core
        carry = core.start(1, core.config.positions)
        needed = estimate(self._exported, *carry, torch.empty_like(carry.z_H), None)
        if needed.total > self._memory_cap:
            raise OutOfMemoryError(
                say(
                    "the model takes {needed} and the cap is {cap}",
                    needed=megabytes(needed.total),
                    cap=megabytes(self._memory_cap),
                ),
                say("raise the cap, choose a lower precision, or run on the CPU"),
            )

    def _open(self, given: list[Tensor]) -> onnxruntime.InferenceSession:
        """Exports the step for inputs of these shapes, and compares its first answer with torch's."""
        examples: list[Tensor | None] = [value.clone() for value in given]
        model = stored_export(
            self._exported,
            examples,
            int8=self.precision == "int8",
            int4=self._group if self.precision == "int4" else 0,
        )
        wanted = [(_DML, self._options), _CPU] if self._provider == _DML else [_CPU]
        session = onnxruntime.InferenceSession(model, self._session_options(), providers=wanted)
        if session.get_providers()[0] != self._provider:
            raise NotAvailableError(say("ONNX Runtime did not start {name}", name=self._provider))
        self.operators_by_provider = operators_by_provider(session)
        wide = [value.float() if value.is_floating_point() else value for value in given]
        self._check(_call(session, given), self._reference(*wide))
        return session

    def _check(self, ours: list[Tensor], torchs: tuple[Tensor, ...]) -> None:
        for own, expected in zip(ours[:2], torchs[:2], strict=True):
            error = float((own.float() - expected).square().mean().sqrt() / expected.square().mean().sqrt())
            if not error <= TOLERANCE[self.precision]:
                place = say("{device} in {precision}", device=self.device, precision=self.precision)
                raise PrecisionError(
                    say(
                        "{place} is {error} away from torch's answer",
                        place=say("ONNX Runtime on {place}", place=place),
                        error=f"{error:.2g}",
                    )
                )

    def _session_options(self) -> onnxruntime.SessionOptions:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = self._threads
        options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        if self._provider == _DML:
            options.enable_mem_pattern = False
            options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        return options


def operators_by_provider(session: Any) -> dict[str, int]:
    """Counts a session's operators by the provider that runs them; empty where ONNX Runtime does not say.

    A provider that is listed and got no operator means that ONNX Runtime silently fell back to the CPU.
    """
    ask = getattr(session, "get_provider_graph_assignment_info", None)
    if ask is None:
        return {}
    counts: Counter[str] = Counter()
    for part in ask():
        counts[str(part.ep_name)] += len(part.get_nodes())
    return dict(counts)


def _call(session: Any, given: list[Tensor]) -> list[Tensor]:
    feeds = {f"in{index}": value.numpy() for index, value in enumerate(given)}
    return [torch.from_numpy(np.ascontiguousarray(output)) for output in session.run(None, feeds)]
