"""A torch device: its backend and chip, its dtypes, waiting for it, and how it computes attention."""

import contextlib
import os
from typing import Any, Literal

import torch

from hrm.backends.placement import AttentionKind, Backend

FLASH_SWITCH = "TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL"
DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16, "int8": torch.float32}
"""The dtype of activations by precision; int8 is for weights and within matrix products."""


def describe_device(device: torch.device) -> tuple[Backend, str]:
    """Returns the backend that a torch device belongs to, and its chip."""
    if device.type != "cuda":
        return "cpu", ""
    properties = torch.cuda.get_device_properties(device)
    if torch.version.hip:
        return "rocm", str(properties.gcnArchName).split(":", maxsplit=1)[0]
    return "cuda", f"sm_{properties.major}{properties.minor}"


def attention_kind(kind: AttentionKind | Literal["fast"]) -> Any:
    """Returns a context in which torch computes attention in this way; "fast" fails rather than be plain."""
    from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: PLC0415 (slow to import)

    fast = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION]
    return sdpa_kernel({"math": [SDPBackend.MATH], "fast": fast, "auto": [*fast, SDPBackend.MATH]}[kind])


def allow_flash_on_amd() -> None:
    """Lets ROCm's torch use its flash attention; torch reads the switch at its first attention."""
    os.environ[FLASH_SWITCH] = "1"


def current_device(device: torch.device) -> contextlib.AbstractContextManager[Any]:
    """Makes a card the current one: graphs, streams and Triton launches use the current card."""
    if device.type != "cuda":
        return contextlib.nullcontext()
    current: contextlib.AbstractContextManager[Any] = torch.cuda.device(device)
    return current


def synchronize(device: str) -> None:
    """Waits until a device has finished all queued work; does nothing on a CPU."""
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)
