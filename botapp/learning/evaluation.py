"""The learned evaluation, made: `python -m botapp.learning.evaluation --out FILE --seconds N`.

Fights are played on all cores for so long, then the network learns from each state who won. With `--weights`
the fights are played with the evaluation of a round before. Next hop: `botapp.search.learned` reads the file.
"""

import argparse
import json
import logging
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from botapp.arena.workers import spread
from botapp.content.library import classes, monsters
from botapp.learning.outcomes import Manner, Played, play
from botapp.search.core.evaluation_layout import WIDTHS
from botapp.search.core.inputs import INPUT_NAMES, PAIR_NAMES
from botapp.search.learned import INPUTS, KINDS

_LOG = logging.getLogger(__name__)
_HELD_BACK = 20
"""One fight in so many is not learned from."""
_BATCH = 4096
_LR, _DECAY = 2e-3, 1e-4
_OUTCOME = 0.5
"""The share of the fight's end in what is learned; the rest is what the search said. A fight has one end for
all of its states, which is soon learned by heart."""
_TOLD_EVERY_S = 10.0


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
        told = (alone @ hears.T)[:, :, None] + self.tells(alone)[:, None] + pairs @ of_two.T
        there = (team >= 0).float()
        heard = there[:, None] * (1 - torch.eye(count, device=rows.device))[None, :, :, None]
        told = (functional.relu(told) * heard).sum(2)
        among = functional.relu(self.among(torch.cat((alone, told), -1)))
        sums = [(among * (team == side)).sum(1) for side in (0, 1)]
        return self._read(*sums) - self._read(*reversed(sums))

    def _read(self, own: Tensor, other: Tensor) -> Tensor:
        read: Tensor = self.last(functional.relu(self.both(torch.cat((own, other), -1))))
        return read.squeeze(-1)

    def take(self, tensors: Mapping[str, Tensor]) -> None:
        """Takes over the weights of a file, see `tensors`."""
        with torch.no_grad():
            for name, layer in self.named_children():
                assert isinstance(layer, nn.Linear)
                rows = tensors[name].float()
                if layer.bias is not None:
                    layer.bias.copy_(rows[0])
                    rows = rows[1:]
                layer.weight.copy_(rows if name == "last" else rows.T)

    def tensors(self) -> dict[str, Tensor]:
        """Returns the weights as a file has them, see `botapp.search.core.evaluation_layout.LAYERS`."""
        found = {}
        for name, layer in self.named_children():
            assert isinstance(layer, nn.Linear)
            rows = layer.weight.T if name != "last" else layer.weight
            found[name] = (rows if layer.bias is None else torch.cat((layer.bias[None], rows))).half()
        return {name: tensor.detach().cpu().contiguous() for name, tensor in found.items()}


@dataclass(frozen=True, slots=True)
class TurnStates:
    """States of many fights.

    Attributes:
        rows, pairs: what the network takes.
        won: [states], 1 where team 0 won.
        target: [states], what is learned: between `won` and the search's chance.
        weight: [states]; a fight's states count as much together as the root of how many they are.
    """

    rows: Tensor
    pairs: Tensor
    won: Tensor
    target: Tensor
    weight: Tensor

    @classmethod
    def of(cls, fights: Sequence[Played], device: torch.device) -> "TurnStates":
        """Returns the states of fights on a device."""
        counts = [len(fight.rows) for fight in fights]
        won = np.repeat([fight.won for fight in fights], counts)
        weight = np.repeat([max(1, count) ** -0.5 for count in counts], counts)
        rows = torch.from_numpy(np.concatenate([fight.rows for fight in fights]))
        pairs = torch.from_numpy(np.concatenate([fight.pairs for fight in fights]))
        chances = np.concatenate([fight.chances for fight in fights])
        target = np.where(np.isnan(chances), won, _OUTCOME * won + (1 - _OUTCOME) * chances)
        numbers = (torch.from_numpy(one).float().to(device) for one in (won, target, weight / weight.mean()))
        return cls(rows.to(device), pairs.to(device), *numbers)


def played(manner: Manner, first: int, workers: int, seconds: float) -> list[Played]:
    """Plays fights, from the number `first` on, on all cores for so long; returns those that ended."""
    found: list[Played] = []
    begun = told = time.monotonic()
    with closing(spread(partial(play, manner), range(first, first + 10**7), workers, None, seconds)) as ended:
        for _, fight in ended:
            if len(fight.rows):
                found.append(fight)
            if time.monotonic() - told > _TOLD_EVERY_S:
                told = time.monotonic()
                _LOG.info("%d fights in %.0f s", len(found), told - begun)
    return found


