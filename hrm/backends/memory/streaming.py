"""Runs a model larger than the card's memory: the next layer is copied while the current one computes.

The weights stay in RAM or in a memory-mapped safetensors file. On the card there are two slots of the size
of the largest layer, filled in turn on a copy stream; as many layers as the cap allows stay resident. The
same operators run in the same order as in the plain model, so the outputs are equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn

from hrm.backends.errors import ConfigurationError, OutOfMemoryError
from hrm.backends.memory.estimate import megabytes
from hrm.backends.memory.slots import LayerOrder, ModuleWeights, Slot
from hrm.checkpoint import strip_prefix
from hrm.message import one_line, say
from hrm.tensor_file import TRAIN_AGAIN, CheckpointError


@dataclass(frozen=True, slots=True)
class StreamingPlan:
    """How the bytes under a cap are divided."""

    fixed: int  # Weights outside the layers, always resident
    layers: tuple[int, ...]  # By layer, in the order they were first listed
    resident: int  # How many layers, from the first, stay on the card
    slot: int  # One slot; there are two unless every layer is resident
    work: int  # Left for activations
    cap: int  # Bytes in all

    @property
    def peak(self) -> int:
        """Bytes on the card at most, activations among them: the cap or less."""
        slots = 0 if self.resident == len(self.layers) else 2 * self.slot
        return self.fixed + sum(self.layers[: self.resident]) + slots + self.work


def plan(fixed: int, layers: Sequence[int], work: int, cap: int) -> StreamingPlan:
    """Divides a cap: fixed weights, activations and both slots come first, then resident layers.

    Args:
        fixed: bytes of the weights outside the layers.
        layers: bytes of each layer.
        work: bytes that activations take.
        cap: bytes in all.

    Raises:
        OutOfMemoryError: not even two layers fit.
    """
    slot = max(layers, default=0)
    if fixed + work + sum(layers) <= cap:
        return StreamingPlan(fixed, tuple(layers), len(layers), slot, work, cap)
    needed = fixed + work + 2 * slot
    left = cap - needed
    if left < 0:
        raise OutOfMemoryError(
            say(
                "streaming needs {needed} on the card and there is room for {cap}",
                needed=megabytes(needed),
                cap=megabytes(cap),
            ),
            say("raise the cap, choose a lower precision or a shorter input, or run on the CPU"),
        )
    resident = 0
    while layers[resident] <= left:
        left -= layers[resident]
        resident += 1
    return StreamingPlan(fixed, tuple(layers), resident, slot, work, cap)


def layers_of(module: nn.Module) -> tuple[nn.Module, ...]:
    """Returns the layers to stream by default: the members of each outermost `nn.ModuleList`."""
    layers: list[nn.Module] = []
    inside: set[nn.Module] = set()
    for child in module.modules():
        if isinstance(child, nn.ModuleList) and child not in inside:
            layers += list(child)
            inside.update(child.modules())
    return tuple(layers)


def map_weights(path: Path) -> dict[str, Tensor]:
    """Returns the tensors of a safetensors file without reading them: the system maps the file into memory.

    Raises:
        CheckpointError: the file cannot be read.
    """
    try:
        with safe_open(path, "pt") as stored:
            return strip_prefix({key: stored.get_tensor(key) for key in stored.keys()})  # noqa: SIM118
    except Exception as error:  # safetensors raises errors of its own kind, which differ by version
        raise CheckpointError(
            say(
                "{file} cannot be mapped ({problem}); {remedy}",
                file=str(path),
                problem=one_line(error),
                remedy=TRAIN_AGAIN,
            )
        ) from error


class Streamed:
    """A module whose layers are on the card only while they are needed.

    Attributes:
        module: the model; it is called as before, or through this.
        plan: how the cap is divided.
        moved: bytes copied to the card so far for layers that are not resident.
        misses: how often a layer had not been copied in advance.
    """

    def __init__(
        self,
        module: nn.Module,
        device: str,
        cap: int,
        *,
        work: int = 0,
        host: Mapping[str, Tensor] | None = None,
        layers: Iterable[nn.Module] | None = None,
    ) -> None:
        """Prepares a module, which is modified in place until `close`.

        Args:
            module: the model; on the meta device where `host` holds its weights.
            device: where it runs, as torch calls it.
            cap: bytes of the device it may take.
            work: bytes of activations, as `hrm.backends.memory.estimate.estimate` returns.
            host: the weights by name, as `map_weights` returns them; None for the module's own.
            layers: what is streamed; None for `layers_of`.

        Raises:
            ConfigurationError: there is nothing to stream, or a weight is missing or of another shape.
            OutOfMemoryError: not even two layers fit under the cap.
        """
        self.module = module
        self._where = torch.device(device)
        self._cuda = self._on_card(self._where)
        streamable = tuple(layers_of(module) if layers is None else layers)
        if not streamable:
            raise ConfigurationError("the model has no list of layers to stream", "name its layers yourself")
        names = {id(owner): prefix for prefix, owner in module.named_modules()}
        sources = [ModuleWeights(layer, names[id(layer)], host) for layer in streamable]
        inside = frozenset(id(child) for layer in streamable for child in layer.modules())
        outside = ModuleWeights(module, "", host, skip=inside)
        self.plan = plan(outside.size, [source.size for source in sources], work, cap)
        self.moved = self.misses = 0
        resident, self._sources = sources[: self.plan.resident], sources[self.plan.resident :]
        self._resident = (outside, *resident)
        for weights in self._resident:
            weights.assign([tensor.detach().to(self._where, copy=True) for tensor in weights.host])
        self._handles: list[Any] = []
        self._route = LayerOrder(len(self._sources))
        self._turn = 0
        self._copying: torch.cuda.Stream | None = None
        self._slots: tuple[Slot, ...] = ()
        if self._sources:
            self._open(stage=host is not None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    @staticmethod
    def _on_card(device: torch.device) -> bool:
        return device.type == "cuda"

    def close(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        if self._copying is not None:
            self._copying.synchronize()  # the slots' memory is freed to the other stream
        for weights in (*self._resident, *self._sources):
            weights.restore()
        self._slots = ()

    def _open(self, *, stage: bool) -> None:
        stage = stage and self._cuda
        self._slots = tuple(Slot(self._sources, self.plan.slot, self._where, stage) for _ in range(2))
        if self._cuda:
            self._copying = torch.cuda.Stream(self._where)
            self._copying.wait_stream(torch.cuda.current_stream(self._where))
        self._handles.append(self.module.register_forward_pre_hook(self._begin))
        for index, source in enumerate(self._sources):
            if self._cuda and not stage:
                source.pin()
            source.restore()
            self._handles.append(source.owner.register_forward_pre_hook(partial(self._enter, index)))
            self._handles.append(source.owner.register_forward_hook(partial(self._leave, index)))
        self._fetch(0)

    def _begin(self, *_: Any) -> None:
        self._route.begin()

    def _enter(self, index: int, *_: Any) -> None:
        self._route.enter(index)
        slot = self._holder(index)
        if slot is None:
            self.misses += 1
            slot = self._fetch(index)
        if slot.arrived is not None:
            torch.cuda.current_stream(self._where).wait_event(slot.arrived)
        self._sources[index].assign(slot.weights[index])

    def _leave(self, index: int, *_: Any) -> None:
        self._sources[index].restore()
        slot = self._holder(index)
        assert slot is not None
        if self._cuda:
            slot.used = torch.cuda.current_stream(self._where).record_event()
        self._turn = 1 - self._slots.index(slot)
        following = self._route.following(index)
        if self._holder(following) is None:
            self._fetch(following)

    def _holder(self, index: int) -> Slot | None:
        return next((slot for slot in self._slots if slot.layer == index), None)

    def _fetch(self, index: int) -> Slot:
        """Copies a layer to the next slot, once the computation with that slot's layer is over."""
        slot, source = self._slots[self._turn], self._sources[index]
        slot.layer = index
        if self._copying is None:
            slot.fill(index, source.host)
        else:
            with torch.cuda.stream(self._copying):
                if slot.used is not None:
                    self._copying.wait_event(slot.used)
                slot.fill(index, source.host)
                slot.arrived = self._copying.record_event()
        self.moved += source.size
        return slot
