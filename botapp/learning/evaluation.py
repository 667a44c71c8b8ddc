"""The learned evaluation, made: `python -m botapp.learning.evaluation --out FILE`.

First the default policy plays fights by itself, many of them, and the network learns from each state who
won; then, in rounds, the search plays with the network of the round before, and it learns from both.
"""

import argparse
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from botapp.arena.workers import spread
from botapp.learning.evaluation_network import EvaluationNetwork, save
from botapp.learning.outcomes import Played, PlaySettings, play
from botapp.learning.quick_fights import play_quickly
from botapp.learning.turn_ends import TurnEnds

_LOG = logging.getLogger(__name__)
_HELD_BACK = 20  # One fight in so many is not learned from
BATCH = 4096
_TURNS = 512  # Turns whose ends are compared with each batch
_CONTRAST = 4.0  # The weight of which end of a turn is better, against who won
_LR, _DECAY = 2e-3, 1e-4
_OUTCOME = 0.5
"""The share of the fight's end in what is learned; the rest is what the search said. A fight has one end for
all of its states, which is soon learned by heart."""
_QUICK = 0.4  # The weight of the default policy's fights among all, once there are others
_TOLD_EVERY_S = 10.0


@dataclass(frozen=True, slots=True)
class TurnStates:
    """States of many fights."""

    rows: Tensor
    pairs: Tensor
    won: Tensor  # [states], 1 where team 0 won
    target: Tensor  # [states], what is learned: between `won` and the search's chance
    weight: Tensor  # [states]; a fight's states count as much together as the root of how many they are

    @classmethod
    def of(cls, fights: Sequence[Played], device: torch.device) -> "TurnStates":
        counts = [len(fight.rows) for fight in fights]
        won = np.repeat([fight.won for fight in fights], counts)
        weight = np.repeat([max(1, count) ** -0.5 for count in counts], counts)
        rows = torch.from_numpy(np.concatenate([fight.rows for fight in fights]))
        pairs = torch.from_numpy(np.concatenate([fight.pairs for fight in fights]))
        chances = np.concatenate([fight.chances for fight in fights])
        target = np.where(np.isnan(chances), won, _OUTCOME * won + (1 - _OUTCOME) * chances)
        numbers = (
            torch.from_numpy(column).float().to(device) for column in (won, target, weight / weight.mean())
        )
        return cls(rows.to(device), pairs.to(device), *numbers)

    def beside(self, other: "TurnStates", share: float) -> "TurnStates":
        """Returns these states and others, to which a share of all weight goes."""
        count, others = len(self.won), len(other.won)
        own = self.weight * (1 - share) * (count + others) / count
        return TurnStates(
            torch.cat((self.rows, other.rows)),
            torch.cat((self.pairs, other.pairs)),
            torch.cat((self.won, other.won)),
            torch.cat((self.target, other.target)),
            torch.cat((own, other.weight * share * (count + others) / others)),
        )


def played(
    work: Callable[[int], list[Played]], first: int, workers: int, seconds: float
) -> tuple[list[Played], list[Played]]:
    """Plays fights, from the number `first` on, on all cores for so long.

    Raises:
        ValueError: the time was too short for either.
    """
    learned: list[Played] = []
    held_back: list[Played] = []
    begun = logged = time.monotonic()
    with closing(spread(work, range(first, first + 10**7), workers, None, seconds)) as ended:
        for number, fights in ended:
            (learned if number % _HELD_BACK else held_back).extend(
                fight for fight in fights if len(fight.rows)
            )
            if time.monotonic() - logged > _TOLD_EVERY_S:
                logged = time.monotonic()
                _LOG.info("%d fights in %.0f s", len(learned), logged - begun)
    if not learned or not held_back:
        raise ValueError(f"{seconds:g} s are too short: {len(learned)} fights ended")
    return learned, held_back


def play_one(settings: PlaySettings, number: int) -> list[Played]:
    return [play(settings, number)]