def train(
    data: TurnStates, seconds: float, seed: int, epochs: int = 16, start: Path | None = None
) -> EvaluationNetwork:
    """Trains for so long or so many epochs, whichever ends first; the learning rate falls with either.

    Args:
        data: what to learn.
        seconds: how long at most.
        seed: of the first weights and of the order.
        epochs: how often each state is seen at most.
        start: file of the weights to go on from.
    """
    torch.manual_seed(seed)
    net = EvaluationNetwork()
    if start is not None:
        net.take(load_file(start))
    net.to(data.rows.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=_LR, weight_decay=_DECAY)
    begun, count = time.monotonic(), len(data.won)
    batches = -(-count // _BATCH)
    for epoch in range(epochs):
        order = torch.randperm(count, device=data.rows.device)
        for batch in range(batches):
            done = max((epoch + batch / batches) / epochs, (time.monotonic() - begun) / seconds)
            if done >= 1:
                return net
            optimizer.param_groups[0]["lr"] = _LR * (1 - done)
            picked = order[batch * _BATCH : (batch + 1) * _BATCH]
            odds = net(data.rows[picked].float(), data.pairs[picked].float())
            loss = functional.binary_cross_entropy_with_logits(
                odds, data.target[picked], weight=data.weight[picked]
            )
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
    return net


@torch.no_grad()
def figures(net: EvaluationNetwork, data: TurnStates) -> dict[str, float]:
    """Returns log loss, Brier score and area under the curve on states, draws left out of the last."""
    odds = torch.cat(
        [
            net(rows.float(), pairs.float())
            for rows, pairs in zip(data.rows.split(16384), data.pairs.split(16384), strict=True)
        ]
    )
    share = odds.sigmoid()
    decided = data.won != 0.5
    won = data.won[decided].bool()
    ranks = odds[decided].argsort().argsort().double() + 1
    wins, losses = won.sum().item(), (~won).sum().item()
    area = (ranks[won].sum().item() - wins * (wins + 1) / 2) / max(1, wins * losses)
    return {
        "log_loss": functional.binary_cross_entropy_with_logits(odds, data.won).item(),
        "brier": (share - data.won).square().mean().item(),
        "auc": area,
    }


def save(net: EvaluationNetwork, path: Path) -> None:
    """Writes the weights in half precision."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kinds = [key for key, template in (classes() | monsters()).items() if not template.unseen]
    about = {INPUTS: " ".join(INPUT_NAMES + PAIR_NAMES), KINDS: " ".join(sorted(kinds))}
    save_file(net.tensors(), path, about)


def main(given: Sequence[str] | None = None) -> int:
    """Plays, trains, measures on fights held back, and writes the weights and the figures."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.evaluation", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file for the weights")
    parser.add_argument("--seconds", type=float, required=True, help="how long fights are played")
    parser.add_argument("--train-seconds", type=float, default=60.0, help="how long it learns at most")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=70_000_000, help="number of the first fight")
    parser.add_argument("--weights", help="evaluation by which the fights are played")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--rollout-actions", type=int, default=96)
    parser.add_argument("--keep", type=Path, help="folder of fights: those there are learned from too")
    options = parser.parse_args(given)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    manner = Manner(options.rollout_actions, 5 * options.rollout_actions // 2, options.weights)
    fights = played(manner, options.seed, options.workers, options.seconds)
    if options.keep is not None:
        fights = _kept(options.keep, options.seed, fights)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    held_back = TurnStates.of([one for one in fights if one.fight % _HELD_BACK == 0], device)
    learned = TurnStates.of([one for one in fights if one.fight % _HELD_BACK], device)
    net = train(learned, options.train_seconds, options.seed, start=options.start)
    save(net, options.out)
    found: dict[str, Any] = {"fights": len(fights), "states": len(learned.won), **figures(net, held_back)}
    found["train_log_loss"] = figures(net, learned)["log_loss"]
    options.out.with_suffix(".json").write_text(json.dumps(found, indent=1), "utf-8")
    _LOG.info("%s", found)
    return 0


def _kept(folder: Path, seed: int, fights: list[Played]) -> list[Played]:
    """Returns all fights of a folder, after these were added to it."""
    folder.mkdir(parents=True, exist_ok=True)
    counts = [len(fight.rows) for fight in fights]
    numbers, won = [fight.fight for fight in fights], [fight.won for fight in fights]
    rows = np.concatenate([fight.rows for fight in fights])
    pairs = np.concatenate([fight.pairs for fight in fights])
    chances = np.concatenate([fight.chances for fight in fights])
    np.savez(
        folder / f"fights-{seed}.npz",
        rows=rows,
        pairs=pairs,
        chances=chances,
        counts=counts,
        numbers=numbers,
        won=won,
    )
    found = []
    for path in sorted(folder.glob("fights-*.npz")):
        with np.load(path) as file:
            cuts = np.cumsum(file["counts"])[:-1]
            parts = (np.split(file[name], cuts) for name in ("rows", "pairs", "chances"))
            found += [
                Played(int(n), rows, pairs, chances, float(w))
                for n, rows, pairs, chances, w in zip(file["numbers"], *parts, file["won"], strict=True)
            ]
    return found


if __name__ == "__main__":
    sys.exit(main())
