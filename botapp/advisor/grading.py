"""How good trained weights are against the teacher, step by step, and the temperatures that make them honest.

Next hop: `botapp.advisor.train` stores the temperatures with the weights and the figures beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from botapp.advisor.encoding import REGISTERS
from botapp.advisor.model import AdvisorModel, Calibration
from botapp.advisor.samples import Batch

REGRET_CAP = 100.0
"""HP; a regret beyond it (a fight thrown away) counts as this much in means."""

_TEMPERATURES = torch.logspace(-1.0, 1.0, 81)
_BINS = 15
_EQUAL = 0.01
_LEAST = -60.0
_ROWS = 1024


@dataclass(frozen=True, slots=True)
class Answers:
    """What the model says to many states after each of T steps; columns are steps.

    Attributes:
        logits: by batch, (B, T, N), -inf for padding.
        regrets: by batch, (B, N).
        halt: logits of halt, (M, T), M being all states together.
        values: (M, T).
        outcomes: (M,).
    """

    logits: list[Tensor]
    regrets: list[Tensor]
    halt: Tensor
    values: Tensor
    outcomes: Tensor

    def chosen_regrets(self) -> Tensor:
        """Returns the regret of the likeliest option, (M, T)."""
        return torch.cat(
            [r.gather(1, logits.argmax(-1)) for logits, r in zip(self.logits, self.regrets, strict=True)]
        )

    def best_shares(self, step: int, temperature: float) -> tuple[Tensor, Tensor]:
        """Returns the share of the likeliest option and the chance that it is what the teacher takes.

        Of options that the teacher finds equally good it chooses any.
        """
        shares, right = [], []
        for logits, regrets in zip(self.logits, self.regrets, strict=True):
            top = (logits[:, step] / temperature).softmax(-1).max(-1)
            shares.append(top.values)
            right.append(_choice(regrets).gather(1, top.indices[:, None])[:, 0])
        return torch.cat(shares), torch.cat(right)

    def surprise(self, step: int, temperature: float) -> float:
        """Returns the mean negative log share of the teacher's choice."""
        total, count = 0.0, 0
        for logits, regrets in zip(self.logits, self.regrets, strict=True):
            logs = (logits[:, step] / temperature).log_softmax(-1)
            total -= float((_choice(regrets) * logs.clamp_min(_LEAST)).sum())
            count += len(logits)
        return total / count


def _choice(regrets: Tensor) -> Tensor:
    """Returns the chance of each option to be the teacher's choice, (B, N), alike for equally good ones."""
    best = regrets <= regrets.min(-1, keepdim=True).values + _EQUAL
    return best / best.sum(-1, keepdim=True)


@torch.no_grad()
def answer(model: AdvisorModel, batches: Sequence[Batch], steps: int) -> Answers:
    """Lets the model think `steps` steps about every state, however sure it is."""
    logits_all, regrets_all, halts, values, outcomes = [], [], [], [], []
    device = next(model.parameters()).device
    for whole in batches:
        for first in range(0, len(whole), _ROWS):
            batch = whole.rows(
                torch.arange(first, min(len(whole), first + _ROWS), device=whole.context.device)
            )
            batch = batch.to(device)
            x, mask = model.embed(*batch.inputs)
            carry = model.core.start(len(batch), x.shape[1])
            said = []
            for _ in range(steps):
                carry, q = model.core(carry, x, mask)
                logits, value = model.readout(carry.z_H)
                options = logits[:, REGISTERS : REGISTERS + batch.options.shape[1]]
                said.append((options.masked_fill(~batch.option_mask, -torch.inf), q[:, 0], value))
            logits_all.append(torch.stack([s[0] for s in said], 1).float().cpu())
            halts.append(torch.stack([s[1] for s in said], 1).float().cpu())
            values.append(torch.stack([s[2] for s in said], 1).float().cpu())
            regrets_all.append(batch.regrets.cpu())
            outcomes.append(batch.outcomes.cpu())
    return Answers(logits_all, regrets_all, torch.cat(halts), torch.cat(values), torch.cat(outcomes))


def calibrate(answers: Answers, epsilon: float) -> Calibration:
    """Fits a temperature for each step: of the options to the teacher's choices, of halt to small regrets."""
    good = (answers.chosen_regrets() <= epsilon).float()
    policy, halt = [], []
    for step in range(good.shape[1]):
        policy.append(min(_TEMPERATURES.tolist(), key=lambda t: answers.surprise(step, t)))
        logits = answers.halt[:, step]
        losses = [
            functional.binary_cross_entropy_with_logits(logits / t, good[:, step]).item()
            for t in _TEMPERATURES
        ]
        halt.append(float(_TEMPERATURES[losses.index(min(losses))]))
    return Calibration(tuple(policy), tuple(halt), epsilon)


def auroc(scores: Tensor, positive: Tensor) -> float:
    """Returns the chance that a positive scores higher than a negative; 0.5 where there is only one kind."""
    count, total = int(positive.sum()), len(positive)
    if count in (0, total):
        return 0.5
    _, where, sizes = torch.unique(scores, return_inverse=True, return_counts=True)
    ends = sizes.cumsum(0).double()
    ranks = (ends - (sizes.double() - 1) / 2)[where]
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (total - count)))


def calibration_error(shares: Tensor, right: Tensor) -> float:
    """Returns the expected calibration error over 15 equal bins of confidence."""
    bins = (shares * _BINS).long().clamp_max(_BINS - 1)
    error = 0.0
    for index in range(_BINS):
        inside = bins == index
        if inside.any():
            error += float(inside.float().mean() * (shares[inside].mean() - right[inside].mean()).abs())
    return error


def grade(answers: Answers, calibration: Calibration, threshold: float = 0.5) -> dict[str, object]:
    """Returns the figures: by step, and with early exit at `threshold`."""
    regrets = answers.chosen_regrets()
    good = regrets <= calibration.epsilon
    capped = regrets.clamp_max(REGRET_CAP)
    steps = regrets.shape[1]
    by_step = []
    for step in range(steps):
        shares, right = answers.best_shares(step, calibration.policy[step])
        by_step.append(
            {
                "step": step + 1,
                "agreement": round(float((regrets[:, step] <= 0.05).float().mean()), 4),
                "good": round(float(good[:, step].float().mean()), 4),
                "regret": round(float(capped[:, step].mean()), 4),
                "halt_auroc": round(auroc(answers.halt[:, step], good[:, step]), 4),
                "confidence": round(float(shares.mean()), 4),
                "ece": round(calibration_error(shares, right), 4),
                "value_mse": round(float((answers.values[:, step] - answers.outcomes).square().mean()), 4),
                "policy_temperature": round(calibration.policy[step], 4),
                "halt_temperature": round(calibration.halt[step], 4),
            }
        )
    halts = (answers.halt / torch.tensor(calibration.halt)).sigmoid() >= threshold
    halts[:, -1] = True
    ended = halts.float().argmax(1)
    chosen = capped.gather(1, ended[:, None])[:, 0]
    return {
        "states": len(regrets),
        "by_step": by_step,
        "early_exit": {
            "threshold": threshold,
            "mean_steps": round(float(ended.float().mean()) + 1, 3),
            "regret": round(float(chosen.mean()), 4),
            "used": torch.bincount(ended, minlength=steps).tolist(),
        },
    }
