"""What thinking brings, on records: regret after each slice next to the search's own answer, and honesty."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from botapp.advisor.calibration import Calibration
from botapp.advisor.thinker import Thinker, load_thinker
from botapp.learning.deliberations import RecordBatch, Records, batch_of, load
from botapp.learning.recorded import MODES, READINGS
from botapp.learning.reliability import calibration_error
from botapp.learning.thoughts import Said, think
from hrm.reasoner import pick_device

GOOD = 1.0  # Percent points of winning that a good answer may cost
_RESTRAINT = 1e-3  # How much a fit is held back from leaving things as they are, for want of data


def measure(weights: Path, data: Sequence[Path], device: str = "auto") -> dict[str, Any]:
    """Grades stored weights on all states of some folders."""
    place = pick_device(device)
    model, calibration = load_thinker(weights)
    records = load(data, place)
    return by_mode(model.to(place), records, torch.arange(len(records), device=place), calibration)


def graded(
    model: Thinker, records: Records, rows: Tensor, correction: float
) -> tuple[dict[str, Any], Calibration]:
    """Fits temperatures on half of the held-out fights and grades on the other half; on all where few."""
    fitting, testing = halves(records, rows)
    calibration = _calibrated(*_said(model, records, fitting, correction), correction)
    return by_mode(model, records, testing, calibration), calibration


def halves(records: Records, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Parts states by their fights: to choose and fit by, and to grade on; all twice where there are few."""
    odd = (records.arrays["fight"][rows] // 2) % 2 == 1
    return (rows[odd], rows[~odd]) if odd.any() and not odd.all() else (rows, rows)


@torch.inference_mode()
def differences(model: Thinker, records: Records, rows: Tensor, correction: float) -> dict[str, Any]:
    """Returns what answers cost beyond the search's own after each slice, in percent points of winning.

    Returns:
        `differences` and `errors` (the standard error of each) by slices done; `halting`, the mean squared
        error of Q(halt).
    """
    batch, said = _said(model, records, rows, correction)
    regrets, bare = answered(batch, said)
    change = regrets - bare
    halted = (said.q[:, :, 0] + regrets.clamp_max(15.0)).square().mean()
    return {
        "differences": [round(value, 4) for value in change.mean(0).tolist()],
        "errors": [round(value, 4) for value in (change.std(0) / max(1, len(change)) ** 0.5).tolist()],
        "halting": round(float(halted), 4),
    }


def answered(batch: RecordBatch, said: Said) -> tuple[Tensor, Tensor]:
    """Returns what the network's and the search's own answers cost after each reading, (B, R) each."""
    odds = batch.odds.masked_fill(~batch.real[:, None], -1e9)
    return batch.regrets.gather(1, said.logits.argmax(-1)), batch.regrets.gather(1, odds.argmax(-1))


def by_mode(model: Thinker, records: Records, rows: Tensor, calibration: Calibration) -> dict[str, Any]:
    """Returns the `figures` of a network on states, by who said where slices went."""
    return {
        name: figures(*_said(model, records, rows, calibration.correction, which), calibration)
        for which, name in enumerate(MODES[: records.arrays["mode"].shape[1]])
        if name != "random"
    }


@torch.inference_mode()
def _said(
    model: Thinker, records: Records, rows: Tensor, correction: float, which: int = 0
) -> tuple[RecordBatch, Said]:
    parts = []
    for some in torch.split(rows, 1024):
        batch = batch_of(records, some, torch.full_like(some, which))
        parts.append((batch, think(model, batch, correction)))
    return _all([batch for batch, _ in parts]), _all([said for _, said in parts])


def _all(parts: list[Any]) -> Any:
    names = parts[0].__dataclass_fields__
    return type(parts[0])(*(torch.cat([getattr(part, name) for part in parts]).cpu() for name in names))


def _calibrated(batch: RecordBatch, said: Said, correction: float) -> Calibration:
    best = batch.regrets.argmin(-1)
    policy, sureness = [], []
    for reading in range(READINGS):
        tried = [
            (nn.functional.cross_entropy(said.logits[:, reading] / scale, best).item(), scale)
            for scale in np.geomspace(0.25, 6, 40).tolist()
        ]
        policy.append(round(min(tried)[1], 4))
        sureness.append(_line(said.q[:, reading, 0].double(), _good(batch, said, reading).double()))
    return Calibration(policy=tuple(policy), sureness=tuple(sureness), correction=correction)


def _good(batch: RecordBatch, said: Said, reading: int) -> Tensor:
    """Returns whether each answer after a reading costs at most `GOOD`, (B,) bool."""
    given = said.logits[:, reading].argmax(-1, keepdim=True)
    return batch.regrets.gather(1, given)[:, 0] <= GOOD


def _line(scores: Tensor, right: Tensor) -> tuple[float, float]:
    """Fits slope and shift of the log odds of being right (J. Platt, 1999), held back a little."""
    line = torch.tensor([1.0, 1.0], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([line], max_iter=200)

    def loss() -> Tensor:
        optimiser.zero_grad()
        mean_loss = nn.functional.binary_cross_entropy_with_logits(line[0] * scores + line[1], right)
        mean_loss = mean_loss + _RESTRAINT * (line - 1).square().sum()
        mean_loss.backward()
        return mean_loss

    optimiser.step(loss)
    slope, shift = line.detach().tolist()
    return round(slope, 4), round(shift, 4)


def figures(batch: RecordBatch, said: Said, calibration: Calibration) -> dict[str, Any]:
    """Returns the figures of a network on deliberations, by reading; regrets are in percent points."""
    regrets, bare = answered(batch, said)
    report: dict[str, Any] = {"states": len(regrets), "by_reading": []}
    for reading in range(regrets.shape[1]):
        sure = calibration.sure(said.q[:, reading, 0].double().numpy(), reading + 1)
        good = _good(batch, said, reading).numpy()
        change = (regrets[:, reading] - bare[:, reading]).numpy()
        report["by_reading"].append(
            {
                "slices": reading,
                "regret": _mean(regrets[:, reading]),
                "bare_regret": _mean(bare[:, reading]),
                "difference": round(float(change.mean()), 4),
                "difference_error": round(float(change.std() / max(1, len(change)) ** 0.5), 4),
                "good": _mean(good),
                "bare_good": _mean((bare[:, reading] <= GOOD).numpy()),
                "auroc_halt": auroc(said.q[:, reading, 0].numpy(), good),
                "ece": round(calibration_error(sure, good), 4),
                "goes_on": _mean((said.q[:, reading, 1] > said.q[:, reading, 0]).numpy()),
            }
        )
    report["early_exit"] = _exit(said.q, regrets)
    tried = batch.gains.isfinite()
    if tried.any():
        report["looks"] = _looks(batch.gains[tried], said.looks[tried], batch.gains, said.looks, tried)
    return report


def _exit(q: Tensor, regrets: Tensor) -> dict[str, float]:
    halts = q[:, :, 0] > q[:, :, 1]
    halts[:, :1] = False
    halts[:, -1] = True
    taken = halts.float().argmax(-1)
    return {
        "mean_slices": _mean(taken.numpy()),
        "regret": _mean(regrets.gather(1, taken[:, None])),
        "regret_of_all": _mean(regrets[:, -1]),
    }


def _looks(
    gains: Tensor, foreseen: Tensor, every: Tensor, every_foreseen: Tensor, tried: Tensor
) -> dict[str, float]:
    """Returns whether what looks bring is foreseen, and what the network's looks would have brought."""
    foreseen_np, gains_np = foreseen.double().numpy(), gains.double().numpy()
    linked = float(np.corrcoef(foreseen_np, gains_np)[0, 1]) if foreseen_np.std() > 0 else 0.0
    moments = tried.any(-1)
    best = every_foreseen[moments].masked_fill(~tried[moments], -1e9)
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


def _mean(values: Any) -> float:
    return round(float(values.mean()), 4)
