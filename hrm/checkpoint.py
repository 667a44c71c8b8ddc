"""Which model a file of weights holds: ours by the configuration in it, the reference's key for key.

A refusal about a key names the shape wanted and the shape found. How tensors lie in a file:
`hrm.tensor_file`; those made small for shipping: `hrm.small_weights`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from hrm.config import Config
from hrm.message import join, one_line, say
from hrm.model import HRM
from hrm.small_weights import widen
from hrm.tensor_file import CheckpointError, read, require_numbers, save

PREFIXES = ("_orig_mod.model.inner.", "model.inner.")


def save_model(
    path: Path, model: nn.Module, config: Config, metadata: Mapping[str, str] | None = None
) -> None:
    """Writes a model's weights; the metadata holds its configuration and the entries given."""
    save(path, model.state_dict(), {"config": config.to_json(), **(metadata or {})})


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
    require_numbers(tensors, str(path), whole=False)
    require_token_model(tensors, str(path))
    if config is None:
        config = stored_config(path, tensors, metadata)
    with torch.device("meta"):
        model = HRM(replace(config, **changes))
    load_strictly(model, tensors, str(path), assign=True)
    model.build_tables()
    return model


def load_strictly(
    model: nn.Module, tensors: Mapping[str, Tensor], name: str, *, assign: bool = False
) -> None:
    """Loads tensors key for key into a model.

    Args:
        tensors: the weights, with or without the reference's prefix.
        name: what to call the checkpoint in an error, its path as a rule.
        assign: take the tensors themselves as the model's (for models built on the meta device).

    Raises:
        CheckpointError: a key is missing, unknown, or of another shape than the model's.
    """
    plain = strip_prefix(tensors)
    wanted = model.state_dict()
    wrong = list(_differences(wanted, plain))
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
        model.load_state_dict(plain, assign=assign)
    except RuntimeError as error:
        problem = one_line(error)
        raise CheckpointError(
            say("{file} does not fit the model: {problem}", file=name, problem=problem)
        ) from error


def strip_prefix(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Removes the prefix that the reference's training script puts before every key, where there is one."""
    for prefix in PREFIXES:
        if tensors and all(key.startswith(prefix) for key in tensors):
            return {key.removeprefix(prefix): value for key, value in tensors.items()}
    return dict(tensors)


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
            say(
                "the configuration in {file} cannot be read: {problem}",
                file=str(path),
                problem=one_line(error),
            )
        ) from error


def infer_config(tensors: Mapping[str, Tensor], name: str) -> Config:
    """Works a configuration out of the shapes of an official checkpoint.

    Values that no shape determines are those published: heads 64 wide, cycles 2 and 2, 16 steps, and a
    sequence of 81 or 900 tokens by vocabulary (rotary positions do not depend on it).

    Raises:
        CheckpointError: a key that the shapes are read from is missing, or no matrix.
    """
    plain = strip_prefix(tensors)

    def shape(key: str) -> torch.Size:
        if key not in plain:
            raise CheckpointError(
                say(
                    "{file} does not look like an HRM checkpoint: the key {key} is missing",
                    file=name,
                    key=key,
                )
            )
        if plain[key].dim() != 2 or 0 in plain[key].shape:
            raise CheckpointError(
                say(
                    "{file} does not look like an HRM checkpoint: {key} has the shape {shape}",
                    file=name,
                    key=key,
                    shape=_shape(plain[key]),
                )
            )
        return plain[key].shape

    vocabulary, hidden = shape("embed_tokens.embedding_weight")
    rows, width = shape("puzzle_emb.weights") if "puzzle_emb.weights" in plain else (1, 0)
    learned = "embed_pos.embedding_weight" in plain
    seq_len = 81 if vocabulary == 11 else 900
    if learned:
        seq_len = shape("embed_pos.embedding_weight")[0] + -width // hidden
    inner = shape("L_level.layers.0.mlp.down_proj.weight")[1]
    try:
        return Config(
            hidden_size=hidden,
            num_heads=max(1, hidden // 64),
            mlp_inner=inner,
            L_layers=_layers(plain, "L_level"),
            H_layers=_layers(plain, "H_level"),
            vocab_size=vocabulary,
            puzzle_emb_ndim=width,
            num_puzzle_identifiers=rows,
            pos_encodings="learned" if learned else "rope",
            seq_len=seq_len,
        )
    except ValueError as error:
        raise CheckpointError(
            say("{file} does not look like an HRM checkpoint: {problem}", file=name, problem=one_line(error))
        ) from error


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


def _differences(wanted: Mapping[str, Tensor], given: Mapping[str, Tensor]) -> Iterable[str]:
    for key in sorted({*wanted, *given}):
        if key not in given:
            yield say("{key} is missing (shape wanted {wanted})", key=key, wanted=_shape(wanted[key]))
        elif key not in wanted:
            yield say("{key} is unknown to it (shape found {found})", key=key, found=_shape(given[key]))
        elif wanted[key].shape != given[key].shape:
            yield say(
                "{key}: shape wanted {wanted}, shape found {found}",
                key=key,
                wanted=_shape(wanted[key]),
                found=_shape(given[key]),
            )


def _layers(tensors: Mapping[str, Tensor], level: str) -> int:
    numbers = (key.split(".")[2] for key in tensors if key.startswith(f"{level}.layers."))
    return max((int(number) for number in numbers if number.isdecimal() and len(number) < 10), default=0) + 1


def _shape(tensor: Tensor) -> str:
    return str(tuple(tensor.shape))
