"""How good weights are against the search, step by step, and the temperatures that make them honest.

Temperatures are fitted on one half of the held-out fights, and every figure is of the other half. Next hop:
`botapp.learning.figures` makes them a report.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from botapp.advisor.calibration import Calibration, at, tempered
from botapp.advisor.model import AdvisorModel
from botapp.learning.samples import TrainingSamples

REGRET_CAP = 30.0
"""Percent points of winning; a larger regret (a fight thrown away) counts as this much in means."""

_TEMPERATURES = torch.logspace(-1.0, 1.0, 81)
_SLOPES = torch.logspace(-1.0, 0.5, 61)
_EQUAL = 0.01
_LEAST = -60.0
_ROWS = 1024
_EDGE = 1e-6
_RESTRAINT = 1e-3
"""How much a fit is held back from leaving the shares as they are, for want of data."""


@dataclass(frozen=True, slots=True, eq=False)
class GradedAnswers:
    """What the model says to M states after each of T steps; columns are steps.

    Attributes:
        logits: by batch, (B, T, N), -inf for padding.
        regrets: by batch, (B, N), percent points of winning.
        halt: logits of halt, (M, T).
        values: (M, T).
        outcomes: (M,).
        rows: the number of each state, (M,).
    """

    logits: tuple[Tensor, ...]
    regrets: tuple[Tensor, ...]
    halt: Tensor
    values: Tensor
    outcomes: Tensor
    rows: Tensor

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def steps(self) -> int:
        """T."""
        return self.halt.shape[1]

    def where(self, kept: Tensor) -> "GradedAnswers":
        """Returns the answers to the states that `kept`, (M,) bool, picks."""
        parts = torch.split(kept, [len(regrets) for regrets in self.regrets])
        return GradedAnswers(
            tuple(logits[part] for logits, part in zip(self.logits, parts, strict=True)),
            tuple(regrets[part] for regrets, part in zip(self.regrets, parts, strict=True)),
            self.halt[kept],
            self.values[kept],
            self.outcomes[kept],
            self.rows[kept],
        )

    def chosen_regrets(self) -> Tensor:
        """Returns the regret of the likeliest option, (M, T)."""
        return torch.cat(
            [r.gather(1, logits.argmax(-1)) for logits, r in zip(self.logits, self.regrets, strict=True)]
        )

    def best_shares(self, step: int, calibration: Calibration) -> tuple[Tensor, Tensor]:
        """Returns the share of the likeliest option, and the chance that the search takes it, (M,) each.

        Of options that the search finds equally good it takes any. Steps count from 0.
        """
        shares, right = [], []
        for logits, regrets in zip(self.logits, self.regrets, strict=True):
            top = calibration.shares(logits[:, step], step + 1).max(-1)
            shares.append(top.values)
            right.append(_choice(regrets).gather(1, top.indices[:, None])[:, 0])
        return torch.cat(shares), torch.cat(right)

    def surprise(self, step: int, temperature: float) -> float:
        """Returns the mean negative log share of the search's choice."""
        total = 0.0
        for logits, regrets in zip(self.logits, self.regrets, strict=True):
            logs = (logits[:, step] / temperature).log_softmax(-1)
            total -= float((_choice(regrets) * logs.clamp_min(_LEAST)).sum())
        return total / len(self)

    def luck(self, epsilon: float) -> Tensor:
        """Returns how often an option drawn at random would cost at most epsilon, (M,)."""
        shares = []
        for logits, regrets in zip(self.logits, self.regrets, strict=True):
            real = logits[:, 0] > -torch.inf
            shares.append(((regrets <= epsilon) & real).sum(1) / real.sum(1))
        return torch.cat(shares)


def _choice(regrets: Tensor) -> Tensor:
    """Returns the chance of each option to be the search's choice, (B, N), alike for equally good ones."""
    best = regrets <= regrets.min(-1, keepdim=True).values + _EQUAL
    return best / best.sum(-1, keepdim=True)


