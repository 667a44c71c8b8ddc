"""Writes ONNX files in protobuf's wire format, so that exporting a model needs no package.

Only the part of the format that `hrm.backends.onnx.export` uses is here: a graph of nodes, constants and
inputs of fixed shape. The field numbers are those of `onnx.proto3`, which is public.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
Attribute = int | float | str | Sequence[int]

IR_VERSION = 9
OPSET = 17  # DirectML takes up to 20; in 17 the axes of a mean are still an attribute
CONTRIB = "com.microsoft"

_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float16": 10}
_VARINT, _BYTES, _FLOAT = 0, 2, 5


@dataclass(frozen=True, slots=True)
class OnnxNode:
    """An operator of the graph; its names are those of ONNX, or of ONNX Runtime where `domain` says so."""

    kind: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    attributes: dict[str, Attribute] = field(default_factory=dict)
    domain: str = ""


@dataclass(slots=True)
class Graph:
    """A graph under construction.

    Attributes:
        nodes: in an order in which they can be run.
        constants: by name; each is stored once, however often it is used.
        inputs, outputs: (name, dtype as numpy calls it, shape); a size that may vary has a name.
    """

    nodes: list[OnnxNode] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)
    inputs: list[tuple[str, str, tuple[int | str, ...]]] = field(default_factory=list)
    outputs: list[tuple[str, str, tuple[int | str, ...]]] = field(default_factory=list)

    def add(
        self,
        kind: str,
        inputs: Sequence[str],
        output: str | Sequence[str],
        *,
        domain: str = "",
        **attributes: Attribute,
    ) -> str:
        """Adds an operator; returns the name of its first output."""
        outputs = (output,) if isinstance(output, str) else tuple(output)
        self.nodes.append(OnnxNode(kind, tuple(inputs), outputs, attributes, domain))
        return outputs[0]

    def constant(self, name: str, value: Array) -> str:
        """Adds a constant, or finds it under its name; returns the name."""
        self.constants.setdefault(name, value)
        return name

    def to_bytes(self) -> bytes:
        parts = [_message(1, _node(node)) for node in self.nodes]
        parts.append(_text(2, "step"))
        parts += [_message(5, _tensor(name, value)) for name, value in self.constants.items()]
        parts += [_message(11, _value(*entry)) for entry in self.inputs]
        parts += [_message(12, _value(*entry)) for entry in self.outputs]
        model = [_number(1, IR_VERSION), _text(2, "hrm"), _message(7, b"".join(parts))]
        model.append(_message(8, _text(1, "") + _number(2, OPSET)))
        if any(node.domain for node in self.nodes):
            model.append(_message(8, _text(1, CONTRIB) + _number(2, 1)))
        return b"".join(model)


def _node(node: OnnxNode) -> bytes:
    parts = [_text(1, name) for name in node.inputs]
    parts += [_text(2, name) for name in node.outputs]
    parts += [_text(3, node.outputs[0]), _text(4, node.kind)]
    parts += [_message(5, _attribute(name, value)) for name, value in node.attributes.items()]
    if node.domain:
        parts.append(_text(7, node.domain))
    return b"".join(parts)


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _key(2, _FLOAT) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _number(20, 3)
    return _text(1, name) + b"".join(_number(8, entry) for entry in value) + _number(20, 7)


def _tensor(name: str, value: Array) -> bytes:
    array = np.asarray(value, order="C")
    dims = b"".join(_number(1, size) for size in array.shape)
    return dims + _number(2, _TYPES[array.dtype.name]) + _text(8, name) + _message(9, array.tobytes())


def _value(name: str, dtype: str, shape: tuple[int | str, ...]) -> bytes:
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in shape)
    dims = b"".join(_message(1, size) for size in sizes)
    tensor = _number(1, _TYPES[dtype]) + _message(2, dims)
    return _text(1, name) + _message(2, _message(1, tensor))


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _number(number: int, value: int) -> bytes:
    return _key(number, _VARINT) + _varint(value & 0xFFFFFFFFFFFFFFFF)


def _text(number: int, value: str) -> bytes:
    return _message(number, value.encode())


def _message(number: int, payload: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(payload)) + payload


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
