"""Turns one ACT step into an ONNX graph of fixed shapes: traced by `torch.export`, then written out.

The step's operators are few, so that each has its own lines of ONNX here. Root-mean-square norms are found in
the trace and written the way ONNX Runtime fuses; weights are stored once, however often a step uses them, and
in int8 where that is asked. No loop, no condition and no shape that depends on data: DirectML takes nothing
else. Next hop: `hrm.backends.onnx` runs it.
"""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx, nn

from hrm.backends.errors import KernelCompilationError
from hrm.backends.int8 import parts, pays, quantise_rows
from hrm.backends.onnx_file import Array, Graph

_DTYPES = {
    torch.float32: "float32",
    torch.float16: "float16",
    torch.int64: "int64",
    torch.bool: "bool",
}
_ONNX_TYPES = {"float32": 1, "float16": 10, "int64": 7, "bool": 9}
_aten = torch.ops.aten


def export(step: nn.Module, examples: Sequence[Tensor | None], *, int8: bool = False) -> bytes:
    """Exports a module that takes and returns tensors, for inputs of exactly the examples' shapes.

    Args:
        step: the module, on the CPU, in fp32 or fp16.
        examples: one for each argument; None for arguments to leave out.
        int8: store the matrices in int8, one scale a row, and quantise what they are applied to as it comes.

    Returns:
        The file's bytes. Inputs are called in0, in1, ... (those left out are not counted), outputs out0, ...

    Raises:
        KernelCompilationError: the module cannot be traced, or uses an operator that is not known here.
    """
    try:
        with torch.no_grad():
            traced = torch.export.export(step, tuple(examples), strict=False)
    except Exception as error:
        raise KernelCompilationError(f"the step cannot be traced: {error}") from error
    return _Writer(traced, int8).write()


