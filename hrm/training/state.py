"""Nested state (of optimisers, averages, tasks) as flat tensors and JSON: no pickle needed. For the loop."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

_TENSOR = "__tensor__"
_PAIRS = "__pairs__"
_TUPLE = "__tuple__"


def flatten(state: Any) -> tuple[dict[str, Tensor], Any]:
    """Takes the tensors out of nested dicts, lists and tuples.

    Returns:
        The tensors by path, and the rest as something JSON can hold, with the paths where the tensors were.

    Raises:
        TypeError: something in it is neither a tensor nor JSON.
    """
    tensors: dict[str, Tensor] = {}

    def walk(value: Any, path: str) -> Any:
        if isinstance(value, Tensor):
            tensors[path] = value
            return {_TENSOR: path}
        if isinstance(value, Mapping):
            return {_PAIRS: [[key, walk(item, f"{path}/{key}")] for key, item in value.items()]}
        if isinstance(value, list | tuple):
            items = [walk(item, f"{path}/{index}") for index, item in enumerate(value)]
            return {_TUPLE: items} if isinstance(value, tuple) else items
        if value is None or isinstance(value, bool | int | float | str):
            return value
        raise TypeError(f"the state at {path} is a {type(value).__name__}, which no checkpoint can hold")

    return tensors, walk(state, "")


def unflatten(tensors: Mapping[str, Tensor], skeleton: Any) -> Any:
    """Reverses `flatten`; a path without its tensor raises KeyError."""
    if isinstance(skeleton, list):
        return [unflatten(tensors, item) for item in skeleton]
    if not isinstance(skeleton, dict):
        return skeleton
    if _TENSOR in skeleton:
        return tensors[skeleton[_TENSOR]]
    if _TUPLE in skeleton:
        return tuple(unflatten(tensors, item) for item in skeleton[_TUPLE])
    return {key: unflatten(tensors, item) for key, item in skeleton[_PAIRS]}
