"""Turns one ACT step into an ONNX graph of fixed shapes: traced by `torch.export`, then written out.

No loop, no condition and no shape that depends on data: DirectML supports nothing else. Operators are
written by `hrm.backends.onnx.operators`.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from hrm.backends.errors import KernelCompilationError
from hrm.backends.onnx.norms import find_norms, write_norm
from hrm.backends.onnx.operators import OPERATORS
from hrm.backends.onnx.writer import Writer
from hrm.message import one_line, say


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
