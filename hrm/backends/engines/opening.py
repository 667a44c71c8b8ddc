"""Builds the engine that a device plan names."""

import torch

from hrm.act import Stepper
from hrm.backends.engines.base import Engine
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.errors import NotAvailableError
from hrm.backends.placement import AttentionKind, DevicePlan
from hrm.interpreter import this_python
from hrm.message import say


def open_engine(stepper: Stepper, device_plan: DevicePlan, memory_cap: int = 0) -> Engine:
    """Builds the engine that a device plan names.

    Args:
        stepper: the step as a module; it is left as it is.
        device_plan: where and how to run.
        memory_cap: bytes of the device's memory that this process may take, 0 for the level's share.

    Raises:
        InferenceError: it cannot be opened; the class says why.
    """
    if device_plan.threads and device_plan.engine == "torch":
        torch.set_num_threads(device_plan.threads)
    if device_plan.engine == "torch":
        attention: AttentionKind | None = "math" if device_plan.attention == "math" else None
        return TorchEngine(
            stepper,
            device_plan.device,
            device_plan.precision,
            memory_cap,
            device_plan.level,
            attention,
            device_plan.hip_graphs,
            device_plan.hip_flash,
        )
    try:
        from hrm.backends.engines.onnx_engine import OnnxEngine  # noqa: PLC0415 (ONNX Runtime is slow to load)
    except ImportError as error:
        raise NotAvailableError(
            say("ONNX Runtime is missing"),
            say(
                "{python} -m pip install onnxruntime (on Windows with a card: onnxruntime-directml)",
                python=this_python(),
            ),
        ) from error
    return OnnxEngine(
        stepper, device_plan.device, device_plan.precision, device_plan.threads, device_plan.level, memory_cap
    )