@torch.no_grad()
def answer(model: AdvisorModel, samples: TrainingSamples, rows: Tensor, steps: int) -> GradedAnswers:
    """Lets the model think `steps` steps about states (by number), however sure it is."""
    logits_all, regrets_all, halts, values, outcomes, numbers = [], [], [], [], [], []
    for some, batch in samples.batches(rows, _ROWS):
        x, mask = model.embed(*batch.inputs)
        carry = model.core.start(len(batch), x.shape[1])
        said = []
        for _ in range(steps):
            carry, q = model.core(carry, x, mask)
            logits, value = model.readout(carry.z_H)
            options = model.choose(logits, batch.options.float())
            said.append((options.masked_fill(~batch.option_mask, -torch.inf), q[:, 0], value))
        logits_all.append(torch.stack([s[0] for s in said], 1).float().cpu())
        halts.append(torch.stack([s[1] for s in said], 1).float().cpu())
        values.append(torch.stack([s[2] for s in said], 1).float().cpu())
        regrets_all.append(batch.regrets.cpu())
        outcomes.append(batch.outcomes.cpu())
        numbers.append(some.cpu())
    return GradedAnswers(
        tuple(logits_all),
        tuple(regrets_all),
        torch.cat(halts),
        torch.cat(values),
        torch.cat(outcomes),
        torch.cat(numbers),
    )


def calibrate(answers: GradedAnswers, epsilon: float) -> Calibration:
    """Fits each step: the options to the search's choices, the best one's share to how often it is right.

    The halt head is fitted to regrets of at most epsilon, the value to how the fights ended.
    """
    good = (answers.chosen_regrets() <= epsilon).float()
    policy, halt, sureness, outcome = [], [], [], []
    for step in range(answers.steps):
        policy.append(min(_TEMPERATURES.tolist(), key=lambda t: answers.surprise(step, t)))
        sureness.append(_platt(*answers.best_shares(step, Calibration((policy[-1],)))))
        logits = answers.halt[:, step]
        losses = [
            functional.binary_cross_entropy_with_logits(logits / t, good[:, step]).item()
            for t in _TEMPERATURES
        ]
        halt.append(float(_TEMPERATURES[losses.index(min(losses))]))
        outcome.append(value_slope(answers.values[:, step], answers.outcomes))
    return Calibration(tuple(policy), tuple(halt), epsilon, sureness=tuple(sureness), outcome=tuple(outcome))


def value_slope(values: Tensor, outcomes: Tensor) -> float:
    """Returns the slope of the values' log odds that brings them closest to the outcomes, in squares."""
    errors = [(tempered(values, slope) - outcomes).square().mean() for slope in _SLOPES.tolist()]
    return float(_SLOPES[errors.index(min(errors))])


def _platt(shares: Tensor, right: Tensor) -> tuple[float, float]:
    """Returns the slope and shift of the shares' log odds that make them likeliest (J. Platt, 1999)."""
    odds = shares.double().clamp(_EDGE, 1 - _EDGE).logit()
    line = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
    fit = torch.optim.LBFGS([line], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> float:
        fit.zero_grad()
        value = functional.binary_cross_entropy_with_logits(line[0] * odds + line[1], right.double())
        value = value + _RESTRAINT * (line - torch.tensor([1.0, 0.0])).square().sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value.item()

    with torch.enable_grad():
        fit.step(loss)  # type: ignore[no-untyped-call]
    slope, shift = line.tolist()
    return slope, shift


def auroc(scores: Tensor, positive: Tensor) -> float:
    """Returns the chance that a positive scores higher than a negative; 0.5 where there is only one kind."""
    count, total = int(positive.sum()), len(positive)
    if count in (0, total):
        return 0.5
    _, where, sizes = torch.unique(scores, return_inverse=True, return_counts=True)
    ends = sizes.cumsum(0).double()
    ranks = (ends - (sizes.double() - 1) / 2)[where]
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (total - count)))


@dataclass(frozen=True, slots=True)
class Bin:
    """States of like confidence: their share of all, their mean confidence, how often they are right."""

    share: float
    confidence: float
    right: float


def reliability(shares: Tensor, right: Tensor, bins: int = 15) -> list[Bin]:
    """Sorts states into equal bins of confidence; empty ones are left out."""
    index = (shares * bins).long().clamp_max(bins - 1)
    found = []
    for number in range(bins):
        inside = index == number
        if inside.any():
            means = (float(part[inside].mean()) for part in (shares, right))
            found.append(Bin(float(inside.float().mean()), *means))
    return found


def calibration_error(shares: Tensor, right: Tensor) -> float:
    """Returns the expected calibration error over 15 equal bins of confidence."""
    return sum(b.share * abs(b.confidence - b.right) for b in reliability(shares, right))


def ended(answers: GradedAnswers, calibration: Calibration, threshold: float) -> Tensor:
    """Returns the step (from 0) at which each state's thought ends if it halts at `threshold`, (M,)."""
    scales = [at(calibration.halt, step + 1) for step in range(answers.steps)]
    halts = (answers.halt / torch.tensor(scales)).sigmoid() >= threshold
    halts[:, -1] = True
    return halts.float().argmax(1)
