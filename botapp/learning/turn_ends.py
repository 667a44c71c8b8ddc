"""What a network has learned of which end of a turn is best: contrasts as tensors, their loss and figures."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from botapp.learning.contrasts import Contrast
from botapp.learning.evaluation_network import EvaluationNetwork

_SPLIT = 1024


@dataclass(frozen=True, slots=True)
class TurnEnds:
    """Ends of turns, D turns of E ends, as `botapp.learning.contrasts.Contrast` has them."""

    rows: Tensor
    pairs: Tensor
    odds: Tensor
    weights: Tensor

    @classmethod
    def of(cls, contrasts: Iterable[Contrast], device: torch.device) -> "TurnEnds | None":
        pairs = list(contrasts)
        if not pairs:
            return None
        parts = ([getattr(pair, name) for pair in pairs] for name in ("rows", "pairs", "odds", "weights"))
        return cls(*(torch.from_numpy(np.stack(part)).to(device) for part in parts))

    def picked(self, turns: Tensor) -> "TurnEnds":
        return TurnEnds(self.rows[turns], self.pairs[turns], self.odds[turns], self.weights[turns])

    def judged(self, net: EvaluationNetwork) -> Tensor:
        """Returns the log odds [D, E] of team 0 by a network."""
        turns, ends = self.odds.shape
        odds: Tensor = net(self.rows.flatten(0, 1).float(), self.pairs.flatten(0, 1).float())
        return odds.view(turns, ends)

    def loss(self, net: EvaluationNetwork) -> Tensor:
        """Returns how far a network is off in how much better some ends of a turn are (Huber's loss)."""
        off = self._centred(self.judged(net)) - self._centred(self.odds)
        each = functional.smooth_l1_loss(off, torch.zeros_like(off), reduction="none")
        return (each * self.weights).sum() / self.weights.sum()

    def _centred(self, odds: Tensor) -> Tensor:
        mean = (odds * self.weights).sum(1, keepdim=True) / self.weights.sum(1, keepdim=True)
        return odds - mean

    @torch.no_grad()
    def figures(self, net: EvaluationNetwork) -> dict[str, float]:
        """Returns how its differences correlate with the search's, and how often it names the better one."""
        off, known, right, pairs = [], [], 0.0, 0.0
        for turns in torch.arange(len(self.odds), device=self.odds.device).split(_SPLIT):
            part = self.picked(turns)
            judged, there = part.judged(net), part.weights > 0
            off.append(part._centred(judged)[there])
            known.append(part._centred(part.odds)[there])
            better = part.odds[:, :, None] - part.odds[:, None] > 0.1
            better &= there[:, :, None] & there[:, None]
            right += (better & (judged[:, :, None] > judged[:, None])).sum().item()
            pairs += better.sum().item()
        both = torch.stack((torch.cat(off), torch.cat(known)))
        return {"correlation": torch.corrcoef(both)[0, 1].item(), "better_named": right / max(1.0, pairs)}
