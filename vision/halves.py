"""Cuts an ONNX model in two at one of its values, so that each half can be run on a part of its own.

And gives its weights, so that training can go on with them. Reads what it needs of protobuf's wire format;
the field numbers are those of `onnx.proto3`, which is public.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

Field = tuple[int, bytes, bytes]
"""A field's number, its payload, and all of it with its key; numbers have no payload."""

_GRAPH = 7  # in a model
_NODE, _CONSTANT, _INPUT, _OUTPUT = 1, 5, 11, 12  # in a graph
_TAKES, _MAKES = 1, 2  # in a node: the names of values
_CONSTANTS_NAME, _VALUES_NAME = 8, 1
_SIZES, _KIND, _RAW, _HALF = 1, 2, 9, 10  # in a constant: its shape, type and bytes; the type of half floats
_FLOATS = b"\x12\x04\x0a\x02\x08\x01"  # the type of a value: a tensor of floats of any shape
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5


def halves(model: bytes, at: str) -> tuple[bytes, bytes]:
    """Returns the models before and after a value of floats: its name is the first one's output.

    Args:
        at: the value's name; it is all that passes from the first half to the second, as `at` too.

    Raises:
        ValueError: the model has no such value.
    """
    whole = list(_fields(model))
    graph = list(_fields(next(payload for number, payload, _ in whole if number == _GRAPH)))
    nodes = [(payload, raw) for number, payload, raw in graph if number == _NODE]
    first = _makers(nodes, {at})
    if not first:
        raise ValueError(f"the model has no value {at}")
    second = [raw for _, raw in nodes if raw not in first]
    value = _bytes(_VALUES_NAME, at.encode()) + _FLOATS
    return (
        _model(whole, graph, first, [raw for number, _, raw in graph if number == _INPUT], value, _OUTPUT),
        _model(whole, graph, second, [raw for number, _, raw in graph if number == _OUTPUT], value, _INPUT),
    )


def weights(model: bytes) -> dict[str, npt.NDArray[np.float32]]:
    """Returns the constants of half precision in an ONNX file, by name."""
    graph = next(payload for number, payload, _ in _fields(model) if number == _GRAPH)
    arrays = {}
    for number, constant, _ in _fields(graph):
        if number != _CONSTANT:
            continue
        parts = list(_fields(constant))
        kind = [_number(payload, raw) for field, payload, raw in parts if field == _KIND]
        if kind != [[_HALF]]:
            continue
        shape = [size for field, payload, raw in parts if field == _SIZES for size in _number(payload, raw)]
        content = next(payload for field, payload, _ in parts if field == _RAW)
        arrays[_names(constant, _CONSTANTS_NAME).pop()] = (
            np.frombuffer(content, np.float16).reshape(shape).astype(np.float32)
        )
    return arrays


def _number(payload: bytes, raw: bytes) -> list[int]:
    """Returns the whole numbers of a field: one of its own, or several in its payload."""
    if not payload:
        return [_varint(raw, _varint(raw, 0)[1])[0]]
    digits, at = [], 0
    while at < len(payload):
        value, at = _varint(payload, at)
        digits.append(value)
    return digits


def _makers(nodes: list[tuple[bytes, bytes]], wanted: set[str]) -> list[bytes]:
    """Returns the nodes that values need, in the order of all; the order is one in which they can run."""
    parts = []
    for payload, raw in reversed(nodes):
        if wanted & _names(payload, _MAKES):
            wanted |= _names(payload, _TAKES)
            parts.append(raw)
    return parts[::-1]


def _model(
    whole: list[Field], graph: list[Field], nodes: list[bytes], ends: list[bytes], value: bytes, kind: int
) -> bytes:
    """Returns a model of some nodes of a graph, with one more input or output, by `kind`."""
    used = {name for raw in nodes for _, payload, _ in _fields(raw) for name in _names(payload, _TAKES)}
    constants = [
        raw
        for number, payload, raw in graph
        if number == _CONSTANT and _names(payload, _CONSTANTS_NAME) & used
    ]
    name = [raw for number, _, raw in graph if number == 2]
    part = b"".join([*nodes, *name, *constants, *ends, _bytes(kind, value)])
    return b"".join(_bytes(_GRAPH, part) if number == _GRAPH else raw for number, _, raw in whole)


def _names(message: bytes, field: int) -> set[str]:
    return {payload.decode() for number, payload, _ in _fields(message) if number == field}


def _fields(message: bytes) -> Iterator[Field]:
    at = 0
    while at < len(message):
        start = at
        key, at = _varint(message, at)
        payload = b""
        if key & 7 == _VARINT:
            _, at = _varint(message, at)
        elif key & 7 == _BYTES:
            size, at = _varint(message, at)
            payload, at = message[at : at + size], at + size
        else:
            at += {_EIGHT: 8, _FOUR: 4}[key & 7]
        yield key >> 3, payload, message[start:at]


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (message[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not message[at - 1] & 0x80:
            return value, at


def _bytes(number: int, payload: bytes) -> bytes:
    return _written(number << 3 | _BYTES) + _written(len(payload)) + payload


def _written(value: int) -> bytes:
    parts: Iterable[int] = (value >> shift & 0x7F for shift in range(0, max(1, value.bit_length()), 7))
    *before, last = parts
    return bytes([*(part | 0x80 for part in before), last])
