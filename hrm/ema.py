"""Exponential moving average (EMA) of a model's weights; evaluated in place of the last weights."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class Ema:
    """An average that keeps `decay` of its old value at each update, and less at the start of training.

    Args:
        model: the model to follow; integer buffers are copied, not averaged.
        decay: share of the average kept at each step, e.g. 0.999.
    """

    def __init__(self, model: nn.Module, decay: float = 0.999) -> None:
        if not 0 <= decay < 1:
            raise ValueError(f"an EMA's decay lies in [0, 1), not {decay}")
        self.decay = decay
        self.updates = 0
        self.average = {key: value.detach().clone() for key, value in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        self.updates += 1
        share = 1 - min(self.decay, self.updates / (self.updates + 10))
        now = model.state_dict()
        floating = [key for key, value in self.average.items() if value.is_floating_point()]
        torch._foreach_lerp_([self.average[key] for key in floating], [now[key] for key in floating], share)
        for key in now.keys() - set(floating):
            self.average[key].copy_(now[key])

    @contextmanager
    def applied(self, model: nn.Module) -> Iterator[None]:
        """Gives the model the averaged weights within the context, and its own back afterwards."""
        own = {key: value.detach().clone() for key, value in model.state_dict().items()}
        model.load_state_dict(self.average)
        try:
            yield
        finally:
            model.load_state_dict(own)

    def state_dict(self) -> dict[str, Tensor]:
        """The average, and the count of updates, as tensors."""
        return {**self.average, "__updates__": torch.tensor(self.updates)}

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        self.updates = int(state["__updates__"])
        for key, value in self.average.items():
            value.copy_(state[key])
