"""The training losses: the reference's ACT loss.

All sums are over rows unless said otherwise; the caller divides by the batch.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

IGNORED = -100
TokenLoss = Callable[[Tensor, Tensor], Tensor]


def stablemax_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy of each position under stablemax: s(x) = x + 1 from 0 up, 1 / (1 - x) below; in float64.

    Args:
        logits: (..., classes).
        labels: (...), `IGNORED` where there is none.

    Returns:
        (...) float64, 0 where ignored.
    """
    wide = logits.double()
    positive = wide >= 0
    shares = torch.where(positive, wide + 1, 1 / (1 - torch.where(positive, torch.zeros_like(wide), wide)))
    log_shares = torch.log(shares / shares.sum(-1, keepdim=True))
    labelled = labels != IGNORED
    index = torch.where(labelled, labels, 0).long()
    picked = log_shares.gather(-1, index.unsqueeze(-1)).squeeze(-1)
    return -torch.where(labelled, picked, 0)


def softmax_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy of each position under softmax, in fp32; shapes as `stablemax_cross_entropy`."""
    flat = functional.cross_entropy(
        logits.float().flatten(0, -2), labels.long().flatten(), ignore_index=IGNORED, reduction="none"
    )
    return flat.view(labels.shape)


def binary_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Binary cross-entropy from logits (B,) against targets 0..1, summed."""
    return functional.binary_cross_entropy_with_logits(logits, targets.to(logits.dtype), reduction="sum")


@dataclass(frozen=True, slots=True)
class LabelComparison:
    """How a batch of answers compares with its labels; all (B,) but `right`."""

    right: Tensor  # (B, S) bool, labelled positions answered rightly
    count: Tensor  # Labelled positions
    all_right: Tensor  # Whether all of them are right

    @property
    def divisor(self) -> Tensor:
        """`count`, at least 1."""
        return self.count.clamp_min(1)


def compare_with_labels(logits: Tensor, labels: Tensor) -> LabelComparison:
    """Compares the likeliest classes (B, S, classes) with labels (B, S)."""
    labelled = labels != IGNORED
    right = labelled & (logits.argmax(-1) == labels)
    count = labelled.sum(-1)
    return LabelComparison(right, count, right.sum(-1) == count)


def act_loss(
    logits: Tensor,
    q: Tensor,
    labels: Tensor,
    *,
    halted: Tensor,
    steps: Tensor,
    target_q_continue: Tensor | None,
    token_loss: TokenLoss = stablemax_cross_entropy,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of one ACT step, summed over rows, and what to report of it.

    Args:
        logits: (B, S, classes).
        q: (B, 2) logits of halt and continue.
        labels: (B, S), `IGNORED` where there is none.
        halted: (B,) bool, rows that ended at this step; the counted metrics cover these alone.
        steps: (B,) steps taken so far.
        target_q_continue: (B,) 0..1, None where the continue head is not trained.
        token_loss: loss of each position.

    Returns:
        The loss (scalar), and detached sums: count, accuracy, exact_accuracy, q_halt_accuracy and steps over
        halted rows with a label; lm_loss, q_halt_loss and q_continue_loss over all rows.
    """
    with torch.no_grad():
        compared = compare_with_labels(logits, labels)
        valid = halted & (compared.count > 0)
        metrics = {
            "count": valid.sum(),
            "accuracy": torch.where(
                valid, (compared.right.float() / compared.divisor[:, None]).sum(-1), 0
            ).sum(),
            "exact_accuracy": (valid & compared.all_right).sum(),
            "q_halt_accuracy": (valid & ((q[:, 0] >= 0) == compared.all_right)).sum(),
            "steps": torch.where(valid, steps, 0).sum(),
        }
    lm_loss = (token_loss(logits, labels) / compared.divisor[:, None]).sum()
    q_halt_loss = binary_cross_entropy(q[:, 0], compared.all_right)
    metrics |= {"lm_loss": lm_loss.detach(), "q_halt_loss": q_halt_loss.detach()}
    q_loss = q_halt_loss
    if target_q_continue is not None:
        q_continue_loss = binary_cross_entropy(q[:, 1], target_q_continue)
        metrics["q_continue_loss"] = q_continue_loss.detach()
        q_loss = q_halt_loss + q_continue_loss
    return lm_loss + 0.5 * q_loss, metrics
