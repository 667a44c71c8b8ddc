"""Weights made small for shipping, in bf16, int8 or int4, and made fp32 again.

A matrix KEY in int8 or int4 has its scales beside it, as KEY.scale.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from hrm import int4
from hrm.message import say
from hrm.tensor_file import CheckpointError


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


def widen(tensors: Mapping[str, Tensor], name: str = "the checkpoint") -> dict[str, Tensor]:
    """Turns stored half-precision, int8 and int4 weights (with their `.scale`) back into fp32.

    Args:
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
                    found=str(tuple(scales[key].shape)),
                    wanted=str(tuple(value.shape)),
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
