"""Estimates a model's memory before it is loaded, and caps this process's memory on a card.

An estimate runs the model on the meta device, where tensors have shapes and no bytes, and counts what is
alive at each operator: the peak is that of a real run of the same operators.
"""

import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from hrm.backends.errors import ConfigurationError
from hrm.config import Config
from hrm.model import Core

CUBLAS_WORKSPACE = 32 << 20
"""Bytes of cuBLAS' workspace on Hopper; 8 MiB on older cards (torch's `CUBLAS_WORKSPACE_CONFIG`)."""

_DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes that a model takes on a device while it runs, the driver's own context left out."""

    parameters: int
    buffers: int
    inputs: int
    activations: int  # The peak of live intermediate tensors, outputs among them

    @property
    def weights(self) -> int:
        return self.parameters + self.buffers

    @property
    def total(self) -> int:
        return self.weights + self.inputs + self.activations


def estimate(module: nn.Module, *inputs: Any, dtype: torch.dtype | None = None) -> Estimate:
    """Estimates the memory of a module's call without gradients; nothing is computed or loaded.

    Args:
        module: the model, on any device; one made under `torch.device("meta")` has no bytes itself.
        inputs: what it would be called with; their devices and values do not matter.
        dtype: of floating-point weights; None for their own.
    """
    parameters = _on_meta(module.named_parameters(), dtype)
    buffers = _on_meta(module.named_buffers(), None)
    moved = tree_map(lambda value: value.to("meta") if isinstance(value, Tensor) else value, inputs)
    given = [leaf for leaf in tree_leaves(moved) if isinstance(leaf, Tensor)]
    known = [*parameters.values(), *buffers.values(), *given]
    meter = MemoryMeter(known)
    with torch.no_grad(), meter:
        functional_call(module, {**parameters, **buffers}, moved)
    return Estimate(_bytes(parameters.values()), _bytes(buffers.values()), _bytes(given), meter.peak)


@lru_cache(maxsize=16)
def estimate_core(config: Config, tokens: int, batch: int = 1, precision: str = "fp32") -> Estimate:
    """Estimates one ACT step of a model that need not exist yet.

    Args:
        tokens: positions in a sequence, padding included.
        batch: sequences at once.
        precision: of activations: fp32, bf16 or fp16; the weights are in fp32.

    Raises:
        ConfigurationError: there is no such precision, or nothing to run on.
    """
    if precision not in _DTYPES:
        raise ConfigurationError(
            f"there is no precision {precision!r}", f"choose one of {', '.join(_DTYPES)}"
        )
    if tokens < 1 or batch < 1:
        raise ConfigurationError(f"{batch} sequences of {tokens} tokens are nothing to run on")
    with torch.device("meta"):
        core = Core(replace(config, seq_len=max(config.seq_len, tokens)))
        core.dtype = _DTYPES[precision]
        x = torch.empty(batch, tokens, config.hidden_size, dtype=core.dtype)
        return estimate(core, core.start(batch, tokens), x)


def cap(device: str, limit: int) -> None:
    """Caps this process's memory on a card; beyond it torch raises out of memory. A CPU has no cap.

    Args:
        limit: bytes, 0 for no cap.

    Raises:
        ConfigurationError: the limit is below 0.
    """
    if limit < 0:
        raise ConfigurationError(f"a memory cap of {limit} bytes is below 0")
    where = torch.device(device)
    if where.type != "cuda":
        return
    total = torch.cuda.get_device_properties(where).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, limit / total) if limit else 1.0, where)


def megabytes(count: int) -> str:
    """Writes bytes for a person, in MiB."""
    return f"{count / (1 << 20):,.0f} MiB"


class MemoryMeter(TorchDispatchMode):
    """Counts the bytes of the tensors that operators make and that are still alive.

    Attributes:
        live: bytes alive now.
        peak: the most that was alive at once.
    """

    def __init__(self, known: Iterable[Tensor] = ()) -> None:
        """Takes the tensors not to count: weights and inputs."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.live = self.peak = 0
        self._seen = {tensor.untyped_storage()._cdata for tensor in known}

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(out):
            if isinstance(leaf, Tensor):
                self._count(leaf.untyped_storage())
        return out

    def _count(self, storage: torch.UntypedStorage) -> None:
        key = storage._cdata
        if key in self._seen:
            return
        self._seen.add(key)
        self.live += storage.nbytes()
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._forget, key, storage.nbytes())

    def _forget(self, key: int, count: int) -> None:
        self._seen.discard(key)
        self.live -= count


def _on_meta(tensors: Iterable[tuple[str, Tensor]], dtype: torch.dtype | None) -> dict[str, Tensor]:
    return {
        name: torch.empty_like(value, dtype=dtype if value.is_floating_point() else None, device="meta")
        for name, value in tensors
    }


def _bytes(tensors: Iterable[Tensor]) -> int:
    """Adds up bytes, counting a shared tensor once."""
    return sum({id(tensor): tensor.numel() * tensor.element_size() for tensor in tensors}.values())