class _Writer:
    """Writes one traced module; `names` holds what each of its nodes is called in the graph."""

    def __init__(self, traced: torch.export.ExportedProgram, int8: bool) -> None:
        self.traced = traced
        self.int8 = int8
        self.graph = Graph()
        self.names: dict[fx.Node, str] = {}
        self.parts: dict[fx.Node, list[str]] = {}
        self.weights: dict[str, Tensor] = {}
        self.quantised: dict[str, list[tuple[str, str, str]]] = {}
        self.norms = _find_norms(traced.graph)

    def write(self) -> bytes:
        self._place()
        for node in self.traced.graph.nodes:
            if node.op == "call_function" and node not in self.names:
                self._call(node)
        (output,) = (node for node in self.traced.graph.nodes if node.op == "output")
        for index, entry in enumerate(output.args[0]):
            value = entry.meta["val"]
            name = self.graph.add("Identity", [self.names[entry]], f"out{index}")
            self.graph.outputs.append((name, _DTYPES[value.dtype], tuple(value.shape)))
        self._drop_unused()
        return self.graph.to_bytes()

    def _place(self) -> None:
        """Names the trace's arguments: weights by their own names, inputs in their order."""
        signature = self.traced.graph_signature
        stored = {**self.traced.state_dict, **self.traced.constants}
        held = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
        held |= signature.inputs_to_lifted_tensor_constants
        for node in self.traced.graph.nodes:
            if node.op != "placeholder":
                continue
            if node.name in held:
                self.names[node] = held[node.name]
                self.weights[held[node.name]] = stored[held[node.name]].detach()
            elif isinstance(node.meta.get("val"), Tensor):
                name, value = f"in{len(self.graph.inputs)}", node.meta["val"]
                self.names[node] = name
                self.graph.inputs.append((name, _DTYPES[value.dtype], tuple(value.shape)))

    def _call(self, node: Any) -> None:
        if node in self.norms:
            self.names[node] = self._norm(node, *self.norms[node])
            return
        write = _OPERATORS.get(node.target)
        if write is None:
            raise KernelCompilationError(
                f"the operator {node.target} of the step is not known to the ONNX export",
                "run the model on torch instead",
            )
        name = write(self, node)
        if name:
            self.names[node] = name

    def name(self, value: Any, like: Any = None) -> str:
        """Returns the name of a node, or of a number as a constant of `like`'s dtype."""
        if isinstance(value, fx.Node):
            found = self.names[value]
            if found in self.weights:
                self.graph.constant(found, self.weights[found].contiguous().numpy())
            return found
        dtype = _DTYPES[like.meta["val"].dtype] if like is not None else "float32"
        return self.graph.constant(f"{dtype}_{value}", np.array(value, dtype))

    def ints(self, values: Sequence[int]) -> str:
        """Returns the name of a constant list of whole numbers."""
        return self.graph.constant("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def is_weight(self, value: Any) -> bool:
        """Whether a node is a stored tensor."""
        return self.names[value] in self.weights

    def derived(self, name: str, make: Callable[[], Array]) -> str:
        """Returns the name of a constant worked out of the weights, making it the first time."""
        if name not in self.graph.constants:
            self.graph.constant(name, make())
        return name

    def matmul(self, x: str, weight: Any, output: str, dtype: str) -> str:
        """Multiplies x by a stored matrix (fan_out, fan_in) from the right, transposed."""
        key = self.names[weight]
        matrix = self.weights[key]
        if not self.int8 or not pays(*matrix.shape) or dtype != "float32":
            turned = self.derived(f"{key}.T", lambda: matrix.T.contiguous().numpy())
            return self.graph.add("MatMul", [x, turned], output)
        if f"{key}.int8" not in self.graph.constants:
            small, scale = quantise_rows(matrix)
            self.graph.constant(f"{key}.int8", small.T.contiguous().numpy())
            self.graph.constant(f"{key}.scale", scale.numpy())
        total = ""
        for index, part in enumerate(self._parts(x, parts(*matrix.shape))):
            product = self._int8_product(part, key, f"{output}.{index}")
            total = self.graph.add("Add", [total, product], f"{product}.sum") if total else product
        return self.graph.add("Identity", [total], output)

    def _parts(self, x: str, count: int) -> list[tuple[str, str, str]]:
        """Writes x as the sum of `count` int8 tensors, each with its scale and zero.

        A second part holds what the first leaves over, 15 bits in all; see `hrm.backends.int8.parts`.
        """
        parts = self.quantised.setdefault(x, [])
        rest = x
        for index in range(count):
            name = f"{x}.part{index}"
            if len(parts) == index:
                part = (f"{name}.int8", f"{name}.scale", f"{name}.zero")
                self.graph.add("DynamicQuantizeLinear", [rest], part)
                parts.append(part)
            if index + 1 < count:
                near = self.graph.add("DequantizeLinear", parts[index], f"{name}.near")
                rest = self.graph.add("Sub", [rest, near], f"{name}.rest")
        return parts[:count]

    def _int8_product(self, part: tuple[str, str, str], key: str, output: str) -> str:
        small, scale, zero = part
        add = self.graph.add
        whole = add("MatMulInteger", [small, f"{key}.int8", zero], f"{output}.int32")
        wide = add("Cast", [whole], f"{output}.wide", to=_ONNX_TYPES["float32"])
        both = add("Mul", [scale, f"{key}.scale"], f"{output}.scales")
        return add("Mul", [wide, both], output)

    def _norm(self, node: Any, x: Any, eps: float) -> str:
        """Writes a root-mean-square norm in the form that ONNX Runtime fuses into one kernel."""
        add, name, width = self.graph.add, node.name, x.meta["val"].shape[-1]
        source = self.name(x)
        square = add("Pow", [source, self.graph.constant("two", np.array(2.0, np.float32))], f"{name}.square")
        mean = add("ReduceMean", [square], f"{name}.mean", axes=(-1,), keepdims=1)
        safe = add("Add", [mean, self.graph.constant("eps", np.array(eps, np.float32))], f"{name}.safe")
        root = add("Sqrt", [safe], f"{name}.root")
        scaled = add("Div", [source, root], f"{name}.scaled")
        return add("Mul", [scaled, self.graph.constant(f"ones_{width}", np.ones(width, np.float32))], name)

    def _drop_unused(self) -> None:
        """Leaves out nodes and constants that no output needs."""
        wanted = {name for name, _, _ in self.graph.outputs}
        kept = []
        for node in reversed(self.graph.nodes):
            if wanted & set(node.outputs):
                wanted |= set(node.inputs)
                kept.append(node)
        self.graph.nodes = kept[::-1]
        self.graph.constants = {k: v for k, v in self.graph.constants.items() if k in wanted}


def _find_norms(graph: fx.Graph) -> dict[fx.Node, tuple[fx.Node, float]]:
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


def _linear(writer: _Writer, node: Any) -> str:
    x, weight, bias = (*node.args, None)[:3]
    dtype = _DTYPES[node.meta["val"].dtype]
    if bias is None:
        return writer.matmul(writer.name(x), weight, node.name, dtype)
    product = writer.matmul(writer.name(x), weight, f"{node.name}.product", dtype)
    return writer.graph.add("Add", [product, writer.name(bias)], node.name)


def _batched(writer: _Writer, node: Any) -> str:
    """Multiplies matrices; a stored one that was expanded over the batch is used as it is stored."""
    return writer.graph.add("MatMul", [writer.name(node.args[0]), writer.name(node.args[1])], node.name)


def _attention(writer: _Writer, node: Any) -> str:
    query, key, value = node.args[:3]
    mask = node.args[3] if len(node.args) > 3 else None
    add, name = writer.graph.add, node.name
    width = query.meta["val"].shape[-1]
    scaled = add("Mul", [writer.name(query), writer.name(1 / math.sqrt(width), query)], f"{name}.query")
    turned = add("Transpose", [writer.name(key)], f"{name}.key", perm=(0, 1, 3, 2))
    scores = add("MatMul", [scaled, turned], f"{name}.scores")
    if mask is not None:
        scores = add("Add", [scores, _bias(writer, mask, query)], f"{name}.masked")
    shares = add("Softmax", [scores], f"{name}.shares", axis=-1)
    return add("MatMul", [shares, writer.name(value)], name)


def _bias(writer: _Writer, mask: Any, like: Any) -> str:
    """Turns a mask (True: attend) into what is added to the scores, once for all layers."""
    name = f"{writer.names[mask]}.bias"
    if not any(name in node.outputs for node in writer.graph.nodes):
        low = writer.name(-30000.0, like)
        writer.graph.add("Where", [writer.name(mask), writer.name(0.0, like), low], name)
    return name


def _cast(writer: _Writer, node: Any) -> str:
    source, wanted = node.args[0], node.meta["val"].dtype
    if source.meta["val"].dtype == wanted:
        return writer.names[source]
    name = _DTYPES[wanted]
    if writer.is_weight(source):
        key = f"{writer.names[source]}.{name}"
        writer.weights.setdefault(key, writer.weights[writer.names[source]].to(wanted))
        return key
    return writer.graph.add("Cast", [writer.name(source)], node.name, to=_ONNX_TYPES[name])


def _shape(writer: _Writer, node: Any) -> str:
    shape = writer.ints(tuple(node.meta["val"].shape))
    return writer.graph.add("Reshape", [writer.name(node.args[0]), shape], node.name)


def _expand(writer: _Writer, node: Any) -> str:
    source = node.args[0]
    if writer.is_weight(source):
        broadcast: str = writer.names[source]
        return broadcast
    shape = writer.ints(tuple(node.meta["val"].shape))
    return writer.graph.add("Expand", [writer.name(source), shape], node.name)


def _transpose(writer: _Writer, node: Any) -> str:
    source, first, second = node.args
    order = list(range(source.meta["val"].dim()))
    order[first], order[second] = order[second], order[first]
    return writer.graph.add("Transpose", [writer.name(source)], node.name, perm=order)


def _split(writer: _Writer, node: Any) -> str:
    """Writes a split or a chunk; `getitem` finds the pieces by their place."""
    source = node.args[0]
    pieces = node.meta["val"]
    axis = node.args[2] if len(node.args) > 2 else 0
    axis %= source.meta["val"].dim()
    names = [f"{node.name}.{index}" for index in range(len(pieces))]
    sizes = writer.ints([piece.shape[axis] for piece in pieces])
    writer.graph.add("Split", [writer.name(source), sizes], names, axis=axis)
    writer.parts[node] = names
    return ""


def _piece(writer: _Writer, node: Any) -> str:
    source, index = node.args
    piece: str = writer.parts[source][index]
    return piece


def _join(writer: _Writer, node: Any) -> str:
    axis = node.args[1] if len(node.args) > 1 else 0
    return writer.graph.add("Concat", [writer.name(entry) for entry in node.args[0]], node.name, axis=axis)


def _slice(writer: _Writer, node: Any) -> str:
    source = node.args[0]
    bounds: tuple[Any, ...] = (*node.args[1:], *(0, 0, None)[len(node.args) - 1 :])
    axis, begin, end = bounds
    length = source.meta["val"].shape[axis]
    begin, end = begin or 0, length if end is None else min(end, length)
    whole: str = writer.names[source]
    if (begin, end) == (0, length):
        return whole
    if writer.is_weight(source):
        key = f"{whole}.{axis}.{begin}.{end}"
        writer.weights.setdefault(key, writer.weights[whole].narrow(axis, begin, end - begin))
        return key
    places = [writer.ints([place]) for place in (begin, end, axis)]
    return writer.graph.add("Slice", [writer.name(source), *places], node.name)


def _select(writer: _Writer, node: Any) -> str:
    source, axis, index = node.args
    place = writer.graph.constant(f"int_{index}", np.array(index, np.int64))
    return writer.graph.add("Gather", [writer.name(source), place], node.name, axis=axis)


def _axes(kind: str) -> Callable[[_Writer, Any], str]:
    def write(writer: _Writer, node: Any) -> str:
        return writer.graph.add(kind, [writer.name(node.args[0]), writer.ints([node.args[1]])], node.name)

    return write


def _mean(writer: _Writer, node: Any) -> str:
    keep = int(len(node.args) > 2 and bool(node.args[2]))
    source = writer.name(node.args[0])
    return writer.graph.add("ReduceMean", [source], node.name, axes=tuple(node.args[1]), keepdims=keep)


def _unary(kind: str) -> Callable[[_Writer, Any], str]:
    def write(writer: _Writer, node: Any) -> str:
        return writer.graph.add(kind, [writer.name(node.args[0])], node.name)

    return write


def _binary(kind: str) -> Callable[[_Writer, Any], str]:
    def write(writer: _Writer, node: Any) -> str:
        first, second = node.args[:2]
        names = [writer.name(first, node), writer.name(second, node)]
        return writer.graph.add(kind, names, node.name)

    return write


def _square(writer: _Writer, node: Any) -> str:
    source = writer.name(node.args[0])
    return writer.graph.add("Mul", [source, source], node.name)


def _rsqrt(writer: _Writer, node: Any) -> str:
    root = writer.graph.add("Sqrt", [writer.name(node.args[0])], f"{node.name}.root")
    return writer.graph.add("Reciprocal", [root], node.name)


def _silu(writer: _Writer, node: Any) -> str:
    source = writer.name(node.args[0])
    gate = writer.graph.add("Sigmoid", [source], f"{node.name}.gate")
    return writer.graph.add("Mul", [source, gate], node.name)


def _nothing(writer: _Writer, node: Any) -> str:
    return ""


def _same(writer: _Writer, node: Any) -> str:
    return writer.names[node.args[0]]


_OPERATORS: dict[Any, Callable[[_Writer, Any], str]] = {
    _aten._assert_tensor_metadata.default: _nothing,
    _aten.linear.default: _linear,
    _aten.bmm.default: _batched,
    _aten.matmul.default: _batched,
    _aten.scaled_dot_product_attention.default: _attention,
    _aten.to.dtype: _cast,
    _aten._to_copy.default: _cast,
    _aten.view.default: _shape,
    _aten.reshape.default: _shape,
    _aten.expand.default: _expand,
    _aten.transpose.int: _transpose,
    _aten.split.Tensor: _split,
    _aten.chunk.default: _split,
    operator.getitem: _piece,
    _aten.cat.default: _join,
    _aten.slice.Tensor: _slice,
    _aten.select.int: _select,
    _aten.unsqueeze.default: _axes("Unsqueeze"),
    _aten.squeeze.dim: _axes("Squeeze"),
    _aten.mean.dim: _mean,
    _aten.add.Tensor: _binary("Add"),
    _aten.sub.Tensor: _binary("Sub"),
    _aten.mul.Tensor: _binary("Mul"),
    _aten.div.Tensor: _binary("Div"),
    _aten.neg.default: _unary("Neg"),
    _aten.tanh.default: _unary("Tanh"),
    _aten.sigmoid.default: _unary("Sigmoid"),
    _aten.relu.default: _unary("Relu"),
    _aten.square.default: _square,
    _aten.rsqrt.default: _rsqrt,
    _aten.silu.default: _silu,
    _aten.contiguous.default: _same,
    _aten.alias.default: _same,
    _aten.clone.default: _same,
    _aten.detach.default: _same,
    _aten.dropout.default: _same,
}
