"""The operators of a step as ONNX nodes, one function for each.

A function writes one node of the trace and returns its name in the graph, "" for nothing.

Products with stored matrices are in fp32, in int8 with a scale a row, or in int4; the input of an int8 matrix
is quantised dynamically, once for all matrices that it is applied to.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from hrm import int4
from hrm.backends.kernels.int8 import parts, quantise_rows, worth_quantising
from hrm.backends.onnx.file import CONTRIB
from hrm.backends.onnx.writer import DTYPES, ONNX_TYPES, Writer


def multiply(writer: Writer, x: str, weight: Any, output: str, dtype: str) -> str:
    """Multiplies x by a stored matrix (fan_out, fan_in) from the right, transposed."""
    key = writer.names[weight]
    matrix = writer.weights[key]
    if writer.int4 and int4.fits(matrix, writer.int4) and worth_quantising(*matrix.shape):
        return _int4_product(writer, x, key, output)
    if not writer.int8 or not worth_quantising(*matrix.shape) or dtype != "float32":
        turned = writer.derived(f"{key}.T", lambda: matrix.T.contiguous().numpy())
        return writer.graph.add("MatMul", [x, turned], output)
    if f"{key}.int8" not in writer.graph.constants:
        small, scale = quantise_rows(matrix)
        writer.graph.constant(f"{key}.int8", small.T.contiguous().numpy())
        writer.graph.constant(f"{key}.scale", scale.numpy())
    total = ""
    for index, part in enumerate(_parts(writer, x, parts(*matrix.shape))):
        product = _int8_product(writer, part, key, f"{output}.{index}")
        total = writer.graph.add("Add", [total, product], f"{product}.sum") if total else product
    return writer.graph.add("Identity", [total], output)


def _int4_product(writer: Writer, x: str, key: str, output: str) -> str:
    """Multiplies by a matrix in int4, turned back into fp32 as it is read."""
    matrix, group = writer.weights[key], writer.int4
    if f"{key}.int4" not in writer.graph.constants:
        packed, scale = int4.pack(matrix, group)
        blocks = packed.reshape(len(packed), -1, group // 2).numpy()
        writer.graph.constant(f"{key}.int4", blocks)
        writer.graph.constant(f"{key}.int4.scale", scale.flatten().contiguous().numpy())
    rows, columns = matrix.shape
    return writer.graph.add(
        "MatMulNBits", [x, f"{key}.int4", f"{key}.int4.scale"], output,
        domain=CONTRIB, K=columns, N=rows, bits=4, block_size=group, accuracy_level=1,
    )  # fmt: skip


def _parts(writer: Writer, x: str, count: int) -> list[tuple[str, str, str]]:
    """Writes x as the sum of `count` int8 tensors, each with its scale and zero.

    A second part holds the remainder of the first, 15 bits in all; see `hrm.backends.kernels.int8.parts`.
    """
    parts = writer.quantised.setdefault(x, [])
    rest = x
    for index in range(count):
        name = f"{x}.part{index}"
        if len(parts) == index:
            part = (f"{name}.int8", f"{name}.scale", f"{name}.zero")
            writer.graph.add("DynamicQuantizeLinear", [rest], part)
            parts.append(part)
        if index + 1 < count:
            near = writer.graph.add("DequantizeLinear", parts[index], f"{name}.near")
            rest = writer.graph.add("Sub", [rest, near], f"{name}.rest")
    return parts[:count]


def _int8_product(writer: Writer, part: tuple[str, str, str], key: str, output: str) -> str:
    small, scale, zero = part
    add = writer.graph.add
    whole = add("MatMulInteger", [small, f"{key}.int8", zero], f"{output}.int32")
    wide = add("Cast", [whole], f"{output}.wide", to=ONNX_TYPES["float32"])
    both = add("Mul", [scale, f"{key}.scale"], f"{output}.scales")
    return add("Mul", [wide, both], output)


_aten = torch.ops.aten


def _linear(writer: Writer, node: Any) -> str:
    x, weight, bias = (*node.args, None)[:3]
    dtype = DTYPES[node.meta["val"].dtype]
    if bias is None:
        return multiply(writer, writer.name(x), weight, node.name, dtype)
    product = multiply(writer, writer.name(x), weight, f"{node.name}.product", dtype)
    return writer.graph.add("Add", [product, writer.name(bias)], node.name)


def _batched(writer: Writer, node: Any) -> str:
    """Multiplies matrices; a stored one that was expanded over the batch is used as it is stored."""
    return writer.graph.add("MatMul", [writer.name(node.args[0]), writer.name(node.args[1])], node.name)


def _attention(writer: Writer, node: Any) -> str:
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


def _bias(writer: Writer, mask: Any, like: Any) -> str:
    """Turns a mask (True: attend) into what is added to the scores, once for all layers."""
    name = f"{writer.names[mask]}.bias"
    if not any(name in node.outputs for node in writer.graph.nodes):
        low = writer.name(-30000.0, like)
        writer.graph.add("Where", [writer.name(mask), writer.name(0.0, like), low], name)
    return name


def _cast(writer: Writer, node: Any) -> str:
    source, wanted = node.args[0], node.meta["val"].dtype
    if source.meta["val"].dtype == wanted:
        return writer.names[source]
    name = DTYPES[wanted]
    if writer.is_weight(source):
        key = f"{writer.names[source]}.{name}"
        writer.weights.setdefault(key, writer.weights[writer.names[source]].to(wanted))
        return key
    return writer.graph.add("Cast", [writer.name(source)], node.name, to=ONNX_TYPES[name])


def _shape(writer: Writer, node: Any) -> str:
    shape = writer.ints(tuple(node.meta["val"].shape))
    return writer.graph.add("Reshape", [writer.name(node.args[0]), shape], node.name)


def _expand(writer: Writer, node: Any) -> str:
    source = node.args[0]
    if writer.is_weight(source):
        broadcast: str = writer.names[source]
        return broadcast
    shape = writer.ints(tuple(node.meta["val"].shape))
    return writer.graph.add("Expand", [writer.name(source), shape], node.name)


def _transpose(writer: Writer, node: Any) -> str:
    source, first, second = node.args
    order = list(range(source.meta["val"].dim()))
    order[first], order[second] = order[second], order[first]
    return writer.graph.add("Transpose", [writer.name(source)], node.name, perm=order)


def _split(writer: Writer, node: Any) -> str:
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


def _piece(writer: Writer, node: Any) -> str:
    source, index = node.args
    piece: str = writer.parts[source][index]
    return piece


def _join(writer: Writer, node: Any) -> str:
    axis = node.args[1] if len(node.args) > 1 else 0
    return writer.graph.add("Concat", [writer.name(entry) for entry in node.args[0]], node.name, axis=axis)


def _slice(writer: Writer, node: Any) -> str:
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


def _select(writer: Writer, node: Any) -> str:
    source, axis, index = node.args
    place = writer.graph.constant(f"int_{index}", np.array(index, np.int64))
    return writer.graph.add("Gather", [writer.name(source), place], node.name, axis=axis)


def _axes(kind: str) -> Callable[[Writer, Any], str]:
    def write(writer: Writer, node: Any) -> str:
        return writer.graph.add(kind, [writer.name(node.args[0]), writer.ints([node.args[1]])], node.name)

    return write


def _mean(writer: Writer, node: Any) -> str:
    keep = int(len(node.args) > 2 and bool(node.args[2]))
    source = writer.name(node.args[0])
    return writer.graph.add("ReduceMean", [source], node.name, axes=tuple(node.args[1]), keepdims=keep)


def _unary(kind: str) -> Callable[[Writer, Any], str]:
    def write(writer: Writer, node: Any) -> str:
        return writer.graph.add(kind, [writer.name(node.args[0])], node.name)

    return write


def _binary(kind: str) -> Callable[[Writer, Any], str]:
    def write(writer: Writer, node: Any) -> str:
        first, second = node.args[:2]
        names = [writer.name(first, node), writer.name(second, node)]
        return writer.graph.add(kind, names, node.name)

    return write


def _square(writer: Writer, node: Any) -> str:
    source = writer.name(node.args[0])
    return writer.graph.add("Mul", [source, source], node.name)


def _rsqrt(writer: Writer, node: Any) -> str:
    root = writer.graph.add("Sqrt", [writer.name(node.args[0])], f"{node.name}.root")
    return writer.graph.add("Reciprocal", [root], node.name)


def _silu(writer: Writer, node: Any) -> str:
    source = writer.name(node.args[0])
    gate = writer.graph.add("Sigmoid", [source], f"{node.name}.gate")
    return writer.graph.add("Mul", [source, gate], node.name)


def _nothing(writer: Writer, node: Any) -> str:
    return ""


def _same(writer: Writer, node: Any) -> str:
    return writer.names[node.args[0]]


OPERATORS: dict[Any, Callable[[Writer, Any], str]] = {
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
    _aten.exp.default: _unary("Exp"),
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
