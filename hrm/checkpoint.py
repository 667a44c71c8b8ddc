"""Weights on disk: our safetensors, written whole or not at all, and the reference's files, key for key.

Foreign `.pt` files are opened with `weights_only=True` alone. Every refusal is a `CheckpointError` that names
the file, and the key with the shape wanted and the shape found where it is about one.
"""

import json
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from hrm import int4
from hrm.atomic import write_whole
from hrm.config import Config
from hrm.message import join, say
from hrm.model import HRM

REMEDY = say("check the path, or fetch or train the file again")
TRAIN_AGAIN = say("fetch or train it again")
PREFIXES = ("_orig_mod.model.inner.", "model.inner.")


_LONGEST_LINE = 300


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


def save_model(
    path: Path, model: nn.Module, config: Config, metadata: Mapping[str, str] | None = None
) -> None:
    """Writes a model's weights; the metadata holds its configuration and the entries given."""
    save(path, model.state_dict(), {"config": config.to_json(), **(metadata or {})})


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
        reason = _line(error)
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


def require_token_model(tensors: Mapping[str, Tensor], name: str) -> None:
    """Refuses networks that have an HRM as their core and read something else than tokens.

    Raises:
        CheckpointError: says what the file is.
    """
    if "core.H_init" in tensors:
        raise CheckpointError(
            say(
                "{file} is no model of tokens but a network around an HRM with inputs of its own, "
                "as the advisor's is; leave it as it is for the program it was made for, "
                "which alone can read it",
                file=name,
            )
        )


