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
    """Judges each logged loss by the ones before.

    Attributes:
        limit: a loss so many times the usual one is a break; None to watch nothing.
        usual: moving average of the losses so far.
        seen: how many there were.
        kept: at most two earlier states, the older first.
        grace: how many losses to come are not judged.
    """

    limit: float | None
    usual: float = math.nan
    seen: int = 0
    kept: list[Any] = field(default_factory=list)
    grace: int = 0

    def broken(self, loss: float) -> bool:
        """Takes note of a loss; True if it is far above the usual, or no number."""
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
        """Whether a state should be kept now."""
        return self.limit is not None and not self.grace and self.seen >= WARM and self.seen % EVERY == 0

    def restart(self) -> None:
        """Forgets the losses and states so far: what is trained has changed, and they no longer compare."""
        self.kept, self.seen, self.grace = [], 0, GRACE

    def keep(self, state: Any) -> None:
        """Keeps a copy of a state (nested dicts, lists and tuples of tensors), and the one before it."""
        self.kept = [*self.kept[-1:], copied(state)]

    def back(self) -> Any:
        """Gives a copy of the older state kept, None where there is none; the newer one is forgotten.

        The losses that follow have some grace, so that a slow recovery is not taken for another break.
        """
        self.kept, self.grace = self.kept[:1], GRACE
        return copied(self.kept[0]) if self.kept else None


def copied(state: Any) -> Any:
    """Copies nested dicts, lists and tuples with the tensors in them."""
    if isinstance(state, torch.Tensor):
        return state.detach().clone()
    if isinstance(state, dict):
        return {key: copied(value) for key, value in state.items()}
    if isinstance(state, list | tuple):
        return type(state)(copied(value) for value in state)
    return state
