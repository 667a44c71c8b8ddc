"""What makes the model's shares honest: fitted on held-out fights, kept with the weights."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scales by step, the last one standing for all later ones.

    Attributes:
        policy: what the candidates' logits are divided by.
        sureness: slope and shift that make log odds of Q(halt), which is minus the percent points of winning
            that the answer is expected to cost (J. Platt, 1999): the odds that it costs one at most.
        correction: how far the model may correct what the search says, 0 for not at all: then it says when
            to stop and where to look.
    """

    policy: tuple[float, ...] = (1.0,)
    sureness: tuple[tuple[float, float], ...] = ((1.0, 1.0),)
    correction: float = 1.0

    @classmethod
    def from_json(cls, numbers: Mapping[str, Any]) -> "Calibration":
        """Reads what `dataclasses.asdict` made of one.

        Raises:
            KeyError, ValueError, TypeError: it is none.
        """
        found = cls(
            tuple(map(float, numbers["policy"])),
            tuple((float(slope), float(shift)) for slope, shift in numbers["sureness"]),
            float(numbers["correction"]),
        )
        if not found.policy or not all(0 < scale < math.inf for scale in found.policy):
            raise ValueError("temperatures are numbers above 0")
        lines = [number for line in found.sureness for number in line]
        if not lines or not all(map(math.isfinite, [*lines, found.correction])):
            raise ValueError("slopes, shifts and the correction are numbers")
        return found

    def sure(self, q_halt: Tensor, step: int) -> Tensor:
        """Returns the chance that an answer costs at most a percent point of winning, 0..1.

        Args:
            q_halt: what the Q-head says of halting with it, any shape.
            step: the ACT step it was given after, from 1.
        """
        slope, shift = at(self.sureness, step)
        return torch.sigmoid(slope * q_halt + shift)

    def shares(self, logits: Tensor, q_halt: Tensor, step: int) -> Tensor:
        """Returns the share of each candidate (..., N), fp64; they sum to 1.

        The best one has the chance that it is good enough (`sure`), the others share the rest, and none has
        more than the best.

        Args:
            logits: (..., N), -inf for padding.
            q_halt: (...).
            step: the ACT step they were given after, from 1.
        """
        found = (logits.double() / at(self.policy, step)).softmax(-1)
        top, index = found.max(-1, keepdim=True)
        others = found.scatter(-1, index, 0.0)
        rest, second = others.sum(-1, keepdim=True), others.amax(-1, keepdim=True)
        some = rest.clamp_min(torch.finfo(found.dtype).tiny)
        sure = self.sure(q_halt.double(), step)[..., None]
        moved = torch.where(rest > 0, torch.maximum(sure, second / (some + second)), top)
        return (others * ((1 - moved) / some)).scatter(-1, index, moved)


def at(by_step: Sequence[T], step: int) -> T:
    """Returns what goes with a step, from 1."""
    return by_step[min(step, len(by_step)) - 1]
