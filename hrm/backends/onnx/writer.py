"""An ONNX graph being built, with the names that the nodes of the traced step have in it.

Weights are stored once, however often a step uses them; nodes that no output needs are dropped at the end.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx

from hrm.backends.onnx.file import Array, Graph

DTYPES = {
    torch.float32: "float32",
    torch.float16: "float16",
    torch.int64: "int64",
    torch.bool: "bool",
}
ONNX_TYPES = {"float32": 1, "float16": 10, "int64": 7, "bool": 9}


class Writer:
    """Writes one traced module.

    Attributes:
        int8: whether matrices are stored in int8.
        int4: how many numbers of a matrix share a scale in int4, 0 where none is stored so.
        names: the name of each node of the trace in the graph.
        weights: stored tensors by name; those that are used become constants of the graph.
        quantised: by name of a tensor, its int8 parts, each with scale and zero.
    """

    def __init__(self, traced: torch.export.ExportedProgram, int8: bool, int4: int = 0) -> None:
        self.int8, self.int4 = int8, int4
        self.graph = Graph()
        self.names: dict[fx.Node, str] = {}
        self.parts: dict[fx.Node, list[str]] = {}
        self.weights: dict[str, Tensor] = {}
        self.quantised: dict[str, list[tuple[str, str, str]]] = {}
        self._traced = traced
        self._place()

    def finish(self) -> bytes:
        """Names the outputs, drops what they do not need and returns the file's bytes."""
        (output,) = (node for node in self._traced.graph.nodes if node.op == "output")
        for index, entry in enumerate(output.args[0]):
            value = entry.meta["val"]
            name = self.graph.add("Identity", [self.names[entry]], f"out{index}")
            self.graph.outputs.append((name, DTYPES[value.dtype], tuple(value.shape)))
        self._drop_unused()
        return self.graph.to_bytes()

    def name(self, value: Any, like: Any = None) -> str:
        """Returns the name of a node, or of a number as a constant of `like`'s dtype."""
        if isinstance(value, fx.Node):
            name = self.names[value]
            if name in self.weights:
                self.graph.constant(name, self.weights[name].contiguous().numpy())
            return name
        dtype = DTYPES[like.meta["val"].dtype] if like is not None else "float32"
        return self.graph.constant(f"{dtype}_{value}", np.array(value, dtype))

    def ints(self, values: Sequence[int]) -> str:
        return self.graph.constant("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def is_weight(self, value: Any) -> bool:
        return self.names[value] in self.weights

    def derived(self, name: str, make: Callable[[], Array]) -> str:
        """Returns the name of a constant worked out of the weights, making it the first time."""
        if name not in self.graph.constants:
            self.graph.constant(name, make())
        return name

    def _place(self) -> None:
        """Names the trace's arguments: weights by their own names, inputs in their order."""
        signature = self._traced.graph_signature
        stored = {**self._traced.state_dict, **self._traced.constants}
        initial = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
        initial |= signature.inputs_to_lifted_tensor_constants
        for node in self._traced.graph.nodes:
            if node.op != "placeholder":
                continue
            if node.name in initial:
                self.names[node] = initial[node.name]
                self.weights[initial[node.name]] = stored[initial[node.name]].detach()
            elif isinstance(node.meta.get("val"), Tensor):
                name, value = f"in{len(self.graph.inputs)}", node.meta["val"]
                self.names[node] = name
                self.graph.inputs.append((name, DTYPES[value.dtype], tuple(value.shape)))

    def _drop_unused(self) -> None:
        """Leaves out nodes and constants that no output needs."""
        wanted = {name for name, _, _ in self.graph.outputs}
        needed = []
        for node in reversed(self.graph.nodes):
            if wanted & set(node.outputs):
                wanted |= set(node.inputs)
                needed.append(node)
        self.graph.nodes = needed[::-1]
        self.graph.constants = {k: v for k, v in self.graph.constants.items() if k in wanted}
