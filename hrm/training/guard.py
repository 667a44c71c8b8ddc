"""Watches the loss: a run that diverges is rolled back to an earlier state. Used by the loop.

Recursive models with large learning rates learn fast and now and then diverge within a hundred steps, for
good. The guard keeps two earlier states and says when to go back to the older one.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import torch

WARM = 5
EVERY = 10
GRACE = 3


@dataclass(slots=True)
class LossGuard:
    """Compares each logged loss with those before."""

    limit: float | None  # A loss so many times the usual one counts as divergence; None to check nothing
    usual: float = math.nan  # Moving average of the losses so far
    seen: int = 0  # How many there were
    states: list[Any] = field(default_factory=list)  # At most two earlier states, the older first
    grace: int = 0  # How many of the next losses are not judged

    def broken(self, loss: float) -> bool:
        """Records a loss; returns whether it is far above the usual, or NaN."""
        if self.limit is None or self.grace:
            self.grace = max(0, self.grace - 1)
            return False
        if self.seen >= WARM and not loss <= self.limit * self.usual:
            return True
        self.usual = loss if self.seen == 0 else 0.8 * self.usual + 0.2 * loss
        self.seen += 1
        return False

    @property
    def due(self) -> bool:
        return self.limit is not None and not self.grace and self.seen >= WARM and self.seen % EVERY == 0

    def restart(self) -> None:
        """Drops the losses and states so far: the task changed, and they are no longer comparable."""
        self.states, self.seen, self.grace = [], 0, GRACE

    def keep(self, state: Any) -> None:
        """Stores a copy of a state (nested dicts, lists and tuples of tensors) beside the one before it."""
        self.states = [*self.states[-1:], copied(state)]

    def back(self) -> Any:
        """Returns a copy of the older state, None where there is none; the newer one is dropped.

        The next losses are not judged, so that a slow recovery does not count as another divergence.
        """
        self.states, self.grace = self.states[:1], GRACE
        return copied(self.states[0]) if self.states else None


def copied(state: Any) -> Any:
    if isinstance(state, torch.Tensor):
        return state.detach().clone()
    if isinstance(state, dict):
        return {key: copied(value) for key, value in state.items()}
    if isinstance(state, list | tuple):
        return type(state)(copied(value) for value in state)
    return state
