"""Tensors on disk: safetensors, written whole or not at all, and `.pt` files of plain weights.

Foreign `.pt` files are opened with `weights_only=True` alone. Every refusal is a `CheckpointError` that names
the file. What a file's keys mean: `hrm.checkpoint`.
"""

import pickle
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from hrm.atomic import write_whole
from hrm.message import one_line, say

REMEDY = say("check the path, or fetch or train the file again")
TRAIN_AGAIN = say("fetch or train it again")


class CheckpointError(ValueError):
    """A checkpoint cannot be used; the message says which, why, and what to do about it."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)

    def __str__(self) -> str:
        return self.message


class NonFiniteWeightsError(CheckpointError):
    """Weights that are NaN or infinite, and so useless."""


def save(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Writes a safetensors file so that a reader finds the old file or the new one, never half of one.

    Raises:
        OSError: it cannot be written, e.g. because the disk is full.
    """
    plain = {key: value.detach().cpu().contiguous() for key, value in tensors.items()}
    try:
        write_whole(path, lambda temporary: save_file(plain, temporary, dict(metadata)))
    except SafetensorError as error:
        raise OSError(f"{path} cannot be written: {error}") from error


def read(path: Path, remedy: str = REMEDY) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Reads tensors and metadata from a safetensors file, or from a `.pt` of plain weights (memory-mapped).

    Raises:
        CheckpointError: the file is missing, damaged, or a pickle of more than weights.
    """
    if not path.is_file():
        raise CheckpointError(say("there is no file {file}; {remedy}", file=str(path), remedy=remedy))
    if _is_safetensors(path):
        try:
            with safe_open(path, "pt") as stored:
                return {key: stored.get_tensor(key) for key in stored.keys()}, dict(stored.metadata() or {})  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise _damaged(path, error, remedy) from error
    try:
        loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except (
        pickle.UnpicklingError,
        RuntimeError,
        ValueError,
        EOFError,
        OSError,
        LookupError,
        AttributeError,
        TypeError,
    ) as error:
        reason = one_line(error)
        raise CheckpointError(
            say(
                "{file} is neither safetensors nor a torch file of plain weights ({problem}); {remedy}",
                file=str(path),
                problem=reason,
                remedy=remedy,
            )
        ) from error
    if not isinstance(loaded, dict) or not all(
        isinstance(key, str) and isinstance(value, Tensor) for key, value in loaded.items()
    ):
        raise CheckpointError(
            say("{file} holds something else than named weights; {remedy}", file=str(path), remedy=remedy)
        )
    return loaded, {}


def read_metadata(path: Path) -> dict[str, str]:
    """Reads a file's metadata without its weights; a torch file has none.

    Raises:
        CheckpointError: it is missing or damaged.
    """
    if not path.is_file() or not _is_safetensors(path):
        return read(path)[1]
    try:
        with safe_open(path, "pt") as stored:
            return dict(stored.metadata() or {})
    except (SafetensorError, OSError) as error:
        raise _damaged(path, error, TRAIN_AGAIN) from error


def require_finite(tensors: Mapping[str, Tensor], name: str) -> None:
    """Refuses weights with NaN or infinity among them.

    Raises:
        NonFiniteWeightsError: names the first such key.
    """
    for key, value in tensors.items():
        if value.is_floating_point() and not bool(value.isfinite().all()):
            raise NonFiniteWeightsError(
                say(
                    "{file}: the weights {key} hold NaN or infinity; {remedy}",
                    file=name,
                    key=key,
                    remedy=TRAIN_AGAIN,
                )
            )


def require_numbers(tensors: Mapping[str, Tensor], name: str, *, whole: bool = True) -> None:
    """Refuses weights, in the form in which a model takes them, that are no finite decimals, or all 0.

    Raises:
        CheckpointError: names the first such key; a `NonFiniteWeightsError` for NaN and infinity.
    """
    for key, value in tensors.items():
        if value.is_complex() or (whole and not value.is_floating_point()):
            raise CheckpointError(
                say(
                    "{file}: the weights {key} are of the kind {kind} and not decimals; {remedy}",
                    file=name,
                    key=key,
                    kind=str(value.dtype).removeprefix("torch."),
                    remedy=TRAIN_AGAIN,
                )
            )
    require_finite(tensors, name)
    if not any(bool(value.any()) for value in tensors.values()):
        raise CheckpointError(say("{file}: all weights are 0; {remedy}", file=name, remedy=TRAIN_AGAIN))


def _damaged(path: Path, error: Exception, remedy: str) -> CheckpointError:
    return CheckpointError(
        say("{file} is damaged ({problem}); {remedy}", file=str(path), problem=one_line(error), remedy=remedy)
    )


def _is_safetensors(path: Path) -> bool:
    if path.suffix == ".safetensors":
        return True
    with path.open("rb") as handle:
        head = handle.read(9)
    return head[8:9] == b"{"
