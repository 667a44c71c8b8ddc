"""An evaluation trained on fights of one pool, see `botapp.bench.pool_records`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from botapp.bench.pool_records import read
from botapp.learning.evaluation import TurnStates, figures, train
from botapp.learning.evaluation_network import EvaluationNetwork, save
from botapp.search.learned import SHIPPED

_HELD_BACK = 20  # One fight in so many is not learned from


def learned(
    files: Sequence[Path],
    out: Path,
    seconds: float,
    epochs: int,
    start: Path | None,
    rate: float,
    share: float,
) -> dict[str, Any]:
    """Trains weights and writes them to a file.

    Args:
        seconds, epochs: how long, and how often each state is seen, at most.
        start: weights to go on from, None for a network that knows nothing.
        share: the weight of the evaluation beside the heuristic one, written into the file.

    Returns:
        "fights", "states" learned from; of the fights held back the figures of "shipped" weights and of the
        "learned" ones, see `botapp.learning.evaluation.figures`; "on_learned" those of what was learned from.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    fights = list(read(files))
    data = TurnStates.of([one for one in fights if one.fight % _HELD_BACK], device)
    held = TurnStates.of([one for one in fights if one.fight % _HELD_BACK == 0], device)
    torch.manual_seed(1)
    net, shipped = EvaluationNetwork().to(device), EvaluationNetwork().to(device)
    shipped.take(load_file(SHIPPED))
    if start is not None:
        net.take(load_file(start))
    train(net, data, seconds, epochs, rate=rate)
    out.parent.mkdir(parents=True, exist_ok=True)
    save(net, out, share)
    return {
        "fights": len(fights),
        "states": len(data.won),
        "shipped": figures(shipped, held),
        "learned": figures(net, held),
        "on_learned": figures(net, data),
    }
