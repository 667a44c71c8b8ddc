"""What makes the model's shares honest: fitted on held-out fights, kept with the weights."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scales by step, the last one standing for all later ones."""

    policy: tuple[float, ...] = (1.0,)  # What the candidates' logits are divided by
    # Slope and shift that make log odds of Q(halt), which is minus the percent points of winning that the
    # answer is expected to cost (J. Platt, 1999): the odds that it costs one at most
    sureness: tuple[tuple[float, float], ...] = ((1.0, 1.0),)
    # How far the model may correct what the search says, 0 for not at all: then it says when to stop and
    # where to look
    correction: float = 1.0

    @classmethod
    def from_json(cls, numbers: Mapping[str, Any]) -> "Calibration":
        """Reads what `dataclasses.asdict` made of one.

        Raises:
            KeyError, ValueError, TypeError: it is none.
        """
        calibration = cls(
            tuple(map(float, numbers["policy"])),
            tuple((float(slope), float(shift)) for slope, shift in numbers["sureness"]),
            float(numbers["correction"]),
        )
        if not calibration.policy or not all(0 < scale < math.inf for scale in calibration.policy):
            raise ValueError("temperatures are numbers above 0")
        lines = [number for line in calibration.sureness for number in line]
        if not lines or not all(map(math.isfinite, [*lines, calibration.correction])):
            raise ValueError("slopes, shifts and the correction are numbers")
        return calibration

    def sure(self, q_halt: Numbers, step: int) -> Numbers:
        """Returns the chance that an answer costs at most a percent point of winning, 0..1.

        Args:
            q_halt: what the Q-head says of halting with it, any shape.
            step: the ACT step it was given after, from 1.
        """
        slope, shift = at(self.sureness, step)
        return np.exp(-np.logaddexp(0, -(slope * q_halt + shift)))

    def shares(self, logits: Numbers, q_halt: float, step: int) -> Numbers:
        """Returns the share of each candidate, (N,); they sum to 1.

        The best one has the chance that it is good enough (`sure`), the others share the rest, and none has
        more than the best.

        Args:
            logits: (N,), -inf for none.
            step: the ACT step they were given after, from 1.
        """
        scaled = logits / at(self.policy, step)
        best = int(scaled.argmax())
        shares: Numbers = np.exp(scaled - scaled[best])
        shares[best] = 0
        rest, second, sure = shares.sum(), shares.max(), 1.0
        if rest > 0:
            sure = max(float(self.sure(np.array(q_halt), step)), second / (rest + second))
            shares *= (1 - sure) / rest
        shares[best] = sure
        return shares


def at(by_step: Sequence[T], step: int) -> T:
    """Returns what goes with a step, from 1."""
    return by_step[min(step, len(by_step)) - 1]
