"""How long a step's matrix products alone take: what no engine can be faster than without quantising.

The products of one eager step are noted as they are dispatched, then run again, one after the other, on
random operands of the same shapes, in a CUDA graph where there is a card. Products with the same second
operand have the same one again, so that weights are read as often as in the step.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from hrm.backends.latency import percentile, times_ms

_PRODUCTS = {torch.ops.aten.mm.default: 0, torch.ops.aten.bmm.default: 0, torch.ops.aten.addmm.default: 1}
"""Where the first operand stands."""

Operands = tuple[Tensor, Tensor]


class _Noted(TorchDispatchMode):
    """Notes the operands of each product."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.found: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        first = _PRODUCTS.get(func)
        if first is not None:
            one, other = args[first : first + 2]
            self.found.append((tuple(one.shape), tuple(other.shape), other.data_ptr()))
        return func(*args, **(kwargs or {}))


def products_of(step: Callable[[], object], device: str, dtype: torch.dtype) -> list[Operands]:
    """Returns random operands for each matrix product of a step, in their order."""
    with _Noted() as noted:
        step()
    seconds: dict[int, Tensor] = {}
    for _, shape, place in noted.found:
        if place not in seconds:
            seconds[place] = torch.randn(shape, device=device, dtype=dtype)
    return [
        (torch.randn(shape, device=device, dtype=dtype), seconds[place]) for shape, _, place in noted.found
    ]


@torch.inference_mode()
def products_ms(products: list[Operands], device: str, repeats: int = 50) -> float:
    """Returns the median time of all products in a row, in milliseconds."""

    def run() -> None:
        for one, other in products:
            torch.matmul(one, other)

    again = run
    for _ in range(3):
        run()
    if device != "cpu":
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run()
        again = graph.replay
    return percentile(times_ms(again, device, repeats), 0.5)
