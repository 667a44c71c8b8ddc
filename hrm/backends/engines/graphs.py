"""A module captured in a CUDA or HIP graph: one launch replays all its kernels.

A step is bound by launches at batch 1, and a replay is one launch. Shapes are fixed within a graph, so there
is one for each; weights and buffers stay where they are. Before it: `hrm.backends.engines.torch_engine`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

_WARM_UP = 3


@dataclass(frozen=True, slots=True)
class _Graph:
    """One captured call, with the buffers its inputs are copied to and those its outputs are read from."""

    graph: Any
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]


class CapturedStep:
    """Calls a function of tensors, captured for each set of shapes that comes a second time.

    The tensors returned are the graph's own: the next call of the same shapes overwrites them. An input
    that is one of the graph's own buffers is not copied.
    """

    def __init__(self, function: Callable[..., Any], feed_back: int = 0) -> None:
        """Wraps a function.

        Args:
            function: takes tensors (or None) on the GPU and returns a tuple of tensors.
            feed_back: so many of the outputs, from the first on, are the inputs of the next call: the graph
                writes them into its own input buffers, so that nothing need be copied between the calls.
                A function that writes them to the same place each time gives the graph that place.
        """
        self._function = function
        self._feed_back = feed_back
        self._graphs: dict[tuple[object, ...], _Graph | None] = {}
        self._pool: Any = None

    def __call__(self, *inputs: Tensor | None) -> tuple[Tensor, ...]:
        """Replays the call; the first one of its shapes is run as it is, the second captured."""
        key = tuple(None if x is None else (tuple(x.shape), x.dtype) for x in inputs)
        if key not in self._graphs:
            self._graphs[key] = None
            return tuple(self._function(*inputs))
        found = self._graphs[key]
        if found is None:
            found = self._graphs[key] = self._capture(inputs)
        else:
            _fill(found.inputs, inputs)
        found.graph.replay()
        return found.outputs

    def clear(self) -> None:
        """Frees every graph with its buffers."""
        self._graphs.clear()
        self._pool = None

    def _capture(self, inputs: tuple[Tensor | None, ...]) -> _Graph:
        """Captures the call, with its inputs in the graph's buffers; warming up may overwrite those given."""
        kept = tuple(None if x is None else x.clone() for x in inputs)
        side: torch.cuda.Stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            warm = [self._function(*kept)[: self._feed_back] for _ in range(_WARM_UP)]
        torch.cuda.current_stream().wait_stream(side)
        own = list(kept)
        for index, (before, output) in enumerate(zip(*warm[-2:], strict=True)):
            if before.data_ptr() == output.data_ptr():
                own[index] = output
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            outputs = tuple(self._function(*own))
            _fill(own[: self._feed_back], outputs[: self._feed_back])
        self._pool = self._pool or graph.pool()
        _fill(own, kept)
        fed = tuple(state for state in own[: self._feed_back] if state is not None)
        return _Graph(graph, tuple(own), (*fed, *outputs[self._feed_back :]))


def _fill(buffers: Iterable[Tensor | None], values: Iterable[Tensor | None]) -> None:
    for buffer, value in zip(buffers, values, strict=True):
        if buffer is not None and value is not None and buffer.data_ptr() != value.data_ptr():
            buffer.copy_(value, non_blocking=True)
