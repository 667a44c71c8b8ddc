"""ACT in training: each row of a batch halts on its own, over many optimiser steps.

Rows that halted get initial states and the new batch's row; the others keep their states and data.
"""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn

from hrm.losses import TokenLoss, act_loss, stablemax_cross_entropy
from hrm.model import HRM, Carry

Batch = Mapping[str, Tensor]


class Progress(NamedTuple):
    """Where each row is: its carry, the steps it took (B,), whether it ended (B,), and the data it works on.

    `data` has `inputs` (B, S), `labels` (B, S), `puzzle_identifiers` (B,) and perhaps `min_steps` (B,).
    """

    carry: Carry
    steps: Tensor
    halted: Tensor
    data: dict[str, Tensor]


class ActStep(NamedTuple):
    """What one step made: the progress after it, its loss summed over rows, metrics, logits and q."""

    progress: Progress
    loss: Tensor
    metrics: dict[str, Tensor]
    logits: Tensor
    q: Tensor


class ActTrainer(nn.Module):
    """One ACT step with its loss, as a module (so that DDP can wrap it).

    Args:
        token_loss: the loss of each position.
        compiled: run the level modules through torch.compile.
    """

    def __init__(
        self, model: HRM, token_loss: TokenLoss = stablemax_cross_entropy, *, compiled: bool = False
    ) -> None:
        super().__init__()
        self.model = model
        self.token_loss = token_loss
        if compiled:
            for level in {model.L_level, model.high}:
                level.compile(dynamic=False)

    def start(self, batch: Batch) -> Progress:
        """Makes the progress that training begins with: every row halted, to be filled by the first batch."""
        rows = batch["inputs"]
        steps = torch.zeros(len(rows), dtype=torch.int32, device=rows.device)
        carry = self.model.start(len(rows), self.model.config.positions)
        return Progress(carry, steps, torch.ones_like(steps, dtype=torch.bool), dict(batch))

    def forward(self, progress: Progress, batch: Batch) -> ActStep:
        """Takes one step; in evaluation mode every row runs to the step limit, as in the reference.

        Args:
            progress: the result of the last step, or of `start`.
            batch: data for the rows that halted. `min_steps` (B,), where given, is how many steps a row must
                take.
        """
        model, config = self.model, self.model.config
        fresh = progress.halted
        carry = _renew(progress.carry, model.start(len(fresh), config.positions), fresh)
        data = {key: torch.where(_beside(fresh, new), new, progress.data[key]) for key, new in batch.items()}
        x = model.embed(data["inputs"], data["puzzle_identifiers"])
        carry, q = model(carry, x)
        logits = model.read(carry.z_H)
        carry = carry.detach()
        with torch.no_grad():
            steps = torch.where(fresh, 0, progress.steps) + 1
            last = steps >= config.halt_max_steps
            halted, target = last, None
            if self.training and config.halt_max_steps > 1:
                wants = q[:, 0] > q[:, 1] if config.q_continue else q[:, 0] > 0
                halted = last | wants
                if "min_steps" in data:
                    halted = halted & (steps >= data["min_steps"])
                if config.q_continue:
                    _, ahead = model(carry, x.detach())
                    target = torch.where(last, ahead[:, 0], ahead.amax(-1)).sigmoid()
        loss, metrics = act_loss(
            logits,
            q,
            data["labels"],
            halted=halted,
            steps=steps,
            target_q_continue=target,
            token_loss=self.token_loss,
        )
        return ActStep(Progress(carry, steps, halted, data), loss, metrics, logits, q)


def draw_min_steps(draws: Tensor, probability: float, max_steps: int) -> Tensor:
    """Turns two uniform draws a row, (B, 2), into the steps that exploration makes it take, (B,) int32.

    With `probability` that is one of 2..`max_steps`, else 0.
    """
    drawn = (2 + (draws[:, 1] * (max_steps - 1)).int()).clamp_max(max_steps)
    return torch.where(draws[:, 0] < probability, drawn, 0).int()


def _renew(carry: Carry, start: Carry, fresh: Tensor) -> Carry:
    pick = fresh[:, None, None]
    return Carry(torch.where(pick, start.z_H, carry.z_H), torch.where(pick, start.z_L, carry.z_L))


def _beside(rows: Tensor, other: Tensor) -> Tensor:
    return rows.view(-1, *(1 for _ in other.shape[1:]))
