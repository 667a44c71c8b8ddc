"""The parts of a block: norm, rotary positions, attention, SwiGLU, initialisation.

Weights may be wider than activations: each layer casts its weight to the dtype of what comes in, so that fp32
weights train under bf16 activations, and a model cast to bf16 as a whole needs no casts.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from hrm.config import Config, swiglu_width

# Standard deviation of a unit normal truncated at two sigma.
_CUT_STD = math.sqrt(1 - 4 * math.exp(-2) / math.sqrt(2 * math.pi) / math.erf(math.sqrt(2)))


_undrawn = ContextVar("undrawn", default=False)


@contextmanager
def undrawn() -> Iterator[None]:
    """Draws no weights within the block: for models whose weights are all loaded next."""
    token = _undrawn.set(True)
    try:
        yield
    finally:
        _undrawn.reset(token)


def truncated_normal_(tensor: Tensor, std: float) -> Tensor:
    """Fills with a normal cut at two sigma whose real standard deviation is `std`, as JAX does."""
    if _undrawn.get():
        return tensor
    wide = std / _CUT_STD
    return nn.init.trunc_normal_(tensor, std=wide, a=-2 * wide, b=2 * wide)


def rms_norm(x: Tensor, eps: float) -> Tensor:
    """Scales (..., hidden) to a root mean square of 1, in fp32 or wider, without a weight."""
    wide = x if x.dtype == torch.float64 else x.float()  # promote_types is no operator of the ONNX export
    return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)).to(x.dtype)


class Linear(nn.Module):
    """`x @ weight.T (+ bias)` in the dtype of x; (..., fan_in) to (..., fan_out)."""

    def __init__(self, fan_in: int, fan_out: int, bias: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(truncated_normal_(torch.empty(fan_out, fan_in), 1 / math.sqrt(fan_in)))
        self.bias = nn.Parameter(torch.zeros(fan_out)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        bias = None if self.bias is None else self.bias.to(x.dtype)
        return functional.linear(x, self.weight.to(x.dtype), bias)


class Embedding(nn.Module):
    """A table of (rows, width); looks rows up in `dtype`."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.embedding_weight = nn.Parameter(
            truncated_normal_(torch.empty(rows, width), 1 / math.sqrt(width))
        )

    def forward(self, ids: Tensor, dtype: torch.dtype) -> Tensor:
        """Looks ids (...) up as (..., width)."""
        return functional.embedding(ids, self.embedding_weight.to(dtype))


def rotary_table(length: int, head_dim: int, theta: float) -> tuple[Tensor, Tensor]:
    """Builds the cosines and sines of rotary positions, fp32, each (length, head_dim).

    On the meta device they have a shape only: computed there, they would import all of torch's compiler.
    """
    if torch.get_default_device().type == "meta":
        return torch.empty(length, head_dim), torch.empty(length, head_dim)
    rates = 1.0 / (theta ** (torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim))
    angles = torch.outer(torch.arange(length, dtype=torch.float32), rates)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turns the halves of each head of x (B, S, heads, head_dim) by its position's angles, in fp32."""
    wide = x if x.dtype == torch.float64 else x.to(cos.dtype)
    first, second = wide.chunk(2, dim=-1)
    turned = torch.cat((-second, first), dim=-1)
    return (wide * cos[:, None] + turned * sin[:, None]).to(x.dtype)


class Attention(nn.Module):
    """Attention of every position to every other, (B, S, hidden) to the same."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads, self.head_dim = config.num_heads, config.head_dim
        self.qkv_proj = Linear(config.hidden_size, 3 * config.hidden_size)
        self.o_proj = Linear(config.hidden_size, config.hidden_size)

    def forward(self, x: Tensor, rotary: tuple[Tensor, Tensor] | None, mask: Tensor | None) -> Tensor:
        """Attends.

        Args:
            x: (B, S, hidden).
            rotary: cosines and sines, (S, head_dim) each; None for no rotary positions.
            mask: (B, 1, 1, S) bool, True where a position may be attended to; None for everywhere.
        """
        batch, length, hidden = x.shape
        qkv = self.qkv_proj(x).view(batch, length, 3 * self.heads, self.head_dim)
        query, key, value = qkv.split(self.heads, dim=2)
        if rotary is not None:
            query, key = rotate(query, *rotary), rotate(key, *rotary)
        mixed = functional.scaled_dot_product_attention(
            query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), attn_mask=mask
        )
        joined = mixed.transpose(1, 2).reshape(batch, length, hidden)
        output: Tensor = self.o_proj(joined)
        return output


class SwiGLU(nn.Module):
    """The gated MLP, (..., width) to the same; the gate is the first half of `gate_up_proj`."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.gate_up_proj = Linear(width, 2 * inner)
        self.down_proj = Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        gate, up = self.gate_up_proj(x).chunk(2, dim=-1)
        output: Tensor = self.down_proj(functional.silu(gate) * up)
        return output


class PositionMixer(SwiGLU):
    """The gated MLP across positions, (B, S, hidden) to the same: each channel on its own."""

    def forward(self, x: Tensor) -> Tensor:
        """Applies the MLP from the left, so that nothing need be transposed."""
        wide, narrow = (
            layer.weight.to(x.dtype).expand(len(x), -1, -1) for layer in (self.gate_up_proj, self.down_proj)
        )
        gate, up = torch.bmm(wide, x).chunk(2, dim=1)
        return torch.bmm(narrow, functional.silu(gate) * up)


class Block(nn.Module):
    """Mix positions, norm, MLP, norm: the norm comes after the sum."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.eps = config.rms_norm_eps
        self.self_attn: Attention | None = None
        self.mlp_t: PositionMixer | None = None
        if config.mixer == "attention":
            self.self_attn = Attention(config)
        else:
            self.mlp_t = PositionMixer(config.positions, swiglu_width(config.positions, config.expansion))
        self.mlp = SwiGLU(config.hidden_size, config.mlp_width)

    def forward(self, x: Tensor, rotary: tuple[Tensor, Tensor] | None, mask: Tensor | None) -> Tensor:
        """Applies the block to (B, S, hidden); see `Attention.forward` for the rest."""
        if self.self_attn is not None:
            mixed = self.self_attn(x, rotary, mask)
        else:
            assert self.mlp_t is not None
            masked = x if mask is None else x * mask[:, 0, 0, :, None]
            mixed = self.mlp_t(masked)
        x = rms_norm(x + mixed, self.eps)
        return rms_norm(x + self.mlp(x), self.eps)
