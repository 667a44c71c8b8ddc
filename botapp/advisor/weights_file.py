"""The advisor's weights on disk: one file, or int8 in several parts that are small enough for a repository.

Parts are named NAME-1.safetensors, NAME-2.safetensors and so on; each carries all the metadata, its number
and a digest of the whole, so that parts of different models are never mixed.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor

from botapp.host.message import say
from hrm.small_weights import shrink
from hrm.tensor_file import CheckpointError, save
from hrm.tensor_file import read as read_file

Form = Literal["fp16", "bf16", "int8"]
Tensors = Mapping[str, Tensor]

_SUFFIX = ".safetensors"
_HALVES = {"fp16": torch.float16, "bf16": torch.bfloat16}
_SMALLEST_SIDE = 64
"""Matrices with a shorter side (heads, projections of few features) stay in half precision under int8."""


def pack(tensors: Tensors, form: Form) -> dict[str, Tensor]:
    """Makes fp32 weights small: half precision, or int8 with a scale for each output channel of a matrix."""
    if form != "int8":
        return {key: value.to(_HALVES[form]) for key, value in tensors.items()}
    large = {k: v for k, v in tensors.items() if v.dim() == 2 and min(v.shape) >= _SMALLEST_SIDE}
    rest = {key: value for key, value in tensors.items() if key not in large}
    return {**shrink(large, "int8"), **pack(rest, "fp16")}


def write(path: Path, packed: Tensors, metadata: Mapping[str, str], parts: int = 1) -> list[Path]:
    """Writes packed weights to `path`, or as parts beside it; returns the files."""
    if parts == 1:
        save(path, packed, metadata)
        return [path]
    whole = _digest(packed)
    files = [part_path(path, number) for number in range(1, parts + 1)]
    for number, (file, share) in enumerate(zip(files, _shares(packed, parts), strict=True), 1):
        save(file, share, {**metadata, "part": str(number), "parts": str(parts), "whole": whole})
    return files


def read(path: Path, remedy: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Reads weights as they are packed, and their metadata.

    Args:
        path: the file; of parts any one, the name without a number, or the folder that holds one set of them.

    Raises:
        CheckpointError: a file or a part is missing, damaged, or of other weights than the first.
    """
    first = find(path, remedy)
    tensors, metadata = read_file(first, remedy)
    if "parts" not in metadata:
        return tensors, metadata
    parts = int(metadata["parts"])
    for number in range(1, parts + 1):
        file = part_path(_unnumbered(first), number)
        if file == first:
            continue
        if not file.is_file():
            raise CheckpointError(
                say(
                    "part {number} of {parts} is missing: there is no file {file}; {remedy}",
                    number=number,
                    parts=parts,
                    file=str(file),
                    remedy=remedy,
                )
            )
        more, about = read_file(file, remedy)
        if about.get("whole") != metadata["whole"]:
            raise CheckpointError(
                say(
                    "{file} and {other} are parts of different weights; {remedy}",
                    file=str(file),
                    other=str(first),
                    remedy=remedy,
                )
            )
        tensors |= more
    return tensors, {key: value for key, value in metadata.items() if key != "part"}


def find(path: Path, remedy: str) -> Path:
    """Returns the file that `path` stands for: itself, or the first part there is of what it names.

    Raises:
        CheckpointError: a folder holds no parts, or those of several weights.
    """
    if path.is_dir():
        firsts = sorted(path.glob(f"*-1{_SUFFIX}"))
        if len(firsts) != 1:
            raise CheckpointError(
                say(
                    "{folder} has {count} files named {pattern}, not one; name the file, or {remedy}",
                    folder=str(path),
                    count=len(firsts),
                    pattern=f"NAME-1{_SUFFIX}",
                    remedy=remedy,
                )
            )
        return firsts[0]
    if not path.exists() and part_path(path, 1).exists():
        return part_path(path, 1)
    return path


def part_path(path: Path, number: int) -> Path:
    """Returns where part `number` (from 1) of the weights named `path` lies."""
    return path.with_name(f"{path.stem}-{number}{_SUFFIX}")


def _unnumbered(part: Path) -> Path:
    return part.with_name(part.stem.rpartition("-")[0] + _SUFFIX)


def _shares(packed: Tensors, parts: int) -> list[dict[str, Tensor]]:
    """Deals the tensors out in their order, so that all parts are about as large."""
    total = sum(map(_bytes, packed.values()))
    shares: list[dict[str, Tensor]] = [{} for _ in range(parts)]
    before = 0
    for key, value in packed.items():
        shares[min(parts - 1, before * parts // total)][key] = value
        before += _bytes(value)
    return shares


def _bytes(tensor: Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def _digest(packed: Tensors) -> str:
    sums = hashlib.sha256()
    for key in sorted(packed):
        sums.update(key.encode())
        sums.update(packed[key].detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
    return sums.hexdigest()[:16]
