"""Turns one ACT step into an ONNX graph of fixed shapes: traced by `torch.export`, then written out.

No loop, no condition and no shape that depends on data: DirectML supports nothing else. Operators are
written by `hrm.backends.onnx.operators`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx, nn

from hrm.backends.errors import KernelCompilationError
from hrm.backends.onnx.operators import OPERATORS
from hrm.backends.onnx.writer import Writer
from hrm.message import one_line, say

_aten = torch.ops.aten


def find_norms(graph: fx.Graph) -> dict[fx.Node, tuple[fx.Node, float]]:
    """Finds `x * rsqrt(mean(x ** 2) + eps)` in fp32: by its last node, x and eps."""
    norms = {}
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
            norms[node] = (x, float(chain[1].args[1]))
    return norms


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


def export(step: nn.Module, examples: Sequence[Tensor | None], *, int8: bool = False, int4: int = 0) -> bytes:
    """Exports a module that takes and returns tensors, for inputs of exactly the examples' shapes.

    Args:
        step: the module, on the CPU, in fp32 or fp16.
        examples: one for each argument; None for arguments to leave out.
        int8: store the matrices in int8, one scale a row, and quantise their inputs dynamically.
        int4: store the matrices in int4, so many numbers to a scale, 0 for none; inputs stay as they are.

    Returns:
        The file's bytes. Inputs are called in0, in1, ... (those left out are not counted), outputs out0, ...

    Raises:
        KernelCompilationError: the module cannot be traced, or uses an operator that is not supported here.
    """
    try:
        with torch.no_grad():
            traced = torch.export.export(step, tuple(examples), strict=False)
    except Exception as error:
        raise KernelCompilationError(
            say("the step cannot be traced: {problem}", problem=one_line(error))
        ) from error
    writer = Writer(traced, int8, int4)
    norms = find_norms(traced.graph)
    for node in traced.graph.nodes:
        if node.op != "call_function" or node in writer.names:
            continue
        name = write_norm(writer, node, *norms[node]) if node in norms else _write(writer, node)
        if name:
            writer.names[node] = name
    return writer.finish()


def _write(writer: Writer, node: Any) -> str:
    write = OPERATORS.get(node.target)
    if write is None:
        raise KernelCompilationError(
            say("the operator {name} of the step is not known to the ONNX export", name=str(node.target)),
            say("run the model on torch instead"),
        )
    return write(writer, node)