def strip_prefix(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Removes the prefix that the reference's training script puts before every key, where there is one."""
    for prefix in PREFIXES:
        if tensors and all(key.startswith(prefix) for key in tensors):
            return {key.removeprefix(prefix): value for key, value in tensors.items()}
    return dict(tensors)


def load_strictly(
    model: nn.Module, tensors: Mapping[str, Tensor], name: str, *, assign: bool = False
) -> None:
    """Loads tensors key for key into a model.

    Args:
        model: what to load into.
        tensors: the weights, with or without the reference's prefix.
        name: what to call the checkpoint in an error, its path as a rule.
        assign: take the tensors themselves as the model's (for models built on the meta device).

    Raises:
        CheckpointError: a key is missing, unknown, or of another shape than the model's.
    """
    found = strip_prefix(tensors)
    wanted = model.state_dict()
    wrong = list(_differences(wanted, found))
    if wrong:
        more = [say("and {count} more", count=len(wrong) - 5)] if len(wrong) > 5 else []
        raise CheckpointError(
            say(
                "{file} does not fit the model: {problem}. "
                "Load it with the configuration it was trained with",
                file=name,
                problem=join([*wrong[:5], *more]),
            )
        )
    try:
        model.load_state_dict(found, assign=assign)
    except RuntimeError as error:
        problem = _line(error)
        raise CheckpointError(
            say("{file} does not fit the model: {problem}", file=name, problem=problem)
        ) from error


def load_model(path: Path, config: Config | None = None, **changes: Any) -> HRM:
    """Loads a token model, its configuration taken from the file or, failing that, from the shapes in it.

    Args:
        path: our safetensors, or an official `.pt`.
        config: the configuration to insist on, None for the file's own.
        changes: fields of the configuration to change, e.g. `forward_dtype="bfloat16"`.

    Raises:
        CheckpointError: the file is missing, damaged, or does not fit.
    """
    tensors, metadata = read(path)
    tensors = widen(tensors, str(path))
    require_finite(tensors, str(path))
    require_token_model(tensors, str(path))
    if config is None:
        config = stored_config(path, tensors, metadata)
    with torch.device("meta"):
        model = HRM(replace(config, **changes))
    load_strictly(model, tensors, str(path), assign=True)
    model.build_tables()
    return model


def stored_config(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> Config:
    """Reads the configuration in a file; without one it is inferred from the shapes.

    Raises:
        CheckpointError: it is invalid, or there is none and it cannot be inferred from the shapes.
    """
    if "config" not in metadata:
        return infer_config(tensors, str(path))
    try:
        return Config.from_json(metadata["config"])
    except (ValueError, TypeError, OverflowError) as error:
        raise CheckpointError(
            say("the configuration in {file} cannot be read: {problem}", file=str(path), problem=_line(error))
        ) from error


def infer_config(tensors: Mapping[str, Tensor], name: str) -> Config:
    """Works a configuration out of the shapes of an official checkpoint.

    Values that no shape determines are those published: heads 64 wide, cycles 2 and 2, 16 steps, and a
        sequence of 81
    or 900 tokens by vocabulary (rotary positions do not depend on it).

    Raises:
        CheckpointError: a key that the shapes are read from is missing, or no matrix.
    """
    found = strip_prefix(tensors)

    def shape(key: str) -> torch.Size:
        if key not in found:
            raise CheckpointError(
                say(
                    "{file} does not look like an HRM checkpoint: the key {key} is missing",
                    file=name,
                    key=key,
                )
            )
        if found[key].dim() != 2 or 0 in found[key].shape:
            raise CheckpointError(
                say(
                    "{file} does not look like an HRM checkpoint: {key} has the shape {shape}",
                    file=name,
                    key=key,
                    shape=_shape(found[key]),
                )
            )
        return found[key].shape

    vocabulary, hidden = shape("embed_tokens.embedding_weight")
    rows, width = shape("puzzle_emb.weights") if "puzzle_emb.weights" in found else (1, 0)
    learned = "embed_pos.embedding_weight" in found
    seq_len = 81 if vocabulary == 11 else 900
    if learned:
        seq_len = shape("embed_pos.embedding_weight")[0] + -width // hidden
    inner = shape("L_level.layers.0.mlp.down_proj.weight")[1]
    try:
        return Config(
            hidden_size=hidden,
            num_heads=max(1, hidden // 64),
            mlp_inner=inner,
            L_layers=_layers(found, "L_level"),
            H_layers=_layers(found, "H_level"),
            vocab_size=vocabulary,
            puzzle_emb_ndim=width,
            num_puzzle_identifiers=rows,
            pos_encodings="learned" if learned else "rope",
            seq_len=seq_len,
        )
    except ValueError as error:
        raise CheckpointError(
            say("{file} does not look like an HRM checkpoint: {problem}", file=name, problem=_line(error))
        ) from error


def widen(tensors: Mapping[str, Tensor], name: str = "the checkpoint") -> dict[str, Tensor]:
    """Turns stored half-precision, int8 and int4 weights (with their `.scale`) back into fp32.

    Args:
        tensors: the weights as stored.
        name: what to call the checkpoint in an error, its path as a rule.

    Raises:
        CheckpointError: a scale does not fit its matrix.
    """
    scales = {key.removesuffix(".scale"): value for key, value in tensors.items() if key.endswith(".scale")}
    wide: dict[str, Tensor] = {}
    for key, value in tensors.items():
        if key.endswith(".scale"):
            continue
        if key in scales and not _scaled(value, scales[key]):
            raise CheckpointError(
                say(
                    "{file}: the scale of {key} has the shape {found} and the weights have {wanted}",
                    file=name,
                    key=key,
                    found=_shape(scales[key]),
                    wanted=_shape(value),
                )
            )
        if key in scales and value.dtype == torch.uint8:
            wide[key] = int4.unpack(value, scales[key])
            continue
        full = value.float() if value.is_floating_point() or key in scales else value
        wide[key] = full * scales[key].float()[:, None] if key in scales else full
    return wide


def _scaled(value: Tensor, scale: Tensor) -> bool:
    """Whether a scale fits a matrix: one for each row in int8, one for each group of a row in int4."""
    if value.dim() != 2:
        return False
    if value.dtype != torch.uint8:
        return scale.shape == value.shape[:1]
    groups = scale.shape[1] if scale.dim() == 2 else 0
    return groups > 0 and len(scale) == len(value) and 2 * value.shape[1] % groups == 0


def shrink(tensors: Mapping[str, Tensor], how: str, group: int = 32) -> dict[str, Tensor]:
    """Makes weights small for shipping.

    Args:
        tensors: the weights in fp32.
        how: "bf16"; "int8", with a scale for each row of a matrix; or "int4", with one for each group of a
            row, of the matrices of linear layers alone.
        group: numbers that share a scale in int4.

    Raises:
        ValueError: `how` is none of these, or no matrix divides into such groups.
    """
    if how == "bf16":
        return {key: value.to(torch.bfloat16) for key, value in tensors.items()}
    if how == "int4":
        return _to_int4(tensors, group)
    if how != "int8":
        raise ValueError(f"weights are stored as fp32, bf16, int8 or int4, not {how!r}")
    small: dict[str, Tensor] = {}
    for key, value in tensors.items():
        if value.dim() == 2 and key != "q_head.weight":
            scale = value.abs().amax(1).clamp_min(1e-12) / 127
            small[key] = (value / scale[:, None]).round().to(torch.int8)
            small[f"{key}.scale"] = scale
        else:
            small[key] = value
    return small


def _to_int4(tensors: Mapping[str, Tensor], group: int) -> dict[str, Tensor]:
    small: dict[str, Tensor] = {}
    for key, value in tensors.items():
        small[key] = value
        if key.endswith(".weight") and key != "q_head.weight" and int4.fits(value, group):
            small[key], small[f"{key}.scale"] = int4.pack(value, group)
    if len(small) == len(tensors):
        raise ValueError(f"no matrix has rows that divide into groups of {group}")
    return small


def describe(path: Path) -> dict[str, Any]:
    """Describes a checkpoint: its configuration, keys with shapes and dtypes, numbers and bytes.

    Raises:
        CheckpointError: it cannot be read.
    """
    tensors, metadata = read(path)
    plain = strip_prefix(tensors)
    return {
        "path": str(path),
        "bytes": path.stat().st_size,
        "numbers": sum(value.numel() for key, value in plain.items() if not key.endswith(".scale")),
        "prefix": next(iter(tensors), "").removesuffix(next(iter(plain), "")),
        "config": json.loads(stored_config(path, plain, metadata).to_json()),
        "metadata": {key: value for key, value in metadata.items() if key != "config"},
        "tensors": {
            key: {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
            for key, value in plain.items()
        },
    }


def _line(error: Exception) -> str:
    """Returns what an error says in one line of a readable length: it may quote what is in a file."""
    words = " ".join(str(error).split()) or type(error).__name__
    return words if len(words) <= _LONGEST_LINE else f"{words[:_LONGEST_LINE]}..."


def _damaged(path: Path, error: Exception, remedy: str) -> CheckpointError:
    return CheckpointError(
        say("{file} is damaged ({problem}); {remedy}", file=str(path), problem=_line(error), remedy=remedy)
    )


def _shape(tensor: Tensor) -> str:
    return str(tuple(tensor.shape))


def _is_safetensors(path: Path) -> bool:
    if path.suffix == ".safetensors":
        return True
    with path.open("rb") as handle:
        head = handle.read(9)
    return head[8:9] == b"{"


def _differences(wanted: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> Iterable[str]:
    for key in sorted({*wanted, *found}):
        if key not in found:
            yield say("{key} is missing (shape wanted {wanted})", key=key, wanted=_shape(wanted[key]))
        elif key not in wanted:
            yield say("{key} is unknown to it (shape found {found})", key=key, found=_shape(found[key]))
        elif wanted[key].shape != found[key].shape:
            yield say(
                "{key}: shape wanted {wanted}, shape found {found}",
                key=key,
                wanted=_shape(wanted[key]),
                found=_shape(found[key]),
            )


def _layers(found: Mapping[str, Tensor], level: str) -> int:
    numbers = (key.split(".")[2] for key in found if key.startswith(f"{level}.layers."))
    return max((int(number) for number in numbers if number.isdecimal() and len(number) < 10), default=0) + 1
