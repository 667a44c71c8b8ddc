"""What thinking brings, on records: regret after each slice next to the search's own answer, and honesty.

Next hop: the figures in `botapp/learning/LOG.md`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from botapp.advisor.calibration import Calibration

GOOD = 1.0
"""Percent points of winning that a good answer may cost."""
PRICE = 0.05
_BINS = 10


def figures(batch: Any, said: Any, calibration: Calibration) -> dict[str, Any]:
    """Returns the figures of a network on deliberations, by reading; regrets are in percent points.

    Args:
        batch: `botapp.learning.think.RecordBatch`, on the CPU.
        said: `botapp.learning.think.Said`, on the CPU.
        calibration: the temperatures.
    """
    odds = batch.odds.masked_fill(~batch.real[:, None], -1e9)
    found: dict[str, Any] = {"states": len(odds), "by_reading": []}
    given = said.logits.argmax(-1)
    regrets = batch.regrets.gather(1, given)
    bare = batch.regrets.gather(1, odds.argmax(-1))
    won = ((1 + batch.outcome) / 2).numpy()
    for reading in range(odds.shape[1]):
        shares = calibration.shares(said.logits[:, reading].double(), reading + 1)
        sure = shares.amax(-1).numpy()
        right = (given[:, reading] == batch.regrets.argmin(-1)).numpy()
        good = (regrets[:, reading] <= GOOD).numpy()
        value = calibration.expected(said.outcome[:, reading].div(2).tanh(), reading + 1)
        chance = ((1 + value) / 2).numpy()
        first = (odds[:, reading].clamp(-30, 30).amax(-1)).sigmoid().numpy()
        change = (regrets[:, reading] - bare[:, reading]).numpy()
        found["by_reading"].append(
            {
                "slices": reading,
                "regret": _mean(regrets[:, reading]),
                "bare_regret": _mean(bare[:, reading]),
                "difference": round(float(change.mean()), 4),
                "difference_error": round(float(change.std() / max(1, len(change)) ** 0.5), 4),
                "good": _mean(good),
                "bare_good": _mean((bare[:, reading] <= GOOD).numpy()),
                "auroc_halt": auroc(said.q[:, reading, 0].numpy(), good),
                "ece": calibration_error(sure, right),
                "outcome_ece": calibration_error(chance, won),
                "outcome_brier": _mean((chance - won) ** 2),
                "bare_outcome_brier": _mean((first - won) ** 2),
                "goes_on": _mean((said.q[:, reading, 1] > said.q[:, reading, 0]).numpy()),
            }
        )
    found["early_exit"] = _exit(said.q, regrets)
    tried = batch.gains.isfinite()
    if tried.any():
        found["looks"] = _looks(batch.gains[tried], said.looks[tried], batch.gains, said.looks, tried)
    return found


def _exit(q: Tensor, regrets: Tensor) -> dict[str, float]:
    """Returns what halting by the Q-head does, at the usual price."""
    halts = q[:, :, 0] > q[:, :, 1]
    halts[:, :1] = False
    halts[:, -1] = True
    taken = halts.float().argmax(-1)
    return {
        "mean_slices": _mean(taken.numpy()),
        "regret": _mean(regrets.gather(1, taken[:, None])),
        "regret_of_all": _mean(regrets[:, -1]),
    }


def _looks(gains: Tensor, told: Tensor, every: Tensor, all_told: Tensor, tried: Tensor) -> dict[str, float]:
    """Returns whether what looks bring is foreseen, and what the network's looks would have brought."""
    told_np, gains_np = told.double().numpy(), gains.double().numpy()
    linked = float(np.corrcoef(told_np, gains_np)[0, 1]) if told_np.std() > 0 else 0.0
    moments = tried.any(-1)
    best = all_told[moments].masked_fill(~tried[moments], -1e9)
    place = best.argmax(-1, keepdim=True)
    promised = best.gather(1, place)
    brought = every[moments].nan_to_num(0.0).gather(1, place)
    leaves = promised[:, 0] > 0.02
    return {
        "tried": len(gains_np),
        "mean_gain": round(float(gains_np.mean()), 4),
        "correlation": round(linked, 4),
        "leaves_the_schedule": _mean(leaves.float()),
        "gain_by_the_network": round(float((brought[:, 0] * leaves).mean()), 4),
        "best_gain": round(float(every[moments].nan_to_num(-1e9).amax(-1).clamp_min(0).mean()), 4),
    }


def auroc(scores: npt.NDArray[Any], right: npt.NDArray[np.bool_]) -> float | None:
    """Returns how well scores tell right from wrong, 0.5 for not at all; None where all are alike."""
    if right.all() or not right.any():
        return None
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        ranks[same] = ranks[same].mean()
    above = ranks[right].sum() - right.sum() * (right.sum() + 1) / 2
    return round(float(above / (right.sum() * (~right).sum())), 4)


def calibration_error(told: npt.NDArray[Any], came: npt.NDArray[Any]) -> float:
    """Returns by how much what is told is off what came, in ten bins, weighted by their sizes."""
    bins = np.minimum((told * _BINS).astype(int), _BINS - 1)
    off = 0.0
    for one in range(_BINS):
        inside = bins == one
        if inside.any():
            off += inside.mean() * abs(told[inside].mean() - came[inside].mean())
    return round(float(off), 4)


def _mean(values: Any) -> float:
    return round(float(values.mean()), 4)
