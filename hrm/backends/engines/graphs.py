"""A module captured in a CUDA or HIP graph: one launch replays all its kernels.

A step is bound by launches at batch 1, and a replay is one launch. Shapes are fixed within a graph, so there
is one for each; weights and buffers keep their addresses. A graph is captured on a stream of the card that
the inputs are on, and compared with the function itself before it is used.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from hrm.backends.engines.devices import current_device
from hrm.message import say

_WARM_UP = 3
_CHECKED_CALLS = 2
_RELATIVE, _ABSOLUTE = 0.05, 1e-3
"""How far a replay may be from the function: the same kernels run, so rounding alone may differ."""

_log = logging.getLogger(__name__)


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

    Attributes:
        trouble: why no graph is used any more, "" while they are.
    """

    def __init__(self, function: Callable[..., Any], feed_back: int = 0) -> None:
        """Wraps a function.

        Args:
            function: takes tensors (or None) on the GPU and returns a tuple of tensors.
            feed_back: so many of the outputs, from the first on, are the inputs of the next call: the graph
                writes them into its own input buffers, so that nothing need be copied between the calls.
                A function that always writes them to the same buffers has these as the graph's inputs.
        """
        self.trouble = ""
        self._function = function
        self._feed_back = feed_back
        self._graphs: dict[tuple[object, ...], _Graph | None] = {}
        self._pool: Any = None

    def __call__(self, *inputs: Tensor | None) -> tuple[Tensor, ...]:
        """Replays the call; the first one of its shapes is run as it is, the second captured and checked."""
        key = tuple(None if x is None else (tuple(x.shape), x.dtype) for x in inputs)
        if self.trouble or key not in self._graphs:
            self._graphs[key] = None
            return tuple(self._function(*inputs))
        device = next(x.device for x in inputs if x is not None)
        with current_device(device):
            graph = self._graphs[key]
            if graph is None:
                given = tuple(None if x is None else x.clone() for x in inputs)
                graph = self._capture(given, device)
                self.trouble = self._difference(graph, given)
                if self.trouble:
                    _log.warning("%s on %s", self.trouble, device)
                    self.clear()
                    return tuple(self._function(*given))
                self._graphs[key] = graph
                inputs = given
            _fill(graph.inputs, inputs)
            graph.graph.replay()
            return graph.outputs

    def clear(self) -> None:
        self._graphs.clear()
        self._pool = None

    def _capture(self, given: Sequence[Tensor | None], device: torch.device) -> _Graph:
        """Captures the call, with copies of its inputs in the graph's buffers.

        The streams are this card's: torch's own default for captures is a stream of the first card that
        anything was captured on, and a graph of another card's work comes out empty on it.
        """
        stream: torch.cuda.Stream = torch.cuda.Stream(device)
        stream.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(stream):
            warm = [self._function(*given)[: self._feed_back] for _ in range(_WARM_UP)]
        torch.cuda.current_stream(device).wait_stream(stream)
        own = [None if x is None else x.clone() for x in given]
        for index, (before, output) in enumerate(zip(*warm[-2:], strict=True)):
            if before.data_ptr() == output.data_ptr():
                own[index] = output
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=stream):
            outputs = tuple(self._function(*own))
            _fill(own[: self._feed_back], outputs[: self._feed_back])
        self._pool = self._pool or graph.pool()
        fed = tuple(state for state in own[: self._feed_back] if state is not None)
        return _Graph(graph, tuple(own), (*fed, *outputs[self._feed_back :]))

    def _difference(self, graph: _Graph, given: Sequence[Tensor | None]) -> str:
        """Returns how a graph's answers differ from the function's over a few calls in a row, "" if not."""
        inputs = list(given)
        for _ in range(_CHECKED_CALLS):
            expected = [output.clone() for output in self._function(*inputs)]
            _fill(graph.inputs, inputs)
            for output in graph.outputs[self._feed_back :]:
                if output.is_floating_point():
                    output.fill_(float("nan"))  # an empty graph would leave an earlier answer in place
            graph.graph.replay()
            for ours, right in zip(graph.outputs, expected, strict=True):
                error = float((ours.double() - right.double()).square().mean().sqrt())
                size = float(right.double().square().mean().sqrt())
                if not error <= _RELATIVE * size + _ABSOLUTE:
                    return say(
                        "graph capture: the graph's answer is {error} away from the step's",
                        error=f"{error / max(size, 1e-12):.2g}",
                    )
            inputs[: self._feed_back] = expected[: self._feed_back]
        return ""


def _fill(buffers: Iterable[Tensor | None], values: Iterable[Tensor | None]) -> None:
    for buffer, value in zip(buffers, values, strict=True):
        if buffer is not None and value is not None and buffer.data_ptr() != value.data_ptr():
            buffer.copy_(value, non_blocking=True)
