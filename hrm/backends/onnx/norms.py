"""Root-mean-square norms: found in the trace of a step, written the way ONNX Runtime fuses."""

from typing import Any

import numpy as np
import torch
from torch import fx

from hrm.backends.onnx.writer import Writer

_aten = torch.ops.aten


def find_norms(graph: fx.Graph) -> dict[fx.Node, tuple[fx.Node, float]]:
    """Finds `x * rsqrt(mean(x ** 2) + eps)` in fp32: by its last node, x and eps."""
    found = {}
    for node in graph.nodes:
        if node.target is not _aten.mul.Tensor or not isinstance(node.args[1], fx.Node):
            continue
        x, root = node.args
        chain = [root]
        for wanted in (_aten.rsqrt.default, _aten.add.Tensor, _aten.mean.dim, _aten.square.default):
            if not isinstance(chain[-1], fx.Node) or chain[-1].target is not wanted:
                break
            chain.append(chain[-1].args[0])
        if len(chain) == 5 and chain[-1] is x and list(chain[2].args[1]) == [-1]:
            found[node] = (x, float(chain[1].args[1]))
    return found


def write_norm(writer: Writer, node: Any, x: Any, eps: float) -> str:
    """Writes a root-mean-square norm in the form that ONNX Runtime fuses into one kernel."""
    add, name, width = writer.graph.add, node.name, x.meta["val"].shape[-1]
    source = writer.name(x)
    square = add("Pow", [source, writer.graph.constant("two", np.array(2.0, np.float32))], f"{name}.square")
    mean = add("ReduceMean", [square], f"{name}.mean", axes=(-1,), keepdims=1)
    safe = add("Add", [mean, writer.graph.constant("eps", np.array(eps, np.float32))], f"{name}.safe")
    root = add("Sqrt", [safe], f"{name}.root")
    scaled = add("Div", [source, root], f"{name}.scaled")
    return add("Mul", [scaled, writer.graph.constant(f"ones_{width}", np.ones(width, np.float32))], name)
