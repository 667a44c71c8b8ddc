"""What makes the model's shares honest: fitted on held-out fights, kept with the weights.

Next hop: `botapp.advisor.advisor` shows the shares, `botapp.learning.grading` fits and measures them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Temperatures and scales by step, the last one standing for all later ones.

    Attributes:
        policy: what the options' logits are divided by.
        halt: what the Q-head's logits are divided by.
        epsilon: the regret, in the unit of the labels, up to which an answer counts as good enough to halt.
        rollout_actions: how many actions of the others rollouts take before the model thinks; see
            `botapp.advisor.search_stage`.
        sureness: slope and shift of the best option's log odds, once the temperature is in (J. Platt, 1999):
            near ties make the best option's share smaller than the chance that it is right.
        outcome: slope of the log odds of winning that the value stands for: a model is too sure of the ends
            of fights that it has seen many states of.
        correction: how far a model that thinks while the search goes on may correct what the search says, 0
            for not at all: then it says when to stop and where to look.
    """

    policy: tuple[float, ...] = (1.0,)
    halt: tuple[float, ...] = (1.0,)
    epsilon: float = 0.0
    rollout_actions: int = 0
    sureness: tuple[tuple[float, float], ...] = ((1.0, 0.0),)
    outcome: tuple[float, ...] = (1.0,)
    correction: float = 1.0

    @classmethod
    def from_json(cls, numbers: Mapping[str, Any]) -> "Calibration":
        """Reads what `dataclasses.asdict` made of one; older ones lack the last four.

        Raises:
            KeyError, ValueError, TypeError: it is none.
        """
        return cls(
            tuple(map(float, numbers["policy"])),
            tuple(map(float, numbers["halt"])),
            float(numbers["epsilon"]),
            int(numbers.get("rollout_actions", numbers.get("replies", 0))),
            tuple((float(slope), float(shift)) for slope, shift in numbers.get("sureness", ((1, 0),))),
            tuple(map(float, numbers.get("outcome", (1,)))),
            float(numbers.get("correction", 1)),
        )

    def shares(self, logits: Tensor, step: int) -> Tensor:
        """Returns the share of each option (..., N), fp32 or fp64 as the logits are; they sum to 1.

        Args:
            logits: (..., N), -inf for padding.
            step: the ACT step they were given after, from 1.
        """
        found = (logits / at(self.policy, step)).softmax(-1)
        slope, shift = at(self.sureness, step)
        return found if (slope, shift) == (1.0, 0.0) else sharpen(found, slope, shift)

    def expected(self, value: Tensor, step: int) -> Tensor:
        """Returns the outcome to expect, -1..1, where a model says `value` after a step, from 1."""
        slope = at(self.outcome, step)
        return value if slope == 1.0 else tempered(value, slope)


def tempered(values: Tensor, slope: float) -> Tensor:
    """Returns values, -1..1, with the log odds of winning that they stand for times a slope."""
    edge = 1 - torch.finfo(values.dtype).eps
    return (slope * values.clamp(-edge, edge).atanh()).tanh()


def at(by_step: Sequence[T], step: int) -> T:
    """Returns what goes with a step, from 1."""
    return by_step[min(step, len(by_step)) - 1]


def sharpen(shares: Tensor, slope: float, shift: float) -> Tensor:
    """Moves the best option's share along its log odds and scales the others, which never overtake it.

    Args:
        shares: (..., N), summing to 1.
        slope, shift: of the log odds.
    """
    top, index = shares.max(-1, keepdim=True)
    others = shares.scatter(-1, index, 0.0)
    rest, second = others.sum(-1, keepdim=True), others.amax(-1, keepdim=True)
    some = rest.clamp_min(torch.finfo(shares.dtype).tiny)
    moved = torch.sigmoid(slope * (top / some).log() + shift)
    moved = torch.where(rest > 0, torch.maximum(moved, second / (some + second)), top)
    return (others * ((1 - moved) / some)).scatter(-1, index, moved)
