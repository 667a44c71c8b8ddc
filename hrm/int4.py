"""Matrices in 4 bits: groups of a row's numbers share a scale, two numbers lie in a byte. Weights only.

A number is k times its group's scale, k from -7 to 7, stored as k + 8, the first of two in the low half.
The largest of a group is always 7, so packing what was unpacked changes nothing.
"""

import torch
from torch import Tensor

GROUPS = (32, 64)  # How many numbers may share a scale


def fits(matrix: Tensor, group: int) -> bool:
    """Whether a tensor is a matrix whose rows divide into groups."""
    return matrix.dim() == 2 and matrix.shape[1] % group == 0 and matrix.is_floating_point()


def pack(matrix: Tensor, group: int) -> tuple[Tensor, Tensor]:
    """Rounds a matrix (rows, columns) to 4 bits.

    Returns:
        Bytes (rows, columns / 2) and scales (rows, columns / group), in fp32.
    """
    parts = matrix.float().reshape(len(matrix), -1, group)
    scale = parts.abs().amax(2).clamp_min(1e-12) / 7
    numbers = (parts / scale[..., None]).round().add(8).to(torch.uint8).flatten(1)
    return numbers[:, ::2] | numbers[:, 1::2] << 4, scale


def unpack(packed: Tensor, scale: Tensor) -> Tensor:
    """Returns the matrix in fp32."""
    numbers = torch.stack((packed & 15, packed >> 4), dim=2).flatten(1).float() - 8
    parts = numbers.reshape(*scale.shape, -1)
    return (parts * scale.float()[..., None]).flatten(1)