def train(
    net: EvaluationNetwork,
    data: TurnStates,
    seconds: float,
    epochs: int = 12,
    ends: TurnEnds | None = None,
    rate: float = _LR,
) -> None:
    """Trains for so long or so many epochs, whichever ends first; the learning rate falls with either.

    Args:
        seconds: how long at most.
        epochs: how often each state is seen at most.
        ends: ends of turns to tell apart, some with each batch of `data`.
    """
    net.to(data.rows.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=_DECAY)
    begun, count = time.monotonic(), len(data.won)
    batches = -(-count // BATCH)
    for epoch in range(epochs):
        order = torch.randperm(count, device=data.rows.device)
        for batch in range(batches):
            done = max((epoch + batch / batches) / epochs, (time.monotonic() - begun) / seconds)
            if done >= 1:
                return
            optimizer.param_groups[0]["lr"] = rate * (1 - done)
            picked = order[batch * BATCH : (batch + 1) * BATCH]
            odds = net(data.rows[picked].float(), data.pairs[picked].float())
            loss = functional.binary_cross_entropy_with_logits(
                odds, data.target[picked], weight=data.weight[picked]
            )
            if ends is not None:
                turns = torch.randint(len(ends.odds), (_TURNS,), device=ends.odds.device)
                loss = loss + _CONTRAST * ends.picked(turns).loss(net)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()


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


def main(given: Sequence[str] | None = None) -> int:
    """Plays, trains, measures on fights held back, and writes the weights and the figures."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.evaluation", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file for the weights")
    parser.add_argument(
        "--quick-seconds", type=float, default=60.0, help="seconds that the default policy plays"
    )
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="seconds that the search plays in each round"
    )
    parser.add_argument("--rounds", type=int, default=1, help="rounds of fights of the search")
    parser.add_argument(
        "--train-seconds", type=float, default=40.0, help="seconds that it learns each time at most"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=70_000_000, help="number of the first fight")
    parser.add_argument(
        "--share", type=float, default=0.5, help="its weight beside the heuristic evaluation in the file"
    )
    parser.add_argument("--start", type=Path, help="weights to go on from, with fights of the search at once")
    parser.add_argument(
        "--player", type=Path, help="weights that play the first round, for a network that begins anew"
    )
    parser.add_argument("--rollout-actions", type=int, default=96)
    parser.add_argument(
        "--replies", type=int, default=0, help="states evaluated for each of the others' turns in a rollout"
    )
    parser.add_argument("--lr", type=float, default=_LR, help="learning rate at the beginning of each time")
    parser.add_argument(
        "--contrasted", type=float, default=0.2, help="share of turns whose ends a deeper search compares"
    )
    parser.add_argument(
        "--drawn",
        type=float,
        default=PlaySettings().drawn,
        help="share of fights between fighters drawn at random",
    )
    options = parser.parse_args(given)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    net = EvaluationNetwork()
    if options.start is not None:
        net.take(load_file(options.start))
    runs: list[dict[str, Any]] = []
    options.out.parent.mkdir(parents=True, exist_ok=True)

    def learn(
        name: str, data: TurnStates, held_back: dict[str, TurnStates], ends: Sequence[TurnEnds | None] = ()
    ) -> str:
        """Trains, notes how good it is at what was held back, and writes the weights; returns their file."""
        train(net, data, options.train_seconds, ends=ends[0] if ends else None, rate=options.lr)
        figures_of: dict[str, Any] = {of: figures(net, states) for of, states in held_back.items()}
        figures_of |= {
            f"ends {of}": part.figures(net)
            for of, part in zip(("learned", "held back"), ends, strict=False)
            if part
        }
        runs.append({"after": name, "states": len(data.won), "learned": figures(net, data), **figures_of})
        _LOG.info("%s", runs[-1])
        path: Path = options.out.with_name(f"{options.out.stem}-{name}.safetensors")
        save(net, path, options.share)
        return str(path)

    quick, quick_held = (
        TurnStates.of(part, device)
        for part in played(play_quickly, options.seed, options.workers, options.quick_seconds)
    )
    weights = str(options.player or options.start or learn("quick", quick, {"quick": quick_held}))
    fights: list[Played] = []
    for round_ in range(options.rounds):
        settings = PlaySettings(
            options.rollout_actions,
            5 * options.rollout_actions // 2,
            weights,
            contrasted=options.contrasted,
            drawn=options.drawn,
            replies=options.replies,
        )
        first = options.seed + (round_ + 1) * 1_000_000
        more, held_out = played(partial(play_one, settings), first, options.workers, options.seconds)
        fights += more
        data = TurnStates.of(fights, device).beside(quick, _QUICK)
        held_back = {"quick": quick_held, "search": TurnStates.of(held_out, device)}
        ends = [TurnEnds.of((c for f in part for c in f.contrasts), device) for part in (fights, held_out)]
        weights = learn(f"round-{round_ + 1}", data, held_back, ends)
    save(net, options.out, options.share)
    options.out.with_suffix(".json").write_text(json.dumps(runs, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
