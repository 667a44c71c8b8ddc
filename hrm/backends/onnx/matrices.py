"""Writes products with stored matrices into an ONNX graph: in fp32, in int8 with a scale a row, or in int4.

The input of an int8 matrix is quantised dynamically, once for all matrices that it is applied to.
"""

from typing import Any

from hrm import int4
from hrm.backends.kernels.int8 import parts, quantise_rows, worth_quantising
from hrm.backends.onnx.file import CONTRIB
from hrm.backends.onnx.writer import ONNX_TYPES, Writer


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
