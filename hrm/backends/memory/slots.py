"""The parts of streaming: weights on the host, slots on the card, and the order of the layers."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from hrm.backends.errors import ConfigurationError

_ALIGNMENT = 256  # Bytes; tensors of a slot begin at multiples of it, as torch's own allocations do


class LayerOrder:
    """The order in which the layers run, recorded in the call before, to predict the next layer."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._before: list[int] = []
        self._now: list[int] = []
        self._running = False

    def begin(self) -> None:
        self._before, self._now, self._running = self._now or self._before, [], True

    def enter(self, index: int) -> None:
        if self._running:
            self._now.append(index)

    def following(self, index: int) -> int:
        done = len(self._now)
        if self._before and self._before[:done] == self._now:
            return self._before[done % len(self._before)]
        return (index + 1) % self._count


class ModuleWeights:
    """The weights of a module and its children, and their copies on the host."""

    def __init__(
        self,
        owner: nn.Module,
        prefix: str,
        host: Mapping[str, Tensor] | None,
        skip: frozenset[int] = frozenset(),
    ) -> None:
        self.owner = owner
        self._owners: list[tuple[dict[str, Any], str]] = []
        self.host: list[Tensor] = []
        for path, child in owner.named_modules(prefix=prefix):
            if id(child) in skip:
                continue
            for kind in (child._parameters, child._buffers):
                for name, value in kind.items():
                    if value is not None:
                        self._owners.append((kind, name))
                        self.host.append(_from_host(f"{path}.{name}" if path else name, value, host))
        self.size = sum(_padded(tensor) for tensor in self.host)

    def assign(self, tensors: Sequence[Tensor]) -> None:
        """Makes these the module's weights; parameters stay parameters."""
        for (owner, name), own, tensor in zip(self._owners, self.host, tensors, strict=True):
            owner[name] = _alike(own, tensor)

    def restore(self) -> None:
        for (owner, name), own in zip(self._owners, self.host, strict=True):
            owner[name] = own

    def pin(self) -> None:
        """Moves them to page-locked memory, from which the card copies without the CPU."""
        for own in self.host:
            own.data = own.data.pin_memory()


class Slot:
    """A buffer for one layer on the device.

    Attributes:
        weights: by layer, the tensors in the buffer that hold its weights.
        layer: the number of the layer in it, -1 for none.
        arrived, used: events after the layer's copy, and after the last computation queued with it.
    """

    def __init__(
        self, sources: Sequence[ModuleWeights], size: int, device: torch.device, stage: bool
    ) -> None:
        self._buffer = torch.empty(size, dtype=torch.uint8, device=device)
        self._stage = torch.empty(size, dtype=torch.uint8, pin_memory=True) if stage else None
        self.weights = [_laid_out(source.host, self._buffer) for source in sources]
        self._staged = [] if self._stage is None else [_laid_out(s.host, self._stage) for s in sources]
        self.layer = -1
        self.arrived: torch.cuda.Event | None = None
        self.used: torch.cuda.Event | None = None

    def fill(self, index: int, host: Sequence[Tensor]) -> None:
        """Copies a layer's weights in, from a mapped file through page-locked memory."""
        if self._stage is None:
            _copy(host, self.weights[index])
            return
        if self.arrived is not None:
            self.arrived.synchronize()
        _copy(host, self._staged[index])
        self._buffer.copy_(self._stage, non_blocking=True)


@torch.no_grad()
def _copy(sources: Sequence[Tensor], targets: Sequence[Tensor]) -> None:
    for source, target in zip(sources, targets, strict=True):
        target.copy_(source, non_blocking=True)


def _laid_out(tensors: Sequence[Tensor], buffer: Tensor) -> list[Tensor]:
    """Returns views of a byte buffer with the shapes of these tensors."""
    ordered, begin = [], 0
    for tensor in tensors:
        count = tensor.numel() * tensor.element_size()
        ordered.append(_alike(tensor, buffer[begin : begin + count].view(tensor.dtype).view(tensor.shape)))
        begin += _padded(tensor)
    return ordered


def _alike(own: Tensor, tensor: Tensor) -> Tensor:
    if isinstance(own, nn.Parameter) and not isinstance(tensor, nn.Parameter):
        return nn.Parameter(tensor, requires_grad=False)
    return tensor


def _padded(tensor: Tensor) -> int:
    return -(-tensor.numel() * tensor.element_size() // _ALIGNMENT) * _ALIGNMENT


def _from_host(name: str, value: Tensor, host: Mapping[str, Tensor] | None) -> Tensor:
    """Returns a weight from the host; tables, which no checkpoint holds, are the module's own."""
    known = host is not None and name in host
    if not known and value.device.type not in ("cpu", "meta"):
        raise ConfigurationError(f"the weight {name} is on {value.device}", "move the model to the CPU first")
    if not known and not value.is_meta:
        return value
    if host is None or not known:
        raise ConfigurationError(f"the weight {name} is missing", "load the checkpoint that fits the model")
    if host[name].shape != value.shape:
        raise ConfigurationError(
            f"the weight {name} is {tuple(host[name].shape)} and the model wants {tuple(value.shape)}",
            "load the checkpoint that fits the model",
        )
    return _alike(value, host[name])
