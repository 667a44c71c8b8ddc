"""The optimisers: AdamATan2 or Muon, and sign descent for the puzzle table.

AdamATan2 replaces Adam's division by an arc tangent: no epsilon, and a step bounded whatever the scale of
the gradients.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, overload

import torch
from torch import Tensor
from torch.optim import AdamW, Optimizer

from hrm.model import PuzzleEmbedding


class AdamATan2(Optimizer):
    """Adam with decoupled decay that moves by lr / (1 - beta1^t) * atan2(m, sqrt(v) / sqrt(1 - beta2^t))."""

    def __init__(
        self,
        params: Iterable[Tensor] | list[dict[str, Any]],
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.95),
        weight_decay: float = 0.1,
    ) -> None:
        if lr < 0 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"lr {lr} must not be negative, and betas {betas} lie in [0, 1)")
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay, "steps": 0})

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], float]) -> float: ...
    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        loss = None if closure is None else closure()
        for group in self.param_groups:
            moving = [parameter for parameter in group["params"] if parameter.grad is not None]
            if moving:
                group["steps"] += 1
                self._move(moving, group)
        return loss

    def _move(self, moving: list[Tensor], group: dict[str, Any]) -> None:
        gradients = [parameter.grad for parameter in moving if parameter.grad is not None]
        means, squares = [], []
        for parameter in moving:
            state = self.state[parameter]
            if not state:
                state["mean"] = torch.zeros_like(parameter)
                state["square"] = torch.zeros_like(parameter)
            means.append(state["mean"])
            squares.append(state["square"])
        lr, (beta1, beta2), steps = group["lr"], group["betas"], group["steps"]
        torch._foreach_lerp_(means, gradients, 1 - beta1)
        torch._foreach_mul_(squares, beta2)
        torch._foreach_addcmul_(squares, gradients, gradients, 1 - beta2)
        spreads = torch._foreach_sqrt(squares)
        torch._foreach_div_(spreads, math.sqrt(1 - beta2**steps))
        turns = [torch.atan2(mean, spread) for mean, spread in zip(means, spreads, strict=True)]
        torch._foreach_mul_(moving, 1 - lr * group["weight_decay"])
        torch._foreach_add_(moving, turns, alpha=-lr / (1 - beta1**steps))


class Muon(AdamATan2):
    """Turns matrices by their orthogonalised momentum; moves all other parameters as AdamATan2 does.

    The orthogonal matrix is scaled to the spread of an Adam step (0.2 a weight), so that rates and decay mean
    the same for both. A parameter counts as a matrix if both its sides are at least `SIDE` long: embeddings
    of few tokens and heads do not.
    """

    SIDE = 32
    MOMENTUM = 0.95
    SPREAD = 0.2

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.95),
        weight_decay: float = 0.1,
    ) -> None:
        every = list(params)
        matrices = [value for value in every if value.dim() == 2 and min(value.shape) >= self.SIDE]
        picked = {id(value) for value in matrices}
        super().__init__(
            [
                {"params": matrices, "matrices": True},
                {"params": [value for value in every if id(value) not in picked], "matrices": False},
            ],
            lr,
            betas,
            weight_decay,
        )

    def _move(self, moving: list[Tensor], group: dict[str, Any]) -> None:
        if not group["matrices"]:
            super()._move(moving, group)
            return
        gradients = [parameter.grad for parameter in moving if parameter.grad is not None]
        means = [
            self.state[parameter].setdefault("mean", torch.zeros_like(parameter)) for parameter in moving
        ]
        torch._foreach_lerp_(means, gradients, 1 - self.MOMENTUM)
        ahead = torch._foreach_lerp(gradients, means, self.MOMENTUM)
        torch._foreach_mul_(moving, 1 - group["lr"] * group["weight_decay"])
        alike: dict[torch.Size, list[int]] = {}
        for index, parameter in enumerate(moving):
            alike.setdefault(parameter.shape, []).append(index)
        for shape, indices in alike.items():
            turns = orthogonalised(torch.stack([ahead[index] for index in indices]))
            reach = group["lr"] * self.SPREAD * math.sqrt(max(shape))
            torch._foreach_add_([moving[index] for index in indices], list(turns), alpha=-reach)


def orthogonalised(matrices: Tensor) -> Tensor:
    """Brings the singular values of matrices (N, rows, columns) near 1, by five Newton-Schulz rounds.

    They end between 0.7 and 1.2; in bf16 on a card, where launches dominate, in fp32 on a CPU.
    """
    turned = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if turned else matrices
    x = x.bfloat16() if x.is_cuda else x
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(5):
        square = torch.bmm(x, x.mT)
        mixed = torch.baddbmm(square, square, square, beta=-4.7750, alpha=2.0315)
        x = torch.baddbmm(x, mixed, x, beta=3.4445)
    return (x.mT if turned else x).to(matrices.dtype)


class SignSGD:
    """Sign descent with decoupled decay on the rows of a puzzle table that the last training step used.

    Gradients of equal ids are summed first, over all processes where there are several; rows unused do not
    move.

    Args:
        weight_decay: share of a row lost at each step, in units of `lr`.
        gather: puts the rows of all processes together.
    """

    def __init__(
        self,
        table: PuzzleEmbedding,
        lr: float = 1e-2,
        weight_decay: float = 0.1,
        gather: Callable[[Tensor], Tensor] = lambda rows: rows,
    ) -> None:
        self.table, self.lr, self.weight_decay, self.gather = table, lr, weight_decay, gather

    @torch.no_grad()
    def step(self) -> None:
        if self.table.used is None or self.table.used[1].grad is None:
            return
        ids, gradients = self.table.used[0].long(), self.table.used[1].grad
        self.table.used = None
        ids, gradients = self.gather(ids), self.gather(gradients)
        weights = self.table.weights
        if len(weights) == 1:
            weights.mul_(1 - self.lr * self.weight_decay).sub_(gradients.sum(0).sign(), alpha=self.lr)
            return
        rows, places = torch.unique(ids, return_inverse=True)
        summed = gradients.new_zeros(len(rows), gradients.shape[1]).index_add_(0, places, gradients)
        weights[rows] = weights[rows] * (1 - self.lr * self.weight_decay) - self.lr * summed.sign()


def make_optimizer(
    name: str,
    params: Iterable[Tensor],
    lr: float,
    weight_decay: float,
    betas: tuple[float, float] = (0.9, 0.95),
) -> Optimizer:
    """Makes an optimiser by name: "adam-atan2", "muon" or "adamw".

    Raises:
        ValueError: there is none of that name.
    """
    if name == "adam-atan2":
        return AdamATan2(params, lr, betas, weight_decay)
    if name == "muon":
        return Muon(params, lr, betas, weight_decay)
    if name == "adamw":
        return AdamW(params, lr, betas, weight_decay=weight_decay)
    raise ValueError(f"there is no optimiser {name!r}; choose adam-atan2, muon or adamw")


def warmed_lr(step: int, lr: float, warmup: int, total: int | None = None, floor: float = 1.0) -> float:
    """Returns the learning rate of step `step` (from 0).

    It rises linearly over `warmup` steps, then stays, or falls along a cosine to `floor * lr` at step
    `total`.
    """
    if step < warmup:
        return lr * (step + 1) / warmup
    if total is None or floor >= 1:
        return lr
    return lr * fallen((step - warmup) / max(1, total - warmup), floor)


def fallen(share: float, floor: float) -> float:
    """What is left of a rate once `share` of its fall is done: from 1 along a cosine to `floor`."""
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
