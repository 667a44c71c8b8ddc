"""The learned evaluation as a network of torch, for training; its weights go to a file and come from one."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from botapp.search.core.evaluation import INPUT_NAMES, PAIR_NAMES, WIDTHS
from botapp.search.learned import INPUTS, SHARE


class EvaluationNetwork(nn.Module):
    """What `botapp.search.core.network` computes, for training."""

    def __init__(self) -> None:
        super().__init__()
        alone, two, among, both = WIDTHS
        self.alone = nn.Linear(len(INPUT_NAMES), alone)
        self.tells = nn.Linear(alone, two)
        self.hears = nn.Linear(alone + len(PAIR_NAMES), two, bias=False)
        self.among = nn.Linear(alone + two, among)
        self.both = nn.Linear(2 * among, both)
        self.last = nn.Linear(both, 1, bias=False)

    def forward(self, rows: Tensor, pairs: Tensor) -> Tensor:
        """Returns the log odds [states] that team 0 wins.

        Args:
            rows: [states, fighters, `INPUT`], the team first, -1 where there is no fighter.
            pairs: [states, fighters, fighters, `PAIR`].
        """
        team, count = rows[..., :1], rows.shape[1]
        alone = functional.relu(self.alone(rows[..., 1:]))
        hears, of_two = self.hears.weight.split((alone.shape[-1], pairs.shape[-1]), 1)
        messages = (alone @ hears.T)[:, :, None] + self.tells(alone)[:, None] + pairs @ of_two.T
        there = (team >= 0).float()
        heard = there[:, None] * (1 - torch.eye(count, device=rows.device))[None, :, :, None]
        messages = (functional.relu(messages) * heard).sum(2)
        among = functional.relu(self.among(torch.cat((alone, messages), -1)))
        sums = [(among * (team == side)).sum(1) for side in (0, 1)]
        return self._read(*sums) - self._read(*reversed(sums))

    def _read(self, own: Tensor, other: Tensor) -> Tensor:
        read: Tensor = self.last(functional.relu(self.both(torch.cat((own, other), -1))))
        return read.squeeze(-1)

    def take(self, tensors: Mapping[str, Tensor]) -> None:
        with torch.no_grad():
            for name, layer in self.named_children():
                assert isinstance(layer, nn.Linear)
                rows = tensors[name].float()
                if layer.bias is not None:
                    layer.bias.copy_(rows[0])
                    rows = rows[1:]
                layer.weight.copy_(rows if name == "last" else rows.T)

    def tensors(self) -> dict[str, Tensor]:
        """Returns the weights as a file has them, see `botapp.search.core.evaluation.LAYERS`."""
        tensors = {}
        for name, layer in self.named_children():
            assert isinstance(layer, nn.Linear)
            rows = layer.weight.T if name != "last" else layer.weight
            tensors[name] = (rows if layer.bias is None else torch.cat((layer.bias[None], rows))).half()
        return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def save(net: EvaluationNetwork, path: Path, share: float = 1.0) -> None:
    """Writes the weights in half precision.

    Args:
        share: the weight of what it says beside the heuristic evaluation.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {INPUTS: " ".join(INPUT_NAMES + PAIR_NAMES), SHARE: str(share)}
    save_file(net.tensors(), path, about)
