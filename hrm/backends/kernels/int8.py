"""Matrices in int8 for torch on a CPU, multiplied by oneDNN, with one scale for each row of the weights.

Activations are quantised dynamically, in two int8 parts where 8 bits are too coarse: the second holds the
remainder of the first, 15 bits in all.
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from hrm.backends.errors import NotAvailableError
from hrm.backends.levels import SMALLEST_INT8
from hrm.layers import PositionMixer
from hrm.message import say

SMALLEST = SMALLEST_INT8


def worth_quantising(fan_out: int, fan_in: int) -> bool:
    """Whether a matrix is large enough to gain from int8."""
    return fan_out * fan_in >= SMALLEST


def parts(fan_out: int, fan_in: int) -> int:
    """Returns in how many int8 parts the input of a matrix is quantised.

    A matrix that narrows is applied to products of activations, whose outliers leave 8 bits too coarse.
    """
    return 2 if fan_in > fan_out else 1


def largest() -> int:
    """Returns the largest int8 weight that this CPU multiplies without overflow: 127, or 63 without VNNI.

    Without VNNI two products of 8 bits are summed in 16, where two of 255 x 127 do not fit.
    """
    supported = getattr(torch.cpu, "_is_vnni_supported", None)
    return 127 if supported is not None and supported() else 63


def quantise_rows(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Rounds a matrix (fan_out, fan_in) to int8 with a scale for each row, (fan_out,)."""
    scale = matrix.float().abs().amax(1).clamp_min(1e-12) / largest()
    return (matrix / scale[:, None]).round().to(torch.int8), scale


class Int8Linear(nn.Module):
    """A linear layer of fixed weights (fan_out, fan_in) in int8; fp32 in, fp32 out."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        small, self._scale = quantise_rows(weight)
        self._weight = torch.ops.onednn.qlinear_prepack(small, None)
        self._zeros = torch.zeros(len(weight), dtype=torch.long)
        self._bias = bias
        self._parts = parts(*weight.shape)

    def forward(self, x: Tensor) -> Tensor:
        """Applies the layer to (..., fan_in)."""
        product, rest = self._product(x, self._bias)
        for _ in range(1, self._parts):
            more, rest = self._product(rest, None)
            product = product + more
        return product

    def _product(self, x: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor]:
        """Multiplies x rounded to 8 bits; returns the rounding error as well."""
        low, high = (float(end) for end in torch.aminmax(x))
        low, high = min(low, 0.0), max(high, 0.0)
        scale = max((high - low) / 255, 1e-12)
        zero = round(-low / scale)
        whole = (x / scale).round_().add_(zero).clamp_(0, 255)
        product: Tensor = torch.ops.onednn.qlinear_pointwise(
            whole.to(torch.uint8), scale, zero, self._weight, self._scale, self._zeros, bias,
            1.0, 0, torch.float32, "none", [], "",
        )  # fmt: skip
        return product, x - (whole - zero) * scale if self._parts > 1 else x


def quantisable(module: nn.Module) -> bool:
    """Whether a module has a linear layer that is large enough for int8."""
    return any(_is_large_linear(child) for _, _, child in _linears(module))


def quantise(module: nn.Module) -> int:
    """Puts `Int8Linear` in the place of every linear layer that is large enough; returns how many.

    A linear layer is whatever is called Linear and has a weight of two dimensions.

    Raises:
        NotAvailableError: this build of torch has no int8 products.
    """
    if not hasattr(torch.ops.onednn, "qlinear_prepack"):
        raise NotAvailableError(
            say("this build of torch has no int8 products"), say("run int8 on ONNX Runtime")
        )
    count = 0
    for parent, name, child in list(_linears(module)):
        if _is_large_linear(child):
            weight, bias = child.get_parameter("weight"), getattr(child, "bias", None)
            setattr(parent, name, Int8Linear(weight.detach(), None if bias is None else bias.detach()))
            count += 1
    return count


def _linears(module: nn.Module) -> Iterator[tuple[nn.Module, str, nn.Module]]:
    """Yields the linear layers with their parent and name; a position mixer's multiply by themselves."""
    for parent in module.modules():
        if not isinstance(parent, PositionMixer):
            for name, child in parent.named_children():
                if type(child).__name__ == "Linear":
                    yield parent, name, child


def _is_large_linear(child: nn.Module) -> bool:
    weight = getattr(child, "weight", None)
    return isinstance(weight, Tensor) and weight.dim() == 2 and worth_quantising(*weight.shape)
